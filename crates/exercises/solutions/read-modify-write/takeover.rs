//! 解答: 登録してから読む。登録のあとは、古い書き込みが入らない。

use exercises::{Verdict, checks};
use stage::Action::{self, *};
use stage::Client::B;

fn takeover() -> Vec<Action> {
    vec![Register(B), Read(B), Write(B, 1)]
}

pub fn main() -> Verdict {
    checks::read_modify_write_takeover::check(takeover).into()
}
