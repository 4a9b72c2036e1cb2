//! 検査: 期限の境目。時刻と期限の組は、小さい範囲ですべて試す。

use anyhow::{Result, bail};
use lease::{Lock, LockService};
use stage::Action::{Acquire, Crash, Restart, Tick};
use stage::Client::{A, B};
use stage::{Client, Event, Holder, Impossible, Run, Time, Token, World};

use crate::feedback;

/// 読者が書く判定。時刻 `now` に、期限 `expiry` のリースは失効しているか。単位は刻み。
pub type Answer = fn(now: Time, expiry: Time) -> bool;

/// 期限の前後をすべて試す範囲。
const RANGE: Time = 20;

/// 答えを確かめる。
///
/// # Errors
/// 判定が一つでも違えば、その理由と時系列を返す。
pub fn check(answer: Answer) -> Result<()> {
    // 時系列で見せる期限 10 を先に試すと、理由の文と時系列が同じ数になる。
    for expiry in std::iter::once(10).chain(1..=RANGE) {
        for now in (0..=RANGE).chain([Time::MAX]) {
            let expected = now >= expiry;
            if answer(now, expiry) != expected {
                bail!("{}\n\n{}", symptom(now, expiry), timelines(answer)?);
            }
        }
    }
    Ok(())
}

fn symptom(now: Time, expiry: Time) -> String {
    if now < expiry {
        return format!(
            "期限 {expiry} のリースが、時刻 {now} に失効した。期限の前なのに、仕事中の持ち主がロックを失う。"
        );
    }
    if now == expiry {
        return format!(
            "期限 {expiry} のリースが、時刻 {now} にまだ有効である。期限までと聞いた持ち主と、次に待つ客とで、境目が食い違う。"
        );
    }
    format!(
        "期限 {expiry} のリースが、時刻 {now} にまだ有効である。時刻が飛ぶと、永久に失効しない。"
    )
}

/// 答えの判定を使うロックサービス。リースの長さは 10 刻み。
#[derive(Clone, Copy)]
struct Answered {
    now: Time,
    lease: Option<(Holder, Time)>,
    issued: Token,
    has_expired: Answer,
}

impl Lock for Answered {
    fn acquire(&mut self, client: Client) -> Result<Event, Impossible> {
        if let Some((holder, expiry)) = self.lease {
            return Ok(Event::Busy { client, holder: holder.client, expiry: Some(expiry) });
        }
        let token = self.issued.next().ok_or(Impossible::TokenOverflow)?;
        let expiry = self.now.checked_add(10).ok_or(Impossible::TimeOverflow)?;
        self.issued = token;
        self.lease = Some((Holder { client, token }, expiry));
        Ok(Event::Acquired { client, token, expiry: Some(expiry) })
    }

    fn release(&mut self, client: Client) -> Event {
        Event::ReleaseRefused { client }
    }

    fn tick(&mut self, ticks: Time) -> Result<Option<Event>, Impossible> {
        self.now = self.now.checked_add(ticks).ok_or(Impossible::TimeOverflow)?;
        let Some((holder, expiry)) = self.lease else { return Ok(None) };
        if !(self.has_expired)(self.now, expiry) {
            return Ok(None);
        }
        self.lease = None;
        Ok(Some(Event::Expired { client: holder.client, at: expiry.min(self.now) }))
    }

    fn now(&self) -> Time {
        self.now
    }

    fn holder(&self) -> Option<Holder> {
        self.lease.map(|(holder, _)| holder)
    }

    fn expiry(&self) -> Option<Time> {
        self.lease.map(|(_, expiry)| expiry)
    }
}

fn timelines(has_expired: Answer) -> Result<String> {
    let actions = [
        Acquire(A),
        Crash(A),
        Tick(9),
        Acquire(B),
        Tick(1),
        Acquire(B),
        Crash(B),
        Tick(15),
        Restart(A),
        Acquire(A),
    ];
    let expected = Run::play("期待", World::new(LockService::new(10)), &actions)?;
    let answered = Answered { now: 0, lease: None, issued: Token::NONE, has_expired };
    let actual = Run::play("答え", World::new(answered), &actions)?;
    Ok(feedback::compare(&expected, &actual))
}
