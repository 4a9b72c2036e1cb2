//! 一つだけ誤りのある錠。誤りの種類は、作るときに選ぶ。
#![expect(clippy::expect_used, clippy::panic, reason = "わざとパニックする")]

use std::sync::atomic::{AtomicU64, Ordering};

use own_lock::{Client, Event, Holder, Impossible, Lock, Time, Token};

/// 誤り。
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Flaw {
    /// 時刻 1 から始まる
    StartsAtOne,
    /// 断るときに、頼んだ客を持ち主と言う
    NamesTheAsker,
    /// 断るときに、今の時刻を期限と言う
    TellsTheTimeAsTheExpiry,
    /// 一度失効すると、もう貸さない
    NeverLendsAgain,
    /// 持ち主の取得を、もう一度認める
    LetsTheHolderIn,
    /// 番号を 0 から配る
    StartsFromZero,
    /// 期限を言わない
    TellsNoExpiry,
    /// 延長すると、前の期限に長さを足す
    AddsToTheOldExpiry,
    /// 延長を断る
    RefusesTheHolder,
    /// 延長を知らない
    CannotRenew,
    /// 延長のたびに、番号を大きくする
    NewTokenOnRenew,
    /// 解放を断る
    NeverReleases,
    /// 期限の一刻み前に失効する
    OneTickEarly,
    /// 失効するが、知らせない
    ExpiresSilently,
    /// 0 刻みの手で、持ち主を忘れる
    ZeroTickForgets,
    /// 延長しても、期限の表示が変わらない
    ShowsTheOldExpiry,
    /// 時刻が折り返す
    WrapsTheTime,
    /// 添えられたトークンを確かめずに、誰かの保持を解放する
    ReleasesAnyHold,
    /// 番号を 16 ビットで数える
    SixteenBits,
    /// トークンを客ごとに数える
    TokensPerClient,
    /// 持ち主が取得を頼み直すと、断りながら期限を延ばす
    BusyRestartsTheLease,
    /// 失効したあとの延長を、誰も取得していなければ認める
    LateRenewRevives,
    /// 期限ちょうどでは失効しない
    AliveAtTheExpiry,
    /// 二刻み以上を一度に進めると、失効を見落とす
    SkipsOverTheExpiry,
    /// 失効の時刻として、進めた先の時刻を知らせる
    ExpiredAtTheEndOfTheTick,
    /// 解放を頼んだ客を確かめない
    AnyoneReleases,
    /// 番号を 8 ビットで数える
    EightBits,
    /// 空いているときの解放でパニックする
    PanicsWhenFree,
    /// 時刻の桁あふれでパニックする
    AddsWithoutChecking,
    /// 番号を、写しの間で共有する
    SharesTheCounter,
    /// 再起動すると、番号と持ち主を忘れる
    ForgetsOnRestart,
    /// 再起動すると、パニックする
    PanicsOnRestart,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Flawed {
    flaw: Flaw,
    time: Time,
    term: Time,
    owner: Option<Client>,
    last_owner: Option<Client>,
    deadline: Time,
    shown: Time,
    expired: bool,
    serial: u64,
    counts: [u64; 3],
}

static SHARED: AtomicU64 = AtomicU64::new(0);

impl Flawed {
    pub fn new(flaw: Flaw) -> impl Fn(Time) -> Flawed {
        move |term| Flawed {
            flaw,
            time: u64::from(flaw == Flaw::StartsAtOne),
            term: term.max(1),
            owner: None,
            last_owner: None,
            deadline: 0,
            shown: 0,
            expired: false,
            serial: 0,
            counts: [0; 3],
        }
    }

    fn is(&self, flaw: Flaw) -> bool {
        self.flaw == flaw
    }

    fn add(&self, ticks: Time) -> Result<Time, Impossible> {
        if self.is(Flaw::AddsWithoutChecking) {
            return Ok(self.time.checked_add(ticks).expect("時刻が大きすぎる"));
        }
        if self.is(Flaw::WrapsTheTime) {
            return Ok(self.time.wrapping_add(ticks));
        }
        self.time.checked_add(ticks).ok_or(Impossible::TimeOverflow)
    }

    fn number(&mut self, client: Client) -> Result<u64, Impossible> {
        let counts = &mut self.counts[client as usize];
        match self.flaw {
            Flaw::TokensPerClient => {
                *counts += 1;
                Ok(*counts)
            }
            Flaw::EightBits => Ok(u64::from((self.serial as u8).wrapping_add(1))),
            Flaw::SixteenBits => Ok(u64::from((self.serial as u16).wrapping_add(1))),
            Flaw::StartsFromZero if self.last_owner.is_none() => Ok(self.serial),
            Flaw::SharesTheCounter => Ok(SHARED.fetch_add(1, Ordering::Relaxed) + 1),
            _ => self.serial.checked_add(1).ok_or(Impossible::TokenOverflow),
        }
    }

    fn may_renew(&self, client: Client) -> bool {
        let revives = self.is(Flaw::LateRenewRevives) && self.owner.is_none();
        self.owner == Some(client) || revives && self.last_owner == Some(client)
    }

    fn has_ended(&self, ticks: Time) -> bool {
        match self.flaw {
            Flaw::OneTickEarly => self.time + 1 >= self.deadline,
            Flaw::AliveAtTheExpiry => self.time > self.deadline,
            Flaw::SkipsOverTheExpiry if ticks > 1 => self.time == self.deadline,
            _ => self.time >= self.deadline,
        }
    }
}

impl Lock for Flawed {
    fn acquire(&mut self, client: Client) -> Result<Event, Impossible> {
        let lets_in = self.is(Flaw::LetsTheHolderIn) && self.owner == Some(client);
        if let Some(holder) = self.owner.filter(|_| !lets_in) {
            let late = self.is(Flaw::TellsTheTimeAsTheExpiry);
            let expiry = Some(if late { self.time } else { self.deadline });
            let holder = if self.is(Flaw::NamesTheAsker) { client } else { holder };
            if self.is(Flaw::BusyRestartsTheLease) && holder == client {
                self.deadline = self.add(self.term)?;
                self.shown = self.deadline;
            }
            return Ok(Event::Busy { client, holder, expiry });
        }
        if self.is(Flaw::NeverLendsAgain) && self.expired {
            return Ok(Event::Busy { client, holder: client, expiry: None });
        }
        let deadline = self.add(self.term)?;
        self.serial = self.number(client)?;
        (self.owner, self.last_owner) = (Some(client), Some(client));
        (self.deadline, self.shown) = (deadline, deadline);
        let expiry = Some(deadline).filter(|_| !self.is(Flaw::TellsNoExpiry));
        Ok(Event::Acquired { client, token: Token(self.serial), expiry })
    }

    fn renew(&mut self, client: Client) -> Result<Event, Impossible> {
        if self.is(Flaw::CannotRenew) {
            return Err(Impossible::NotRenewable);
        }
        if !self.may_renew(client) || self.is(Flaw::RefusesTheHolder) {
            return Ok(Event::RenewRefused { client });
        }
        self.deadline = match self.flaw {
            Flaw::AddsToTheOldExpiry => {
                self.deadline.checked_add(self.term).ok_or(Impossible::TimeOverflow)?
            }
            _ => self.add(self.term)?,
        };
        self.serial += u64::from(self.is(Flaw::NewTokenOnRenew));
        if !self.is(Flaw::ShowsTheOldExpiry) {
            self.shown = self.deadline;
        }
        self.owner = Some(client);
        Ok(Event::Renewed { client, token: Token(self.serial), expiry: Some(self.deadline) })
    }

    fn release(&mut self, client: Client) -> Event {
        if self.is(Flaw::PanicsWhenFree) {
            self.owner.expect("持ち主がいるはずである");
        }
        if self.is(Flaw::NeverReleases) {
            return Event::ReleaseRefused { client };
        }
        let anyone = self.is(Flaw::AnyoneReleases) && self.owner.is_some();
        if self.owner != Some(client) && !anyone {
            return Event::ReleaseRefused { client };
        }
        (self.owner, self.last_owner) = (None, None);
        Event::Released { client }
    }

    fn release_held(&mut self, client: Client, _token: Token) -> Event {
        if self.is(Flaw::ReleasesAnyHold) && self.owner.is_some() {
            (self.owner, self.last_owner) = (None, None);
            return Event::Released { client };
        }
        self.release(client)
    }

    fn restart(&mut self) {
        match self.flaw {
            Flaw::ForgetsOnRestart => (self.owner, self.serial) = (None, 0),
            Flaw::PanicsOnRestart if self.owner.is_some() => panic!("記録を読めない"),
            _ => {}
        }
    }

    fn tick(&mut self, ticks: Time) -> Result<Option<Event>, Impossible> {
        self.time = self.add(ticks)?;
        if self.is(Flaw::ZeroTickForgets) && ticks == 0 {
            self.owner = None;
        }
        let Some(client) = self.owner.filter(|_| self.has_ended(ticks)) else { return Ok(None) };
        (self.owner, self.expired) = (None, true);
        if self.is(Flaw::ExpiresSilently) {
            return Ok(None);
        }
        let late = self.is(Flaw::ExpiredAtTheEndOfTheTick);
        Ok(Some(Event::Expired { client, at: if late { self.time } else { self.deadline } }))
    }

    fn now(&self) -> Time {
        self.time
    }

    fn holder(&self) -> Option<Holder> {
        self.owner.map(|client| Holder { client, token: Token(self.serial) })
    }

    fn expiry(&self) -> Option<Time> {
        self.owner.map(|_| self.shown)
    }

    fn issued(&self) -> Token {
        Token(self.serial)
    }
}
