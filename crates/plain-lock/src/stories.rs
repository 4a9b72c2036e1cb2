//! この章の筋書き。

use stage::World;
use timeline::Action::{Acquire, Crash, Pause, Release, Restart, Resume, Tick};
use timeline::Client::{A, B};
use timeline::{Chapter, Story, StoryError, Timeline};

use crate::PlainLock;

/// この章の筋書きと表。
#[must_use]
pub fn chapter() -> Chapter {
    Chapter {
        name: "plain-lock",
        stories: vec![
            Story { name: "handover", run: handover },
            Story { name: "crash", run: crash },
            Story { name: "restart", run: restart },
            Story { name: "pause", run: pause },
        ],
        tables: vec![],
        drawings: Vec::new(),
    }
}

// ANCHOR: handover
fn handover() -> Result<Timeline, StoryError> {
    let world = World::new(PlainLock::new());
    let actions = [Acquire(A), Acquire(B), Tick(3), Release(A), Acquire(B)];
    Timeline::play("期限のないロックを順に使う", world, &actions)
}
// ANCHOR_END: handover

// ANCHOR: crash
fn crash() -> Result<Timeline, StoryError> {
    let world = World::new(PlainLock::new());
    let actions = [
        Acquire(A),
        Tick(3),
        Crash(A),
        Tick(7),
        Acquire(B),
        Tick(990),
        Acquire(B),
        Tick(999_000),
        Acquire(B),
    ];
    Timeline::play("持ち主が落ちると、誰も取得できない", world, &actions)
}
// ANCHOR_END: crash

fn restart() -> Result<Timeline, StoryError> {
    let world = World::new(PlainLock::new());
    let actions = [Acquire(A), Tick(3), Crash(A), Tick(7), Restart(A), Acquire(A)];
    Timeline::play("再起動した持ち主は、自分のロックに締め出される", world, &actions)
}

fn pause() -> Result<Timeline, StoryError> {
    let world = World::new(PlainLock::new());
    let actions =
        [Acquire(A), Tick(3), Pause(A), Tick(997), Acquire(B), Resume(A), Release(A), Acquire(B)];
    Timeline::play("持ち主が止まっても、二人が持つことはない", world, &actions)
}
