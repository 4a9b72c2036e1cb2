//! フェンシング。資源がトークンを比べて、古い持ち主の書き込みを拒否する。
//!
//! 出典: Burrows 2006 の sequencer、Kleppmann 2016 の fencing token。
//!
//! ```
//! use fencing::{FencedResource, Resource};
//! use stage::{Asked, Client, Event, Refusal, Token, Value};
//!
//! let mut row = FencedResource::new();
//! row.write(Token(2), Value { by: Client::B, nth: 1 });
//! let late = Value { by: Client::A, nth: 1 };
//! let refused = row.write(Token(1), late);
//! let reason = Refusal::Older { max: Token(2) };
//! assert_eq!(refused, Event::Rejected { asked: Asked::Write(late), token: Token(1), reason });
//! assert_eq!(row.value(), Some(Value { by: Client::B, nth: 1 }));
//! ```

mod stories;
mod ways;

pub use stage::Resource;
pub use stories::chapter;

use stage::{Asked, Event, Refusal, Token, Value};

// ANCHOR: state
/// 見たことのある最大のトークンを覚えている資源。
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct FencedResource {
    value: Option<Value>,
    max_token: Token,
}
// ANCHOR_END: state

impl Resource for FencedResource {
    // ANCHOR: write
    fn write(&mut self, token: Token, value: Value) -> Event {
        let max = self.max_token;
        if token < max {
            return Event::Rejected {
                asked: Asked::Write(value),
                token,
                reason: Refusal::Older { max },
            };
        }
        self.max_token = token;
        self.value = Some(value);
        Event::Accepted { value, token, compared: Some(max) }
    }
    // ANCHOR_END: write

    fn value(&self) -> Option<Value> {
        self.value
    }

    fn max_token(&self) -> Token {
        self.max_token
    }
}

impl FencedResource {
    /// まだ何も受け付けていない資源。
    #[must_use]
    pub fn new() -> FencedResource {
        FencedResource::default()
    }
}
