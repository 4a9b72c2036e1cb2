//! 誤答: 手放した客の遅れた書き込みで値が消える。二重取得は、別の所にある。

use exercises::{Verdict, checks};
use stage::Action::{self, *};
use stage::Client::{A, B};

fn story() -> Vec<Action> {
    vec![
        Acquire(A),
        Send(A, 1),
        Release(A),
        Acquire(B),
        Write(B, 1),
        Deliver(A, 1),
        Pause(B),
        Tick(10),
        Acquire(A),
    ]
}

pub fn main() -> Verdict {
    checks::double_acquisition_overlap::check(story).into()
}
