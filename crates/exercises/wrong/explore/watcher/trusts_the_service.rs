//! 誤答: 失効したという、ロックサービスの言い分を信じる。

use exercises::checks::explore_watcher::Held;
use exercises::{Verdict, checks};
use stage::{Event, Time};

fn hear(held: &mut Option<Held>, now: Time, event: &Event) -> bool {
    let live = held.filter(|held| now < held.expiry);
    match *event {
        Event::Acquired { client, expiry: Some(expiry), .. } => {
            *held = Some(Held { client, expiry });
            return live.is_some();
        }
        Event::Renewed { client, expiry: Some(expiry), .. }
            if live.is_some_and(|live| live.client == client) =>
        {
            *held = Some(Held { client, expiry });
        }
        Event::Released { client } => *held = held.filter(|held| held.client != client),
        Event::Expired { client, .. } => *held = held.filter(|held| held.client != client),
        _ => {}
    }
    false
}

pub fn main() -> Verdict {
    checks::explore_watcher::check(hear).into()
}
