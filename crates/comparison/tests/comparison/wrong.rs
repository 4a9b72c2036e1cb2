//! 性質を破らせるための、間違った部品。

use stage::{Client, Event, Holder, Impossible, Lock, Resource, Time, Token, Value};

/// 錠の間違え方。
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fault {
    /// 前の保持が終わっていなくても認める
    GrantsTwice,
    /// いつも同じ番号を配る
    RepeatsToken,
}

/// 期限のない、間違った錠。
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct WrongLock {
    fault: Fault,
    holder: Option<Holder>,
    issued: Token,
    now: Time,
}

impl WrongLock {
    pub fn new(fault: Fault) -> WrongLock {
        WrongLock { fault, holder: None, issued: Token(1), now: 0 }
    }
}

impl Lock for WrongLock {
    fn acquire(&mut self, client: Client) -> Result<Event, Impossible> {
        match (self.fault, self.holder) {
            (Fault::RepeatsToken, Some(Holder { client: holder, .. })) => {
                return Ok(Event::Busy { client, holder, expiry: None });
            }
            (Fault::RepeatsToken, None) => {}
            (Fault::GrantsTwice, _) => self.issued.0 += 1,
        }
        self.holder = Some(Holder { client, token: self.issued });
        Ok(Event::Acquired { client, token: self.issued, expiry: None })
    }

    fn release(&mut self, client: Client) -> Event {
        match self.holder.take_if(|holder| holder.client == client) {
            Some(_) => Event::Released { client },
            None => Event::ReleaseRefused { client },
        }
    }

    fn tick(&mut self, ticks: Time) -> Result<Option<Event>, Impossible> {
        self.now += ticks;
        Ok(None)
    }

    fn now(&self) -> Time {
        self.now
    }

    fn holder(&self) -> Option<Holder> {
        self.holder
    }

    fn issued(&self) -> Token {
        self.issued
    }
}

/// 登録を受け付けるが、覚えない資源。届いた書き込みは、すべて受理する。
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Careless {
    value: Option<Value>,
}

impl Resource for Careless {
    fn register(&mut self, client: Client, token: Token) -> Result<Event, Impossible> {
        Ok(Event::Registered { client, token, max: Token::NONE })
    }

    fn write(&mut self, token: Token, value: Value) -> Event {
        self.value = Some(value);
        Event::Accepted { value, token, compared: None }
    }

    fn value(&self) -> Option<Value> {
        self.value
    }

    fn max_token(&self) -> Token {
        Token::NONE
    }
}
