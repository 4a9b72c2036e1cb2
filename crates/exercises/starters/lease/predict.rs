//! 演習: 筋書きの結果を予想する
//!
//! 次の筋書きは、長さ 10 刻みのリースを貸すロックサービスで演じる。手は変えずに、
//! `Unknown` を、その手の結果の予想に書き換える。動かす前に、すべて決める。
//!
//! - `Granted(1)`: 取得が認められ、トークン 1 が配られる
//! - `Renewed`、`Released`: 延長、解放が認められる
//! - `Refused`: 頼みが断られる
//! - `Expired`: 時刻が進む間に、リースが失効する
//! - `Nothing`: 時刻が進むだけで、何も起きない

use exercises::checks::lease_predict::Outcome::{self, *};
use exercises::{Verdict, checks};
use stage::Action::{self, *};
use stage::Client::{A, B};

fn predictions() -> Vec<(Action, Outcome)> {
    vec![
        (Acquire(A), Unknown),
        (Tick(4), Unknown),
        (Acquire(A), Unknown),
        (Renew(A), Unknown),
        (Tick(9), Unknown),
        (Acquire(B), Unknown),
        (Tick(1), Unknown),
        (Renew(A), Unknown),
        (Acquire(B), Unknown),
        (Release(A), Unknown),
        (Tick(3), Unknown),
        (Release(B), Unknown),
        (Acquire(A), Unknown),
        (Tick(12), Unknown),
        (Acquire(B), Unknown),
    ]
}

pub fn main() -> Verdict {
    checks::lease_predict::check(predictions).into()
}
