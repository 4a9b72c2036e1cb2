//! この章の筋書き。二重取得の章と同じ筋書きを、資源だけ替えて演じる。

use double_acquisition::{UnfencedResource, check_then_pause, delayed_packet, gc_pause};
use lease::LockService;
use stage::Action::{Acquire, Pause, Renew, Resume, Tick, Write};
use stage::Client::{A, B, C};
use stage::{Chapter, Story, TableSource, World};

use crate::{FencedResource, ways};

/// この章の筋書きと表。
#[must_use]
pub fn chapter() -> Chapter {
    Chapter {
        name: "fencing",
        stories: vec![
            gc_pause_unfenced(),
            gc_pause_fenced(),
            check_then_pause_fenced(),
            delayed_packet_fenced(),
            first_write(),
            many_writes(),
            three_holders(),
        ],
        tables: vec![TableSource::new("ways", ways::table)],
        drawings: Vec::new(),
    }
}

// ANCHOR: swap
fn gc_pause_unfenced() -> Story {
    let story = gc_pause(UnfencedResource::new());
    story.renamed("gc_pause_unfenced", "フェンシング無: 古い書き込みも受理される")
}

fn gc_pause_fenced() -> Story {
    let story = gc_pause(FencedResource::new());
    story.renamed("gc_pause", "フェンシング有: 古い書き込みは拒否される")
}
// ANCHOR_END: swap

fn check_then_pause_fenced() -> Story {
    let story = check_then_pause(FencedResource::new());
    story.renamed("check_then_pause", "時計を見たあとで止まっても、書き込みは拒否される")
}

fn delayed_packet_fenced() -> Story {
    let story = delayed_packet(FencedResource::new());
    story.renamed("delayed_packet", "書き込みだけが遅れても、拒否される")
}

fn first_write() -> Story {
    let world = World::with_resource(LockService::new(10), FencedResource::new());
    let actions = [
        Acquire(A),
        Tick(2),
        Pause(A),
        Tick(8),
        Acquire(B),
        Tick(2),
        Resume(A),
        Write(A, 1),
        Write(B, 1),
    ];
    Story::new("first_write", "新しい持ち主が書く前なら、古い書き込みも受理される", world, &actions)
}

fn many_writes() -> Story {
    let world = World::with_resource(LockService::new(10), FencedResource::new());
    let actions = [Acquire(A), Write(A, 1), Tick(5), Write(A, 2), Renew(A), Tick(5), Write(A, 3)];
    Story::new("many_writes", "同じ持ち主は、同じトークンで何度でも書ける", world, &actions)
}

// ANCHOR: three_holders
fn three_holders() -> Story {
    let world = World::with_resource(LockService::new(10), FencedResource::new()).and_c();
    let actions = [
        Acquire(A),
        Pause(A),
        Tick(10),
        Acquire(B),
        Pause(B),
        Tick(10),
        Acquire(C),
        Write(C, 1),
        Resume(A),
        Write(A, 1),
        Resume(B),
        Write(B, 1),
        Write(C, 2),
    ];
    Story::new("three_holders", "古い持ち主が二人とも目を覚ます", world, &actions)
}
// ANCHOR_END: three_holders
