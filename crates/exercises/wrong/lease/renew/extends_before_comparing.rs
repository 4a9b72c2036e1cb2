//! 誤答: 期限を書き換えてから比べる。比べる相手が新しい期限になり、いつでも通る。

use exercises::checks::lease_renew::Record;
use exercises::{Verdict, checks};
use stage::{Client, Event, Time};

fn renew(record: &mut Option<Record>, client: Client, now: Time, until: Time) -> Event {
    let Some(record) = record.as_mut().filter(|record| record.holder == client) else {
        return Event::RenewRefused { client };
    };
    record.expiry = until;
    if now >= record.expiry {
        return Event::RenewRefused { client };
    }
    Event::Renewed { client, token: record.token, expiry: Some(until) }
}

pub fn main() -> Verdict {
    checks::lease_renew::check(renew).into()
}
