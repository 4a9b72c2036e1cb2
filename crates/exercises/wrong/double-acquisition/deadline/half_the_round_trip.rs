//! 誤答: 送ってから返事までの真ん中で認められたとみなす。

use exercises::checks::double_acquisition_deadline::Grant;
use exercises::{Verdict, checks};
use stage::Time;

fn may_write(grant: Grant, now: Time) -> bool {
    now < (grant.sent + grant.received) / 2 + grant.length
}

pub fn main() -> Verdict {
    checks::double_acquisition_deadline::check(may_write).into()
}
