//! 誤答: 読んでから登録する。その間に古い書き込みが入る。

use exercises::{Verdict, checks};
use stage::Action::{self, *};
use stage::Client::B;

fn takeover() -> Vec<Action> {
    vec![Read(B), Register(B), Write(B, 1)]
}

pub fn main() -> Verdict {
    checks::read_modify_write_takeover::check(takeover).into()
}
