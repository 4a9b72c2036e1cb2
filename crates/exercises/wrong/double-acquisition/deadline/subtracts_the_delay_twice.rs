//! 誤答: 返事を待った時間を二重に引く。書ける時間が残らない。

use exercises::checks::double_acquisition_deadline::Grant;
use exercises::{Verdict, checks};
use stage::Time;

fn may_write(grant: Grant, now: Time) -> bool {
    now + grant.received < 2 * grant.sent + grant.length
}

pub fn main() -> Verdict {
    checks::double_acquisition_deadline::check(may_write).into()
}
