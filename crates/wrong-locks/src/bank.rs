//! 図鑑。壊れた錠、客、資源と、それぞれが破る性質。

use std::hash::Hash;
use std::rc::Rc;

use check::Limits;
use explore::{Arena, Bounds, Manners, readable};
use lease::Lock;
use properties::{Property, Watch};
use stage::{Action, NoResource, Resource, Scene, Time, Trace, World};

use crate::queue::{Queue, QueueRules};
use crate::row::{Row, RowRules};
use crate::service::{LockRules, Right, Service};
use crate::wrong::*;

/// リースの長さ。単位は刻み。
pub const LENGTH: Time = 2;

/// どこが壊れているか。
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// 錠
    Lock,
    /// 客
    Client,
    /// 資源
    Resource,
}

impl Kind {
    /// 表に出す名前。
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Kind::Lock => "錠",
            Kind::Client => "客",
            Kind::Resource => "資源",
        }
    }
}

/// 初めの状態を作れる錠。
trait Fresh: Lock + 'static {
    fn fresh() -> Self;
}

impl<D: LockRules> Fresh for Service<D> {
    fn fresh() -> Self {
        Service::new(LENGTH)
    }
}

impl<D: QueueRules> Fresh for Queue<D> {
    fn fresh() -> Self {
        Queue::new(LENGTH)
    }
}

/// 錠を舞台に載せられる資源。
trait Place: Resource + 'static {
    fn stage<L: Lock>(lock: L) -> World<L, Self>;
}

impl Place for NoResource {
    fn stage<L: Lock>(lock: L) -> World<L> {
        World::new(lock)
    }
}

impl<D: RowRules> Place for Row<D> {
    fn stage<L: Lock>(lock: L) -> World<L, Self> {
        World::with_resource(lock, Row::new())
    }
}

/// 調べる条件。
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setup {
    /// 客が、自分の時計で期限を見るか
    pub watches: bool,
    /// 客が、読む前に登録するか
    pub registers: bool,
    /// 調べる範囲
    pub bounds: Bounds,
}

impl Setup {
    fn manners(&self) -> Manners {
        Manners { registers: self.registers, checks: false }
    }
}

/// 調べる条件と、錠と資源の組。
#[derive(Clone, Copy, Debug)]
pub struct Cast {
    /// 調べる条件
    pub setup: Setup,
    shortest: fn(&Setup, Property) -> Option<Vec<Action>>,
    scene: fn(&Setup) -> Rc<dyn Scene>,
}

impl Cast {
    const fn of<L, R>(setup: Setup) -> Cast
    where
        L: Fresh + Copy + Eq + Hash,
        R: Place + Copy + Eq + Hash,
    {
        Cast { setup, shortest: shortest::<L, R>, scene: |setup| Rc::new(world::<L, R>(setup)) }
    }

    /// 決めごと `D` に従う錠だけの組。
    #[must_use]
    pub const fn with_lock<D: LockRules + Eq + Hash>(setup: Setup) -> Cast {
        Cast::of::<Service<D>, NoResource>(setup)
    }

    /// 正しい錠と、決めごと `D` に従う資源の組。
    #[must_use]
    pub const fn with_row<D: RowRules + Eq + Hash>(setup: Setup) -> Cast {
        Cast::of::<Service, Row<D>>(setup)
    }

    /// 条件を替える。
    #[must_use]
    pub fn under(self, setup: Setup) -> Cast {
        Cast { setup, ..self }
    }

    /// `property` を破る、いちばん短い手の列。範囲の中で破られなければ `None`。
    #[must_use]
    pub fn shortest(&self, property: Property) -> Option<Vec<Action>> {
        (self.shortest)(&self.setup, property).map(|actions| readable(&actions))
    }

    /// 手の列を演じる舞台。
    #[must_use]
    pub fn scene(&self) -> Rc<dyn Scene> {
        (self.scene)(&self.setup)
    }

    /// 手の列を演じ、起こりえない手は飛ばす。
    #[must_use]
    pub fn trace(&self, actions: &[Action]) -> Trace {
        self.scene().trace(actions)
    }
}

/// `property` を破る、いちばん短い手の列。範囲の中で破られなければ `None`。
fn shortest<L, R>(setup: &Setup, property: Property) -> Option<Vec<Action>>
where
    L: Fresh + Copy + Eq + Hash,
    R: Place + Copy + Eq + Hash,
{
    let (world, bounds) = (world::<L, R>(setup), setup.bounds);
    let arena = Arena { world, manners: setup.manners(), bounds };
    check::shortest(&arena, &Watch::only(property, LENGTH), Limits::NONE, property as usize)
}

fn world<L: Fresh, R: Place>(setup: &Setup) -> World<L, R> {
    let world = R::stage(L::fresh());
    if setup.watches { world.watching_clocks() } else { world }
}

/// 図鑑の一項目。
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// 筋書きの名前
    pub name: &'static str,
    /// 項目の名前
    pub title: &'static str,
    /// どこが壊れているか
    pub kind: Kind,
    /// 破る性質
    pub property: Property,
    /// 時計の章で、もう一度扱うか
    pub about_clocks: bool,
    /// 壊れたもの
    pub wrong: Cast,
    /// 同じ条件の、正しいもの
    pub right: Cast,
}

impl Entry {
    /// 性質を破る、いちばん短い手の列。見つからなければ空。
    #[must_use]
    pub fn shortest(&self) -> Vec<Action> {
        self.wrong.shortest(self.property).unwrap_or_default()
    }
}

/// 取得と解放だけの範囲。
const SMALL: Bounds = Bounds {
    grants: 3,
    writes: 0,
    copies: 0,
    horizon: 4,
    pauses: false,
    crashes: false,
    renews: false,
    slow_releases: false,
    restarts: false,
};
const CRASHES: Bounds = Bounds { crashes: true, horizon: 6, ..SMALL };
const WRITES: Bounds = Bounds { writes: 1, ..SMALL };

/// 自分の時計で期限を見る客。
const WATCHES: Setup = Setup { watches: true, registers: false, bounds: SMALL };
/// 期限を見ない客。
const STAYS: Setup = Setup { watches: false, ..WATCHES };
/// 読む前に登録して書く客。
const REGISTERS: Setup = Setup { registers: true, bounds: WRITES, ..WATCHES };

/// 条件の範囲を替える。
const fn within(setup: Setup, bounds: Bounds) -> Setup {
    Setup { bounds, ..setup }
}

/// 壊れた錠の項目。
const fn lock<D>(name: &'static str, title: &'static str, property: Property, setup: Setup) -> Entry
where
    D: LockRules + Eq + Hash,
{
    Entry {
        name,
        title,
        kind: Kind::Lock,
        property,
        about_clocks: false,
        wrong: Cast::with_lock::<D>(setup),
        right: Cast::with_lock::<Right>(setup),
    }
}

/// 壊れた資源の項目。
const fn resource<D>(
    name: &'static str,
    title: &'static str,
    property: Property,
    setup: Setup,
) -> Entry
where
    D: RowRules + Eq + Hash,
{
    let wrong = Cast::with_row::<D>(setup);
    let right = Cast::with_row::<Right>(setup);
    Entry { name, title, kind: Kind::Resource, property, about_clocks: false, wrong, right }
}

const GRANT: Property = Property::GrantAfterEnd;
const VALID: Property = Property::OneValid;
const TOKENS: Property = Property::TokensIncrease;
const REGISTERED: Property = Property::NothingOlderThanRegistered;

/// 図鑑。本に出てくる順。
pub const BANK: [Entry; 17] = [
    lock::<AnyRelease>("any_release", "誰の解放でも受ける", GRANT, STAYS),
    lock::<NameRelease>(
        "name_release",
        "名前だけで解放する",
        GRANT,
        within(WATCHES, Bounds { slow_releases: true, ..SMALL }),
    ),
    lock::<Revive>(
        "revive",
        "失効した保持をよみがえらせる",
        TOKENS,
        within(STAYS, Bounds { renews: true, ..SMALL }),
    ),
    lock::<OldSelf>("old_self", "前の自分の記録を使う", VALID, within(WATCHES, CRASHES)),
    Entry {
        wrong: Cast::of::<Queue<DeadWaiter>, NoResource>(WATCHES),
        right: Cast::of::<Queue, NoResource>(WATCHES),
        ..lock::<Right>("dead_waiter", "待つ間に失効した客に渡す", VALID, WATCHES)
    },
    lock::<CountAgain>("count_again", "空くと番号を数え直す", TOKENS, WATCHES),
    lock::<Backup>(
        "backup",
        "復元で番号が戻る",
        TOKENS,
        within(WATCHES, Bounds { restarts: true, ..SMALL }),
    ),
    lock::<Wrap>("wrap", "番号が一周する", TOKENS, WATCHES),
    lock::<TwoSteps>(
        "two_steps",
        "取ったあとで期限をつける",
        Property::Frees,
        within(WATCHES, Bounds { renews: true, ..CRASHES }),
    ),
    lock::<Watchdog>(
        "watchdog",
        "終わった仕事を延長し続ける",
        Property::Frees,
        within(WATCHES, CRASHES),
    ),
    Entry {
        about_clocks: true,
        ..lock::<CallerClock>("caller_clock", "頼んだ客の時計で判定する", GRANT, WATCHES)
    },
    Entry {
        about_clocks: true,
        ..lock::<WallClock>("wall_clock", "壁時計で判定する", GRANT, WATCHES)
    },
    Entry {
        kind: Kind::Client,
        about_clocks: true,
        ..lock::<LateTimer>("late_timer", "返事が届いてから数える", VALID, WATCHES)
    },
    Entry {
        kind: Kind::Client,
        right: Cast::with_lock::<Right>(WATCHES),
        ..lock::<Right>("stays", "期限が来ても降りない", VALID, STAYS)
    },
    resource::<NeverCompares>("never_compares", "番号を覚えるが比べない", REGISTERED, REGISTERS),
    resource::<Equality>(
        "equality",
        "番号が等しいことを求める",
        Property::NewestServed,
        within(WATCHES, WRITES),
    ),
    resource::<ForgetsRegistration>(
        "forgets_registration",
        "登録を再起動で忘れる",
        REGISTERED,
        within(REGISTERS, Bounds { restarts: true, ..WRITES }),
    ),
];
