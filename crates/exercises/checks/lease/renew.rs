//! 検査: 延長できるのは、失効していない今の持ち主だけであること。
//! 記録・客・時刻の組は、小さい範囲ですべて試す。

use anyhow::{Result, bail};
use lease::{Lock, LockService};
use stage::Action::{Acquire, Release, Renew, Tick};
use stage::Client::{A, B};
use stage::{Client, Event, Holder, Impossible, Run, Time, Token, World};

use crate::feedback;

/// ロックサービスが保存している、貸し出しの記録。失効しても、次の取得まで消えずに残る。
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    /// 最後に取得した客
    pub holder: Client,
    /// そのとき配ったトークン
    pub token: Token,
    /// 期限。この時刻には失効している
    pub expiry: Time,
}

/// 読者が書く延長。`record` は、解放のあとか、まだ誰も取得していなければ `None` である。
///
/// `now` は今の時刻、`until` は認めるときの新しい期限。単位はどちらも刻み。
pub type Answer = fn(record: &mut Option<Record>, client: Client, now: Time, until: Time) -> Event;

/// 試す時刻と期限の範囲。
const RANGE: Time = 6;
/// とても遅い時刻。時刻が飛んでも、失効は失効である。
const FAR: Time = 1_000_000_000_000;
/// 時系列で見せるリースの長さ。単位は刻み。
const LENGTH: Time = 10;

/// 答えを確かめる。
///
/// # Errors
/// 延長の結果が一つでも違えば、その理由と時系列を返す。
pub fn check(answer: Answer) -> Result<()> {
    for record in records() {
        for client in Client::ALL {
            // 期限ちょうどは、ほかの時刻のあとで試す。境目だけの誤りを、理由の文が言い分けられる。
            for now in [FAR].into_iter().chain((0..=RANGE).rev()) {
                for length in 1..=RANGE {
                    try_one(answer, record, client, now, now + length)?;
                }
            }
        }
    }
    Ok(())
}

fn records() -> Vec<Option<Record>> {
    let mut records = vec![None];
    for holder in Client::ALL {
        for token in (1..=2).map(Token) {
            records.extend((1..=RANGE).map(|expiry| Some(Record { holder, token, expiry })));
        }
    }
    records
}

fn try_one(
    answer: Answer,
    record: Option<Record>,
    client: Client,
    now: Time,
    until: Time,
) -> Result<()> {
    let (mut expected, mut actual) = (record, record);
    let expected_event = reference(&mut expected, client, now, until);
    let event = answer(&mut actual, client, now, until);
    if (event, actual) == (expected_event, expected) {
        return Ok(());
    }
    let symptom = match expected_event {
        Event::Renewed { .. } => wrongly_refused(event, expected_event),
        _ if event == expected_event => {
            "断ると答えたのに、記録が変わっている。延長できなかったと知った客のリースが、まだ続く。"
        }
        _ => wrongly_renewed(record, client, now),
    };
    bail!("{symptom}\n\n{}", timelines(answer)?)
}

fn reference(record: &mut Option<Record>, client: Client, now: Time, until: Time) -> Event {
    match record {
        Some(Record { holder, token, expiry }) if *holder == client && now < *expiry => {
            *expiry = until;
            Event::Renewed { client, token: *token, expiry: Some(until) }
        }
        _ => Event::RenewRefused { client },
    }
}

fn wrongly_refused(event: Event, expected: Event) -> &'static str {
    match (event, expected) {
        (Event::Renewed { token, .. }, Event::Renewed { token: same, .. }) if token != same => {
            "延長でトークンが変わった。延長の前に送った自分の書き込みが、古いものとして拒否される。"
        }
        (Event::Renewed { .. }, _) => {
            "延長を認めたのに、期限が新しくならない。持ち主は続けられると思ったまま、途中で失効する。"
        }
        _ => "失効していない持ち主の延長を断った。仕事の長いバッチが、途中で必ずロックを失う。",
    }
}

fn wrongly_renewed(record: Option<Record>, client: Client, now: Time) -> &'static str {
    match record {
        None => {
            "誰も持っていないロックの延長を認めた。別の客が仕事を終えて解放したあとでも、古い持ち主が、それを知らずに続きから書く。"
        }
        Some(record) if record.holder != client => {
            "持ち主でない客の延長を認めた。落ちた持ち主のロックが、ほかの客の便りで延び続け、いつまでも空かない。"
        }
        Some(record) if record.expiry == now => {
            "期限ちょうどの延長を認めた。同じ時刻に次の客の取得も認められるので、頼みの届いた順で結果が変わる。"
        }
        Some(_) => {
            "失効した保持の延長を認めた。空いている間に別の客が済ませた仕事を知らない古い持ち主が、続きから書く。"
        }
    }
}

/// 答えの延長を使うロックサービス。失効した記録は、次の取得まで残す。
#[derive(Clone, Copy)]
struct Answered {
    now: Time,
    record: Option<Record>,
    issued: Token,
    renew: Answer,
}

impl Answered {
    fn live(&self) -> Option<Record> {
        self.record.filter(|record| self.now < record.expiry)
    }

    fn expiry_from_now(&self) -> Result<Time, Impossible> {
        self.now.checked_add(LENGTH).ok_or(Impossible::TimeOverflow)
    }
}

impl Lock for Answered {
    fn acquire(&mut self, client: Client) -> Result<Event, Impossible> {
        if let Some(Record { holder, expiry, .. }) = self.live() {
            return Ok(Event::Busy { client, holder, expiry: Some(expiry) });
        }
        let token = self.issued.next().ok_or(Impossible::TokenOverflow)?;
        let expiry = self.expiry_from_now()?;
        self.issued = token;
        self.record = Some(Record { holder: client, token, expiry });
        Ok(Event::Acquired { client, token, expiry: Some(expiry) })
    }

    fn renew(&mut self, client: Client) -> Result<Event, Impossible> {
        let until = self.expiry_from_now()?;
        Ok((self.renew)(&mut self.record, client, self.now, until))
    }

    fn release(&mut self, client: Client) -> Event {
        if self.live().is_none_or(|record| record.holder != client) {
            return Event::ReleaseRefused { client };
        }
        self.record = None;
        Event::Released { client }
    }

    fn tick(&mut self, ticks: Time) -> Result<Option<Event>, Impossible> {
        let before = self.live();
        self.now = self.now.checked_add(ticks).ok_or(Impossible::TimeOverflow)?;
        let expired = before.filter(|record| record.expiry <= self.now);
        Ok(expired.map(|record| Event::Expired { client: record.holder, at: record.expiry }))
    }

    fn now(&self) -> Time {
        self.now
    }

    fn holder(&self) -> Option<Holder> {
        self.live().map(|record| Holder { client: record.holder, token: record.token })
    }

    fn expiry(&self) -> Option<Time> {
        self.live().map(|record| record.expiry)
    }
}

fn timelines(renew: Answer) -> Result<String> {
    let actions = [
        Acquire(A),
        Tick(4),
        Renew(B),
        Renew(A),
        Tick(LENGTH), // ここで A のリースが失効する
        Renew(A),
        Acquire(B),
        Tick(3),
        Release(B),
        Renew(A),
        Acquire(A),
    ];
    let expected = Run::play("期待", World::new(LockService::new(LENGTH)), &actions)?;
    let answered = Answered { now: 0, record: None, issued: Token::NONE, renew };
    let actual = Run::play("答え", World::new(answered), &actions);
    Ok(feedback::attempt(&expected, actual))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_service_that_keeps_expired_records_behaves_like_the_one_of_the_chapter() {
        let told = timelines(reference).unwrap();
        assert!(told.contains("この筋書きでは違いが出ない"), "{told}");
    }

    fn told(answer: Answer) -> String {
        check(answer).unwrap_err().to_string()
    }

    #[test]
    fn every_kind_of_mistake_has_its_own_sentence() {
        assert!(check(reference).is_ok());
        assert!(
            told(|_, client, _, _| Event::RenewRefused { client }).contains("必ずロックを失う")
        );
        let forgets_the_expiry: Answer = |record, client, now, until| {
            let mut copy = *record;
            reference(&mut copy, client, now, until)
        };
        assert!(told(forgets_the_expiry).contains("途中で失効する"));
        let new_token: Answer = |record, client, now, until| {
            let event = reference(record, client, now, until);
            match (event, record) {
                (Event::Renewed { expiry, .. }, Some(record)) => {
                    record.token = Token(9);
                    Event::Renewed { client, token: Token(9), expiry }
                }
                _ => event,
            }
        };
        assert!(told(new_token).starts_with("延長でトークンが変わった"));
        let clears_the_refused: Answer = |record, client, now, until| {
            let event = reference(record, client, now, until);
            if event == (Event::RenewRefused { client }) {
                *record = None;
            }
            event
        };
        assert!(told(clears_the_refused).starts_with("断ると答えたのに"));
        let believes_the_far_future: Answer = |record, client, now, until| {
            let now = if now == FAR { 0 } else { now };
            reference(record, client, now, until)
        };
        assert!(check(believes_the_far_future).is_err());
    }
}
