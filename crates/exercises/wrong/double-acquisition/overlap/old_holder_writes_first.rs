//! 誤答: 古い持ち主が、新しい持ち主より先に書く。

use exercises::{Verdict, checks};
use stage::Action::{self, *};
use stage::Client::{A, B};

fn story() -> Vec<Action> {
    vec![Acquire(A), Pause(A), Tick(10), Acquire(B), Resume(A), Write(A, 1), Write(B, 1)]
}

pub fn main() -> Verdict {
    checks::double_acquisition_overlap::check(story).into()
}
