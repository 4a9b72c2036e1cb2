//! 調べる。近いほうからすべて調べる道と、種を決めて遠くまで歩く道が、同じ入口にある。

use std::ops::ControlFlow;

use oorandom::Rand64;

use crate::graph::{Edge, Graph};
use crate::layout::Key;
use crate::model::{Broken, Model, Monitor};
use crate::part::{Parts, Visitor};
use crate::seen::{CAPACITY, Seen};
use crate::shelves::{Shelves, column};

/// 途中経過を聞かせる間隔。単位は、次の手を試し終えた状態の数。
const INTERVAL: u64 = 4096;

/// 調べかた。
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// 初めの状態に近いほうから、すべて
    Breadth,
    /// 初めの状態から、手をでたらめに選んで歩く。同じ種からは、いつも同じ道になる
    Runs {
        /// 種
        seed: u64,
        /// 歩く回数
        runs: u64,
        /// 一度に歩く手数
        steps: usize,
    },
}

/// 調べる限り。超えそうになると、そこで終わる。
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// 見る状態の数
    pub states: usize,
    /// 状態と部品を置くメモリー。単位はバイト。部品の外に借りたメモリーは数えない
    pub bytes: usize,
    /// 初めの状態からの手数
    pub depth: usize,
}

impl Limits {
    /// 限りを設けない。
    pub const NONE: Limits = Limits { states: CAPACITY, bytes: usize::MAX, depth: usize::MAX };
}

/// 途中経過。
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tally {
    /// 見た、違う状態の数
    pub states: usize,
    /// そのうち、次の手を試し終えた数。でたらめに歩くときは、歩いた手の数
    pub done: u64,
    /// 今、初めの状態から何手の所を調べているか
    pub depth: usize,
    /// 使っているメモリーのおよその量。単位はバイト
    pub bytes: usize,
    /// これまでに破られた性質
    pub broken: Broken,
}

/// 終わりかた。
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// すべて調べた。でたらめに歩くときは、決めた回数を歩いた
    Complete,
    /// 途中経過を聞いていたものが止めた
    Stopped,
    /// 状態の数の限りに達した
    States,
    /// メモリーの限りに達した
    Memory,
    /// 手数の限りに達した
    Depth,
    /// 部品の種類が多すぎて、128 ビットに詰められなかった
    TooMany,
    /// 部品の訪ねかたが、状態によって違った。[`Parts::visit`] が誤っている
    Unlike,
}

/// 一つの性質について分かったこと。
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding<A> {
    /// 性質の番号
    pub property: usize,
    /// 性質を破った手の数
    pub violations: u64,
    /// 性質を破るまでの手の列。近いほうからすべて調べたなら、いちばん短い
    pub path: Vec<A>,
}

/// 調べた結果。
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report<A> {
    /// 終わりかた
    pub end: End,
    /// 見た、違う状態の数。初めの状態も数える
    pub states: usize,
    /// 試した手の数
    pub steps: u64,
    /// 初めの状態から、調べたうちでいちばん遠い状態までの手数
    pub depth: usize,
    /// 破られた性質について分かったこと。番号の順
    pub findings: Vec<Finding<A>>,
}

impl<A> Report<A> {
    /// 番号 `property` の性質について分かったこと。破られていなければ `None`。
    #[must_use]
    pub fn finding(&self, property: usize) -> Option<&Finding<A>> {
        self.findings.iter().find(|finding| finding.property == property)
    }

    /// 番号 `property` の性質を破るまでの手の列。破られていなければ `None`。
    #[must_use]
    pub fn path(&self, property: usize) -> Option<&[A]> {
        self.finding(property).map(|finding| finding.path.as_slice())
    }
}

// ANCHOR: check
/// `model` を、`monitor` に見張らせて調べる。
///
/// `watch` は、ときどきと、性質が初めて破られたときに途中経過を聞かされ、探索を止めることができる。
pub fn check<M: Model, W: Monitor<M::Event>>(
    model: &M,
    monitor: &W,
    strategy: Strategy,
    limits: Limits,
    mut watch: impl FnMut(&Tally) -> ControlFlow<()>,
) -> Report<M::Action> {
    match Search::new(model, monitor, limits) {
        Err(end) => Report { end, states: 0, steps: 0, depth: 0, findings: Vec::new() },
        Ok(mut search) => {
            let end = search.run(strategy, &mut watch);
            search.report(end)
        }
    }
}
// ANCHOR_END: check

/// `property` の性質を破る、いちばん短い手の列。限りの中で破られなければ `None`。
pub fn shortest<M: Model, W: Monitor<M::Event>>(
    model: &M,
    monitor: &W,
    limits: Limits,
    property: usize,
) -> Option<Vec<M::Action>> {
    let watch = |tally: &Tally| match tally.broken.has(property) {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    };
    let report = check(model, monitor, Strategy::Breadth, limits, watch);
    report.path(property).map(<[M::Action]>::to_vec)
}

/// すべての状態と、その間の手。限りの中で調べきれなければ、調べた所まで。
pub fn graph<M: Model, W: Monitor<M::Event>>(
    model: &M,
    monitor: &W,
    limits: Limits,
) -> Graph<M::State, W::Memory, M::Action> {
    match Search::new(model, monitor, limits) {
        Err(end) => Graph { end, states: Vec::new(), depths: Vec::new(), edges: Vec::new() },
        Ok(mut search) => {
            let end = search.run(Strategy::Breadth, &mut |_| ControlFlow::Continue(()));
            search.graph(end)
        }
    }
}

/// 状態と、見張りの覚えていること。
#[derive(Clone)]
struct Node<S, W> {
    state: S,
    memory: W,
}

impl<S: Parts, W: Parts> Parts for Node<S, W> {
    fn visit(&mut self, visitor: &mut impl Visitor) {
        let Node { state, memory } = self;
        state.visit(visitor);
        memory.visit(visitor);
    }
}

/// 性質を破った手の数と、初めて破った手の列の終わり。
#[derive(Clone, Debug, PartialEq, Eq)]
struct Breach<A> {
    property: usize,
    violations: u64,
    /// 状態 `.0` から、手 `.1` で破られた。でたらめに歩くときは、手の列
    first: First<A>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum First<A> {
    From(usize, A),
    Path(Vec<A>),
}

struct Search<'a, M: Model, W: Monitor<M::Event>> {
    model: &'a M,
    monitor: &'a W,
    limits: Limits,
    shelves: Shelves,
    seen: Seen,
    /// 今、次の手を試している状態
    current: Node<M::State, W::Memory>,
    actions: Vec<M::Action>,
    events: Vec<M::Event>,
    /// 次の手を試し終えた状態の数。見つけた順に試す
    done: u64,
    depth: usize,
    /// この手数の状態の終わり
    level_end: usize,
    steps: u64,
    breaches: Vec<Breach<M::Action>>,
    broken: Broken,
}

impl<'a, M: Model, W: Monitor<M::Event>> Search<'a, M, W> {
    fn new(model: &'a M, monitor: &'a W, limits: Limits) -> Result<Search<'a, M, W>, End> {
        let mut current = Node { state: model.start(), memory: monitor.start() };
        let mut shelves = Shelves::new();
        let first = shelves.first(&mut current).ok_or(End::TooMany)?;
        Ok(Search {
            model,
            monitor,
            limits,
            shelves,
            seen: Seen::new(first),
            current,
            actions: Vec::new(),
            events: Vec::new(),
            done: 0,
            depth: 0,
            level_end: 1,
            steps: 0,
            breaches: Vec::new(),
            broken: Broken::NONE,
        })
    }

    fn run(
        &mut self,
        strategy: Strategy,
        watch: &mut impl FnMut(&Tally) -> ControlFlow<()>,
    ) -> End {
        let ended = match strategy {
            Strategy::Breadth => self.breadth(watch),
            Strategy::Runs { seed, runs, steps } => self.runs(seed, runs, steps, watch),
        };
        self.seen.settle();
        match ended {
            Ok(()) => End::Complete,
            Err(end) => end,
        }
    }

    fn breadth(&mut self, watch: &mut impl FnMut(&Tally) -> ControlFlow<()>) -> Result<(), End> {
        while (self.done as usize) < self.seen.len() {
            if self.depth == self.limits.depth {
                return Err(End::Depth);
            }
            let before = self.broken;
            self.expand(self.done as usize)?;
            self.advance();
            self.tell(before, watch)?;
        }
        Ok(())
    }

    // ANCHOR: expand
    /// 状態 `at` で起こりうる手を、すべて試す。
    fn expand(&mut self, at: usize) -> Result<(), End> {
        self.open(self.seen.key(at));
        self.keep_within_memory()?;
        let mut next = self.current.clone();
        for index in 0..self.actions.len() {
            let action = self.actions[index];
            let Some(broken) = self.step(&mut next, action) else {
                self.shelves.unpack(&mut next);
                continue;
            };
            self.record(broken, || First::From(at, action));
            let key = self.pack(&mut next, at, action)?;
            self.add(key, at)?;
        }
        Ok(())
    }
    // ANCHOR_END: expand

    /// 詰めた状態を組み立て直し、起こりうる手を並べる。
    fn open(&mut self, key: Key) {
        self.shelves.open(key);
        self.shelves.unpack(&mut self.current);
        self.actions.clear();
        self.model.actions(&self.current.state, &mut self.actions);
    }

    /// 一手を演じて、見張りに聞かせる。起こりえない手なら `None`。
    fn step(&mut self, node: &mut Node<M::State, W::Memory>, action: M::Action) -> Option<Broken> {
        self.events.clear();
        if !self.model.step(&mut node.state, action, &mut self.events) {
            return None;
        }
        let mut broken = Broken::NONE;
        for event in &self.events {
            self.monitor.hear(&mut node.memory, event, &mut broken);
        }
        Some(broken)
    }

    fn record(&mut self, broken: Broken, first: impl Fn() -> First<M::Action>) {
        self.steps += 1;
        for property in broken.iter() {
            match self.breaches.iter_mut().find(|breach| breach.property == property) {
                Some(breach) => breach.violations += 1,
                None => {
                    self.breaches.push(Breach { property, violations: 1, first: first() });
                    self.broken.add(property);
                }
            }
        }
    }

    /// 状態 `at` から来た `next` を詰め、`next` を手の前に戻す。番号が収まらなくなれば、すべてを詰め直す。
    fn pack(
        &mut self,
        next: &mut Node<M::State, W::Memory>,
        at: usize,
        action: M::Action,
    ) -> Result<Key, End> {
        self.shelves.store(next, column(&action)).map_err(|_| End::Unlike)?;
        if let Ok(key) = self.shelves.key(self.seen.key(at)) {
            return Ok(key);
        }
        self.widen()?;
        // 広げた場所には、必ず収まる。
        self.shelves.key(self.seen.key(at)).map_err(|_| End::TooMany)
    }

    fn widen(&mut self) -> Result<(), End> {
        let layout = self.shelves.fitting().ok_or(End::TooMany)?;
        self.seen.repack(&self.shelves.layout, &layout);
        self.shelves.layout = layout;
        Ok(())
    }

    /// 見た状態に加える。限りを超えるのは、照らし合わせても本当に新しいときだけである。
    fn add(&mut self, key: Key, parent: usize) -> Result<(), End> {
        self.seen.add(key, parent);
        if self.seen.most() <= self.limits.states.min(CAPACITY) {
            return Ok(());
        }
        self.seen.settle();
        match self.seen.len() > self.limits.states.min(CAPACITY) {
            true => {
                self.seen.forget_last();
                Err(End::States)
            }
            false => Ok(()),
        }
    }

    /// 今の状態の次の手をすべて試しても、メモリーの限りを超えないか。
    fn keep_within_memory(&self) -> Result<(), End> {
        if self.limits.bytes == usize::MAX {
            return Ok(());
        }
        let more = self.actions.len();
        let bytes = self.seen.bytes_with(more).saturating_add(self.shelves.bytes_with(more));
        if bytes > self.limits.bytes { Err(End::Memory) } else { Ok(()) }
    }

    fn advance(&mut self) {
        self.done += 1;
        if (self.done as usize) < self.level_end {
            return;
        }
        self.seen.settle();
        if (self.done as usize) < self.seen.len() {
            self.depth += 1;
            self.level_end = self.seen.len();
        }
    }

    fn tell(
        &self,
        before: Broken,
        watch: &mut impl FnMut(&Tally) -> ControlFlow<()>,
    ) -> Result<(), End> {
        let news = self.broken != before || self.done.is_multiple_of(INTERVAL);
        if news && watch(&self.tally()).is_break() { Err(End::Stopped) } else { Ok(()) }
    }

    fn tally(&self) -> Tally {
        Tally {
            states: self.seen.len(),
            done: self.done,
            depth: self.depth,
            bytes: self.seen.bytes_with(0) + self.shelves.bytes_with(0),
            broken: self.broken,
        }
    }

    fn runs(
        &mut self,
        seed: u64,
        runs: u64,
        steps: usize,
        watch: &mut impl FnMut(&Tally) -> ControlFlow<()>,
    ) -> Result<(), End> {
        let mut random = Rand64::new(seed.into());
        let start = self.current.clone();
        for _ in 0..runs {
            self.current = start.clone();
            self.walk(&mut random, steps.min(self.limits.depth), watch)?;
        }
        Ok(())
    }

    /// 手がなくなるか、`steps` 手まで歩く。
    fn walk(
        &mut self,
        random: &mut Rand64,
        steps: usize,
        watch: &mut impl FnMut(&Tally) -> ControlFlow<()>,
    ) -> Result<(), End> {
        let (mut path, mut at) = (Vec::new(), 0);
        while path.len() < steps {
            self.actions.clear();
            self.model.actions(&self.current.state, &mut self.actions);
            self.keep_within_memory()?;
            let before = self.broken;
            let Some((action, broken)) = self.any(random) else { break };
            path.push(action);
            self.record(broken, || First::Path(path.clone()));
            let mut next = self.current.clone();
            self.shelves.open(self.seen.key(at));
            let key = self.pack(&mut next, at, action)?;
            self.add(key, at)?;
            self.seen.settle();
            at = self.seen.find(key).unwrap_or(at);
            self.done += 1;
            self.depth = self.depth.max(path.len());
            self.tell(before, watch)?;
        }
        Ok(())
    }

    /// 起こりうる手の一つを選んで、今の状態で演じる。どの手も起こりえなければ `None`。
    fn any(&mut self, random: &mut Rand64) -> Option<(M::Action, Broken)> {
        while !self.actions.is_empty() {
            let index = random.rand_range(0..self.actions.len() as u64) as usize;
            let action = self.actions.remove(index);
            let mut next = self.current.clone();
            if let Some(broken) = self.step(&mut next, action) {
                self.current = next;
                return Some((action, broken));
            }
        }
        None
    }

    fn report(mut self, end: End) -> Report<M::Action> {
        let mut breaches = std::mem::take(&mut self.breaches);
        breaches.sort_by_key(|breach| breach.property);
        let mut findings = Vec::new();
        for Breach { property, violations, first } in breaches {
            let path = match first {
                First::From(at, action) => self.path(at, action),
                First::Path(path) => path,
            };
            findings.push(Finding { property, violations, path });
        }
        let states = self.seen.len();
        Report { end, states, steps: self.steps, depth: self.depth, findings }
    }

    /// 初めの状態から `at` まで来て、`last` を演じる手の列。
    fn path(&mut self, mut at: usize, last: M::Action) -> Vec<M::Action> {
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
    fn action_between(&mut self, parent: usize, at: usize) -> Option<M::Action> {
        self.successors(parent).into_iter().find(|(_, _, to)| *to == Some(at)).map(|found| found.0)
    }

    /// 状態 `at` で起こりうる手と、破られる性質と、そのあとの状態。見ていない状態なら `None`。
    fn successors(&mut self, at: usize) -> Vec<(M::Action, Broken, Option<usize>)> {
        self.open(self.seen.key(at));
        let actions = std::mem::take(&mut self.actions);
        let mut found = Vec::new();
        for &action in &actions {
            let mut next = self.current.clone();
            let Some(broken) = self.step(&mut next, action) else { continue };
            let stored = self.shelves.store(&mut next, column(&action)).is_ok();
            let key = self.shelves.key(self.seen.key(at)).ok().filter(|_| stored);
            found.push((action, broken, key.and_then(|key| self.seen.find(key))));
        }
        self.actions = actions;
        found
    }

    fn graph(mut self, end: End) -> Graph<M::State, W::Memory, M::Action> {
        let (mut states, mut depths, mut edges) = (Vec::new(), Vec::new(), Vec::new());
        for at in 0..self.seen.len() {
            let found = self.successors(at);
            let to = |(action, broken, to): (M::Action, Broken, Option<usize>)| {
                Some(Edge { from: at, action, to: to?, broken })
            };
            edges.extend(found.into_iter().filter_map(to));
            states.push((self.current.state.clone(), self.current.memory.clone()));
            depths.push(if at == 0 { 0 } else { depths[self.seen.parent(at)] + 1 });
        }
        Graph { end, states, depths, edges }
    }
}
