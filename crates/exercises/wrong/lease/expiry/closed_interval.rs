//! 誤答: 期限ちょうどを、まだ有効とする。

use exercises::{Verdict, checks};
use stage::Time;

fn has_expired(now: Time, expiry: Time) -> bool {
    now > expiry
}

pub fn main() -> Verdict {
    checks::lease_expiry::check(has_expired).into()
}
