//! この章の筋書き。リースの長さはどれも 10 刻み。

use stage::Action::{Acquire, AcquireReplyLost, Crash, Release, Renew, Restart, Tick};
use stage::Client::{A, B};
use stage::{Action, Chapter, Story, World};

use crate::LockService;

/// この章の筋書きと表。
#[must_use]
pub fn chapter() -> Chapter {
    Chapter {
        name: "lease",
        stories: vec![
            crash(),
            heartbeat(),
            tokens(),
            late_renew(),
            lost_reply(),
            restart(),
            not_holder(),
        ],
        tables: vec![],
        drawings: Vec::new(),
    }
}

fn story(name: &'static str, title: &'static str, actions: &[Action]) -> Story {
    Story::new(name, title, World::new(LockService::new(10)), actions)
}

// ANCHOR: crash
fn crash() -> Story {
    let actions = [Acquire(A), Tick(3), Crash(A), Tick(6), Acquire(B), Tick(1), Acquire(B)];
    story("crash", "持ち主が落ちても、リースは期限に失効する", &actions)
}
// ANCHOR_END: crash

fn heartbeat() -> Story {
    let actions =
        [Acquire(A), Tick(6), Renew(A), Tick(6), Renew(A), Tick(3), Crash(A), Tick(7), Acquire(B)];
    story("heartbeat", "延長が続く間は持ち続け、途絶えれば失効する", &actions)
}

fn tokens() -> Story {
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
    story("tokens", "トークンは取得のたびに大きくなり、延長では変わらない", &actions)
}

fn late_renew() -> Story {
    let actions = [Acquire(A), Tick(10), Tick(1), Renew(A), Acquire(A)];
    story("late_renew", "失効のあとの延長は、空いていても断られる", &actions)
}

fn not_holder() -> Story {
    let actions = [Acquire(A), Tick(2), Renew(B), Release(B), Tick(8), Acquire(B), Release(A)];
    story("not_holder", "持ち主でない客の延長と解放は断られる", &actions)
}

fn lost_reply() -> Story {
    let actions = [AcquireReplyLost(A), Tick(2), Acquire(B), Acquire(A), Tick(8), Acquire(B)];
    story("lost_reply", "取得の返事が失われる", &actions)
}

fn restart() -> Story {
    let actions = [Acquire(A), Tick(3), Crash(A), Restart(A), Acquire(A), Tick(7), Acquire(A)];
    story("restart", "再起動した客は、前の自分のリースが失効するのを待つ", &actions)
}
