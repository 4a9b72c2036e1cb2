//! 誤答: 期限ちょうどだけを失効とする。時刻が飛ぶと見逃す。

use exercises::{Verdict, checks};
use stage::Time;

fn has_expired(now: Time, expiry: Time) -> bool {
    now == expiry
}

pub fn main() -> Verdict {
    checks::lease_expiry::check(has_expired).into()
}
