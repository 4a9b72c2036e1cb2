//! 誤答: 持ち主は何度でも取得できると考える。

use exercises::checks::lease_predict::Outcome::{self, *};
use exercises::{Verdict, checks};
use stage::Action::{self, *};
use stage::Client::{A, B};

fn predictions() -> Vec<(Action, Outcome)> {
    vec![
        (Acquire(A), Granted(1)),
        (Tick(4), Nothing),
        (Acquire(A), Granted(1)),
        (Renew(A), Renewed),
        (Tick(9), Nothing),
        (Acquire(B), Refused),
        (Tick(1), Expired),
        (Renew(A), Refused),
        (Acquire(B), Granted(2)),
        (Release(A), Refused),
        (Tick(3), Nothing),
        (Release(B), Released),
        (Acquire(A), Granted(3)),
        (Tick(12), Expired),
        (Acquire(B), Granted(4)),
    ]
}

pub fn main() -> Verdict {
    checks::lease_predict::check(predictions).into()
}
