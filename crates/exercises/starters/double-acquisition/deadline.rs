//! 演習: 客がいつ書くのをやめるかを決める
//!
//! `may_write` は、取得の返事を聞いた客が、時刻 `now` に書き込みを送ってよいかを答える。
//! `grant` には、頼みを送った時刻 `sent`、返事が届いた時刻 `received`、リースの長さ `length` が
//! 入っている。ロックサービスがいつ認めたかは分からない。`sent` と `received` の間のどこかである。
//! 今は、返事が届いた時刻からリースが始まると考えている。直す。
//!
//! - ロックサービスで失効していることがありうる時刻には、`false` を返す。
//! - 確かに有効だと分かる時刻には、`true` を返す。

use exercises::checks::double_acquisition_deadline::Grant;
use exercises::{Verdict, checks};
use stage::Time;

fn may_write(grant: Grant, now: Time) -> bool {
    // ここを直す。
    now < grant.received + grant.length
}

pub fn main() -> Verdict {
    checks::double_acquisition_deadline::check(may_write).into()
}
