//! 誤答: 期限の一刻み前に失効させる。

use exercises::{Verdict, checks};
use stage::Time;

fn has_expired(now: Time, expiry: Time) -> bool {
    now.saturating_add(1) >= expiry
}

pub fn main() -> Verdict {
    checks::lease_expiry::check(has_expired).into()
}
