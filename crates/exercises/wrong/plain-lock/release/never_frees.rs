//! 誤答: 解放したと答えるが、ロックは空かない。

use exercises::{Verdict, checks};
use stage::{Client, Event};

fn release(holder: &mut Option<Client>, client: Client) -> Event {
    if *holder == Some(client) {
        return Event::Released { client };
    }
    Event::ReleaseRefused { client }
}

pub fn main() -> Verdict {
    checks::plain_lock_release::check(release).into()
}
