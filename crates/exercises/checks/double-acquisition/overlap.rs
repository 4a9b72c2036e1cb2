//! 検査: 筋書きに二重取得があり、その結果として値が失われること。

use anyhow::{Result, bail, ensure};
use double_acquisition::UnfencedResource;
use lease::LockService;
use stage::{Action, Event, Run, Token, World};

use crate::feedback;

/// 読者が書く筋書き。
pub type Answer = fn() -> Vec<Action>;

/// 答えを確かめる。リースの長さは 10 刻みで、資源はトークンを比べない。客は A、B、C の三人である。
///
/// # Errors
/// 起こりえない操作があるか、二重取得がないか、値が失われていなければ、その理由を返す。
pub fn check(answer: Answer) -> Result<()> {
    let actions = answer();
    ensure!(!actions.is_empty(), "筋書きが空である。客 A の取得から始める。");
    let world = World::with_resource(LockService::new(10), UnfencedResource::new()).and_c();
    let timeline = Run::play("答え", world, &actions)?;
    if let Some(missing) = missing(&timeline) {
        bail!("{missing}\n\n{}", feedback::show(&timeline));
    }
    Ok(())
}

fn missing(timeline: &Run) -> Option<&'static str> {
    if !timeline.has_double() {
        return Some(
            "二人が同時に持っているつもりの区間がない。一人ずつ順に使っているので、本番でも何も起きない。",
        );
    }
    let written = timeline.events().any(|event| matches!(event, Event::Accepted { .. }));
    if !written {
        return Some(
            "二重取得はあるが、誰も書いていない。値は失われないので、本番では誰も気づかない。",
        );
    }
    if !timeline.is_damaged() {
        return Some(
            "二重取得はあるが、新しい持ち主の値は無事である。古い持ち主の書き込みが、あとから届いていない。",
        );
    }
    if !is_damaged_in_double(timeline) {
        return Some(
            "値は失われたが、そのとき二人が持っているつもりではなかった。もう持っているつもりのない客の書き込みが、遅れて届いただけである。",
        );
    }
    None
}

/// 二重取得の間に、新しいトークンの値が古いトークンの値で消されたか。
fn is_damaged_in_double(timeline: &Run) -> bool {
    let mut newest = Token::NONE;
    timeline.steps.iter().any(|step| {
        step.events.iter().any(|event| {
            let Event::Accepted { token, .. } = *event else { return false };
            let is_stale = token < newest;
            newest = newest.max(token);
            is_stale && step.after.is_double()
        })
    })
}

#[cfg(test)]
mod tests {
    use stage::Action::{Acquire, Crash, Deliver, Pause, Release, Resume, Send, Tick, Write};
    use stage::Client::{A, B, C};

    use super::*;

    #[test]
    fn a_delayed_packet_and_a_third_client_will_do() {
        let delayed: Answer = || {
            let acts = [Acquire(A), Send(A, 1), Tick(10), Acquire(B), Write(B, 1), Deliver(A, 1)];
            acts.to_vec()
        };
        assert!(check(delayed).is_ok());
        let third: Answer = || {
            let mut acts = vec![Acquire(C), Pause(C), Tick(10), Acquire(B), Write(B, 1)];
            acts.extend([Release(B), Acquire(A), Write(A, 1), Resume(C), Write(C, 1)]);
            acts
        };
        assert!(check(third).is_ok());
    }

    #[test]
    fn the_old_write_must_arrive_while_both_believe() {
        let too_late: Answer = || {
            let mut acts = vec![Acquire(A), Send(A, 1), Tick(10), Acquire(B), Write(B, 1)];
            acts.extend([Write(B, 2), Crash(A), Deliver(A, 1)]);
            acts
        };
        assert!(check(too_late).unwrap_err().to_string().contains("遅れて届いただけ"));
    }

    #[test]
    fn the_empty_story_is_refused() {
        assert!(check(Vec::new).unwrap_err().to_string().contains("空である"));
    }
}
