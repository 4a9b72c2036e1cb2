//! 三つのロックのしかたに同じ二つの故障を与えて、比べる。

use double_acquisition::UnfencedResource;
use lease::{Lock, LockService};
use plain_lock::PlainLock;
use stage::Action::{Acquire, Crash, Pause, Resume, Tick, Write};
use stage::Client::{A, B};
use stage::{Asked, ChapterError, Event, Refusal, Resource, Run, StoryError, Table, World};

use crate::FencedResource;

// ANCHOR: faults
/// 故障その一。持ち主が落ちたあと、別の客が取得を二度試みる。
fn crash(lock: impl Lock, resource: impl Resource) -> Result<Run, StoryError> {
    let actions = [Acquire(A), Crash(A), Tick(10), Acquire(B), Tick(990), Acquire(B)];
    Run::play("クラッシュ", World::with_resource(lock, resource), &actions)
}

/// 故障その二。持ち主が止まり、別の客が取得して書こうとしたあとで、目を覚まして書く。
fn pause(lock: impl Lock, resource: impl Resource) -> Result<Run, StoryError> {
    let actions = [Acquire(A), Pause(A), Tick(10), Acquire(B), Write(B, 1), Resume(A), Write(A, 1)];
    Run::play("停止", World::with_resource(lock, resource), &actions)
}
// ANCHOR_END: faults

/// ロックのしかたごとに、二つの故障の結果を並べた表。
pub(crate) fn table() -> Result<Table, ChapterError> {
    let header = ["しかた", "クラッシュのあと", "停止の間の二重取得", "停止のあとの資源"];
    Ok(Table {
        header: header.map(str::to_owned).to_vec(),
        rows: vec![
            row("期限のないロック", PlainLock::new(), UnfencedResource::new())?,
            row("リース", LockService::new(10), UnfencedResource::new())?,
            row("リースとフェンシング", LockService::new(10), FencedResource::new())?,
        ],
    })
}

fn row(name: &str, lock: impl Lock, resource: impl Resource) -> Result<Vec<String>, StoryError> {
    let crashed = crash(lock.clone(), resource.clone())?;
    let paused = pause(lock, resource)?;
    let double = if paused.has_double() { "ある" } else { "ない" };
    Ok(vec![name.to_owned(), takeover(&crashed), double.to_owned(), outcome(&paused)])
}

/// 落ちた持ち主のロックが、いつ次の客に渡ったか。
fn takeover(timeline: &Run) -> String {
    let gained = |event: &Event| matches!(event, Event::Acquired { client: B, .. });
    let step = timeline.steps.iter().find(|step| step.events.iter().any(gained));
    match (step, timeline.steps.last()) {
        (Some(step), _) => format!("時刻 {} に B が取得する", step.time()),
        (None, Some(last)) => format!("時刻 {} でも B は取得できない", last.time()),
        (None, None) => String::new(),
    }
}

/// 目を覚ました A の書き込みがどうなったか。
fn outcome(timeline: &Run) -> String {
    let written = timeline.events().filter(|event| matches!(event, Event::Accepted { .. }));
    match timeline.events().last() {
        Some(Event::Rejected {
            asked: Asked::Write(value),
            token,
            reason: Refusal::Older { max },
        }) => {
            format!("{value} は拒否される({token} < {max})")
        }
        Some(Event::Accepted { value, .. }) if written.count() > 1 => {
            format!("B1 が {value} で上書きされる")
        }
        _ => "B は書かず、A1 が残る".to_owned(),
    }
}
