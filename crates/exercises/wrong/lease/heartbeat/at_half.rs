//! 誤答: リースの半分が過ぎたら送る。一つ失われると、次が間に合わない。

use exercises::checks::lease_heartbeat::{Night, Stop};
use exercises::{Verdict, checks};

fn nightly(night: &mut Night) -> Result<(), Stop> {
    night.acquire()?;
    let mut sent = night.now();
    while let Some(row) = night.next_row()? {
        if night.now() - sent >= 5 {
            sent = night.now();
            night.renew()?;
        }
        night.process(row)?;
    }
    night.release()
}

pub fn main() -> Verdict {
    checks::lease_heartbeat::check(nightly).into()
}
