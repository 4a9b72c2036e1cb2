//! 読んだときから値が変わっていなければ書く資源。

use stage::{Asked, Event, Packet, Refusal, Resource, Token, Value};

/// トークンを比べず、読んだ値だけを比べる資源(compare-and-set)。
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CompareAndSet {
    value: Option<Value>,
    max_token: Token,
}

impl CompareAndSet {
    /// まだ何も書かれていない資源。
    #[must_use]
    pub fn new() -> CompareAndSet {
        CompareAndSet::default()
    }
}

impl Resource for CompareAndSet {
    // ANCHOR: deliver
    fn deliver(&mut self, packet: &Packet) -> Event {
        let Packet { value, token, base, .. } = *packet;
        let current = self.value;
        match base {
            Some(base) if base != current => {
                let reason = Refusal::Changed { base, current };
                Event::Rejected { asked: Asked::Write(value), token, reason }
            }
            _ => self.write(token, value),
        }
    }
    // ANCHOR_END: deliver

    fn write(&mut self, token: Token, value: Value) -> Event {
        self.max_token = self.max_token.max(token);
        self.value = Some(value);
        Event::Accepted { value, token, compared: None }
    }

    fn value(&self) -> Option<Value> {
        self.value
    }

    fn max_token(&self) -> Token {
        self.max_token
    }
}
