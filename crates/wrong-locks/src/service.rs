//! 決めごとを一つずつ差し替えられるロックサービス。何も替えなければ、前の章のものと同じに働く。

use lease::Lock;
use stage::{Client, Event, Holder, Impossible, Time, Token};

/// 貸し出し中のリースの記録。
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Lease {
    /// 持ち主
    pub holder: Holder,
    /// 期限。まだつけていなければ `None`
    pub expiry: Option<Time>,
}

/// ロックサービスの記録。
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// 現在の論理時刻
    pub now: Time,
    /// リースの長さ。単位は刻み
    pub length: Time,
    /// 貸し出し中のリース
    pub lease: Option<Lease>,
    /// 最後に配った番号
    pub issued: Token,
}

impl State {
    /// 今の持ち主。
    #[must_use]
    pub fn holder(&self) -> Option<Holder> {
        self.lease.map(|lease| lease.holder)
    }

    /// 今から `length` 刻みあとの時刻。
    fn expiry_from_now(&self) -> Result<Time, Impossible> {
        self.now.checked_add(self.length).ok_or(Impossible::TimeOverflow)
    }
}

// ANCHOR: rules
/// ロックサービスの決めごと。何も書かなければ、正しい錠になる。
pub trait LockRules: Copy + Default + 'static {
    /// 延長を認めるか。`asked` は、頼んだ客と、その客の番号
    fn may_renew(&self, state: &State, asked: Holder) -> bool {
        state.holder() == Some(asked)
    }

    /// 解放を認めるか
    fn may_release(&self, state: &State, asked: Holder) -> bool {
        state.holder() == Some(asked)
    }

    /// 次に配る番号。もう大きくできなければ `None`
    fn next_token(&self, state: &State) -> Option<Token> {
        state.issued.next()
    }

    /// 解放や失効のあとに残す、最後に配った番号。呼ぶときには、`state.lease` はもう空である
    fn issued_when_free(&self, state: &State) -> Token {
        state.issued
    }

    /// 再起動のあとに残る、最後に配った番号
    fn issued_after_restart(&self, state: &State) -> Token {
        state.issued
    }

    /// 取得を頼んだ客がすでに持っているとみなす保持
    fn already_held(&self, _state: &State, _client: Client) -> Option<Holder> {
        None
    }

    /// 取得のときに記録する期限
    fn first_expiry(&self, expiry: Time) -> Option<Time> {
        Some(expiry)
    }

    /// 客が、返事から知る期限
    fn heard(&self, expiry: Time) -> Time {
        expiry
    }

    /// 取得の可否を決めるときに、期限と比べる時刻
    fn clock(&self, state: &State, _client: Client) -> Time {
        state.now
    }

    /// 失効したか
    fn has_expired(&self, state: &State, expiry: Time) -> bool {
        state.now >= expiry
    }

    /// 客の手を待たずに、裏で延長し続けるか
    fn keeps_alive(&self) -> bool {
        false
    }
}

/// 何も替えない決めごと。
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Right;

impl LockRules for Right {}
// ANCHOR_END: rules

/// 決めごと `D` に従うロックサービス。
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Service<D = Right> {
    pub(crate) state: State,
    rules: D,
}

impl<D: LockRules> Service<D> {
    /// 長さ `length` 刻みのリースを貸すサービス。
    #[must_use]
    pub fn new(length: Time) -> Service<D> {
        let state = State { now: 0, length: length.max(1), lease: None, issued: Token::NONE };
        Service { state, rules: D::default() }
    }

    /// 次の番号を配る。
    pub(crate) fn draw(&mut self, client: Client) -> Result<Holder, Impossible> {
        let token = self.rules.next_token(&self.state).ok_or(Impossible::TokenOverflow)?;
        self.state.issued = token;
        Ok(Holder { client, token })
    }

    /// 貸し出しを記録して、返事を作る。
    pub(crate) fn grant(&mut self, holder: Holder, expiry: Time) -> Event {
        self.state.lease = Some(Lease { holder, expiry: self.rules.first_expiry(expiry) });
        self.reply(holder, expiry)
    }

    fn reply(&self, Holder { client, token }: Holder, expiry: Time) -> Event {
        let expiry = self.rules.first_expiry(expiry).map(|expiry| self.rules.heard(expiry));
        Event::Acquired { client, token, expiry }
    }

    /// 番号を添えずに頼んだ客の番号。今の持ち主でなければ、ない。
    fn token_of(&self, client: Client) -> Token {
        let held = self.state.holder().filter(|holder| holder.client == client);
        held.map_or(Token::NONE, |holder| holder.token)
    }

    fn free(&mut self) {
        self.state.lease = None;
        self.state.issued = self.rules.issued_when_free(&self.state);
    }

    /// `client` から見て、まだ続いているリース。
    fn lease_seen_by(&self, client: Client) -> Option<Lease> {
        let clock = self.rules.clock(&self.state, client);
        self.state.lease.filter(|lease| lease.expiry.is_none_or(|expiry| clock < expiry))
    }
}

impl<D: LockRules> Lock for Service<D> {
    fn acquire(&mut self, client: Client) -> Result<Event, Impossible> {
        let expiry = self.state.expiry_from_now()?;
        if let Some(holder) = self.rules.already_held(&self.state, client) {
            return Ok(self.reply(holder, expiry));
        }
        if let Some(Lease { holder, expiry }) = self.lease_seen_by(client) {
            return Ok(Event::Busy { client, holder: holder.client, expiry });
        }
        let holder = self.draw(client)?;
        Ok(self.grant(holder, expiry))
    }

    fn renew(&mut self, client: Client) -> Result<Event, Impossible> {
        match self.token_of(client) {
            Token::NONE => Ok(Event::RenewRefused { client }),
            token => self.renew_held(client, token),
        }
    }

    fn renew_held(&mut self, client: Client, token: Token) -> Result<Event, Impossible> {
        let holder = Holder { client, token };
        if !self.rules.may_renew(&self.state, holder) {
            return Ok(Event::RenewRefused { client });
        }
        let expiry = Some(self.state.expiry_from_now()?);
        self.state.lease = Some(Lease { holder, expiry });
        Ok(Event::Renewed { client, token: holder.token, expiry })
    }

    fn release(&mut self, client: Client) -> Event {
        self.release_held(client, self.token_of(client))
    }

    fn release_held(&mut self, client: Client, token: Token) -> Event {
        if !self.rules.may_release(&self.state, Holder { client, token }) {
            return Event::ReleaseRefused { client };
        }
        self.free();
        Event::Released { client }
    }

    fn restart(&mut self) {
        self.state.issued = self.rules.issued_after_restart(&self.state);
    }

    fn tick(&mut self, ticks: Time) -> Result<Option<Event>, Impossible> {
        self.state.now = self.state.now.checked_add(ticks).ok_or(Impossible::TimeOverflow)?;
        let Some(Lease { holder, expiry: Some(expiry) }) = self.state.lease else {
            return Ok(None);
        };
        if self.rules.keeps_alive() {
            let expiry = Some(self.state.expiry_from_now()?);
            self.state.lease = Some(Lease { holder, expiry });
            return Ok(None);
        }
        if !self.rules.has_expired(&self.state, expiry) {
            return Ok(None);
        }
        self.free();
        Ok(Some(Event::Expired { client: holder.client, at: expiry.min(self.state.now) }))
    }

    fn now(&self) -> Time {
        self.state.now
    }

    fn holder(&self) -> Option<Holder> {
        self.state.holder()
    }

    fn expiry(&self) -> Option<Time> {
        self.state.lease.and_then(|lease| lease.expiry)
    }

    fn issued(&self) -> Token {
        self.state.issued
    }
}
