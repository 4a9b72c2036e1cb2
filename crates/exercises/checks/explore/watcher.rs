//! 検査: 「終わるまで与えない」の見張り。ロックサービスの知らせの列を、短いほうからすべて聞かせる。

use anyhow::{Result, bail};
use stage::Client::{A, B};
use stage::{Client, Event, Time, Token};

use crate::feedback;

/// 終わっていない保持。
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Held {
    /// 持ち主
    pub client: Client,
    /// 約束の期限
    pub expiry: Time,
}

/// 読者が書く見張り。知らせを一つ聞き、その知らせが性質を破るなら `true` を返す。
pub type Answer = fn(&mut Option<Held>, Time, &Event) -> bool;

/// リースの長さ。単位は刻み。
const LENGTH: Time = 2;
/// 聞かせる知らせの数。
const LONGEST: usize = 4;

/// 一つ前の知らせから何刻みあとに、何を言われるか。
type Said = (Time, fn(Time) -> Event);

const EVENTS: [fn(Time) -> Event; 6] = [
    |now| acquired(A, now),
    |now| acquired(B, now),
    |_| Event::Released { client: A },
    |_| Event::Released { client: B },
    |now| Event::Renewed { client: A, token: Token(1), expiry: Some(now + LENGTH) },
    |now| Event::Expired { client: A, at: now },
];

fn acquired(client: Client, now: Time) -> Event {
    Event::Acquired { client, token: Token(1), expiry: Some(now + LENGTH) }
}

/// 答えを確かめる。
///
/// # Errors
/// 破れた取得を見逃すか、破れていない知らせを破れたと言えば、いちばん短い知らせの列を返す。
pub fn check(answer: Answer) -> Result<()> {
    for length in 1..=LONGEST {
        search(answer, length, &mut Vec::new())?;
    }
    Ok(())
}

/// `length` 個の知らせの列を、すべて試す。
fn search(answer: Answer, length: usize, said: &mut Vec<Said>) -> Result<()> {
    if said.len() == length {
        return compare(answer, said);
    }
    for wait in 0..=LENGTH {
        for event in EVENTS {
            said.push((wait, event));
            search(answer, length, said)?;
            said.pop();
        }
    }
    Ok(())
}

fn compare(answer: Answer, said: &[Said]) -> Result<()> {
    let (right, given) = (verdicts(expected, said), verdicts(answer, said));
    let Some(at) = (0..right.len()).find(|&at| right[at] != given[at]) else { return Ok(()) };
    let rows = feedback::compare_rows("判定", &table(said, &right), &table(said, &given));
    bail!("{}\n\n{rows}", symptom(right[at]));
}

fn symptom(broken: bool) -> &'static str {
    if broken {
        "前の保持が終わらないうちの取得を、見逃している。壊れたロックが検査を通り、本番で二人が同時に書く。"
    } else {
        "破れていないのに、破れたと言う。直すところのない警告が続き、見張りは切られる。"
    }
}

fn verdicts(watch: Answer, said: &[Said]) -> Vec<bool> {
    let (mut held, mut now) = (None, 0);
    let mut hear = |&(wait, event): &Said| {
        now += wait;
        watch(&mut held, now, &event(now))
    };
    said.iter().map(&mut hear).collect()
}

fn expected(held: &mut Option<Held>, now: Time, event: &Event) -> bool {
    let live = held.filter(|held| now < held.expiry);
    match *event {
        Event::Acquired { client, expiry: Some(expiry), .. } => {
            *held = Some(Held { client, expiry });
            live.is_some()
        }
        Event::Renewed { client, expiry: Some(expiry), .. }
            if live.is_some_and(|live| live.client == client) =>
        {
            *held = Some(Held { client, expiry });
            false
        }
        Event::Released { client } => {
            *held = held.filter(|held| held.client != client);
            false
        }
        _ => false,
    }
}

/// 知らせと判定を、一行に一つずつ並べた表。
fn table(said: &[Said], verdicts: &[bool]) -> String {
    let mut out = "時刻  判定    知らせ\n".to_owned();
    let mut now = 0;
    for ((wait, event), broken) in said.iter().zip(verdicts) {
        now += wait;
        let verdict = if *broken { "破れた" } else { "よい  " };
        out.push_str(&format!("{now:<4}  {verdict}  {}\n", tell(&event(now))));
    }
    out
}

fn tell(event: &Event) -> String {
    match event {
        Event::Acquired { client, expiry: Some(expiry), .. } => {
            format!("{client} の取得を認めた。期限は {expiry}")
        }
        Event::Renewed { client, expiry: Some(expiry), .. } => {
            format!("{client} の延長を認めた。期限は {expiry}")
        }
        Event::Released { client } => format!("{client} が解放した"),
        Event::Expired { client, .. } => format!("{client} の保持は失効した、と言う"),
        other => format!("{other:?}"),
    }
}
