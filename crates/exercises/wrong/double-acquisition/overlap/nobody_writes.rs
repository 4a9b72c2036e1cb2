//! 誤答: 二人が持っているつもりになるだけで、書かない。

use exercises::{Verdict, checks};
use stage::Action::{self, *};
use stage::Client::{A, B};

fn story() -> Vec<Action> {
    vec![Acquire(A), Pause(A), Tick(10), Acquire(B), Resume(A)]
}

pub fn main() -> Verdict {
    checks::double_acquisition_overlap::check(story).into()
}
