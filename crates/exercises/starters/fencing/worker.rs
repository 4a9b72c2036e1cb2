//! 演習: ワーカーの検査を正しい場所へ移す
//!
//! `run` は、ジョブを一つ片づけるワーカーである。`value` を保存先の行に書いて、結末を返す。
//! 今は、自分の時計で期限の前だと確かめてから書く。確かめたあと、書く前に止まると、
//! 新しいトークンの書き込みを消してしまう。直す。
//!
//! - 行より古いトークンのジョブは、どこで止まっても、行を書き換えない。
//! - 書いた行には、値といっしょに自分のトークンを残す。等しいトークンの行には書いてよい。
//! - 書いたら `Outcome::Done`、書かずにやめたら `Outcome::GaveUp` を返す。
//!
//! 保存先の操作は、`read`(読む)、`put`(何も比べずに書く)、`update`(比べて書く)の三つである。
//! `update(|row| …)` は、今の行を渡す。`Some(新しい行)` が返れば、書き換えて `Ok(true)` を返す。
//! `None` が返れば、何も変えずに `Ok(false)` を返す。その間に、ほかの書き込みは割り込まない。

use exercises::checks::fencing_worker::{Backend, Lease, Outcome, Row, TooManyCalls};
use exercises::{Verdict, checks};
use stage::Value;

fn run(value: Value, lease: Lease, backend: &mut Backend) -> Result<Outcome, TooManyCalls> {
    if backend.now()? >= lease.expiry {
        return Ok(Outcome::GaveUp);
    }
    backend.put(Row { token: lease.token, value: Some(value) })?;
    Ok(Outcome::Done)
}

pub fn main() -> Verdict {
    checks::fencing_worker::check(run).into()
}
