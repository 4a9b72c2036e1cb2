//! 誤答: 行を処理したあとで送る。最後の行のあとにも送ってしまう。

use exercises::checks::lease_heartbeat::{Night, Stop};
use exercises::{Verdict, checks};

fn nightly(night: &mut Night) -> Result<(), Stop> {
    night.acquire()?;
    let mut sent = night.now();
    while let Some(row) = night.next_row()? {
        night.process(row)?;
        if night.now() - sent >= 3 {
            sent = night.now();
            night.renew()?;
        }
    }
    night.release()
}

pub fn main() -> Verdict {
    checks::lease_heartbeat::check(nightly).into()
}
