//! 部品の棚。状態を部品に分け、同じ部品は一度だけ置く。状態は、棚の番号の並びになる。
//!
//! 出典: モデル検査器 SPIN の COLLAPSE。Laarman ほか 2011 の説明による。

use std::hash::{BuildHasher as _, Hash};

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;
use stage::Action::{self, *};
use stage::{Actor, Client, Transit, World};

use crate::ledger::Ledger;
use crate::run::Run;

// ANCHOR: key
/// 詰めた状態。部品の番号を並べた 128 ビット。
pub(crate) type Key = u128;

/// 詰めた状態の中で、一つの番号が占める場所。単位はビット。
#[derive(Clone, Copy, Debug)]
struct Place {
    shift: u32,
    width: u32,
}

const LOCK: Place = Place { shift: 0, width: 16 };
const RESOURCE: Place = Place { shift: 16, width: 16 };
const ACTORS: [Place; Client::ALL.len()] = [
    Place { shift: 32, width: 16 },
    Place { shift: 48, width: 16 },
    Place { shift: 64, width: 16 },
];
const TRANSIT: Place = Place { shift: 80, width: 24 };
const LEDGER: Place = Place { shift: 104, width: 24 };

impl Place {
    fn get(self, key: Key) -> usize {
        (key >> self.shift) as usize & ((1 << self.width) - 1)
    }

    /// 番号を入れ替える。幅に収まらない番号を黙って切り落とすと、別の状態が同じに見えてしまう。
    fn set(self, key: &mut Key, number: usize) -> Result<(), TooMany> {
        if number >> self.width != 0 {
            return Err(TooMany(self.width));
        }
        *key ^= ((self.get(*key) ^ number) as Key) << self.shift;
        Ok(())
    }
}
// ANCHOR_END: key

/// 種類が多すぎて、決めた幅の番号では足りない。
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0} ビットの番号では足りないほど、種類が多い。範囲を狭める")]
pub struct TooMany(pub u32);

/// 手を見分ける数。同じ数になる手があっても、遅くなるだけで済む。
const COLUMNS: usize = 64;

// ANCHOR: shelf
/// 同じ種類の部品を、番号をつけて置く棚。
#[derive(Clone, Debug)]
struct Shelf<T> {
    items: Vec<T>,
    index: HashTable<usize>,
    /// その番号の部品が、前にその手で何番になったか
    guesses: Vec<[u32; COLUMNS]>,
}

impl<T: Copy + Eq + Hash> Shelf<T> {
    fn new() -> Shelf<T> {
        Shelf { items: Vec::new(), index: HashTable::new(), guesses: Vec::new() }
    }

    /// 部品の番号。初めて見る部品なら、棚に置いて次の番号をつける。
    fn number(&mut self, item: &T) -> usize {
        let items = &mut self.items;
        let hash = FxBuildHasher.hash_one(item);
        if let Some(&number) = self.index.find(hash, |&number| items[number] == *item) {
            return number;
        }
        items.push(*item);
        self.guesses.push([0; COLUMNS]);
        let number = items.len() - 1;
        self.index.insert_unique(hash, number, |&number| FxBuildHasher.hash_one(items[number]));
        number
    }
    // ANCHOR_END: shelf

    // ANCHOR: guess
    /// 手を演じたあとの部品に合わせて、番号を入れ替える。
    ///
    /// 同じ部品に同じ手を演じると、たいてい前と同じ部品になる。前の番号の部品と比べて、同じなら引かない。
    fn renumber(
        &mut self,
        item: &T,
        column: usize,
        place: Place,
        key: &mut Key,
    ) -> Result<(), TooMany> {
        let before = place.get(*key);
        let guess = self.guesses[before][column] as usize;
        if self.items[guess] == *item {
            return place.set(key, guess);
        }
        let number = self.number(item);
        place.set(key, number)?;
        self.guesses[before][column] = number as u32;
        Ok(())
    }
    // ANCHOR_END: guess

    /// 部品と、前の番号の大きさ。単位はバイト。
    fn bytes(&self) -> usize {
        size_of_val(&self.items[..]) + size_of_val(&self.guesses[..])
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
    pub(crate) fn split(&mut self, run: &Run<L, R>) -> Result<Key, TooMany> {
        let (world, mut key) = (&run.world, Key::default());
        LOCK.set(&mut key, self.locks.number(&world.lock))?;
        RESOURCE.set(&mut key, self.resources.number(&world.resource))?;
        for (place, actor) in ACTORS.iter().zip(&world.actors) {
            place.set(&mut key, self.actors.number(actor))?;
        }
        TRANSIT.set(&mut key, self.transits.number(&world.transit))?;
        LEDGER.set(&mut key, self.ledgers.number(&run.ledger))?;
        Ok(key)
    }

    /// 番号の並びから、状態を組み立て直す。
    pub(crate) fn join(&self, key: Key) -> Run<L, R> {
        let world = World {
            lock: self.locks.items[LOCK.get(key)],
            resource: self.resources.items[RESOURCE.get(key)],
            actors: ACTORS.map(|place| self.actors.items[place.get(key)]),
            transit: self.transits.items[TRANSIT.get(key)],
        };
        Run { world, ledger: self.ledgers.items[LEDGER.get(key)] }
    }

    // ANCHOR: renumber
    /// `action` を演じた `run` を、演じる前の `key` から詰める。手が触れない部品は、見もしない。
    pub(crate) fn renumber(
        &mut self,
        run: &Run<L, R>,
        action: Action,
        mut key: Key,
    ) -> Result<Key, TooMany> {
        let (world, touched) = (&run.world, Touched::by(action));
        let column = FxBuildHasher.hash_one(action) as usize % COLUMNS;
        if touched.lock {
            self.locks.renumber(&world.lock, column, LOCK, &mut key)?;
        }
        if touched.resource {
            self.resources.renumber(&world.resource, column, RESOURCE, &mut key)?;
        }
        for &client in touched.clients {
            let client = client as usize;
            self.actors.renumber(&world.actors[client], column, ACTORS[client], &mut key)?;
        }
        if touched.transit {
            self.transits.renumber(&world.transit, column, TRANSIT, &mut key)?;
        }
        self.ledgers.renumber(&run.ledger, column, LEDGER, &mut key)?;
        Ok(key)
    }
    // ANCHOR_END: renumber

    /// 棚の大きさ。単位はバイト。
    pub(crate) fn bytes(&self) -> usize {
        self.locks.bytes()
            + self.resources.bytes()
            + self.actors.bytes()
            + self.transits.bytes()
            + self.ledgers.bytes()
    }
}

// ANCHOR: touched
/// 一手が触れうる部品。帳簿には、どの手も触れうる。
struct Touched {
    lock: bool,
    resource: bool,
    clients: &'static [Client],
    transit: bool,
}

impl Touched {
    fn by(action: Action) -> Touched {
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

    const PLACES: [Place; 7] = [LOCK, RESOURCE, ACTORS[0], ACTORS[1], ACTORS[2], TRANSIT, LEDGER];

    #[test]
    fn every_bit_belongs_to_exactly_one_place() {
        let mut key = 0;
        for (place, number) in PLACES.into_iter().zip(1..) {
            assert_eq!(place.set(&mut key, number), Ok(()));
        }
        assert_eq!(PLACES.map(|place| place.get(key)), [1, 2, 3, 4, 5, 6, 7]);
        for place in PLACES {
            assert_eq!(place.set(&mut key, (1 << place.width) - 1), Ok(()));
        }
        assert_eq!(key, Key::MAX);
        assert_eq!(PLACES.map(|place| place.set(&mut key, 0)), [Ok(()); 7]);
        assert_eq!(key, 0);
    }

    #[test]
    fn a_number_that_does_not_fit_is_refused_and_never_cut_off() {
        for place in PLACES {
            let mut key = 5;
            assert_eq!(place.set(&mut key, 1 << place.width), Err(TooMany(place.width)));
            assert_eq!(key, 5);
        }
    }

    #[test]
    fn a_wrong_guess_is_never_taken() {
        let mut shelf = Shelf::new();
        assert_eq!(["a", "b", "c"].map(|item| shelf.number(&item)), [0, 1, 2]);
        for (item, number) in [("b", 1), ("c", 2), ("c", 2), ("a", 0), ("d", 3)] {
            let mut key = 0;
            assert_eq!(shelf.renumber(&item, 7, LOCK, &mut key), Ok(()));
            assert_eq!(LOCK.get(key), number, "{item}");
        }
    }
}
