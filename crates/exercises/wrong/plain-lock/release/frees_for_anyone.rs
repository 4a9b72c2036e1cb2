//! 誤答: 誰かが持っていれば、誰の頼みでも外す。

use exercises::{Verdict, checks};
use stage::{Client, Event};

fn release(holder: &mut Option<Client>, client: Client) -> Event {
    if holder.take().is_none() {
        return Event::ReleaseRefused { client };
    }
    Event::Released { client }
}

pub fn main() -> Verdict {
    checks::plain_lock_release::check(release).into()
}
