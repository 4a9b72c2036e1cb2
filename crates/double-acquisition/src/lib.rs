//! 二重取得。失効に気づかない古い持ち主と、新しい持ち主が、同時に書く。
//!
//! ここにある資源は、届いた書き込みをすべて受理する。比べるための相手であり、手本ではない。
//!
//! ```
//! use double_acquisition::{Resource, UnfencedResource};
//! use stage::{Client, Token, Value};
//!
//! let mut row = UnfencedResource::new();
//! row.write(Token(2), Value { by: Client::B, nth: 1 });
//! row.write(Token(1), Value { by: Client::A, nth: 1 });
//! assert_eq!(row.value(), Some(Value { by: Client::A, nth: 1 }));
//! assert_eq!(row.max_token(), Token(2));
//! ```

mod lengths;
mod stories;

pub use stage::Resource;
pub use stories::{chapter, check_then_pause, delayed_packet, gc_pause, pause_then_check};

use stage::{Event, Token, Value};

// ANCHOR: state
/// トークンを比べない資源。届いた書き込みは、すべて受理する。
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct UnfencedResource {
    value: Option<Value>,
    max_token: Token,
}
// ANCHOR_END: state

impl Resource for UnfencedResource {
    // ANCHOR: write
    fn write(&mut self, token: Token, value: Value) -> Event {
        self.max_token = self.max_token.max(token);
        self.value = Some(value);
        Event::Accepted { value, token, compared: None }
    }
    // ANCHOR_END: write

    fn value(&self) -> Option<Value> {
        self.value
    }

    fn max_token(&self) -> Token {
        self.max_token
    }
}

impl UnfencedResource {
    /// まだ何も書かれていない資源。
    #[must_use]
    pub fn new() -> UnfencedResource {
        UnfencedResource::default()
    }
}
