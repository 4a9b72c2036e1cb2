//! 資源も一緒に確かめる。

use own_lock::{
    Client, Event, FencedResource, Impossible, LockService, Manners, Packet, Resource, Token,
    Value, examine_with,
};
use stage::{Asked, Refusal};

const NONE: Manners = Manners { registers: false, checks: false };
const REGISTERS: Manners = Manners { registers: true, checks: false };

/// 正しい資源。受け付けた書き込みの、トークンと順番の組を、辞書の順で比べる。
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Pairs {
    newest: (u64, u64),
    value: Option<Value>,
}

impl Resource for Pairs {
    fn register(&mut self, client: Client, token: Token) -> Result<Event, Impossible> {
        let max = self.max_token();
        if token < max {
            return Ok(Event::Rejected {
                asked: Asked::Register(client),
                token,
                reason: Refusal::Older { max },
            });
        }
        self.newest = self.newest.max((token.0, 0));
        Ok(Event::Registered { client, token, max })
    }

    fn read(&mut self, client: Client, token: Token) -> Event {
        let max = self.max_token();
        match token < max {
            true => Event::Rejected {
                asked: Asked::Read(client),
                token,
                reason: Refusal::Older { max },
            },
            false => Event::Read { client, value: self.value },
        }
    }

    fn deliver(&mut self, packet: &Packet) -> Event {
        let Packet { value, token, sequence, .. } = *packet;
        let last = if token > self.max_token() { 0 } else { self.newest.1 };
        if token >= self.max_token() && sequence != last + 1 {
            return Event::Rejected {
                asked: Asked::Write(value),
                token,
                reason: Refusal::OutOfOrder { sequence, next: last + 1 },
            };
        }
        let event = self.write(token, value);
        if let Event::Accepted { .. } = event {
            self.newest.1 = sequence;
        }
        event
    }

    fn write(&mut self, token: Token, value: Value) -> Event {
        let max = self.max_token();
        if token < max {
            return Event::Rejected {
                asked: Asked::Write(value),
                token,
                reason: Refusal::Older { max },
            };
        }
        self.newest.0 = token.0;
        self.value = Some(value);
        Event::Accepted { value, token, compared: Some(max) }
    }

    fn value(&self) -> Option<Value> {
        self.value
    }

    fn max_token(&self) -> Token {
        Token(self.newest.0)
    }
}

/// 誤りのある資源。誤りは、作るときに選ぶ。
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Flawed {
    flaw: Flaw,
    value: Option<Value>,
    max: Token,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Flaw {
    /// 最後に受理した番号を、拒否したものの番号でも塗り替える
    RemembersTheLast,
    /// 等しい番号を拒否する
    RejectsEqual,
    /// 古い番号でパニックする
    PanicsOnOld,
}

impl Flawed {
    fn new(flaw: Flaw) -> impl Fn() -> Flawed {
        move || Flawed { flaw, value: None, max: Token::NONE }
    }
}

impl Resource for Flawed {
    fn write(&mut self, token: Token, value: Value) -> Event {
        let max = self.max;
        let old = token < max || self.flaw == Flaw::RejectsEqual && token == max;
        assert!(!(old && self.flaw == Flaw::PanicsOnOld), "古いトークン {token} が届いた");
        if !old || self.flaw == Flaw::RemembersTheLast {
            self.max = token;
        }
        if old {
            return Event::Rejected {
                asked: Asked::Write(value),
                token,
                reason: Refusal::Older { max },
            };
        }
        self.value = Some(value);
        Event::Accepted { value, token, compared: Some(max) }
    }

    fn value(&self) -> Option<Value> {
        self.value
    }

    fn max_token(&self) -> Token {
        self.max
    }
}

#[test]
fn a_resource_that_compares_pairs_is_unbroken() {
    let verdict = examine_with(LockService::new, Pairs::default, REGISTERS);
    insta::assert_snapshot!("pairs", verdict);
}

#[test]
fn the_resource_of_the_book_is_unbroken_without_registering() {
    let verdict = examine_with(LockService::new, FencedResource::new, NONE);
    assert!(verdict.is_unbroken(), "{verdict}");
}

#[test]
fn a_resource_that_remembers_the_rejected_is_broken() {
    let verdict = examine_with(LockService::new, Flawed::new(Flaw::RemembersTheLast), NONE);
    insta::assert_snapshot!("remembers_the_last", verdict);
}

#[test]
fn a_resource_that_rejects_the_same_holder_is_broken() {
    let verdict = examine_with(LockService::new, Flawed::new(Flaw::RejectsEqual), NONE);
    insta::assert_snapshot!("rejects_equal", verdict);
}

#[test]
fn a_resource_that_panics_is_broken_and_the_way_there_is_shown() {
    let verdict = examine_with(LockService::new, Flawed::new(Flaw::PanicsOnOld), NONE);
    insta::assert_snapshot!("panics_on_old", verdict);
}

#[test]
fn a_resource_without_registering_is_broken_by_clients_who_register() {
    let verdict = examine_with(LockService::new, FencedResource::new, REGISTERS);
    insta::assert_snapshot!("not_registrable", verdict);
}
