//! 誤答: 時間ではなく、行の数で送る。長い行が続くと間があく。

use exercises::checks::lease_heartbeat::{Night, Stop};
use exercises::{Verdict, checks};

fn nightly(night: &mut Night) -> Result<(), Stop> {
    night.acquire()?;
    let mut rows = 0;
    while let Some(row) = night.next_row()? {
        if rows == 3 {
            rows = 0;
            night.renew()?;
        }
        night.process(row)?;
        rows += 1;
    }
    night.release()
}

pub fn main() -> Verdict {
    checks::lease_heartbeat::check(nightly).into()
}
