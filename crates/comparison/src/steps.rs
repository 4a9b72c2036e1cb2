//! 速さの段。素朴な探索から探索まで、一つずつ変えたもの。どの段の効き目も、同じ模型で測る。

use std::collections::{HashSet, VecDeque};
use std::hash::{BuildHasher, Hash, RandomState};
use std::ops::ControlFlow;

use explore::{Run, explore, moves};
use fencing::FencedResource;
use lease::LockService;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use stage::Action::{self, *};
use stage::{Client, World};

use crate::{Compared, count};

/// 測る模型。本の表に載せる範囲の、トークンを比べる資源。
#[must_use]
pub fn model() -> Compared<LockService, FencedResource> {
    let world = World::with_resource(LockService::new(2), FencedResource::new());
    let (manners, bounds) = (explore::Manners::default(), explore::Bounds::PAGE);
    Compared { world, manners, bounds, property: None }
}

type Model = Compared<LockService, FencedResource>;
type State = Run<LockService, FencedResource>;

/// 測る相手。
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// 検査器 stateright
    Stateright,
    /// 状態をまるごと、標準の集合と待ち行列に入れる
    Whole,
    /// 標準のハッシュを、速いものに替える
    FastHash,
    /// 状態を部品の番号に詰める。部品は、毎回すべて引く
    Shelves,
    /// 手が触れる部品だけを見る。変わっていなければ引かない
    Touched,
    /// 前に同じ手で来た番号を当てる
    Guessed,
    /// 本の探索。ここまでのすべてに加え、近ごろ来た状態を覚え、残りを 64 個ずつまとめて引く
    Explore,
}

impl Engine {
    /// すべての相手。測る順。
    pub const ALL: [Engine; 7] = [
        Engine::Stateright,
        Engine::Whole,
        Engine::FastHash,
        Engine::Shelves,
        Engine::Touched,
        Engine::Guessed,
        Engine::Explore,
    ];

    /// 記録に出す名前。
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Engine::Stateright => "stateright",
            Engine::Whole => "状態をまるごと覚える",
            Engine::FastHash => "ハッシュを速くする",
            Engine::Shelves => "部品の番号に詰める",
            Engine::Touched => "触れる部品だけを見る",
            Engine::Guessed => "番号を当てる",
            Engine::Explore => "まとめて引く。本の探索",
        }
    }

    /// 調べ終えて、違う状態の数を返す。
    #[must_use]
    pub fn states(self, model: Model) -> usize {
        match self {
            Engine::Stateright => count(model).states,
            Engine::Whole => whole(&model, RandomState::new()),
            Engine::FastHash => whole(&model, FxBuildHasher),
            Engine::Shelves => shelved(&model, Lookup::All),
            Engine::Touched => shelved(&model, Lookup::Touched),
            Engine::Guessed => shelved(&model, Lookup::Guessed),
            Engine::Explore => {
                let Compared { world, manners, bounds, .. } = model;
                explore(world, manners, bounds, |_| ControlFlow::Continue(())).states
            }
        }
    }
}

fn whole(model: &Model, hasher: impl BuildHasher) -> usize {
    let first = Run::new(model.world);
    let (mut seen, mut queue) = (HashSet::with_hasher(hasher), VecDeque::from([first]));
    seen.insert(first);
    let mut actions = Vec::new();
    while let Some(run) = queue.pop_front() {
        moves(&run.world, &run.ledger, model.manners, &model.bounds, &mut actions);
        for &action in &actions {
            let mut next = run;
            if next.step(action).is_some() && seen.insert(next) {
                queue.push_back(next);
            }
        }
    }
    seen.len()
}

/// 部品の引きかた。
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lookup {
    All,
    Touched,
    Guessed,
}

const COLUMNS: usize = 64;

/// 部品の番号。順に、ロックサービス、資源、客三人、途中のもの、帳簿。
type Numbers = [u32; 7];

struct Shelf<T> {
    lookup: Lookup,
    items: Vec<T>,
    index: FxHashMap<T, u32>,
    guesses: Vec<[u32; COLUMNS]>,
}

impl<T: Copy + Eq + Hash> Shelf<T> {
    fn new(lookup: Lookup) -> Shelf<T> {
        Shelf { lookup, items: Vec::new(), index: FxHashMap::default(), guesses: Vec::new() }
    }

    fn number(&mut self, item: &T) -> u32 {
        if let Some(number) = self.index.get(item) {
            return *number;
        }
        let number = self.items.len() as u32;
        self.items.push(*item);
        self.guesses.push([0; COLUMNS]);
        self.index.insert(*item, number);
        number
    }

    fn renumber(&mut self, item: &T, touched: bool, column: usize, number: &mut u32) {
        let before = *number as usize;
        match self.lookup {
            Lookup::All => *number = self.number(item),
            Lookup::Touched if touched && self.items[before] != *item => {
                *number = self.number(item);
            }
            Lookup::Guessed if touched => {
                *number = self.guesses[before][column];
                if self.items[*number as usize] != *item {
                    *number = self.number(item);
                    self.guesses[before][column] = *number;
                }
            }
            Lookup::Touched | Lookup::Guessed => {}
        }
    }
}

struct Shelves {
    locks: Shelf<LockService>,
    resources: Shelf<Option<FencedResource>>,
    actors: Shelf<Option<stage::Actor>>,
    transits: Shelf<stage::Transit>,
    ledgers: Shelf<explore::Ledger>,
}

impl Shelves {
    fn new(lookup: Lookup) -> Shelves {
        Shelves {
            locks: Shelf::new(lookup),
            resources: Shelf::new(lookup),
            actors: Shelf::new(lookup),
            transits: Shelf::new(lookup),
            ledgers: Shelf::new(lookup),
        }
    }

    fn split(&mut self, run: &State) -> Numbers {
        let World { lock, resource, actors: [a, b, c], transit } = &run.world;
        [
            self.locks.number(lock),
            self.resources.number(resource),
            self.actors.number(a),
            self.actors.number(b),
            self.actors.number(c),
            self.transits.number(transit),
            self.ledgers.number(&run.ledger),
        ]
    }

    fn join(&self, numbers: Numbers) -> State {
        let [lock, resource, a, b, c, transit, ledger] = numbers.map(|number| number as usize);
        let world = World {
            lock: self.locks.items[lock],
            resource: self.resources.items[resource],
            actors: [a, b, c].map(|number| self.actors.items[number]),
            transit: self.transits.items[transit],
        };
        Run { world, ledger: self.ledgers.items[ledger] }
    }

    fn renumber(&mut self, run: &State, action: Action, mut numbers: Numbers) -> Numbers {
        let World { lock, resource, actors, transit } = &run.world;
        let column = FxBuildHasher.hash_one(action) as usize % COLUMNS;
        let [at_lock, at_resource, a, b, c, at_transit, at_ledger] = &mut numbers;
        self.locks.renumber(lock, touches_lock(action), column, at_lock);
        self.resources.renumber(resource, touches_resource(action), column, at_resource);
        for ((client, actor), number) in Client::ALL.into_iter().zip(actors).zip([a, b, c]) {
            self.actors.renumber(actor, touches_client(action, client), column, number);
        }
        self.transits.renumber(transit, touches_transit(action), column, at_transit);
        self.ledgers.renumber(&run.ledger, true, column, at_ledger);
        numbers
    }
}

fn touches_lock(action: Action) -> bool {
    let touches =
        matches!(action, Acquire(_) | Renew(_) | Release(_) | DeliverRelease(_) | Tick(_));
    touches || action == RestartService
}

fn touches_resource(action: Action) -> bool {
    let touches = matches!(action, Deliver(..) | DeliverCopy(..) | Read(_) | Register(_));
    touches || action == RestartResource
}

fn touches_transit(action: Action) -> bool {
    matches!(action, Send(..) | Deliver(..) | SendRelease(_) | DeliverRelease(_))
}

fn touches_client(action: Action, client: Client) -> bool {
    action.client().map_or(matches!(action, Tick(_)), |by| by == client)
}

/// 番号を詰める。この模型の部品の種類は、どれも 16 ビットに収まる。
fn pack(numbers: Numbers) -> u128 {
    assert!(numbers.iter().all(|number| number >> 16 == 0), "部品の種類が多すぎる");
    numbers.into_iter().fold(0, |key, number| key << 16 | u128::from(number))
}

fn unpack(key: u128) -> Numbers {
    let mut place = 7;
    [(); 7].map(|()| {
        place -= 1;
        (key >> (16 * place)) as u32 & 0xffff
    })
}

fn shelved(model: &Model, lookup: Lookup) -> usize {
    let mut shelves = Shelves::new(lookup);
    let first = pack(shelves.split(&Run::new(model.world)));
    let (mut seen, mut queue) = (FxHashSet::from_iter([first]), VecDeque::from([first]));
    let mut actions = Vec::new();
    while let Some(key) = queue.pop_front() {
        let numbers = unpack(key);
        let run = shelves.join(numbers);
        moves(&run.world, &run.ledger, model.manners, &model.bounds, &mut actions);
        for &action in &actions {
            let mut next = run;
            if next.step(action).is_none() {
                continue;
            }
            let next = pack(shelves.renumber(&next, action, numbers));
            if seen.insert(next) {
                queue.push_back(next);
            }
        }
    }
    seen.len()
}

#[cfg(test)]
mod tests {
    use explore::Bounds;

    use super::*;

    #[test]
    fn every_step_counts_the_same_states() {
        let bounds = Bounds { grants: 2, ..Bounds::PAGE };
        let counts = Engine::ALL.map(|engine| engine.states(Compared { bounds, ..model() }));
        assert_eq!(counts, [counts[0]; Engine::ALL.len()]);
        assert!(counts[0] > 10_000, "{counts:?}");
    }

    #[test]
    fn packing_keeps_every_number() {
        let numbers = [1, 2, 3, 4, 5, 6, 0xffff];
        assert_eq!(unpack(pack(numbers)), numbers);
    }
}
