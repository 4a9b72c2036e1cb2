//! 見張り。起きたことを順に聞いて、破られた性質を数え上げる。

use check::{Broken, Monitor, Part};
use stage::{Client, Event, Fact, Time, Token, Value};

use crate::property::{Properties, Property};

/// 性質の見張り。
#[derive(Clone, Copy, Debug)]
pub struct Watch {
    /// 見張る性質。見張らない性質のことは、覚えもしない
    pub asked: Properties,
    /// リースの長さ。[`Property::Frees`] が待つ長さを決める。単位は刻み
    pub length: Time,
}

/// 終わっていない保持。
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Held {
    client: Client,
    token: Token,
    grant: u64,
    expiry: Option<Time>,
}

// ANCHOR: notes
/// 起きたことのうち、先の判定に要るもの。錠や資源の中の記録ではなく、起きたことだけから付ける。
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Notes {
    held: Option<Held>,
    /// 配られたうちで最大のトークン
    granted: Token,
    /// 受理された書き込みのうちで、いちばん後に認められた保持
    accepted: u64,
    /// 登録されたうちで、いちばん後に認められた保持
    registered: u64,
    /// 最後に受理された値
    current: Option<Value>,
    /// いちばん後に認められた保持
    newest: u64,
    /// 持っているつもりの客がいなくなった時刻。いるなら `None`
    quiet_since: Option<Time>,
}
// ANCHOR_END: notes

impl Watch {
    /// すべての性質を見張る。
    #[must_use]
    pub fn all(length: Time) -> Watch {
        Watch { asked: Properties::all(), length }
    }

    /// `property` だけを見張る。
    #[must_use]
    pub fn only(property: Property, length: Time) -> Watch {
        Watch { asked: [property].into_iter().collect(), length }
    }
}

impl Monitor<Fact> for Watch {
    type Memory = Part<Notes>;

    fn start(&self) -> Part<Notes> {
        Part::default()
    }

    fn hear(&self, memory: &mut Part<Notes>, fact: &Fact, broken: &mut Broken) {
        let mut found = Properties::default();
        if fact.valid.is_many() {
            found.add(Property::OneValid);
        }
        if fact.believers.is_many() {
            found.add(Property::OneBeliever);
        }
        if memory.concerns(fact, self) {
            let mut notes = **memory;
            notes.hear(fact, self, &mut found);
            // 変わらないのに書けば、部品を探し直すことになる。
            if notes != **memory {
                **memory = notes;
            }
        }
        *broken = broken.and(found.within(self.asked).into());
    }
}

impl Notes {
    /// 控えに関わることか。ほとんどの手は関わらない。
    fn concerns(&self, fact: &Fact, watch: &Watch) -> bool {
        use Event::{Accepted, Acquired, Busy, Registered, Rejected, Released, Renewed};
        let is_noted = matches!(
            fact.event,
            Some(
                Acquired { .. }
                    | Renewed { .. }
                    | Released { .. }
                    | Registered { .. }
                    | Accepted { .. }
                    | Rejected { .. }
                    | Busy { .. }
            )
        );
        is_noted || self.has_ended(fact.now) || watch.asked.has(Property::Frees)
    }

    /// 終わっていない保持の期限が、もう過ぎたか。
    fn has_ended(&self, now: Time) -> bool {
        self.held.and_then(|held| held.expiry).is_some_and(|expiry| expiry <= now)
    }

    fn hear(&mut self, fact: &Fact, watch: &Watch, broken: &mut Properties) {
        let Fact { event, grant, base, now, .. } = *fact;
        self.expire(now);
        match event {
            Some(Event::Acquired { client, token, expiry }) => {
                self.grant(Held { client, token, grant, expiry }, broken);
            }
            Some(Event::Renewed { client, token, expiry }) => {
                self.renew(Held { client, token, grant, expiry }, broken);
            }
            Some(Event::Released { client }) => self.release(client, grant),
            Some(Event::Registered { .. }) => self.registered = self.registered.max(grant),
            Some(Event::Accepted { value, .. }) => self.accept(value, grant, base, broken),
            Some(Event::Rejected { reason, .. })
                if reason.tells_stale() && grant == self.newest =>
            {
                broken.add(Property::NewestServed);
            }
            Some(Event::Busy { .. }) if self.has_waited(now, watch.length.saturating_mul(2)) => {
                broken.add(Property::Frees);
            }
            _ => {}
        }
        self.listen(fact, watch);
    }

    /// 持っているつもりの客がいなくなってから、`ticks` 刻みが過ぎたか。
    fn has_waited(&self, now: Time, ticks: Time) -> bool {
        self.quiet_since.is_some_and(|since| since.saturating_add(ticks) <= now)
    }

    /// 誰が持っているつもりかを聞く。
    fn listen(&mut self, fact: &Fact, watch: &Watch) {
        if watch.asked.has(Property::NewestServed) {
            self.newest = self.newest.max(fact.grant);
        }
        if watch.asked.has(Property::Frees) {
            let since = self.quiet_since.unwrap_or(fact.now);
            self.quiet_since = fact.valid.is_empty().then_some(since);
        }
    }

    /// 期限を過ぎた保持は、終わった保持である。
    fn expire(&mut self, now: Time) {
        if self.has_ended(now) {
            self.held = None;
        }
    }

    // ANCHOR: grant
    fn grant(&mut self, new: Held, broken: &mut Properties) {
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
    fn renew(&mut self, new: Held, broken: &mut Properties) {
        let is_same = |held: &Held| held.client == new.client && held.token == new.token;
        match self.held.filter(is_same) {
            Some(held) => self.held = Some(Held { grant: held.grant, ..new }),
            None => self.grant(new, broken),
        }
    }

    /// 前の保持に宛てた解放では、今の保持は終わらない。
    fn release(&mut self, client: Client, grant: u64) {
        self.held = self.held.filter(|held| held.client != client || held.grant != grant);
    }

    // ANCHOR: accept
    fn accept(
        &mut self,
        value: Value,
        grant: u64,
        base: Option<Option<Value>>,
        broken: &mut Properties,
    ) {
        if grant < self.accepted {
            broken.add(Property::AcceptedNeverGoBack);
        }
        if grant < self.registered {
            broken.add(Property::NothingOlderThanRegistered);
        }
        let repeats = self.current == Some(value);
        if !repeats && base.is_some_and(|base| base != self.current) {
            broken.add(Property::NoLostUpdate);
        }
        self.accepted = self.accepted.max(grant);
        self.current = Some(value);
    }
    // ANCHOR_END: accept
}
