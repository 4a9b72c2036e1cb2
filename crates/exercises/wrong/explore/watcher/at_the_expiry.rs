//! 誤答: 期限ちょうどにも、まだ持っていることにする。

use exercises::checks::explore_watcher::Held;
use exercises::{Verdict, checks};
use stage::{Event, Time};

fn hear(held: &mut Option<Held>, now: Time, event: &Event) -> bool {
    let live = held.filter(|held| now <= held.expiry);
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
        _ => {}
    }
    false
}

pub fn main() -> Verdict {
    checks::explore_watcher::check(hear).into()
}
