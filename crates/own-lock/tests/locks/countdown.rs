//! 正しい錠。期限ではなく残りの刻みを数え、持ち主を客ごとの旗で覚える。トークンは奇数だけを配り、断るときに
//! 期限を言わない。

use own_lock::{Client, Event, Holder, Impossible, Lock, Time, Token};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Countdown {
    elapsed: Time,
    full: Time,
    left: Time,
    /// 客ごとに一つの旗。立つのは一つまで
    flags: u8,
    given: u64,
}

fn flag(client: Client) -> u8 {
    match client {
        Client::A => 0b001,
        Client::B => 0b010,
        Client::C => 0b100,
    }
}

impl Countdown {
    pub fn new(full: Time) -> Countdown {
        Countdown { elapsed: 0, full: full.max(1), left: 0, flags: 0, given: 0 }
    }

    /// 持ち主の旗が立っていれば、その客。
    fn owner(&self) -> Option<Client> {
        Client::ALL.into_iter().find(|client| self.flags & flag(*client) != 0)
    }

    /// 残りを数え直す。
    fn rewind(&mut self) -> Result<Time, Impossible> {
        let end = self.elapsed.checked_add(self.full).ok_or(Impossible::TimeOverflow)?;
        self.left = self.full;
        Ok(end)
    }
}

impl Lock for Countdown {
    fn acquire(&mut self, client: Client) -> Result<Event, Impossible> {
        if let Some(holder) = self.owner() {
            return Ok(Event::Busy { client, holder, expiry: None });
        }
        let given = self.given.checked_add(if self.given == 0 { 1 } else { 2 });
        let given = given.ok_or(Impossible::TokenOverflow)?;
        let end = self.rewind()?;
        (self.given, self.flags) = (given, flag(client));
        Ok(Event::Acquired { client, token: Token(given), expiry: Some(end) })
    }

    fn renew(&mut self, client: Client) -> Result<Event, Impossible> {
        if self.flags & flag(client) == 0 {
            return Ok(Event::RenewRefused { client });
        }
        let end = self.rewind()?;
        Ok(Event::Renewed { client, token: Token(self.given), expiry: Some(end) })
    }

    fn release(&mut self, client: Client) -> Event {
        if self.flags & flag(client) == 0 {
            return Event::ReleaseRefused { client };
        }
        (self.flags, self.left) = (0, 0);
        Event::Released { client }
    }

    fn tick(&mut self, ticks: Time) -> Result<Option<Event>, Impossible> {
        let later = self.elapsed.checked_add(ticks).ok_or(Impossible::TimeOverflow)?;
        let expired = self.owner().filter(|_| ticks >= self.left);
        let event = expired.map(|client| Event::Expired { client, at: self.elapsed + self.left });
        self.elapsed = later;
        self.left = self.left.saturating_sub(ticks);
        if event.is_some() {
            self.flags = 0;
        }
        Ok(event)
    }

    fn now(&self) -> Time {
        self.elapsed
    }

    fn holder(&self) -> Option<Holder> {
        self.owner().map(|client| Holder { client, token: Token(self.given) })
    }

    fn expiry(&self) -> Option<Time> {
        self.owner().map(|_| self.elapsed + self.left)
    }

    fn issued(&self) -> Token {
        Token(self.given)
    }
}
