//! 誤答: 書いたあとでもう一度時計を見て、過ぎていたら元の行に戻す。

use exercises::checks::fencing_worker::{Backend, Lease, Outcome, Row, TooManyCalls};
use exercises::{Verdict, checks};
use stage::Value;

fn run(value: Value, lease: Lease, backend: &mut Backend) -> Result<Outcome, TooManyCalls> {
    let before = backend.read()?;
    if before.token > lease.token {
        return Ok(Outcome::GaveUp);
    }
    backend.put(Row { token: lease.token, value: Some(value) })?;
    if backend.now()? >= lease.expiry {
        backend.put(before)?;
        return Ok(Outcome::GaveUp);
    }
    Ok(Outcome::Done)
}

pub fn main() -> Verdict {
    checks::fencing_worker::check(run).into()
}
