//! 誤答: 止まる長さが足りず、B は取得できない。

use exercises::{Verdict, checks};
use stage::Action::{self, *};
use stage::Client::{A, B};

fn story() -> Vec<Action> {
    vec![Acquire(A), Pause(A), Tick(9), Acquire(B), Write(B, 1), Resume(A), Write(A, 1)]
}

pub fn main() -> Verdict {
    checks::double_acquisition_overlap::check(story).into()
}
