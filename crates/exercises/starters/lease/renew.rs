//! 演習: 失効した保持を生き返らせない
//!
//! `renew` は、客 `client` が延長を頼んだときの処理である。`record` は貸し出しの記録で、
//! 失効しても、次の取得まで消えずに残る。解放のあとは `None` になる。
//! 今は、記録に名前が残っていれば、いつでも延長を認める。直す。
//!
//! - 失効していない今の持ち主なら、期限を `until` に書き換えて、`Event::Renewed` を返す。
//! - そうでなければ、記録を変えずに `Event::RenewRefused { client }` を返す。

use exercises::checks::lease_renew::Record;
use exercises::{Verdict, checks};
use stage::{Client, Event, Time};

fn renew(record: &mut Option<Record>, client: Client, _now: Time, until: Time) -> Event {
    match record {
        // ここを直す。
        Some(record) if record.holder == client => {
            record.expiry = until;
            Event::Renewed { client, token: record.token, expiry: Some(until) }
        }
        _ => Event::RenewRefused { client },
    }
}

pub fn main() -> Verdict {
    checks::lease_renew::check(renew).into()
}
