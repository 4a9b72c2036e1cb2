//! 誤答: 期限ちょうどの延長を認める。

use exercises::checks::lease_renew::Record;
use exercises::{Verdict, checks};
use stage::{Client, Event, Time};

fn renew(record: &mut Option<Record>, client: Client, now: Time, until: Time) -> Event {
    match record {
        Some(record) if record.holder == client && now <= record.expiry => {
            record.expiry = until;
            Event::Renewed { client, token: record.token, expiry: Some(until) }
        }
        _ => Event::RenewRefused { client },
    }
}

pub fn main() -> Verdict {
    checks::lease_renew::check(renew).into()
}
