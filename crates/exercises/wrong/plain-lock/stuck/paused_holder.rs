//! 誤答: 持ち主を長く止める。再開すれば、ロックは空く。

use exercises::{Verdict, checks};
use stage::Action::{self, *};
use stage::Client::{A, B};

fn story() -> Vec<Action> {
    vec![Acquire(A), Pause(A), Tick(1_000_000), Acquire(B)]
}

pub fn main() -> Verdict {
    checks::plain_lock_stuck::check(story).into()
}
