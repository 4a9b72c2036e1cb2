//! 同じ保持の中の書き込みに、順番をつける資源。

use stage::{Asked, Client, Event, Impossible, Packet, Refusal, Resource, Token, Value};

use crate::RegisteringResource;

/// 今のトークンで、何番の書き込みまで受理したか。
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Progress {
    row: RegisteringResource,
    last: u64,
}

impl Progress {
    /// `token` の保持で、最後に受理した順番。新しい保持の順番は、また 1 から始まる。
    fn last(&self, token: Token) -> u64 {
        if token > self.row.max_token() { 0 } else { self.last }
    }

    fn is_stale(&self, token: Token) -> bool {
        token < self.row.max_token()
    }

    fn register(&mut self, client: Client, token: Token) -> Result<Event, Impossible> {
        self.last = self.last(token);
        self.row.register(client, token)
    }

    fn accept(&mut self, packet: &Packet) -> Event {
        self.last = packet.sequence;
        self.row.write(packet.token, packet.value)
    }
}

/// トークンと、ちょうど次の順番を求める資源。
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct NextSequence(Progress);

/// トークンと、前より大きい順番を求める資源。順番が飛ぶことを許すので、手本にはならない。
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct LargerSequence(Progress);

impl NextSequence {
    /// まだ何も受け付けていない資源。
    #[must_use]
    pub fn new() -> NextSequence {
        NextSequence::default()
    }
}

impl LargerSequence {
    /// まだ何も受け付けていない資源。
    #[must_use]
    pub fn new() -> LargerSequence {
        LargerSequence::default()
    }
}

impl Resource for NextSequence {
    // ANCHOR: next
    fn deliver(&mut self, packet: &Packet) -> Event {
        let Packet { value, token, sequence, .. } = *packet;
        if self.0.is_stale(token) {
            return self.write(token, value);
        }
        let next = self.0.last(token) + 1;
        if sequence != next {
            let reason = Refusal::OutOfOrder { sequence, next };
            return Event::Rejected { asked: Asked::Write(value), token, reason };
        }
        self.0.accept(packet)
    }
    // ANCHOR_END: next

    fn register(&mut self, client: Client, token: Token) -> Result<Event, Impossible> {
        self.0.register(client, token)
    }

    fn write(&mut self, token: Token, value: Value) -> Event {
        self.0.row.write(token, value)
    }

    fn value(&self) -> Option<Value> {
        self.0.row.value()
    }

    fn max_token(&self) -> Token {
        self.0.row.max_token()
    }
}

impl Resource for LargerSequence {
    // ANCHOR: larger
    fn deliver(&mut self, packet: &Packet) -> Event {
        let Packet { value, token, sequence, .. } = *packet;
        if self.0.is_stale(token) {
            return self.write(token, value);
        }
        let last = self.0.last(token);
        if sequence <= last {
            let reason = Refusal::OutOfOrder { sequence, next: last + 1 };
            return Event::Rejected { asked: Asked::Write(value), token, reason };
        }
        self.0.accept(packet)
    }
    // ANCHOR_END: larger

    fn register(&mut self, client: Client, token: Token) -> Result<Event, Impossible> {
        self.0.register(client, token)
    }

    fn write(&mut self, token: Token, value: Value) -> Event {
        self.0.row.write(token, value)
    }

    fn value(&self) -> Option<Value> {
        self.0.row.value()
    }

    fn max_token(&self) -> Token {
        self.0.row.max_token()
    }
}
