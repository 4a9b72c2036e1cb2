//! 誤答: 空いていれば、取り直したことにして延長を認める。

use exercises::checks::lease_renew::Record;
use exercises::{Verdict, checks};
use stage::{Client, Event, Time, Token};

fn renew(record: &mut Option<Record>, client: Client, now: Time, until: Time) -> Event {
    if record.is_some_and(|record| record.holder != client && now < record.expiry) {
        return Event::RenewRefused { client };
    }
    let token = record.map_or(Token(1), |record| record.token);
    *record = Some(Record { holder: client, token, expiry: until });
    Event::Renewed { client, token, expiry: Some(until) }
}

pub fn main() -> Verdict {
    checks::lease_renew::check(renew).into()
}
