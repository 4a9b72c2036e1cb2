//! 起きたことの記録。性質は、これを順に聞くだけで判定できる。

use crate::action::Action;
use crate::event::Event;
use crate::impossible::Impossible;
use crate::network::Sent;
use crate::part::{Lock, Resource};
use crate::system::System as _;
use crate::vocabulary::{Client, Time, Value};
use crate::world::World;

/// 出来事と、出来事だけからは分からないこと。
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fact {
    /// 起きたこと。時刻が進んだだけなら `None`
    pub event: Option<Event>,
    /// 起きたあとの時刻
    pub now: Time,
    /// 何度目に認められた取得に関わるか。どの取得にも関わらなければ 0
    pub grant: u64,
    /// 届いた書き込みのもとになった値。読まずに書いたなら `None`
    pub base: Option<Option<Value>>,
    /// 起きたあとで、持っているつもりの客
    pub believers: Clients,
    /// そのうち、自分の時計で期限を過ぎていない客。時計を見ない客は、いつまでも過ぎない
    pub valid: Clients,
}

/// 客の集まり。
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Clients(u8);

impl Clients {
    /// 一人も入っていないか。
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// 二人以上が入っているか。
    #[must_use]
    pub fn is_many(self) -> bool {
        self.0.count_ones() > 1
    }

    fn set(&mut self, client: Client, is_in: bool) {
        self.0 |= u8::from(is_in) << client as u8;
    }

    /// `client` が入っているか。
    #[must_use]
    pub fn has(self, client: Client) -> bool {
        self.0 & (1 << client as u8) != 0
    }
}

impl FromIterator<Client> for Clients {
    fn from_iter<I: IntoIterator<Item = Client>>(clients: I) -> Clients {
        let mut all = Clients::default();
        clients.into_iter().for_each(|client| all.set(client, true));
        all
    }
}

impl<L: Lock, R: Resource> World<L, R> {
    /// 一手を演じて、起きたことを `out` の後ろに並べる。何も起きない手でも、一つは並べる。
    ///
    /// # Errors
    /// 起こりえない手には [`Impossible`] を返す。
    pub fn witness(&mut self, action: Action, out: &mut Vec<Fact>) -> Result<(), Impossible> {
        let (asked, base) = self.about(action);
        let events = self.apply(action)?;
        let now = self.lock.now();
        let (mut believers, mut valid) = (Clients::default(), Clients::default());
        for actor in self.clients() {
            let client = actor.view().client;
            believers.set(client, actor.belief().is_some());
            valid.set(client, actor.is_valid());
        }
        let fact = |event| {
            let is_new = matches!(event, Some(Event::Acquired { .. }));
            let grant = if is_new { *self.grants } else { asked };
            Fact { event, now, grant, base, believers, valid }
        };
        if events.is_empty() {
            out.push(fact(None));
        }
        for event in events {
            out.push(fact(Some(event)));
        }
        Ok(())
    }

    /// これから演じる手が、どの取得に関わり、何をもとにするか。
    fn about(&self, action: Action) -> (u64, Option<Option<Value>>) {
        let of_sent = |sent: Sent| (sent.grant, sent.packet.base);
        if let Action::Deliver(by, nth) | Action::DeliverCopy(by, nth) = action {
            return self.transit.copy(Value { by, nth }).map(of_sent).unwrap_or_default();
        }
        // 送ってその場で届く書き込みは、読んだ値をもとにする。
        if let Action::Write(by, nth) = action {
            let hold = self.client(by).and_then(|actor| Some((actor, actor.hold_to_write()?)));
            let sent = hold.map(|(actor, hold)| actor.writes(Value { by, nth }, hold));
            return sent.map(of_sent).unwrap_or_default();
        }
        let hold = if let Action::DeliverRelease(_) = action {
            self.transit.release().map(|(_, hold)| hold)
        } else {
            action.client().and_then(|client| self.client(client)?.belief())
        };
        (hold.map_or(0, |hold| hold.grant), None)
    }
}
