//! この章の筋書き。資源や錠を引数に取り、同じ手の列を別の部品で演じる。

use fencing::FencedResource;
use lease::{Lock, LockService};
use stage::Action::{
    Acquire, Deliver, DeliverCopy, DeliverRelease, Pause, Read, Register, Release, RestartResource,
    RestartService, Resume, Send, SendRelease, Tick, Write,
};
use stage::Client::{A, B, C};
use stage::{Action, Chapter, Resource, Story, TableSource, World};

use crate::{
    CompareAndSet, ForgetfulResource, HeldService, LargerSequence, NextSequence,
    RegisteringResource, RestoredService, remedies,
};

/// この章の筋書きと表。
#[must_use]
pub fn chapter() -> Chapter {
    Chapter {
        name: "read-modify-write",
        stories: vec![
            lost_update(),
            register(),
            compare_and_set(),
            duplicate(),
            reorder(),
            larger_sequence(),
            next_sequence(),
            stale_read(),
            fenced_read(),
            restored_service(),
            forgetful_resource(),
            late_release(),
            held_release(),
        ],
        tables: vec![TableSource::new("remedies", remedies::table)],
        drawings: Vec::new(),
    }
}

/// A が読んで止まり、B も読む。目を覚ました A の書き込みが、B の書き込みより先に届く。
pub(crate) const FIRST_WRITE: [Action; 10] = [
    Acquire(A),
    Read(A),
    Pause(A),
    Tick(10),
    Acquire(B),
    Read(B),
    Resume(A),
    Write(A, 1),
    Write(B, 1),
    Read(B),
];

/// 同じ手の列で、取得したあと、読む前にトークンを登録する。
pub(crate) const REGISTERED: [Action; 12] = [
    Acquire(A),
    Register(A),
    Read(A),
    Pause(A),
    Tick(10),
    Acquire(B),
    Register(B),
    Read(B),
    Resume(A),
    Write(A, 1),
    Write(B, 1),
    Read(B),
];

/// A の一つ目の書き込みの写しが、二つ目のあとで届く。
pub(crate) const DUPLICATED: [Action; 7] =
    [Acquire(A), Read(A), Send(A, 1), DeliverCopy(A, 1), Send(A, 2), Deliver(A, 2), Deliver(A, 1)];

/// A の二つの書き込みが、逆の順で届く。
pub(crate) const REORDERED: [Action; 6] =
    [Acquire(A), Read(A), Send(A, 1), Send(A, 2), Deliver(A, 2), Deliver(A, 1)];

pub(crate) fn story(
    name: &'static str,
    title: &'static str,
    resource: impl Resource + 'static,
    actions: &[Action],
) -> Story {
    Story::new(name, title, World::with_resource(LockService::new(10), resource), actions)
}

fn lost_update() -> Story {
    story(
        "lost_update",
        "フェンシングがあっても、更新が消える",
        FencedResource::new(),
        &FIRST_WRITE,
    )
}

fn register() -> Story {
    story(
        "register",
        "読む前に登録すると、古い書き込みが入らない",
        RegisteringResource::new(),
        &REGISTERED,
    )
}

// ANCHOR: compare_and_set
fn compare_and_set() -> Story {
    let mut actions = FIRST_WRITE.to_vec();
    actions.push(Write(B, 2)); // 読み直した値をもとに、書き直す
    story("compare_and_set", "読んだ値を比べると、更新は消えない", CompareAndSet::new(), &actions)
}
// ANCHOR_END: compare_and_set

fn duplicate() -> Story {
    story(
        "duplicate",
        "写しがあとから届き、新しい値を消す",
        RegisteringResource::new(),
        &DUPLICATED,
    )
}

fn reorder() -> Story {
    story("reorder", "同じ持ち主の書き込みが、逆の順で届く", RegisteringResource::new(), &REORDERED)
}

fn larger_sequence() -> Story {
    story(
        "larger_sequence",
        "前より大きい順番なら受理すると、一つ目が消える",
        LargerSequence::new(),
        &REORDERED,
    )
}

fn next_sequence() -> Story {
    let actions = [
        Acquire(A),
        Read(A),
        Send(A, 1),
        Send(A, 2),
        DeliverCopy(A, 2), // 先に届いても受理されない。元はまだ途中にある
        Deliver(A, 1),
        Deliver(A, 2),
    ];
    story("next_sequence", "ちょうど次の順番だけを受理する", NextSequence::new(), &actions)
}

/// 目を覚ました A が、書く前に読む。読んだ値で、たとえばメールを送る。
const ZOMBIE_READS: [Action; 9] = [
    Acquire(A),
    Pause(A),
    Tick(10),
    Acquire(B),
    Register(B),
    Read(B),
    Resume(A),
    Read(A),
    Write(B, 1),
];

fn stale_read() -> Story {
    let unregistered: Vec<Action> =
        ZOMBIE_READS.into_iter().filter(|action| *action != Register(B)).collect();
    story("stale_read", "古い持ち主も、値を読めてしまう", FencedResource::new(), &unregistered)
}

fn fenced_read() -> Story {
    story(
        "fenced_read",
        "読み取りにもトークンを添えて比べる",
        RegisteringResource::new(),
        &ZOMBIE_READS,
    )
}

fn restored_service() -> Story {
    let world = World::with_resource(RestoredService::new(10), FencedResource::new()).and_c();
    let actions = [
        Acquire(A),
        Release(A),
        Acquire(B),
        Write(B, 1),
        Pause(B),
        Tick(10), // B のリースも失効する
        RestartService,
        Acquire(C),
        Write(C, 1),
        Resume(B),
        Write(B, 2),
    ];
    Story::new("restored_service", "番号が戻ると、正しい持ち主が拒否される", world, &actions)
}

fn forgetful_resource() -> Story {
    let actions = [
        Acquire(A),
        Pause(A),
        Tick(10),
        Acquire(B),
        Write(B, 1),
        RestartResource,
        Resume(A),
        Write(A, 1),
    ];
    story(
        "forgetful_resource",
        "最大を忘れると、古い書き込みが入る",
        ForgetfulResource::new(),
        &actions,
    )
}

fn released_late(name: &'static str, title: &'static str, lock: impl Lock + 'static) -> Story {
    let actions = [Acquire(A), SendRelease(A), Tick(10), Acquire(A), DeliverRelease(A), Acquire(B)];
    Story::new(name, title, World::new(lock), &actions)
}

fn late_release() -> Story {
    released_late("late_release", "遅れた解放が、自分の次のロックを外す", LockService::new(10))
}

fn held_release() -> Story {
    released_late("held_release", "保持で見分ければ、遅れた解放は断られる", HeldService::new(10))
}
