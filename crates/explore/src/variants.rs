//! 調べる相手。錠と資源と客の作法の組に、名前をつけたもの。

use std::ops::ControlFlow;
use std::rc::Rc;

use check::{Limits, Report, Strategy, Tally, check};
use double_acquisition::UnfencedResource;
use fencing::FencedResource;
use lease::LockService;
use plain_lock::PlainLock;
use properties::{Properties, Property, Watch};
use read_modify_write::{
    CompareAndSet, ForgetfulResource, HeldService, NextSequence, RegisteringResource,
    RestoredService,
};
use stage::{Action, Actor, Lock, Resource, Run, Scene, StoryError, Time, World};

use crate::arena::Arena;
use crate::bounds::Bounds;
use crate::moves::Manners;

/// 途中経過を聞いて、探索を続けるか止めるかを答えるもの。
pub type Hear<'a> = dyn FnMut(&Tally) -> ControlFlow<()> + 'a;

/// 名前のついた、調べる相手。
#[derive(Clone, Copy, Debug)]
pub struct Variant {
    /// 命令で指す名前
    pub name: &'static str,
    /// 表で使う短い呼び名
    pub label: &'static str,
    /// 何と何の組か
    pub about: &'static str,
    /// ページで使う範囲
    pub bounds: Bounds,
    /// 客の作法
    pub manners: Manners,
    /// ロックサービスが番号を配るか
    pub numbers: bool,
    cast: Cast,
    explore: fn(Watch, Cast, Bounds, Limits, &mut Hear<'_>) -> Report<Action>,
    scene: fn(Time, Cast) -> Rc<dyn Scene>,
}

/// 舞台に立つ客。
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cast {
    Two,
    Three,
}

impl Cast {
    /// 三人目の作法は、ほかの客と同じにする。
    fn join<L: Lock, R: Resource>(self, world: World<L, R>) -> World<L, R> {
        let watches = world.clients().all(Actor::watches_clock);
        match (self, watches) {
            (Cast::Two, _) => world,
            (Cast::Three, false) => world.and_c(),
            (Cast::Three, true) => world.and_c().watching_clocks(),
        }
    }
}

impl Variant {
    /// 三人目の客 C も加えた相手。
    #[must_use]
    pub fn and_c(self) -> Variant {
        Variant { cast: Cast::Three, ..self }
    }

    /// `property` が破れうるか。番号を配らないロックの番号と、登録しない客の登録は、破れようがない。
    #[must_use]
    pub fn concerns(&self, property: Property) -> bool {
        match property {
            Property::TokensIncrease | Property::NewestServed => self.numbers,
            Property::NothingOlderThanRegistered => self.manners.registers,
            Property::GrantAfterEnd
            | Property::OneValid
            | Property::OneBeliever
            | Property::AcceptedNeverGoBack
            | Property::NoLostUpdate
            | Property::Frees => true,
        }
    }

    /// リースの長さを `length` 刻みにして、`asked` の性質を見張りながら、`bounds` の中を調べる。
    pub fn explore(
        &self,
        length: Time,
        bounds: Bounds,
        asked: Properties,
        limits: Limits,
        hear: &mut Hear<'_>,
    ) -> Report<Action> {
        (self.explore)(Watch { asked, length }, self.cast, bounds, limits, hear)
    }

    /// `property` を破る、いちばん短い手の列。範囲の中で破られなければ `None`。
    #[must_use]
    pub fn shortest(
        &self,
        length: Time,
        bounds: Bounds,
        property: Property,
    ) -> Option<Vec<Action>> {
        let asked = [property].into_iter().collect();
        let report = self.explore(length, bounds, asked, Limits::NONE, &mut |tally| {
            if tally.broken.is_empty() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        report.path(property as usize).map(<[Action]>::to_vec)
    }

    /// 手の列を演じる舞台。
    #[must_use]
    pub fn scene(&self, length: Time) -> Rc<dyn Scene> {
        (self.scene)(length, self.cast)
    }

    /// 見つかった手の列を、筋書きと同じ舞台で演じる。
    ///
    /// # Errors
    /// 演じられない手があるとき。
    pub fn play(&self, length: Time, title: &str, actions: &[Action]) -> Result<Run, StoryError> {
        self.scene(length).play(title, &readable(actions))
    }
}

/// 値の番号を、その客の何番目の書き込みかに直す。探索は、どの書き込みにも違う番号をつけている。
#[must_use]
pub fn readable(actions: &[Action]) -> Vec<Action> {
    let mut sent: [Vec<u8>; 3] = Default::default();
    let mut renumber = |client: stage::Client, nth: u8| {
        let sent = &mut sent[client as usize];
        let at = sent.iter().position(|other| *other == nth).unwrap_or_else(|| {
            sent.push(nth);
            sent.len() - 1
        });
        at as u8 + 1
    };
    let renamed = actions.iter().map(|&action| match action {
        Action::Send(by, nth) => Action::Send(by, renumber(by, nth)),
        Action::Deliver(by, nth) => Action::Deliver(by, renumber(by, nth)),
        Action::DeliverCopy(by, nth) => Action::DeliverCopy(by, renumber(by, nth)),
        other => other,
    });
    renamed.collect()
}

/// 組み合わせを一つ作る。舞台の作りかたは、調べるときも演じるときも同じものを使う。
macro_rules! variant {
    ($name:literal, $label:literal, $about:literal, $bounds:expr, $manners:expr, $world:expr) => {
        Variant {
            name: $name,
            label: $label,
            about: $about,
            bounds: $bounds,
            manners: $manners,
            numbers: true,
            cast: Cast::Two,
            explore: |watch, cast, bounds, limits, hear| {
                let world = cast.join($world(watch.length));
                let arena = Arena { world, manners: $manners, bounds };
                check(&arena, &watch, Strategy::Breadth, limits, hear)
            },
            scene: |length, cast| Rc::new(cast.join($world(length))),
        }
    };
}

const NONE: Manners = Manners { registers: false, checks: false };
const REGISTERS: Manners = Manners { registers: true, checks: false };
const CHECKS: Manners = Manners { registers: false, checks: true };
/// 解放の頼みが途中にとどまる範囲。書き込みは少なくする。
const SLOW_RELEASES: Bounds = Bounds { slow_releases: true, writes: 1, copies: 0, ..Bounds::PAGE };

/// 再起動で記録を失う相手の範囲。忘れたあとの枝分かれが多いので、ほかを狭める。
const FORGETTING: Bounds =
    Bounds { writes: 1, copies: 0, pauses: false, crashes: false, ..Bounds::PAGE };

/// すべての相手。本に出てくる順。
pub const VARIANTS: [Variant; 11] = [
    Variant {
        numbers: false,
        ..variant!(
            "plain",
            "期限なし、比べない",
            "期限のないロックと、比べない資源",
            Bounds::PAGE,
            NONE,
            |_| World::with_resource(PlainLock::new(), UnfencedResource::new())
        )
    },
    variant!(
        "unfenced",
        "比べない",
        "リースと、比べない資源",
        Bounds::PAGE,
        NONE,
        |length| { World::with_resource(LockService::new(length), UnfencedResource::new()) }
    ),
    variant!(
        "watching",
        "比べない、時計を見る",
        "リースと、比べない資源と、時計を見る客",
        Bounds::PAGE,
        CHECKS,
        |length| {
            World::with_resource(LockService::new(length), UnfencedResource::new())
                .watching_clocks()
        }
    ),
    variant!(
        "fenced",
        "トークンを比べる",
        "リースと、トークンを比べる資源",
        Bounds::PAGE,
        NONE,
        |length| World::with_resource(LockService::new(length), FencedResource::new())
    ),
    variant!(
        "registering",
        "登録してから読む",
        "リースと、読む前に登録する客",
        Bounds::PAGE,
        REGISTERS,
        |length| World::with_resource(LockService::new(length), RegisteringResource::new())
    ),
    variant!(
        "compare-and-set",
        "読んだ値を比べる",
        "リースと、読んだ値を比べる資源",
        Bounds::PAGE,
        NONE,
        |length| World::with_resource(LockService::new(length), CompareAndSet::new())
    ),
    variant!(
        "next-sequence",
        "登録と、次の順番",
        "リースと、登録と、ちょうど次の順番",
        Bounds::PAGE,
        REGISTERS,
        |length| World::with_resource(LockService::new(length), NextSequence::new())
    ),
    variant!(
        "late-release",
        "名前で解放、解放も遅れる",
        "客の名前で解放するリース。解放も遅れる",
        SLOW_RELEASES,
        NONE,
        |length| World::with_resource(LockService::new(length), FencedResource::new())
    ),
    variant!(
        "held-release",
        "保持で解放、解放も遅れる",
        "保持で見分けて解放するリース。解放も遅れる",
        SLOW_RELEASES,
        NONE,
        |length| World::with_resource(HeldService::new(length), FencedResource::new())
    ),
    variant!(
        "restored",
        "再起動で番号を忘れる",
        "再起動で番号を忘れるリース",
        FORGETTING,
        NONE,
        |length| { World::with_resource(RestoredService::new(length), FencedResource::new()) }
    ),
    variant!(
        "forgetful",
        "再起動で最大を忘れる",
        "再起動で最大を忘れる資源",
        FORGETTING,
        NONE,
        |length| { World::with_resource(LockService::new(length), ForgetfulResource::new()) }
    ),
];

/// `name` の相手。なければ `None`。
#[must_use]
pub fn variant(name: &str) -> Option<&'static Variant> {
    VARIANTS.iter().find(|variant| variant.name == name)
}

#[cfg(test)]
mod tests {
    use stage::{Client, Event};

    use super::*;

    #[test]
    fn the_third_client_joins_only_when_asked_and_keeps_the_same_manners() {
        let actions = [Action::Acquire(Client::C), Action::Tick(2)];
        let watching = variant("watching").unwrap();
        assert!(watching.play(2, "", &actions).is_err());
        for (name, watches) in [("watching", true), ("unfenced", false)] {
            let timeline = variant(name).unwrap().and_c().play(2, "", &actions).unwrap();
            let reached =
                |event: &Event| *event == Event::DeadlineReached { client: Client::C, at: 2 };
            assert_eq!(timeline.events().any(reached), watches, "{name}");
        }
    }
}
