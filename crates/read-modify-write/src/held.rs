//! 解放と延長を、客の名前ではなく、保持で見分けるロックサービス。

use lease::{Lock, LockService};
use stage::{Client, Event, Holder, Impossible, Time, Token};

/// 解放と延長の頼みに添えられたトークンを確かめるロックサービス。
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct HeldService(LockService);

impl HeldService {
    /// 長さ `length` 刻みのリースを貸すサービス。
    #[must_use]
    pub fn new(length: Time) -> HeldService {
        HeldService(LockService::new(length))
    }
}

impl Lock for HeldService {
    // ANCHOR: held
    fn renew_held(&mut self, client: Client, token: Token) -> Result<Event, Impossible> {
        if self.0.holder() != Some(Holder { client, token }) {
            return Ok(Event::RenewRefused { client });
        }
        self.0.renew(client)
    }

    fn release_held(&mut self, client: Client, token: Token) -> Event {
        if self.0.holder() != Some(Holder { client, token }) {
            return Event::ReleaseRefused { client };
        }
        self.0.release(client)
    }
    // ANCHOR_END: held

    fn acquire(&mut self, client: Client) -> Result<Event, Impossible> {
        self.0.acquire(client)
    }

    fn renew(&mut self, client: Client) -> Result<Event, Impossible> {
        self.0.renew(client)
    }

    fn release(&mut self, client: Client) -> Event {
        self.0.release(client)
    }

    fn tick(&mut self, ticks: Time) -> Result<Option<Event>, Impossible> {
        self.0.tick(ticks)
    }

    fn now(&self) -> Time {
        self.0.now()
    }

    fn holder(&self) -> Option<Holder> {
        self.0.holder()
    }

    fn expiry(&self) -> Option<Time> {
        self.0.expiry()
    }

    fn issued(&self) -> Token {
        self.0.issued()
    }
}
