//! 正しい錠。貸した記録をすべて残し、今の持ち主は、最後の記録から求める。

use own_lock::{Client, Event, Holder, Impossible, Lock, Time, Token};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Entry {
    client: Client,
    until: Time,
    returned: bool,
}

/// 記録の番号(1 から)がトークンになる。
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct History {
    clock: Time,
    span: Time,
    entries: Vec<Entry>,
}

impl History {
    pub fn new(span: Time) -> History {
        History { clock: 0, span: if span == 0 { 1 } else { span }, entries: Vec::new() }
    }

    fn live(&mut self) -> Option<&mut Entry> {
        let clock = self.clock;
        self.entries.last_mut().filter(|entry| !entry.returned && clock < entry.until)
    }
}

impl Lock for History {
    fn acquire(&mut self, client: Client) -> Result<Event, Impossible> {
        if let Some(&mut Entry { client: holder, until, .. }) = self.live() {
            return Ok(Event::Busy { client, holder, expiry: Some(until) });
        }
        let until = self.clock.checked_add(self.span).ok_or(Impossible::TimeOverflow)?;
        self.entries.push(Entry { client, until, returned: false });
        Ok(Event::Acquired { client, token: self.issued(), expiry: Some(until) })
    }

    fn renew(&mut self, client: Client) -> Result<Event, Impossible> {
        let (later, token) = (self.clock.checked_add(self.span), self.issued());
        match self.live() {
            Some(entry) if entry.client == client => {
                entry.until = later.ok_or(Impossible::TimeOverflow)?;
                Ok(Event::Renewed { client, token, expiry: later })
            }
            _ => Ok(Event::RenewRefused { client }),
        }
    }

    fn release(&mut self, client: Client) -> Event {
        match self.live() {
            Some(entry) if entry.client == client => {
                entry.returned = true;
                Event::Released { client }
            }
            _ => Event::ReleaseRefused { client },
        }
    }

    fn tick(&mut self, ticks: Time) -> Result<Option<Event>, Impossible> {
        let before = self.live().copied();
        self.clock = self.clock.checked_add(ticks).ok_or(Impossible::TimeOverflow)?;
        let ended = before.filter(|_| self.live().is_none());
        Ok(ended.map(|entry| Event::Expired { client: entry.client, at: entry.until }))
    }

    fn now(&self) -> Time {
        self.clock
    }

    fn holder(&self) -> Option<Holder> {
        let token = self.issued();
        self.clone().live().map(|entry| Holder { client: entry.client, token })
    }

    fn expiry(&self) -> Option<Time> {
        self.clone().live().map(|entry| entry.until)
    }

    fn issued(&self) -> Token {
        Token(self.entries.len() as u64)
    }
}
