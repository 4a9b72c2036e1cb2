//! 検査: トークンが取得のたびに大きくなり、ほかでは変わらないこと。
//! 出来事の並びは、短いものをすべて試す。

use anyhow::{Result, bail, ensure};
use fencing::FencedResource;
use lease::{Lock, LockService};
use stage::Action::{Acquire, Pause, Release, Renew, Resume, Tick, Write};
use stage::Client::{A, B};
use stage::{Client, Event, Holder, Impossible, Run, Time, Token, World};

use crate::feedback;

/// ロックサービスが覚えている番号。
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tokens {
    /// 最後に配ったトークン。まだ配っていなければ `Token::NONE`
    pub issued: Token,
    /// 今の保持のトークン。誰も持っていなければ `None`
    pub held: Option<Token>,
}

/// 番号に関わる出来事。
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// 取得を認める。誰も持っていないときにだけ起きる
    Acquire,
    /// 延長を認める
    Renew,
    /// 持ち主が解放した
    Release,
    /// 失効した
    Expire,
}

/// 読者が書く番号の付け方。出来事のあとの、今の保持のトークンを返す。誰も持っていなければ `None`。
///
/// 番号をもう大きくできないときの取得も、`None` を返して断る。
pub type Answer = fn(tokens: &mut Tokens, change: Change) -> Option<Token>;

/// 試す出来事の並びの長さ。
const STEPS: usize = 8;
/// 続けて取得させる回数。十六ビットの番号なら、途中で尽きる。
const MANY: u64 = 70_000;
/// あと一つだけ番号を配れる状態。
const ALMOST: Tokens = Tokens { issued: Token(u64::MAX - 1), held: None };
/// 時系列で見せるリースの長さ。単位は刻み。
const LENGTH: Time = 10;

/// 答えを確かめる。
///
/// # Errors
/// 番号が一つでも違えば、その理由と時系列を返す。
pub fn check(answer: Answer) -> Result<()> {
    if let Some(symptom) = first_mistake(answer, Tokens::default(), Tokens::default(), STEPS) {
        bail!("{symptom}\n\n{}", timelines(answer)?);
    }
    let mut tokens = Tokens::default();
    for number in 1..=MANY {
        let token = answer(&mut tokens, Change::Acquire);
        ensure!(
            token == Some(Token(number)),
            "{number} 回目の取得で、番号が続かなかった。何日も動いたあとで、古い保持のほうが新しく見えるようになる。"
        );
        answer(&mut tokens, Change::Release);
    }
    match first_mistake(answer, ALMOST, ALMOST, STEPS) {
        Some(symptom) => bail!("{symptom}"),
        None => Ok(()),
    }
}

/// 起こりうる出来事をすべて続けてみて、初めに見つかった誤りの、本番での見え方。
fn first_mistake(
    answer: Answer,
    expected: Tokens,
    actual: Tokens,
    left: usize,
) -> Option<&'static str> {
    let left = left.checked_sub(1)?;
    possible(expected).iter().find_map(|&change| {
        let (before, mut expected, mut actual) = (expected, expected, actual);
        let token = reference(&mut expected, change);
        let given = answer(&mut actual, change);
        if given != token {
            return Some(symptom(change, before, token, given));
        }
        first_mistake(answer, expected, actual, left)
    })
}

fn possible(tokens: Tokens) -> &'static [Change] {
    match tokens.held {
        Some(_) => &[Change::Renew, Change::Release, Change::Expire],
        None => &[Change::Acquire],
    }
}

fn reference(tokens: &mut Tokens, change: Change) -> Option<Token> {
    match change {
        Change::Acquire => {
            tokens.issued = tokens.issued.next()?;
            tokens.held = Some(tokens.issued);
        }
        Change::Renew => {}
        Change::Release | Change::Expire => tokens.held = None,
    }
    tokens.held
}

fn symptom(
    change: Change,
    before: Tokens,
    expected: Option<Token>,
    given: Option<Token>,
) -> &'static str {
    match (change, expected, given) {
        (Change::Acquire, None, Some(_)) => {
            "いちばん大きい番号のあとで、それより大きくない番号を配った。資源は新しい持ち主を古い持ち主と取り違え、書き込みを拒否する。"
        }
        (Change::Acquire, Some(_), Some(given)) if given <= before.issued => {
            "前に配った番号を、もう一度配った。古い持ち主と新しい持ち主を資源が見分けられず、目を覚ました古い持ち主の書き込みが入る。"
        }
        (Change::Acquire, _, Some(_)) => "取得のたびに、番号は一つだけ大きくなるはずである。",
        (Change::Acquire, _, None) => {
            "空いているロックの取得なのに、番号を配らない。誰も仕事を始められない。"
        }
        (Change::Renew, ..) => {
            "延長で番号が変わった。延長の前に送った自分の書き込みが、古いものとして拒否される。"
        }
        (Change::Release | Change::Expire, ..) => {
            "保持が終わったのに、トークンが残っている。空いているロックに、持ち主がいるように見える。"
        }
    }
}

/// 答えの番号の付け方を使うロックサービス。
#[derive(Clone, Copy)]
struct Answered {
    now: Time,
    lease: Option<(Holder, Time)>,
    tokens: Tokens,
    answer: Answer,
}

impl Answered {
    fn held_by(&self, client: Client) -> Option<Holder> {
        self.lease.map(|(holder, _)| holder).filter(|holder| holder.client == client)
    }

    fn expiry_from_now(&self) -> Result<Time, Impossible> {
        self.now.checked_add(LENGTH).ok_or(Impossible::TimeOverflow)
    }
}

impl Lock for Answered {
    fn acquire(&mut self, client: Client) -> Result<Event, Impossible> {
        if let Some((holder, expiry)) = self.lease {
            return Ok(Event::Busy { client, holder: holder.client, expiry: Some(expiry) });
        }
        let expiry = self.expiry_from_now()?;
        let token = (self.answer)(&mut self.tokens, Change::Acquire);
        let token = token.ok_or(Impossible::TokenOverflow)?;
        self.lease = Some((Holder { client, token }, expiry));
        Ok(Event::Acquired { client, token, expiry: Some(expiry) })
    }

    fn renew(&mut self, client: Client) -> Result<Event, Impossible> {
        if self.held_by(client).is_none() {
            return Ok(Event::RenewRefused { client });
        }
        let expiry = self.expiry_from_now()?;
        let Some(token) = (self.answer)(&mut self.tokens, Change::Renew) else {
            return Ok(Event::RenewRefused { client });
        };
        self.lease = Some((Holder { client, token }, expiry));
        Ok(Event::Renewed { client, token, expiry: Some(expiry) })
    }

    fn release(&mut self, client: Client) -> Event {
        if self.held_by(client).is_none() {
            return Event::ReleaseRefused { client };
        }
        (self.answer)(&mut self.tokens, Change::Release);
        self.lease = None;
        Event::Released { client }
    }

    fn tick(&mut self, ticks: Time) -> Result<Option<Event>, Impossible> {
        self.now = self.now.checked_add(ticks).ok_or(Impossible::TimeOverflow)?;
        let Some((holder, expiry)) = self.lease.filter(|(_, expiry)| *expiry <= self.now) else {
            return Ok(None);
        };
        (self.answer)(&mut self.tokens, Change::Expire);
        self.lease = None;
        Ok(Some(Event::Expired { client: holder.client, at: expiry }))
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

/// 番号の大小を、トークンを比べる資源で見せる。
fn timelines(answer: Answer) -> Result<String> {
    let actions = [
        Acquire(A),
        Write(A, 1),
        Renew(A),
        Release(A),
        Acquire(B),
        Write(B, 1),
        Pause(B),
        Tick(LENGTH), // ここで B のリースが失効する
        Acquire(A),
        Write(A, 2),
        Resume(B),
        Write(B, 2),
    ];
    let world = World::with_resource(LockService::new(LENGTH), FencedResource::new());
    let expected = Run::play("期待", world, &actions)?;
    let answered = Answered { now: 0, lease: None, tokens: Tokens::default(), answer };
    let world = World::with_resource(answered, FencedResource::new());
    Ok(feedback::attempt(&expected, Run::play("答え", world, &actions)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_service_with_the_right_numbers_behaves_like_the_one_of_the_chapter() {
        let told = timelines(reference).unwrap();
        assert!(told.contains("この筋書きでは違いが出ない"), "{told}");
    }

    fn told(answer: Answer) -> String {
        check(answer).unwrap_err().to_string()
    }

    #[test]
    fn every_kind_of_mistake_has_its_own_sentence() {
        assert!(check(reference).is_ok());
        assert!(told(|_, _| None).contains("誰も仕事を始められない"));
        let in_twos: Answer = |tokens, change| {
            if change == Change::Acquire {
                tokens.issued = tokens.issued.next()?;
            }
            reference(tokens, change)
        };
        assert!(told(in_twos).contains("一つだけ大きくなる"));
        let keeps_the_held: Answer =
            |tokens, change| reference(tokens, change).or(Some(tokens.issued));
        assert!(told(keeps_the_held).contains("持ち主がいるように見える"));
        let stays_at_the_top: Answer = |tokens, change| {
            if change == Change::Acquire && tokens.issued == Token(u64::MAX) {
                tokens.held = Some(tokens.issued);
                return tokens.held;
            }
            reference(tokens, change)
        };
        assert!(told(stays_at_the_top).starts_with("いちばん大きい番号のあとで"));
        let refuses_too_early: Answer = |tokens, change| {
            if change == Change::Acquire && tokens.issued >= Token(u64::MAX - 1) {
                return None;
            }
            reference(tokens, change)
        };
        assert!(told(refuses_too_early).contains("誰も仕事を始められない"));
    }

    #[test]
    fn a_mistake_after_several_holdings_is_found() {
        // 延長のあとの解放でだけ、番号を返す。
        let gives_back_the_renewed: Answer = |tokens, change| {
            let is_marked = tokens.held == Some(Token(99));
            match change {
                Change::Renew => {
                    let token = tokens.held;
                    tokens.held = Some(Token(99));
                    token
                }
                Change::Release if is_marked => {
                    tokens.issued = Token(0);
                    tokens.held = None;
                    None
                }
                _ => reference(tokens, change),
            }
        };
        assert!(check(gives_back_the_renewed).is_err());
    }
}
