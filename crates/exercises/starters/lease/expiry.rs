//! 演習: 期限の境目を決める
//!
//! `has_expired` は、時刻 `now` に、期限 `expiry` のリースが失効しているかを答える。
//! リースは半開区間で、期限ちょうどにはもう失効している。
//! 今は、いつ尋ねても失効していないと答える。直す。

use exercises::{Verdict, checks};
use stage::Time;

fn has_expired(_now: Time, _expiry: Time) -> bool {
    // ここを直す。
    false
}

pub fn main() -> Verdict {
    checks::lease_expiry::check(has_expired).into()
}
