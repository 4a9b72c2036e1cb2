//! 誤答: 書いたあとで登録する。

use exercises::{Verdict, checks};
use stage::Action::{self, *};
use stage::Client::B;

fn takeover() -> Vec<Action> {
    vec![Read(B), Write(B, 1), Register(B)]
}

pub fn main() -> Verdict {
    checks::read_modify_write_takeover::check(takeover).into()
}
