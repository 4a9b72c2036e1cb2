//! 誤答: 延長を聞かず、取得したときの期限だけを覚えている。

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
        Event::Released { client } => *held = held.filter(|held| held.client != client),
        _ => {}
    }
    false
}

pub fn main() -> Verdict {
    checks::explore_watcher::check(hear).into()
}
