//! 帳簿。これまでに起きたことのうち、性質を確かめるのに要るものだけを控える。

use stage::{Client, Event, Time, Token, Value};

use crate::property::{Property, Violations};

/// 客が今の保持でどこまで進んだか。
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Progress {
    /// 何度目に認められた取得か。1 から数える
    pub grant: u8,
    /// トークンを資源に登録したか
    pub registered: bool,
}

/// 終わっていない保持。
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Held {
    client: Client,
    token: Token,
    expiry: Option<Time>,
}

// ANCHOR: ledger
/// 起きたことの控え。ロックサービスや資源の中の記録ではなく、出来事だけから付ける。
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Ledger {
    /// 認められた取得の数
    pub grants: u8,
    /// 取得したことのある客の数
    pub met: u8,
    /// 届いた写しの数
    pub copies: u8,
    /// 客ごとの進みぐあい。名前の順
    pub progress: [Progress; Client::ALL.len()],
    held: Option<Held>,
    /// 配られたうちで最大のトークン
    granted: Token,
    /// 受理された書き込みのうちで最大のトークン
    accepted: Token,
    /// 登録されたうちで最大のトークン
    registered: Token,
    /// 最後に受理された値
    current: Option<Value>,
}
// ANCHOR_END: ledger

/// 出来事だけからは分からない、手の様子。
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Context {
    /// 起きたあとの時刻
    pub now: Time,
    /// 届いた書き込みのもとになった値。読まずに書いたなら `None`
    pub base: Option<Option<Value>>,
    /// 解放の頼みに添えられたトークン
    pub releasing: Option<Token>,
}

impl Ledger {
    /// 出来事を一つ付けて、破られた性質を `broken` に加える。
    pub fn enter(&mut self, event: &Event, context: &Context, broken: &mut Violations) {
        match *event {
            Event::Acquired { client, token, expiry } => {
                self.grants = self.grants.saturating_add(1);
                self.met = self.met.max(client as u8 + 1);
                let progress = Progress { grant: self.grants, registered: false };
                self.progress[client as usize] = progress;
                self.grant(Held { client, token, expiry }, context.now, broken);
            }
            Event::Renewed { client, token, expiry } => {
                self.renew(Held { client, token, expiry }, context.now, broken);
            }
            Event::Released { client } => self.release(client, context.releasing),
            Event::Registered { client, token, .. } => {
                self.progress[client as usize].registered = true;
                self.registered = self.registered.max(token);
            }
            Event::Accepted { value, token, .. } => {
                self.accept(value, token, context.base, broken);
            }
            _ => {}
        }
    }

    /// 期限を過ぎた保持は、終わった保持である。
    pub fn expire(&mut self, now: Time) {
        self.held = self.held.filter(|held| held.expiry.is_none_or(|expiry| now < expiry));
    }

    // ANCHOR: grant
    fn grant(&mut self, new: Held, now: Time, broken: &mut Violations) {
        self.expire(now);
        if self.held.is_some() {
            broken.add(Property::GrantAfterEnd);
        }
        if new.token <= self.granted {
            broken.add(Property::TokensIncrease);
        }
        self.granted = self.granted.max(new.token);
        self.held = Some(new);
    }
    // ANCHOR_END: grant

    /// 終わった保持を延ばすのは、前と同じ番号で取得を認めるのと変わらない。
    fn renew(&mut self, new: Held, now: Time, broken: &mut Violations) {
        self.expire(now);
        let is_same = |held: Held| held.client == new.client && held.token == new.token;
        if self.held.is_some_and(is_same) {
            self.held = Some(new);
        } else {
            self.grant(new, now, broken);
        }
    }

    /// 前の保持に宛てた解放では、今の保持は終わらない。
    fn release(&mut self, client: Client, releasing: Option<Token>) {
        let ends = |held: &Held| held.client == client && Some(held.token) == releasing;
        self.held = self.held.filter(|held| !ends(held));
    }

    // ANCHOR: accept
    fn accept(
        &mut self,
        value: Value,
        token: Token,
        base: Option<Option<Value>>,
        broken: &mut Violations,
    ) {
        if token < self.accepted {
            broken.add(Property::AcceptedNeverGoBack);
        }
        if token < self.registered {
            broken.add(Property::NothingOlderThanRegistered);
        }
        let repeats = self.current == Some(value);
        if !repeats && base.is_some_and(|base| base != self.current) {
            broken.add(Property::NoLostUpdate);
        }
        self.accepted = self.accepted.max(token);
        self.current = Some(value);
    }
    // ANCHOR_END: accept
}
