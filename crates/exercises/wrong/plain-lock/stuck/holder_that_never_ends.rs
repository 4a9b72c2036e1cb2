//! 誤答: 持ち主の仕事がとても長い。終われば、ロックは空く。

use exercises::{Verdict, checks};
use stage::Action::{self, *};
use stage::Client::{A, B};

fn story() -> Vec<Action> {
    vec![Acquire(A), Acquire(B), Tick(1_000_000), Acquire(B)]
}

pub fn main() -> Verdict {
    checks::plain_lock_stuck::check(story).into()
}
