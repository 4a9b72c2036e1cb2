//! 再起動で記録を失う、悪い例。ロックサービスは番号を、資源は最大を忘れる。

use fencing::FencedResource;
use lease::{Lock, LockService};
use stage::{Client, Event, Holder, Impossible, Resource, Time, Token, Value};

/// 再起動すると、空のバックアップに戻るロックサービス。配った番号も、貸し出し中のリースも忘れる。
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RestoredService {
    service: LockService,
    backup: LockService,
    now: Time,
}

impl RestoredService {
    /// 長さ `length` 刻みのリースを貸すサービス。
    #[must_use]
    pub fn new(length: Time) -> RestoredService {
        let service = LockService::new(length);
        RestoredService { service, backup: service, now: 0 }
    }
}

impl Lock for RestoredService {
    // ANCHOR: restart
    fn restart(&mut self) {
        self.service = self.backup;
        // 時計は戻らない。進んだ分だけ、バックアップの時刻を合わせる。
        let _ = self.service.tick(self.now);
    }
    // ANCHOR_END: restart

    fn acquire(&mut self, client: Client) -> Result<Event, Impossible> {
        self.service.acquire(client)
    }

    fn renew(&mut self, client: Client) -> Result<Event, Impossible> {
        self.service.renew(client)
    }

    fn release(&mut self, client: Client) -> Event {
        self.service.release(client)
    }

    fn tick(&mut self, ticks: Time) -> Result<Option<Event>, Impossible> {
        let event = self.service.tick(ticks)?;
        self.now = self.service.now();
        Ok(event)
    }

    fn now(&self) -> Time {
        self.now
    }

    fn holder(&self) -> Option<Holder> {
        self.service.holder()
    }

    fn expiry(&self) -> Option<Time> {
        self.service.expiry()
    }

    fn issued(&self) -> Token {
        self.service.issued()
    }
}

/// 再起動すると、値は残るが、最大のトークンを忘れる資源。
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ForgetfulResource {
    fenced: FencedResource,
    /// 忘れたあとも残っている値
    kept: Option<Value>,
}

impl ForgetfulResource {
    /// まだ何も受け付けていない資源。
    #[must_use]
    pub fn new() -> ForgetfulResource {
        ForgetfulResource::default()
    }
}

impl Resource for ForgetfulResource {
    fn restart(&mut self) {
        self.kept = self.value();
        self.fenced = FencedResource::new();
    }

    fn write(&mut self, token: Token, value: Value) -> Event {
        self.fenced.write(token, value)
    }

    fn value(&self) -> Option<Value> {
        self.fenced.value().or(self.kept)
    }

    fn max_token(&self) -> Token {
        self.fenced.max_token()
    }
}
