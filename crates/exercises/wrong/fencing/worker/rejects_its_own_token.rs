//! 誤答: 等しいトークンの行を、追い越されたものとみなす。

use exercises::checks::fencing_worker::{Backend, Lease, Outcome, Row, TooManyCalls};
use exercises::{Verdict, checks};
use stage::Value;

fn run(value: Value, lease: Lease, backend: &mut Backend) -> Result<Outcome, TooManyCalls> {
    let ours = Row { token: lease.token, value: Some(value) };
    let is_written = backend.update(|row| (row.token < ours.token).then_some(ours))?;
    Ok(if is_written { Outcome::Done } else { Outcome::GaveUp })
}

pub fn main() -> Verdict {
    checks::fencing_worker::check(run).into()
}
