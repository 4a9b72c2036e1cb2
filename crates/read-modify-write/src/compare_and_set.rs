//! 読んだときから値が変わっていなければ書く資源。

use stage::{Packet, Resource};
use timeline::{Event, Token, Value};

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
        let (value, current) = (packet.value, self.value);
        match packet.base {
            Some(base) if base != current => Event::Conflicted { value, base, current },
            _ => self.write(packet.token, value),
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
