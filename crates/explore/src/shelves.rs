//! 部品の棚。状態を部品に分け、同じ部品は一度だけ置く。状態は、棚の番号の並びになる。
//!
//! 出典: モデル検査器 SPIN の COLLAPSE。Laarman ほか 2011 の説明による。

use std::hash::{BuildHasher as _, Hash};

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;
use stage::{Actor, Transit, World};
use timeline::Action::{self, *};
use timeline::Client;

use crate::ledger::Ledger;
use crate::run::Run;

// ANCHOR: key
/// 詰めた状態。部品の番号を並べた 128 ビット。
pub(crate) type Key = u128;

/// 番号の幅。単位はビット。順に、ロックサービス、資源、客三人、途中のもの、帳簿。
const WIDTHS: [u32; 7] = [16, 16, 16, 16, 16, 24, 24];

/// 部品の番号。並びは [`WIDTHS`] と同じ。
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Numbers([usize; 7]);

impl Numbers {
    /// 詰める。幅に収まらない番号を黙って切り落とすと、別の状態が同じに見えてしまう。
    pub(crate) fn pack(self) -> Result<Key, TooMany> {
        let mut key = 0;
        for (number, width) in self.0.into_iter().zip(WIDTHS) {
            if number >> width != 0 {
                return Err(TooMany(width));
            }
            key = key << width | number as Key;
        }
        Ok(key)
    }
    // ANCHOR_END: key

    pub(crate) fn unpack(mut key: Key) -> Numbers {
        let mut numbers = [0; 7];
        for (number, width) in numbers.iter_mut().zip(WIDTHS).rev() {
            *number = (key & ((1 << width) - 1)) as usize;
            key >>= width;
        }
        Numbers(numbers)
    }
}

/// 種類が多すぎて、決めた幅の番号では足りない。
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0} ビットの番号では足りないほど、種類が多い。範囲を狭める")]
pub struct TooMany(pub u32);

// ANCHOR: shelf
/// 同じ種類の部品を、番号をつけて置く棚。
#[derive(Clone, Debug)]
struct Shelf<T> {
    items: Vec<T>,
    index: HashTable<usize>,
}

impl<T: Copy + Eq + Hash> Shelf<T> {
    fn new() -> Shelf<T> {
        Shelf { items: Vec::new(), index: HashTable::new() }
    }

    /// 部品の番号。初めて見る部品なら、棚に置いて次の番号をつける。
    fn number(&mut self, item: &T) -> usize {
        let items = &mut self.items;
        let hash = FxBuildHasher.hash_one(item);
        if let Some(&number) = self.index.find(hash, |&number| items[number] == *item) {
            return number;
        }
        items.push(*item);
        let number = items.len() - 1;
        self.index.insert_unique(hash, number, |&number| FxBuildHasher.hash_one(items[number]));
        number
    }
    // ANCHOR_END: shelf

    /// 変わっていれば、番号を引き直す。
    fn renumber(&mut self, item: &T, number: &mut usize) {
        if self.items[*number] != *item {
            *number = self.number(item);
        }
    }
}

/// すべての部品の棚。
#[derive(Clone, Debug)]
pub(crate) struct Shelves<L, R> {
    locks: Shelf<L>,
    resources: Shelf<Option<R>>,
    actors: Shelf<Option<Actor>>,
    transits: Shelf<Transit>,
    ledgers: Shelf<Ledger>,
}

impl<L: Copy + Eq + Hash, R: Copy + Eq + Hash> Shelves<L, R> {
    pub(crate) fn new() -> Shelves<L, R> {
        Shelves {
            locks: Shelf::new(),
            resources: Shelf::new(),
            actors: Shelf::new(),
            transits: Shelf::new(),
            ledgers: Shelf::new(),
        }
    }

    /// 状態を部品に分けて、番号を並べる。
    pub(crate) fn split(&mut self, run: &Run<L, R>) -> Numbers {
        let World { lock, resource, actors: [a, b, c], transit } = &run.world;
        Numbers([
            self.locks.number(lock),
            self.resources.number(resource),
            self.actors.number(a),
            self.actors.number(b),
            self.actors.number(c),
            self.transits.number(transit),
            self.ledgers.number(&run.ledger),
        ])
    }

    /// 番号の並びから、状態を組み立て直す。
    pub(crate) fn join(&self, Numbers(numbers): Numbers) -> Run<L, R> {
        let [lock, resource, a, b, c, transit, ledger] = numbers;
        let world = World {
            lock: self.locks.items[lock],
            resource: self.resources.items[resource],
            actors: [a, b, c].map(|number| self.actors.items[number]),
            transit: self.transits.items[transit],
        };
        Run { world, ledger: self.ledgers.items[ledger] }
    }

    // ANCHOR: renumber
    /// 一手を演じた `run` の番号を、演じる前の `numbers` から作る。手が触れない部品は、見もしない。
    pub(crate) fn renumber(
        &mut self,
        run: &Run<L, R>,
        touched: &Touched,
        numbers: Numbers,
    ) -> Numbers {
        let world = &run.world;
        let Numbers([mut lock, mut resource, a, b, c, mut transit, mut ledger]) = numbers;
        let mut actors = [a, b, c];
        if touched.lock {
            self.locks.renumber(&world.lock, &mut lock);
        }
        if touched.resource {
            self.resources.renumber(&world.resource, &mut resource);
        }
        for client in touched.clients {
            let client = *client as usize;
            self.actors.renumber(&world.actors[client], &mut actors[client]);
        }
        if touched.transit {
            self.transits.renumber(&world.transit, &mut transit);
        }
        self.ledgers.renumber(&run.ledger, &mut ledger);
        let [a, b, c] = actors;
        Numbers([lock, resource, a, b, c, transit, ledger])
    }
    // ANCHOR_END: renumber

    /// 手が触れた部品を、`numbers` の状態に戻す。
    pub(crate) fn undo(&self, run: &mut Run<L, R>, touched: &Touched, Numbers(numbers): Numbers) {
        let world = &mut run.world;
        let [lock, resource, a, b, c, transit, ledger] = numbers;
        if touched.lock {
            world.lock = self.locks.items[lock];
        }
        if touched.resource {
            world.resource = self.resources.items[resource];
        }
        for client in touched.clients {
            let client = *client as usize;
            world.actors[client] = self.actors.items[[a, b, c][client]];
        }
        if touched.transit {
            world.transit = self.transits.items[transit];
        }
        run.ledger = self.ledgers.items[ledger];
    }

    /// 棚に置いた部品の大きさ。単位はバイト。
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&self.locks.items[..])
            + size_of_val(&self.resources.items[..])
            + size_of_val(&self.actors.items[..])
            + size_of_val(&self.transits.items[..])
            + size_of_val(&self.ledgers.items[..])
    }
}

// ANCHOR: touched
/// 一手が触れうる部品。帳簿には、どの手も触れうる。
pub(crate) struct Touched {
    lock: bool,
    resource: bool,
    clients: &'static [Client],
    transit: bool,
}

impl Touched {
    pub(crate) fn by(action: Action) -> Touched {
        let client = action.client().map(|client| client as usize);
        let all_or_none = if matches!(action, Tick(_)) { &Client::ALL[..] } else { &[] };
        Touched {
            lock: matches!(
                action,
                Acquire(_) | Renew(_) | Release(_) | DeliverRelease(_) | RestartService | Tick(_)
            ),
            resource: matches!(
                action,
                Deliver(..) | DeliverCopy(..) | Read(_) | Register(_) | RestartResource
            ),
            clients: client.map_or(all_or_none, |client| &Client::ALL[client..=client]),
            transit: matches!(action, Send(..) | Deliver(..) | SendRelease(_) | DeliverRelease(_)),
        }
    }
}
// ANCHOR_END: touched

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packing_keeps_every_number() {
        let numbers = Numbers([1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(numbers.pack().map(Numbers::unpack), Ok(numbers));
        let largest = Numbers(WIDTHS.map(|width| (1 << width) - 1));
        assert_eq!(largest.pack(), Ok(Key::MAX));
        assert_eq!(Numbers::unpack(Key::MAX), largest);
    }

    #[test]
    fn a_number_that_does_not_fit_is_refused_and_never_cut_off() {
        for (place, width) in WIDTHS.into_iter().enumerate() {
            let mut numbers = [0; 7];
            numbers[place] = 1 << width;
            assert_eq!(Numbers(numbers).pack(), Err(TooMany(width)));
        }
    }
}
