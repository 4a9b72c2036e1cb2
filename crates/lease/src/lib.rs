//! リースを貸し、フェンシングトークンを配るロックサービス。
//!
//! リースは半開区間 `[取得, 取得 + 長さ)` で、期限ちょうどにはもう失効している。
//! 出典: Gray と Cheriton 1989(リース)、Burrows 2006(ロックの世代番号)。
//!
//! ```
//! use lease::{Lock, LockService};
//! use stage::{Client, Event, Token};
//!
//! let mut service = LockService::new(10);
//! service.acquire(Client::A)?;
//! service.tick(10)?;
//! let granted = service.acquire(Client::B)?;
//! assert_eq!(granted, Event::Acquired { client: Client::B, token: Token(2), expiry: Some(20) });
//! # Ok::<(), stage::Impossible>(())
//! ```

mod stories;

pub use stage::Lock;
pub use stories::chapter;

use stage::{Client, Event, Holder, Impossible, Time, Token};

// ANCHOR: lease
/// 貸し出し中のリース。
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Lease {
    holder: Holder,
    expiry: Time,
}

impl Lease {
    /// 期限ちょうどには、もう失効している。
    fn has_expired(&self, now: Time) -> bool {
        now >= self.expiry
    }
}
// ANCHOR_END: lease

// ANCHOR: service
/// 一つのロックを、リースとして貸すサービス。
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LockService {
    now: Time,
    length: Time,
    lease: Option<Lease>,
    issued: Token,
}
// ANCHOR_END: service

impl LockService {
    /// 長さ `length` 刻みのリースを貸すサービスを、論理時刻 0 で作る。1 より短い長さは 1 とみなす。
    #[must_use]
    pub fn new(length: Time) -> LockService {
        LockService { now: 0, length: length.max(1), lease: None, issued: Token::NONE }
    }

    /// 今から始まるリースの期限。
    fn expiry_from_now(&self) -> Result<Time, Impossible> {
        self.now.checked_add(self.length).ok_or(Impossible::TimeOverflow)
    }

    /// `client` が今の持ち主なら、そのリース。
    fn held_by(&self, client: Client) -> Option<Lease> {
        self.lease.filter(|lease| lease.holder.client == client)
    }
}

impl Lock for LockService {
    // ANCHOR: acquire
    fn acquire(&mut self, client: Client) -> Result<Event, Impossible> {
        if let Some(Lease { holder, expiry }) = self.lease {
            return Ok(Event::Busy { client, holder: holder.client, expiry: Some(expiry) });
        }
        let token = self.issued.next().ok_or(Impossible::TokenOverflow)?;
        let expiry = self.expiry_from_now()?;
        self.issued = token;
        self.lease = Some(Lease { holder: Holder { client, token }, expiry });
        Ok(Event::Acquired { client, token, expiry: Some(expiry) })
    }
    // ANCHOR_END: acquire

    // ANCHOR: renew
    fn renew(&mut self, client: Client) -> Result<Event, Impossible> {
        let Some(Lease { holder, .. }) = self.held_by(client) else {
            return Ok(Event::RenewRefused { client });
        };
        let expiry = self.expiry_from_now()?;
        self.lease = Some(Lease { holder, expiry });
        Ok(Event::Renewed { client, token: holder.token, expiry: Some(expiry) })
    }
    // ANCHOR_END: renew

    // ANCHOR: release
    fn release(&mut self, client: Client) -> Event {
        if self.held_by(client).is_none() {
            return Event::ReleaseRefused { client };
        }
        self.lease = None;
        Event::Released { client }
    }
    // ANCHOR_END: release

    // ANCHOR: tick
    fn tick(&mut self, ticks: Time) -> Result<Option<Event>, Impossible> {
        self.now = self.now.checked_add(ticks).ok_or(Impossible::TimeOverflow)?;
        let Some(lease) = self.lease.filter(|lease| lease.has_expired(self.now)) else {
            return Ok(None);
        };
        self.lease = None;
        Ok(Some(Event::Expired { client: lease.holder.client, at: lease.expiry }))
    }
    // ANCHOR_END: tick

    fn now(&self) -> Time {
        self.now
    }

    fn holder(&self) -> Option<Holder> {
        self.lease.map(|lease| lease.holder)
    }

    fn expiry(&self) -> Option<Time> {
        self.lease.map(|lease| lease.expiry)
    }

    fn issued(&self) -> Token {
        self.issued
    }
}
