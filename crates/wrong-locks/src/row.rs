//! 決めごとを差し替えられる資源。何も替えなければ、登録のある資源と同じに働く。

use stage::{Asked, Client, Event, Impossible, Refusal, Resource, Token, Value};

use crate::service::Right;

// ANCHOR: rules
/// 資源の決めごと。何も書かなければ、正しい資源になる。
pub trait RowRules: Copy + Default + 'static {
    /// 番号 `token` を拒否するか。`max` は、見たことのある最大
    fn refuses(&self, token: Token, max: Token) -> bool {
        token < max
    }

    /// 再起動のあとに残る、登録された最大
    fn registered_after_restart(&self, registered: Token) -> Token {
        registered
    }
}

impl RowRules for Right {}
// ANCHOR_END: rules

/// 決めごと `D` に従う資源。
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Row<D = Right> {
    value: Option<Value>,
    /// 受理したうちで最大の番号
    accepted: Token,
    /// 登録されたうちで最大の番号
    registered: Token,
    rules: D,
}

impl<D: RowRules> Row<D> {
    /// まだ何も受け付けていない資源。
    #[must_use]
    pub fn new() -> Row<D>
    where
        D: Default,
    {
        let none = Token::NONE;
        Row { value: None, accepted: none, registered: none, rules: D::default() }
    }
}

impl<D: RowRules> Resource for Row<D> {
    fn write(&mut self, token: Token, value: Value) -> Event {
        let max = self.max_token();
        if self.rules.refuses(token, max) {
            return match token < max {
                true => Event::Rejected {
                    asked: Asked::Write(value),
                    token,
                    reason: Refusal::Older { max },
                },
                false => Event::Rejected {
                    asked: Asked::Write(value),
                    token,
                    reason: Refusal::Unequal { wanted: max },
                },
            };
        }
        self.accepted = self.accepted.max(token);
        self.value = Some(value);
        // 比べていないなら、比べたと言わない。
        let compared = (token >= max).then_some(max);
        Event::Accepted { value, token, compared }
    }

    fn read(&mut self, client: Client, token: Token) -> Event {
        let max = self.max_token();
        if token < max {
            return Event::Rejected {
                asked: Asked::Read(client),
                token,
                reason: Refusal::Older { max },
            };
        }
        Event::Read { client, value: self.value }
    }

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

    fn restart(&mut self) {
        self.registered = self.rules.registered_after_restart(self.registered);
    }

    fn value(&self) -> Option<Value> {
        self.value
    }

    fn max_token(&self) -> Token {
        self.registered.max(self.accepted)
    }
}
