//! 性質を破る、いちばん短い手の列を探す。

use std::collections::{HashSet, VecDeque};
use std::hash::Hash;
use std::ops::ControlFlow;

use explore::{Bounds, Manners, Property, Run, explore, moves};
use stage::{Action, Event, Events, Lock, Resource, System as _, Time, Token, World};

// ANCHOR: promise
/// 錠と資源の性質。
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Promise {
    /// 探索の章の性質
    Explored(Property),
    /// いちばん新しい番号を、古いものとして断らない
    NewestServed,
    /// 誰も持っているつもりがなくなってから、リースの長さの二倍が過ぎれば、取得できる
    Frees,
}
// ANCHOR_END: promise

impl Promise {
    /// すべての性質。
    pub const ALL: [Promise; 8] = [
        Promise::Explored(Property::GrantAfterEnd),
        Promise::Explored(Property::OneBeliever),
        Promise::Explored(Property::TokensIncrease),
        Promise::Explored(Property::AcceptedNeverGoBack),
        Promise::Explored(Property::NothingOlderThanRegistered),
        Promise::Explored(Property::NoLostUpdate),
        Promise::NewestServed,
        Promise::Frees,
    ];

    /// 表に出す名前。
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Promise::Explored(property) => property.name(),
            Promise::NewestServed => "最新は断らない",
            Promise::Frees => "いつかは空く",
        }
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

/// `promise` を破る、いちばん短い手の列。範囲の中で破られなければ `None`。
pub(crate) fn shortest<L, R>(
    world: World<L, R>,
    setup: &Setup,
    length: Time,
    promise: Promise,
) -> Option<Vec<Action>>
where
    L: Lock + Copy + Eq + Hash,
    R: Resource + Copy + Eq + Hash,
{
    let Promise::Explored(property) = promise else {
        return refused(world, setup, length, promise);
    };
    let report =
        explore(world, setup.manners(), setup.bounds, |tally| match tally.broken.has(property) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        });
    report.finding(property).shortest.clone()
}

/// 断られるべきでないのに断られたかを決めるための、控え。
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Aside {
    /// 配られたうちで最大の番号
    newest: Token,
    /// 持っているつもりの客がいなくなった時刻。いるなら `None`
    quiet_since: Option<Time>,
}

impl Aside {
    fn breaks(&self, promise: Promise, event: &Event, now: Time, length: Time) -> bool {
        match (promise, *event) {
            (Promise::NewestServed, Event::Rejected { token, reason, .. }) => {
                reason.tells_stale() && token == self.newest
            }
            (Promise::Frees, Event::Busy { .. }) => {
                self.quiet_since.is_some_and(|since| now >= since + length + length)
            }
            _ => false,
        }
    }

    fn after<L: Lock, R: Resource>(mut self, world: &World<L, R>, events: &Events) -> Aside {
        for event in events {
            if let Event::Acquired { token, .. } = event {
                self.newest = self.newest.max(*token);
            }
        }
        let believes = world.actors.iter().flatten().any(|actor| actor.is_valid());
        let since = self.quiet_since.unwrap_or_else(|| world.lock.now());
        self.quiet_since = (!believes).then_some(since);
        self
    }
}

// ANCHOR: refused
/// 探索の章と同じ手を近いほうから試し、断られるべきでない頼みが断られる手の列を探す。
fn refused<L, R>(
    world: World<L, R>,
    setup: &Setup,
    length: Time,
    promise: Promise,
) -> Option<Vec<Action>>
where
    L: Lock + Copy + Eq + Hash,
    R: Resource + Copy + Eq + Hash,
{
    let first = (Run::new(world), Aside::default());
    let mut seen = HashSet::from([first]);
    let mut waiting = VecDeque::from([(first, Vec::new())]);
    let mut actions = Vec::new();
    while let Some(((run, aside), path)) = waiting.pop_front() {
        moves(&run.world, &run.ledger, setup.manners(), &setup.bounds, &mut actions);
        for &action in &actions {
            let (mut world, mut next) = (run.world, run);
            let Ok(events) = world.apply(action) else { continue };
            let path: Vec<Action> = path.iter().copied().chain([action]).collect();
            let now = world.lock.now();
            if events.iter().any(|event| aside.breaks(promise, event, now, length)) {
                return Some(path);
            }
            let node = (next, aside.after(&world, &events));
            if next.step(action).is_some() && seen.insert((next, node.1)) {
                waiting.push_back(((next, node.1), path));
            }
        }
    }
    None
}
// ANCHOR_END: refused
