//! この章の筋書き。リースの長さはどれも 10 刻み。

use stage::World;
use timeline::Action::{Acquire, AcquireReplyLost, Crash, Release, Renew, Restart, Tick};
use timeline::Client::{A, B};
use timeline::{Action, Chapter, Story, StoryError, Timeline};

use crate::LockService;

/// この章の筋書きと表。
#[must_use]
pub fn chapter() -> Chapter {
    Chapter {
        name: "lease",
        stories: vec![
            Story { name: "crash", run: crash },
            Story { name: "heartbeat", run: heartbeat },
            Story { name: "tokens", run: tokens },
            Story { name: "late_renew", run: late_renew },
            Story { name: "lost_reply", run: lost_reply },
            Story { name: "restart", run: restart },
            Story { name: "not_holder", run: not_holder },
        ],
        tables: vec![],
        drawings: Vec::new(),
    }
}

fn play(title: &str, actions: &[Action]) -> Result<Timeline, StoryError> {
    Timeline::play(title, World::new(LockService::new(10)), actions)
}

// ANCHOR: crash
fn crash() -> Result<Timeline, StoryError> {
    let actions = [Acquire(A), Tick(3), Crash(A), Tick(6), Acquire(B), Tick(1), Acquire(B)];
    play("持ち主が落ちても、リースは期限に失効する", &actions)
}
// ANCHOR_END: crash

fn heartbeat() -> Result<Timeline, StoryError> {
    let actions =
        [Acquire(A), Tick(6), Renew(A), Tick(6), Renew(A), Tick(3), Crash(A), Tick(7), Acquire(B)];
    play("延長が続く間は持ち続け、途絶えれば失効する", &actions)
}

fn tokens() -> Result<Timeline, StoryError> {
    let actions = [
        Acquire(A),
        Tick(2),
        Release(A),
        Acquire(B),
        Tick(4),
        Renew(B),
        Tick(1),
        Crash(B),
        Tick(9),
        Acquire(A),
    ];
    play("トークンは取得のたびに大きくなり、延長では変わらない", &actions)
}

fn late_renew() -> Result<Timeline, StoryError> {
    let actions = [Acquire(A), Tick(10), Tick(1), Renew(A), Acquire(A)];
    play("失効のあとの延長は、空いていても断られる", &actions)
}

fn not_holder() -> Result<Timeline, StoryError> {
    let actions = [Acquire(A), Tick(2), Renew(B), Release(B), Tick(8), Acquire(B), Release(A)];
    play("持ち主でない客の延長と解放は断られる", &actions)
}

fn lost_reply() -> Result<Timeline, StoryError> {
    let actions = [AcquireReplyLost(A), Tick(2), Acquire(B), Acquire(A), Tick(8), Acquire(B)];
    play("取得の返事が失われる", &actions)
}

fn restart() -> Result<Timeline, StoryError> {
    let actions = [Acquire(A), Tick(3), Crash(A), Restart(A), Acquire(A), Tick(7), Acquire(A)];
    play("再起動した客は、前の自分のリースが失効するのを待つ", &actions)
}
