//! 書く前にトークンを登録できる資源。

use fencing::FencedResource;
use stage::{Asked, Client, Event, Impossible, Refusal, Resource, Token, Value};

/// 比べる資源に、登録と、トークンを比べる読み取りを足したもの。
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct RegisteringResource {
    fenced: FencedResource,
    /// 登録されたうちで最大のトークン
    registered: Token,
}

impl RegisteringResource {
    /// まだ何も受け付けていない資源。
    #[must_use]
    pub fn new() -> RegisteringResource {
        RegisteringResource::default()
    }
}

impl Resource for RegisteringResource {
    // ANCHOR: register
    fn register(&mut self, client: Client, token: Token) -> Result<Event, Impossible> {
        let max = self.max_token();
        if token < max {
            return Ok(Event::Rejected {
                asked: Asked::Register(client),
                token,
                reason: Refusal::Older { max },
            });
        }
        self.registered = token;
        Ok(Event::Registered { client, token, max })
    }
    // ANCHOR_END: register

    // ANCHOR: write
    fn write(&mut self, token: Token, value: Value) -> Event {
        let max = self.max_token();
        if token < max {
            return Event::Rejected {
                asked: Asked::Write(value),
                token,
                reason: Refusal::Older { max },
            };
        }
        self.fenced.write(token, value)
    }
    // ANCHOR_END: write

    // ANCHOR: read
    fn read(&mut self, client: Client, token: Token) -> Event {
        let max = self.max_token();
        if token < max {
            return Event::Rejected {
                asked: Asked::Read(client),
                token,
                reason: Refusal::Older { max },
            };
        }
        Event::Read { client, value: self.value() }
    }
    // ANCHOR_END: read

    fn value(&self) -> Option<Value> {
        self.fenced.value()
    }

    // ANCHOR: max
    fn max_token(&self) -> Token {
        self.registered.max(self.fenced.max_token())
    }
    // ANCHOR_END: max
}
