//! 誤答: 用心して、リースの半分で書くのをやめる。

use exercises::checks::double_acquisition_deadline::Grant;
use exercises::{Verdict, checks};
use stage::Time;

fn may_write(grant: Grant, now: Time) -> bool {
    now < grant.sent + grant.length / 2
}

pub fn main() -> Verdict {
    checks::double_acquisition_deadline::check(may_write).into()
}
