//! 誤答: 断ると答えるが、ロックは空けてしまう。

use exercises::{Verdict, checks};
use stage::{Client, Event};

fn release(holder: &mut Option<Client>, client: Client) -> Event {
    if holder.take() == Some(client) {
        return Event::Released { client };
    }
    Event::ReleaseRefused { client }
}

pub fn main() -> Verdict {
    checks::plain_lock_release::check(release).into()
}
