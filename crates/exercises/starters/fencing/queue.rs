//! 演習: ジョブキューの先の資源を守る
//!
//! 持ち主は自分では書かず、`enqueue` でジョブをキューに積む。ワーカーが、あとで `perform` で
//! 取り出して、トークンを比べる資源へ書き込む。キューの中で、ジョブがどれだけ待つかは分からない。
//! 今のワーカーは、取り出したときに、最後に配られたトークンをロックサービスから聞いて添える。
//! すると、古い持ち主のジョブにも新しいトークンがつき、資源の比較が役に立たない。
//! `Job` の形も含めて直す。
//!
//! - `enqueue` の `held` は、積んだ持ち主のトークンである。
//! - 資源へは、積んだときのトークンを添えて書く。

use exercises::checks::fencing_queue::{Pipeline, Write};
use exercises::{Verdict, checks};
use lease::{Lock, LockService};
use stage::{Token, Value};

/// キューに積むジョブ。
#[derive(Clone)]
struct Job {
    value: Value,
}

/// 持ち主が積む。
fn enqueue(_held: Token, value: Value) -> Job {
    Job { value }
}

/// ワーカーが取り出して、書き込みを作る。
fn perform(job: Job, service: &LockService) -> Write {
    Write { value: job.value, token: service.issued() }
}

pub fn main() -> Verdict {
    checks::fencing_queue::check(Pipeline { enqueue, perform }).into()
}
