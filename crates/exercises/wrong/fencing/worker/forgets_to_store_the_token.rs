//! 誤答: 保存先で比べるが、自分のトークンを行に残さない。

use exercises::checks::fencing_worker::{Backend, Lease, Outcome, Row, TooManyCalls};
use exercises::{Verdict, checks};
use stage::Value;

fn run(value: Value, lease: Lease, backend: &mut Backend) -> Result<Outcome, TooManyCalls> {
    let is_written = backend.update(|row| {
        (row.token <= lease.token).then_some(Row { token: row.token, value: Some(value) })
    })?;
    Ok(if is_written { Outcome::Done } else { Outcome::GaveUp })
}

pub fn main() -> Verdict {
    checks::fencing_worker::check(run).into()
}
