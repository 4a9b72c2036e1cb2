//! この章の筋書き。資源を引数に取るので、後の章は同じ筋書きを別の資源で演じられる。

use lease::LockService;
use stage::Action::{Acquire, Check, Deliver, Pause, Resume, Send, Tick, Write};
use stage::Client::{A, B};
use stage::{Chapter, Resource, Story, TableSource, World};

use crate::{UnfencedResource, lengths};

/// この章の筋書きと表。
#[must_use]
pub fn chapter() -> Chapter {
    Chapter {
        name: "double-acquisition",
        stories: vec![
            gc_pause(UnfencedResource::new()),
            pause_then_check(UnfencedResource::new()),
            check_then_pause(UnfencedResource::new()),
            delayed_packet(UnfencedResource::new()),
        ],
        tables: vec![TableSource::new("lease_lengths", lengths::table)],
        drawings: Vec::new(),
    }
}

/// 持ち主が止まっている間にリースが失効し、次の持ち主が書いたあとで、古い持ち主が目を覚まして書く。
// ANCHOR: gc_pause
pub fn gc_pause(resource: impl Resource + 'static) -> Story {
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
    Story::new("gc_pause", "持ち主が止まっている間に、次の持ち主が書く", world, &actions)
}
// ANCHOR_END: gc_pause

/// 止まったあとで時計を見る。客は期限を過ぎたと知り、書かずにやめる。
pub fn pause_then_check(resource: impl Resource + 'static) -> Story {
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
    Story::new("pause_then_check", "時計を見る前に止まれば、書かずにやめられる", world, &actions)
}

/// 時計を見たあと、書く前に止まる。
// ANCHOR: check_then_pause
pub fn check_then_pause(resource: impl Resource + 'static) -> Story {
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
    Story::new("check_then_pause", "時計を見たあとで止まれば、書いてしまう", world, &actions)
}
// ANCHOR_END: check_then_pause

/// 誰も止まらない。書き込みが網で遅れるだけ。
pub fn delayed_packet(resource: impl Resource + 'static) -> Story {
    let world = World::with_resource(LockService::new(10), resource).watching_clocks();
    let actions =
        [Acquire(A), Tick(2), Send(A, 1), Tick(8), Acquire(B), Write(B, 1), Tick(2), Deliver(A, 1)];
    Story::new("delayed_packet", "誰も止まらず、書き込みだけが遅れて届く", world, &actions)
}
