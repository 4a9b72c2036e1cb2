//! 解答: 期限の時刻を含まない。

use exercises::{Verdict, checks};
use stage::Time;

fn has_expired(now: Time, expiry: Time) -> bool {
    now >= expiry
}

pub fn main() -> Verdict {
    checks::lease_expiry::check(has_expired).into()
}
