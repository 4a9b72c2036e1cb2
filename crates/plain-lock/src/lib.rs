//! 期限のないロック。
//!
//! 持ち主が解放するまで、誰にも渡らない。持ち主が止まっても二人が持つことはなく、
//! 持ち主が落ちれば誰も持てなくなる。
//!
//! ```
//! use plain_lock::{Lock, PlainLock};
//! use stage::{Client, Event};
//!
//! let mut lock = PlainLock::new();
//! lock.acquire(Client::A)?;
//! let refused = lock.acquire(Client::B)?;
//! assert_eq!(refused, Event::Busy { client: Client::B, holder: Client::A, expiry: None });
//! # Ok::<(), stage::Impossible>(())
//! ```

mod stories;

pub use stage::Lock;
pub use stories::chapter;

use stage::{Client, Event, Holder, Impossible, Time, Token};

// ANCHOR: state
/// 期限のないロック。時刻は持つが、判断には使わない。
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct PlainLock {
    holder: Option<Client>,
    now: Time,
}
// ANCHOR_END: state

impl PlainLock {
    /// 誰も持っていないロックを、論理時刻 0 で作る。
    #[must_use]
    pub fn new() -> PlainLock {
        PlainLock::default()
    }
}

impl Lock for PlainLock {
    // ANCHOR: acquire
    fn acquire(&mut self, client: Client) -> Result<Event, Impossible> {
        if let Some(holder) = self.holder {
            return Ok(Event::Busy { client, holder, expiry: None });
        }
        self.holder = Some(client);
        Ok(Event::Acquired { client, token: Token::NONE, expiry: None })
    }
    // ANCHOR_END: acquire

    // ANCHOR: release
    fn release(&mut self, client: Client) -> Event {
        if self.holder != Some(client) {
            return Event::ReleaseRefused { client };
        }
        self.holder = None;
        Event::Released { client }
    }
    // ANCHOR_END: release

    // ANCHOR: tick
    fn tick(&mut self, ticks: Time) -> Result<Option<Event>, Impossible> {
        self.now = self.now.checked_add(ticks).ok_or(Impossible::TimeOverflow)?;
        Ok(None)
    }
    // ANCHOR_END: tick

    fn now(&self) -> Time {
        self.now
    }

    fn holder(&self) -> Option<Holder> {
        self.holder.map(|client| Holder { client, token: Token::NONE })
    }
}
