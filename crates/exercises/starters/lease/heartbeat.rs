//! 演習: 夜間バッチの延長を送る時を決める
//!
//! `nightly` は、ロックを取り、行を一つずつ処理し、終わったら解放する夜間バッチである。
//! リースの長さは 10 刻みで、行は一つに 1 刻みか 2 刻みかかる。どちらかは、処理するまで分からない。
//! 今は一度も延長しないので、行が多い夜には途中で失効する。`night.renew()?` を足して直す。
//!
//! - 延長は、途中で一つ失われることがある。それでも、処理の途中で失効させない。
//! - 届いた取得や延長から 3 刻みたつまでは、次の延長を送らない。
//! - すべての行を処理し終えたら、もう延長を送らない。
//!
//! `renew` は、延長が届けば `Ok(true)`、途中で失われれば `Ok(false)` を返す。断られたら
//! `Err` を返すので、`?` をつければバッチはそこで終わる。時刻は `night.now()` で分かる。

use exercises::checks::lease_heartbeat::{Night, Stop};
use exercises::{Verdict, checks};

fn nightly(night: &mut Night) -> Result<(), Stop> {
    night.acquire()?;
    while let Some(row) = night.next_row()? {
        night.process(row)?;
    }
    night.release()
}

pub fn main() -> Verdict {
    checks::lease_heartbeat::check(nightly).into()
}
