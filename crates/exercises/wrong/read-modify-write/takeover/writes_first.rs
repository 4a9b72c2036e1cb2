//! 誤答: まず一度書いて柵を立てる。そのとき、前の値を読まずに消す。

use exercises::{Verdict, checks};
use stage::Action::{self, *};
use stage::Client::B;

fn takeover() -> Vec<Action> {
    vec![Write(B, 1), Read(B), Write(B, 2)]
}

pub fn main() -> Verdict {
    checks::read_modify_write_takeover::check(takeover).into()
}
