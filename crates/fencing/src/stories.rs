//! この章の筋書き。二重取得の章と同じ筋書きを、資源だけ替えて演じる。

use double_acquisition::{UnfencedResource, check_then_pause, delayed_packet, gc_pause};
use lease::LockService;
use stage::World;
use timeline::Action::{Acquire, Pause, Renew, Resume, Tick, Write};
use timeline::Client::{A, B, C};
use timeline::{Chapter, Story, StoryError, TableSource, Timeline};

use crate::{FencedResource, ways};

/// この章の筋書きと表。
#[must_use]
pub fn chapter() -> Chapter {
    Chapter {
        name: "fencing",
        stories: vec![
            Story { name: "gc_pause_unfenced", run: gc_pause_unfenced },
            Story { name: "gc_pause", run: gc_pause_fenced },
            Story { name: "check_then_pause", run: check_then_pause_fenced },
            Story { name: "delayed_packet", run: delayed_packet_fenced },
            Story { name: "first_write", run: first_write },
            Story { name: "many_writes", run: many_writes },
            Story { name: "three_holders", run: three_holders },
        ],
        tables: vec![TableSource { name: "ways", make: ways::table }],
        drawings: Vec::new(),
    }
}

// ANCHOR: swap
fn gc_pause_unfenced() -> Result<Timeline, StoryError> {
    Ok(gc_pause(UnfencedResource::new())?.titled("フェンシング無: 古い書き込みも受理される"))
}

fn gc_pause_fenced() -> Result<Timeline, StoryError> {
    Ok(gc_pause(FencedResource::new())?.titled("フェンシング有: 古い書き込みは拒否される"))
}
// ANCHOR_END: swap

fn check_then_pause_fenced() -> Result<Timeline, StoryError> {
    let timeline = check_then_pause(FencedResource::new())?;
    Ok(timeline.titled("時計を見たあとで止まっても、書き込みは拒否される"))
}

fn delayed_packet_fenced() -> Result<Timeline, StoryError> {
    let timeline = delayed_packet(FencedResource::new())?;
    Ok(timeline.titled("書き込みだけが遅れても、拒否される"))
}

fn first_write() -> Result<Timeline, StoryError> {
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
    Timeline::play("新しい持ち主が書く前なら、古い書き込みも受理される", world, &actions)
}

fn many_writes() -> Result<Timeline, StoryError> {
    let world = World::with_resource(LockService::new(10), FencedResource::new());
    let actions = [Acquire(A), Write(A, 1), Tick(5), Write(A, 2), Renew(A), Tick(5), Write(A, 3)];
    Timeline::play("同じ持ち主は、同じトークンで何度でも書ける", world, &actions)
}

// ANCHOR: three_holders
fn three_holders() -> Result<Timeline, StoryError> {
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
    Timeline::play("古い持ち主が二人とも目を覚ます", world, &actions)
}
// ANCHOR_END: three_holders
