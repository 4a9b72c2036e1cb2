//! この章の筋書き。資源を引数に取るので、後の章は同じ筋書きを別の資源で演じられる。

use lease::LockService;
use stage::{Resource, World};
use timeline::Action::{Acquire, Check, Deliver, Pause, Resume, Send, Tick, Write};
use timeline::Client::{A, B};
use timeline::{Chapter, Story, StoryError, TableSource, Timeline};

use crate::{UnfencedResource, lengths};

/// この章の筋書きと表。
#[must_use]
pub fn chapter() -> Chapter {
    Chapter {
        name: "double-acquisition",
        stories: vec![
            Story { name: "gc_pause", run: || gc_pause(UnfencedResource::new()) },
            Story { name: "pause_then_check", run: || pause_then_check(UnfencedResource::new()) },
            Story { name: "check_then_pause", run: || check_then_pause(UnfencedResource::new()) },
            Story { name: "delayed_packet", run: || delayed_packet(UnfencedResource::new()) },
        ],
        tables: vec![TableSource { name: "lease_lengths", make: lengths::table }],
        drawings: Vec::new(),
    }
}

/// 持ち主が止まっている間にリースが失効し、次の持ち主が書いたあとで、古い持ち主が目を覚まして書く。
///
/// # Errors
/// 筋書きに起こりえない操作があるとき。
// ANCHOR: gc_pause
pub fn gc_pause(resource: impl Resource) -> Result<Timeline, StoryError> {
    let world = World::with_resource(LockService::new(10), resource);
    let actions = [
        Acquire(A),
        Tick(2),
        Pause(A),
        Tick(8), // ここで A のリースが失効する
        Acquire(B),
        Write(B, 1),
        Tick(2),
        Resume(A),
        Write(A, 1),
    ];
    Timeline::play("持ち主が止まっている間に、次の持ち主が書く", world, &actions)
}
// ANCHOR_END: gc_pause

/// 止まったあとで時計を見る。客は期限を過ぎたと知り、書かずにやめる。
///
/// # Errors
/// 筋書きに起こりえない操作があるとき。
pub fn pause_then_check(resource: impl Resource) -> Result<Timeline, StoryError> {
    let world = World::with_resource(LockService::new(10), resource);
    let actions = [
        Acquire(A),
        Tick(2),
        Pause(A),
        Tick(8),
        Acquire(B),
        Write(B, 1),
        Tick(2),
        Resume(A),
        Check(A),
        Write(A, 1),
    ];
    Timeline::play("時計を見る前に止まれば、書かずにやめられる", world, &actions)
}

/// 時計を見たあと、書く前に止まる。
///
/// # Errors
/// 筋書きに起こりえない操作があるとき。
// ANCHOR: check_then_pause
pub fn check_then_pause(resource: impl Resource) -> Result<Timeline, StoryError> {
    let world = World::with_resource(LockService::new(10), resource).watching_clocks();
    let actions = [
        Acquire(A),
        Tick(9),
        Check(A), // 期限の前
        Pause(A),
        Tick(1),
        Acquire(B),
        Write(B, 1),
        Tick(2),
        Resume(A),
        Write(A, 1), // 確かめたあとの書き込み
    ];
    Timeline::play("時計を見たあとで止まれば、書いてしまう", world, &actions)
}
// ANCHOR_END: check_then_pause

/// 誰も止まらない。書き込みが網で遅れるだけ。
///
/// # Errors
/// 筋書きに起こりえない操作があるとき。
pub fn delayed_packet(resource: impl Resource) -> Result<Timeline, StoryError> {
    let world = World::with_resource(LockService::new(10), resource).watching_clocks();
    let actions =
        [Acquire(A), Tick(2), Send(A, 1), Tick(8), Acquire(B), Write(B, 1), Tick(2), Deliver(A, 1)];
    Timeline::play("誰も止まらず、書き込みだけが遅れて届く", world, &actions)
}
