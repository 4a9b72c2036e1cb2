//! 解答: 次の行を始める前に、前の便りからの時間を見る。二回分が、リースの長さに収まる。

use exercises::checks::lease_heartbeat::{Night, Stop};
use exercises::{Verdict, checks};

fn nightly(night: &mut Night) -> Result<(), Stop> {
    night.acquire()?;
    let mut sent = night.now();
    while let Some(row) = night.next_row()? {
        if night.now() - sent >= 3 {
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
