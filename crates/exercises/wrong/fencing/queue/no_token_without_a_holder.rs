//! 誤答: 誰も持っていなければ、トークンを添えない。

use exercises::checks::fencing_queue::{Pipeline, Write};
use exercises::{Verdict, checks};
use lease::{Lock, LockService};
use stage::{Token, Value};

/// キューに積むジョブ。
#[derive(Clone)]
struct Job {
    value: Value,
    token: Token,
}

/// 持ち主が積む。
fn enqueue(held: Token, value: Value) -> Job {
    Job { value, token: held }
}

/// ワーカーが取り出して、書き込みを作る。
fn perform(job: Job, service: &LockService) -> Write {
    let token = service.holder().map_or(Token::NONE, |_| job.token);
    Write { value: job.value, token }
}

pub fn main() -> Verdict {
    checks::fencing_queue::check(Pipeline { enqueue, perform }).into()
}
