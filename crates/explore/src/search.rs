//! 幅優先の探索。初めの状態に近いほうから、どの状態でも、起こりうる手をすべて試す。

use std::hash::Hash;
use std::ops::ControlFlow;

use stage::{Action, Lock, Resource, World};

use crate::bounds::Bounds;
use crate::moves::{Manners, moves};
use crate::property::{Property, Violations};
use crate::run::Run;
use crate::seen::Seen;
use crate::shelves::{Shelves, TooMany};

/// 途中経過を聞かせる間隔。単位は状態の数。
const INTERVAL: usize = 4096;

/// 途中経過。
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tally {
    /// 見た状態の数
    pub states: usize,
    /// そのうち、次の手を試し終えた数
    pub done: usize,
    /// 今、初めの状態から何手の所を調べているか
    pub depth: usize,
    /// 使っているメモリーのおよその量。単位はバイト
    pub bytes: usize,
    /// これまでに破られた性質
    pub broken: Violations,
}

/// 探索の終わりかた。
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// 範囲の中をすべて調べた
    Complete,
    /// 途中経過を聞いていたものが止めた
    Stopped,
    /// 種類が多すぎて、続けられなかった
    TooMany(TooMany),
}

/// 一つの性質について分かったこと。
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Finding {
    /// 性質を破った手の数
    pub violations: u64,
    /// 性質を破るまでの、いちばん短い手の列。破られなかったなら `None`
    pub shortest: Option<Vec<Action>>,
}

/// 探索の結果。
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// 終わりかた
    pub end: End,
    /// 見た状態の数。初めの状態も数える
    pub states: usize,
    /// 試した手の数
    pub steps: u64,
    /// 初めの状態から、調べたうちでいちばん遠い状態までの手数
    pub depth: usize,
    /// 性質ごとに分かったこと。[`Property::ALL`] の順
    pub findings: [Finding; Property::ALL.len()],
}

impl Report {
    /// `property` について分かったこと。
    #[must_use]
    pub fn finding(&self, property: Property) -> &Finding {
        &self.findings[property as usize]
    }
}

/// 性質を初めて破った手。どの状態の、どの手か。
type First = Option<(usize, Action)>;

struct Search<L, R> {
    shelves: Shelves<L, R>,
    seen: Seen,
    manners: Manners,
    bounds: Bounds,
    /// 次の手を試し終えた状態の数。見つけた順に試す
    done: usize,
    depth: usize,
    /// この手数の状態の終わり
    level_end: usize,
    steps: u64,
    violations: [u64; Property::ALL.len()],
    firsts: [First; Property::ALL.len()],
    broken: Violations,
}

// ANCHOR: explore
/// `world` から、`bounds` の中のすべての順序を調べる。
///
/// `watch` は、ときどきと、性質が初めて破られたときに途中経過を聞かされ、探索を止めることができる。
pub fn explore<L, R>(
    world: World<L, R>,
    manners: Manners,
    bounds: Bounds,
    mut watch: impl FnMut(&Tally) -> ControlFlow<()>,
) -> Report
where
    L: Lock + Copy + Eq + Hash,
    R: Resource + Copy + Eq + Hash,
{
    let mut search = Search::new(&Run::new(world), manners, bounds);
    let end = search.run(&mut watch);
    search.report(end)
}
// ANCHOR_END: explore

impl<L, R> Search<L, R>
where
    L: Lock + Copy + Eq + Hash,
    R: Resource + Copy + Eq + Hash,
{
    fn new(first: &Run<L, R>, manners: Manners, bounds: Bounds) -> Search<L, R> {
        let mut shelves = Shelves::new();
        // 初めの番号はどれも小さく、必ず収まる。
        let key = shelves.split(first).unwrap_or_default();
        Search {
            shelves,
            seen: Seen::new(key),
            manners,
            bounds,
            done: 0,
            depth: 0,
            level_end: 1,
            steps: 0,
            violations: Default::default(),
            firsts: Default::default(),
            broken: Violations::NONE,
        }
    }

    fn run(&mut self, watch: &mut impl FnMut(&Tally) -> ControlFlow<()>) -> End {
        let mut actions = Vec::new();
        while self.done < self.seen.len() {
            let before = self.broken;
            if let Err(too_many) = self.expand(&mut actions) {
                return End::TooMany(too_many);
            }
            let news = self.broken != before || self.done.is_multiple_of(INTERVAL);
            if news && watch(&self.tally()).is_break() {
                return End::Stopped;
            }
        }
        End::Complete
    }

    // ANCHOR: expand
    /// 次の状態で起こりうる手を、すべて試す。
    fn expand(&mut self, actions: &mut Vec<Action>) -> Result<(), TooMany> {
        let at = self.done;
        let key = self.seen.key(at);
        let before = self.shelves.join(key);
        moves(&before.world, &before.ledger, self.manners, &self.bounds, actions);
        for &action in actions.iter() {
            let mut run = before;
            if let Some(broken) = run.step(action) {
                self.record(broken, at, action);
                self.seen.add(self.shelves.renumber(&run, action, key)?, at)?;
            }
        }
        self.advance();
        Ok(())
    }
    // ANCHOR_END: expand

    fn advance(&mut self) {
        self.done += 1;
        if self.done < self.level_end {
            return;
        }
        self.seen.settle();
        if self.done < self.seen.len() {
            self.depth += 1;
            self.level_end = self.seen.len();
        }
    }

    fn record(&mut self, broken: Violations, at: usize, action: Action) {
        self.steps += 1;
        for property in broken.iter() {
            self.violations[property as usize] += 1;
            self.firsts[property as usize].get_or_insert((at, action));
            self.broken.add(property);
        }
    }

    fn tally(&self) -> Tally {
        Tally {
            states: self.seen.len(),
            done: self.done,
            depth: self.depth,
            bytes: self.seen.bytes() + self.shelves.bytes(),
            broken: self.broken,
        }
    }

    fn report(mut self, end: End) -> Report {
        let firsts = self.firsts;
        let shortest = firsts.map(|first| first.map(|(at, action)| self.path(at, action)));
        let mut findings: [Finding; Property::ALL.len()] = Default::default();
        for ((finding, shortest), violations) in
            findings.iter_mut().zip(shortest).zip(self.violations)
        {
            *finding = Finding { violations, shortest };
        }
        let states = self.seen.len();
        Report { end, states, steps: self.steps, depth: self.depth, findings }
    }

    /// 初めの状態から `at` まで来て、`last` を演じる手の列。
    fn path(&mut self, mut at: usize, last: Action) -> Vec<Action> {
        let mut path = vec![last];
        while at != 0 {
            let parent = self.seen.parent(at);
            path.extend(self.action_between(parent, at));
            at = parent;
        }
        path.reverse();
        path
    }

    /// 手は覚えていない。一つ前の状態で起こりうる手を、もう一度試して見つける。
    fn action_between(&mut self, parent: usize, at: usize) -> Option<Action> {
        let (key, next) = (self.seen.key(parent), self.seen.key(at));
        let before = self.shelves.join(key);
        let mut actions = Vec::new();
        moves(&before.world, &before.ledger, self.manners, &self.bounds, &mut actions);
        actions.into_iter().find(|&action| {
            let mut run = before;
            run.step(action).is_some() && self.shelves.renumber(&run, action, key) == Ok(next)
        })
    }
}
