//! この章の筋書き。

use stage::Action::{Acquire, Crash, Pause, Release, Restart, Resume, Tick};
use stage::Client::{A, B};
use stage::{Chapter, Story, World};

use crate::PlainLock;

/// この章の筋書きと表。
#[must_use]
pub fn chapter() -> Chapter {
    Chapter {
        name: "plain-lock",
        stories: vec![handover(), crash(), restart(), pause()],
        tables: vec![],
        drawings: Vec::new(),
    }
}

// ANCHOR: handover
fn handover() -> Story {
    let world = World::new(PlainLock::new());
    let actions = [Acquire(A), Acquire(B), Tick(3), Release(A), Acquire(B)];
    Story::new("handover", "期限のないロックを順に使う", world, &actions)
}
// ANCHOR_END: handover

// ANCHOR: crash
fn crash() -> Story {
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
    Story::new("crash", "持ち主が落ちると、誰も取得できない", world, &actions)
}
// ANCHOR_END: crash

fn restart() -> Story {
    let world = World::new(PlainLock::new());
    let actions = [Acquire(A), Tick(3), Crash(A), Tick(7), Restart(A), Acquire(A)];
    Story::new("restart", "再起動した持ち主は、自分のロックに締め出される", world, &actions)
}

fn pause() -> Story {
    let world = World::new(PlainLock::new());
    let actions =
        [Acquire(A), Tick(3), Pause(A), Tick(997), Acquire(B), Resume(A), Release(A), Acquire(B)];
    Story::new("pause", "持ち主が止まっても、二人が持つことはない", world, &actions)
}
