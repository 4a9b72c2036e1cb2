//! 演習: 性質の見張りを書く
//!
//! ロックサービスの知らせだけを聞いて、「前の保持が解放されるか期限を迎えるまで、次の取得を
//! 認めない」が破れたら知らせる。壊れたロックサービスを相手にする。
//! 失効したという言い分は信じず、約束した期限と時刻だけで判断する。
//!
//! - `held` には、終わっていない保持を控える。はじめは `None`
//! - `Event::Acquired` と `Event::Renewed` の `expiry` は、約束の期限(いつも `Some`)
//! - `Event::Released` は、`client` が解放したという知らせ。持ち主でない客の名のこともある
//! - 期限ちょうどには、もう終わっている
//! - 終わった保持や、ほかの客の保持の延長は、何も延ばさない

use exercises::checks::explore_watcher::Held;
use exercises::{Verdict, checks};
use stage::{Event, Time};

/// `now` に `event` を聞く。この知らせが性質を破るなら `true` を返す。
fn hear(held: &mut Option<Held>, now: Time, event: &Event) -> bool {
    // ここを直す。
    let _ = (held, now, event);
    false
}

pub fn main() -> Verdict {
    checks::explore_watcher::check(hear).into()
}
