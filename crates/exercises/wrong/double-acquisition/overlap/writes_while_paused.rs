//! 誤答: 止まっている客に書かせる。

use exercises::{Verdict, checks};
use stage::Action::{self, *};
use stage::Client::{A, B};

fn story() -> Vec<Action> {
    vec![Acquire(A), Pause(A), Tick(10), Acquire(B), Write(B, 1), Write(A, 1)]
}

pub fn main() -> Verdict {
    checks::double_acquisition_overlap::check(story).into()
}
