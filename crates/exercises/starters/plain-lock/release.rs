//! 演習: 他人のロックを外さない
//!
//! `release` は、客 `client` が解放を頼んだときの処理である。`holder` には今の持ち主が入っている。
//! 今は、誰が頼んでもロックが空く。持ち主が頼んだときだけ空くように直す。
//!
//! - 持ち主が頼んだら、`holder` を空にして `Event::Released { client }` を返す。
//! - そうでなければ、`holder` を変えずに `Event::ReleaseRefused { client }` を返す。

use exercises::{Verdict, checks};
use stage::{Client, Event};

fn release(holder: &mut Option<Client>, client: Client) -> Event {
    // ここを直す。
    *holder = None;
    Event::Released { client }
}

pub fn main() -> Verdict {
    checks::plain_lock_release::check(release).into()
}
