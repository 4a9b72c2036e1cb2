//! 検査: トークンの比較と、最大を覚えること。三つの書き込みの並びは、すべて試す。

use anyhow::{Result, bail};
use fencing::{FencedResource, Resource};
use lease::LockService;
use stage::Action::{Acquire, Pause, Resume, Tick, Write};
use stage::Client::{A, B, C};
use stage::{Asked, Event, Refusal, Run, Token, Value, World};

use crate::feedback;

/// 読者が書く判定。受理するなら `true`。`max` は見たうちで最大のトークンで、書き換えてよい。
pub type Answer = fn(max: &mut Token, token: Token) -> bool;

/// 答えを確かめる。
///
/// # Errors
/// 判定が一つでも違えば、その理由と時系列を返す。
pub fn check(answer: Answer) -> Result<()> {
    for first in 1..=3 {
        for second in 1..=3 {
            for third in 1..=3 {
                try_sequence(answer, [first, second, third].map(Token))?;
            }
        }
    }
    Ok(())
}

fn try_sequence(answer: Answer, tokens: [Token; 3]) -> Result<()> {
    let (mut max, mut expected_max) = (Token::NONE, Token::NONE);
    for token in tokens {
        let expected = token >= expected_max;
        let accepted = answer(&mut max, token);
        if accepted != expected {
            bail!("{}\n\n{}", symptom(token, expected_max), timelines(answer)?);
        }
        expected_max = expected_max.max(token);
        if max != expected_max {
            bail!("{}\n\n{}", forgotten(expected_max, max), timelines(answer)?);
        }
    }
    Ok(())
}

fn symptom(token: Token, max: Token) -> String {
    if token < max {
        return format!(
            "最大 {max} のあとで、トークン {token} の書き込みを受理した。目を覚ました古い持ち主が、新しい値を消す。"
        );
    }
    if token == max {
        return format!(
            "最大 {max} のあとで、トークン {token} の書き込みを拒否した。正しい持ち主の二度目の書き込みが失敗する。"
        );
    }
    format!(
        "最大 {max} のあとで、トークン {token} の書き込みを拒否した。新しい持ち主が一度も書けない。"
    )
}

fn forgotten(expected: Token, max: Token) -> String {
    format!(
        "最大は {expected} のはずだが、{max} になっている。次に届く古い書き込みと、正しく比べられない。"
    )
}

/// 答えの判定を使う資源。
#[derive(Clone, Copy)]
struct Answered {
    value: Option<Value>,
    max: Token,
    accepts: Answer,
}

impl Resource for Answered {
    fn write(&mut self, token: Token, value: Value) -> Event {
        let before = self.max;
        if !(self.accepts)(&mut self.max, token) {
            return Event::Rejected {
                asked: Asked::Write(value),
                token,
                reason: Refusal::Older { max: before },
            };
        }
        self.value = Some(value);
        // 成り立たない比較を、比べたようには見せない。
        let compared = (token >= before).then_some(before);
        Event::Accepted { value, token, compared }
    }

    fn value(&self) -> Option<Value> {
        self.value
    }

    fn max_token(&self) -> Token {
        self.max
    }
}

fn timelines(accepts: Answer) -> Result<String> {
    let expected = play(FencedResource::new())?;
    let actual = play(Answered { value: None, max: Token::NONE, accepts })?;
    Ok(feedback::compare(&expected, &actual))
}

fn play(resource: impl Resource) -> Result<Run> {
    let world = World::with_resource(LockService::new(10), resource).and_c();
    let actions = [
        Acquire(A),
        Pause(A),
        Tick(10),
        Acquire(B),
        Write(B, 1),
        Write(B, 2),
        Pause(B),
        Tick(10),
        Acquire(C),
        Write(C, 1),
        Resume(A),
        Write(A, 1),
        Resume(B),
        Write(B, 3),
    ];
    Ok(Run::play("演習", world, &actions)?)
}
