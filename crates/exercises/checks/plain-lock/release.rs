//! 検査: 持ち主だけが解放できること。持ち主と客の組は、すべて試す。

use anyhow::{Result, bail};
use plain_lock::{Lock, PlainLock};
use stage::Action::{Acquire, Release};
use stage::Client::{A, B, C};
use stage::{Action, Client, Event, Holder, Impossible, Run, Time, Token, World};

use crate::feedback;

/// 読者が書く解放。`holder` は今の持ち主で、書き換えてよい。
pub type Answer = fn(holder: &mut Option<Client>, client: Client) -> Event;

/// 答えを確かめる。
///
/// # Errors
/// 解放の結果が一つでも違えば、その理由と時系列を返す。
pub fn check(answer: Answer) -> Result<()> {
    for holder in [Some(A), Some(B), Some(C), None] {
        for client in Client::ALL {
            let mut after = holder;
            let event = answer(&mut after, client);
            if (event, after) != expected(holder, client) {
                bail!("{}\n\n{}", symptom(holder, client), timelines(answer)?);
            }
        }
    }
    Ok(())
}

fn expected(holder: Option<Client>, client: Client) -> (Event, Option<Client>) {
    if holder == Some(client) {
        return (Event::Released { client }, None);
    }
    (Event::ReleaseRefused { client }, holder)
}

fn symptom(holder: Option<Client>, client: Client) -> &'static str {
    match holder {
        Some(holder) if holder == client => {
            "持ち主が解放したのに、ロックが空かない。仕事を終えても、次のサーバーが待たされ続ける。"
        }
        Some(_) => {
            "持ち主でない客の解放で、ロックが変わる。持ち主が仕事をしている間に、別のサーバーが同じ仕事を始める。"
        }
        None => "空いているロックの解放は、断られるはずである。二重に解放しても気づけない。",
    }
}

/// 答えの解放を使うロック。
#[derive(Clone, Copy)]
struct Answered {
    holder: Option<Client>,
    release: Answer,
}

impl Lock for Answered {
    fn acquire(&mut self, client: Client) -> Result<Event, Impossible> {
        if let Some(holder) = self.holder {
            return Ok(Event::Busy { client, holder, expiry: None });
        }
        self.holder = Some(client);
        Ok(Event::Acquired { client, token: Token::NONE, expiry: None })
    }

    fn release(&mut self, client: Client) -> Event {
        (self.release)(&mut self.holder, client)
    }

    fn tick(&mut self, _: Time) -> Result<Option<Event>, Impossible> {
        Ok(None)
    }

    fn now(&self) -> Time {
        0
    }

    fn holder(&self) -> Option<Holder> {
        self.holder.map(|client| Holder { client, token: Token::NONE })
    }
}

fn timelines(release: Answer) -> Result<String> {
    let actions: [Action; 7] =
        [Acquire(A), Release(B), Acquire(B), Release(A), Release(A), Acquire(B), Release(B)];
    let expected = Run::play("期待", World::new(PlainLock::new()), &actions)?;
    let answered = World::new(Answered { holder: None, release });
    let actual = Run::play("答え", answered, &actions)?;
    Ok(feedback::compare(&expected, &actual))
}
