//! 検査: 筋書きのあとに何が続いても、ロックが空かないこと。続きは、ありうるものをすべて試す。

use std::collections::{HashSet, VecDeque};

use anyhow::{Result, bail, ensure};
use plain_lock::PlainLock;
use stage::Action::{self, Acquire, Crash, Pause, Release, Restart, Resume};
use stage::{Client, ClientView, Condition, Event, Run, Step, System, World};

use crate::feedback;

/// 読者が書く筋書き。
pub type Answer = fn() -> Vec<Action>;

/// 答えを確かめる。ロックには期限がなく、客は A、B、C の三人である。
///
/// # Errors
/// 起こりえない操作があるか、ロックが空くか、待たされる客がいなければ、その理由を返す。
pub fn check(answer: Answer) -> Result<()> {
    judge(&answer())
}

fn judge(actions: &[Action]) -> Result<()> {
    ensure!(!actions.is_empty(), "筋書きが空である。客 A の取得から始める。");
    let start = World::new(PlainLock::new()).and_c();
    let timeline = Run::play("答え", start, actions)?;
    let mut world = start;
    for &action in actions {
        world.apply(action)?;
    }
    let Some(holder) = world.observe().holder else {
        bail!(
            "最後にロックは空いている。次の客はすぐに取得できるので、本番では何も起きない。\n\n{}",
            feedback::show(&timeline)
        );
    };
    if let Some(rest) = way_out(world) {
        let all = [actions, &rest].concat();
        let continued = Run::play("続き", start, &all)?;
        let heading = "あなたの答えの時系列と、ロックの空く続き(> が続きの初めの手)";
        bail!(
            "{} が続ければ、ロックは空く。本番では、待たされることはあっても、永久には止まらない。\n\n{}",
            holder.client,
            feedback::point(heading, &continued, Some(timeline.steps.len() + 1))
        );
    }
    ensure!(
        timeline.steps.iter().rev().take_while(|step| !has_believer(step)).any(is_refusal),
        "ロックは永久に空かないが、そのあと誰も取得を試みていない。困る人がいないので、本番では気づかれない。\n\n{}",
        feedback::show(&timeline)
    );
    Ok(())
}

fn has_believer(step: &Step) -> bool {
    step.after.believers().next().is_some()
}

fn is_refusal(step: &Step) -> bool {
    step.events.iter().any(|event| matches!(event, Event::Busy { .. }))
}

/// ロックが空くまでの、もっとも短い続き。どう続いても空かなければ `None`。
///
/// 時刻を進める手は試さない。期限のないロックは、時刻を見ないからである。
fn way_out(start: World<PlainLock>) -> Option<Vec<Action>> {
    let mut seen = HashSet::from([start]);
    let mut waiting = VecDeque::from([(start, Vec::new())]);
    while let Some((world, path)) = waiting.pop_front() {
        let seen_now = world.observe();
        if seen_now.holder.is_none() {
            return Some(path);
        }
        for action in seen_now.clients.iter().flat_map(possible) {
            let mut next = world;
            if next.apply(action).is_ok() && seen.insert(next) {
                waiting.push_back((next, [path.as_slice(), &[action]].concat()));
            }
        }
    }
    None
}

/// この客の、次にありうる手。持っているつもりのない客は、解放しない。
fn possible(view: &ClientView) -> Vec<Action> {
    let client: Client = view.client;
    match view.condition {
        Condition::Running if view.belief.is_some() => {
            vec![Release(client), Pause(client), Crash(client)]
        }
        Condition::Running => vec![Acquire(client), Pause(client), Crash(client)],
        Condition::Paused => vec![Resume(client), Crash(client)],
        Condition::Crashed => vec![Restart(client)],
    }
}

#[cfg(test)]
mod tests {
    use stage::Action::{AcquireReplyLost, Tick};
    use stage::Client::{A, B, C};

    use super::*;

    #[test]
    fn a_crashed_holder_blocks_for_ever_however_it_goes_on() {
        assert!(judge(&[Acquire(A), Crash(A), Acquire(B)]).is_ok());
        assert!(judge(&[Acquire(B), Pause(B), Crash(B), Tick(5), Acquire(C)]).is_ok());
        assert!(judge(&[Acquire(A), Crash(A), Restart(A), Acquire(A)]).is_ok());
    }

    #[test]
    fn a_holder_that_never_heard_the_grant_blocks_for_ever() {
        assert!(judge(&[AcquireReplyLost(A), Acquire(B)]).is_ok());
    }

    #[test]
    fn the_refusal_must_come_after_the_crash() {
        assert!(judge(&[Acquire(A), Acquire(B), Crash(A)]).is_err());
    }

    #[test]
    fn the_shortest_way_out_is_shown() {
        let mut world = World::new(PlainLock::new());
        world.apply(Acquire(A)).unwrap();
        world.apply(Pause(A)).unwrap();
        assert_eq!(way_out(world), Some(vec![Resume(A), Release(A)]));
        world.apply(Crash(A)).unwrap();
        assert_eq!(way_out(world), None);
    }
}
