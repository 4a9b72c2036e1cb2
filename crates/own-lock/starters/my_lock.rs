//! 自分の錠
//!
//! `MyLock` を自分の錠に書き替える。名前も、中に持つものも、好きに変えてよい。
//! `Clone`、`PartialEq`、`Eq`、`Hash` は要る。同じ状態かどうかを、検査が見分けるためである。
//! 今の錠は、リースを貸すが、期限が来ても失効しない。

use own_lock::{Client, Event, Holder, Impossible, Lock, Time, Token, Verdict, examine};

/// 一つのロックを、リースとして貸すサービス。
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct MyLock {
    now: Time,
    length: Time,
    lease: Option<(Holder, Time)>,
    issued: Token,
}

impl MyLock {
    /// 長さ `length` 刻みのリースを貸す錠。1 より短い長さは 1 とみなす。
    fn new(length: Time) -> MyLock {
        MyLock { now: 0, length: length.max(1), lease: None, issued: Token::NONE }
    }
}

impl Lock for MyLock {
    fn acquire(&mut self, client: Client) -> Result<Event, Impossible> {
        if let Some((holder, expiry)) = self.lease {
            return Ok(Event::Busy { client, holder: holder.client, expiry: Some(expiry) });
        }
        let token = self.issued.next().ok_or(Impossible::TokenOverflow)?;
        let expiry = self.now.checked_add(self.length).ok_or(Impossible::TimeOverflow)?;
        self.issued = token;
        self.lease = Some((Holder { client, token }, expiry));
        Ok(Event::Acquired { client, token, expiry: Some(expiry) })
    }

    fn renew(&mut self, client: Client) -> Result<Event, Impossible> {
        let Some((holder, _)) = self.lease.filter(|(holder, _)| holder.client == client) else {
            return Ok(Event::RenewRefused { client });
        };
        let expiry = self.now.checked_add(self.length).ok_or(Impossible::TimeOverflow)?;
        self.lease = Some((holder, expiry));
        Ok(Event::Renewed { client, token: holder.token, expiry: Some(expiry) })
    }

    fn release(&mut self, client: Client) -> Event {
        match self.lease.take_if(|(holder, _)| holder.client == client) {
            Some(_) => Event::Released { client },
            None => Event::ReleaseRefused { client },
        }
    }

    fn tick(&mut self, ticks: Time) -> Result<Option<Event>, Impossible> {
        self.now = self.now.checked_add(ticks).ok_or(Impossible::TimeOverflow)?;
        // 期限が来ていれば失効させ、期限を添えて `Event::Expired` を返す。
        Ok(None)
    }

    fn now(&self) -> Time {
        self.now
    }

    fn holder(&self) -> Option<Holder> {
        self.lease.map(|(holder, _)| holder)
    }

    fn expiry(&self) -> Option<Time> {
        self.lease.map(|(_, expiry)| expiry)
    }

    fn issued(&self) -> Token {
        self.issued
    }
}

pub fn main() -> Verdict {
    examine(MyLock::new)
}
