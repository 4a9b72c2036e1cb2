//! 誤答: 期限の直前まで待って送る。

use exercises::checks::lease_heartbeat::{Night, Stop};
use exercises::{Verdict, checks};

fn nightly(night: &mut Night) -> Result<(), Stop> {
    night.acquire()?;
    let mut expiry = night.now() + 10;
    while let Some(row) = night.next_row()? {
        if night.now() + 2 >= expiry {
            night.renew()?;
            expiry = night.now() + 10;
        }
        night.process(row)?;
    }
    night.release()
}

pub fn main() -> Verdict {
    checks::lease_heartbeat::check(nightly).into()
}
