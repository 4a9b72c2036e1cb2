//! 部品の棚。同じ部品は一度だけ置く。状態は、棚の番号の並びになる。
//!
//! 出典: モデル検査器 SPIN の COLLAPSE。Laarman ほか 2011 の説明による。

use std::any::Any;
use std::hash::{BuildHasher as _, Hash};
use std::sync::atomic::{AtomicU32, Ordering};

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

use crate::grown::grown;
use crate::layout::{Key, Layout, Overflow};
use crate::part::{Part, Parts, Tag, Visitor};

/// 手を見分ける数。同じ数になる手があっても、遅くなるだけで済む。
const COLUMNS: usize = 64;

/// 一つの手を見分ける数。
pub(crate) fn column(action: &impl Hash) -> usize {
    FxBuildHasher.hash_one(action) as usize % COLUMNS
}

// ANCHOR: shelf
/// 同じ種類の部品を、番号をつけて置く棚。
struct Shelf<T> {
    items: Vec<T>,
    index: HashTable<u32>,
    /// その番号の部品が、前にその手で何番になったか
    guesses: Vec<[u32; COLUMNS]>,
}

impl<T: Clone + Eq + Hash> Shelf<T> {
    fn new() -> Shelf<T> {
        Shelf { items: Vec::new(), index: HashTable::new(), guesses: Vec::new() }
    }

    /// 部品の番号。初めて見る部品なら、棚に置いて次の番号をつける。
    fn number(&mut self, item: &T) -> u32 {
        let items = &mut self.items;
        let hash = FxBuildHasher.hash_one(item);
        if let Some(&number) = self.index.find(hash, |&number| items[number as usize] == *item) {
            return number;
        }
        let number = items.len() as u32;
        items.push(item.clone());
        self.guesses.push([0; COLUMNS]);
        self.index
            .insert_unique(hash, number, |&number| FxBuildHasher.hash_one(&items[number as usize]));
        number
    }
    // ANCHOR_END: shelf

    // ANCHOR: guess
    /// 手を演じたあとの部品の番号。手の前は `before` 番だった。
    ///
    /// 同じ部品に同じ手を演じると、たいてい前と同じ部品になる。前の番号の部品と比べて、同じなら引かない。
    fn number_after(&mut self, item: &T, before: u32, column: usize) -> u32 {
        let guess = self.guesses[before as usize][column];
        if self.items[guess as usize] == *item {
            return guess;
        }
        let number = self.number(item);
        self.guesses[before as usize][column] = number;
        number
    }
    // ANCHOR_END: guess
}

/// 部品の型によらない、棚の扱い。
trait AnyShelf: Any {
    fn len(&self) -> usize;

    /// あと `more` 個を置くまでに使いうるメモリー。単位はバイト。
    fn bytes_with(&self, more: usize) -> usize;
}

impl<T: Clone + Eq + Hash + 'static> AnyShelf for Shelf<T> {
    fn len(&self) -> usize {
        self.items.len()
    }

    fn bytes_with(&self, more: usize) -> usize {
        let len = self.items.len() + more;
        grown(len, self.items.capacity()) * size_of::<T>()
            + grown(len, self.guesses.capacity()) * size_of::<[u32; COLUMNS]>()
            // 表は八分の七まで埋まり、一つに四バイトと、印の一バイトが要る。
            + grown(len + len / 7, self.index.capacity() * 8 / 7) * 5
    }
}

/// すべての部品の棚と、番号の並べかた。
pub(crate) struct Shelves {
    /// この探索の番号。札が、よその探索のものでないかを見分ける
    search: u32,
    shelves: Vec<Box<dyn AnyShelf>>,
    pub(crate) layout: Layout,
    /// 今、次の手を試している状態の、部品の番号
    numbers: Vec<u32>,
    /// 手が変えた部品の、場所と、前の番号と、新しい番号
    changes: Vec<(usize, u32, u32)>,
}

/// 部品の訪ねかたが、初めと違う。
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Unlike;

impl Shelves {
    pub(crate) fn new() -> Shelves {
        static NEXT: AtomicU32 = AtomicU32::new(1);
        let search = NEXT.fetch_add(1, Ordering::Relaxed);
        Shelves {
            search,
            shelves: Vec::new(),
            layout: Layout::default(),
            numbers: Vec::new(),
            changes: Vec::new(),
        }
    }

    /// 初めの状態を部品に分けて棚に置き、詰める。部品が多すぎれば `None`。
    pub(crate) fn first(&mut self, state: &mut impl Parts) -> Option<Key> {
        state.visit(&mut Opener { shelves: self });
        self.layout = self.fitting().filter(|_| self.shelves.len() <= Key::BITS as usize)?;
        // どの部品も、棚の初めにある。
        Some(0)
    }

    /// 今の棚に合う並べかた。
    pub(crate) fn fitting(&self) -> Option<Layout> {
        let counts: Vec<usize> = self.shelves.iter().map(|shelf| shelf.len()).collect();
        Layout::fitting(&counts)
    }

    /// 状態 `key` の次の手を試し始める。
    pub(crate) fn open(&mut self, key: Key) {
        self.numbers.clear();
        self.numbers.extend(self.layout.places.iter().map(|place| place.get(key)));
    }

    /// 一手を演じたあとの `state` の、変わった部品を棚に置き、`state` を手の前に戻す。
    ///
    /// 触れていない部品は、見もしない。詰めた状態は、続けて [`Shelves::key`] で求める。
    pub(crate) fn store(&mut self, state: &mut impl Parts, column: usize) -> Result<(), Unlike> {
        self.changes.clear();
        let mut storer = Storer { shelves: self, place: 0, column, is_like: true };
        state.visit(&mut storer);
        let Storer { place, is_like, .. } = storer;
        if is_like && place == self.shelves.len() { Ok(()) } else { Err(Unlike) }
    }

    /// 棚に置いた状態を、試している状態 `before` から詰める。番号が場所に収まらなければ、並べ直してから求める。
    pub(crate) fn key(&self, before: Key) -> Result<Key, Overflow> {
        let mut key = before;
        for &(place, before, after) in &self.changes {
            self.layout.places[place].change(&mut key, before, after)?;
        }
        Ok(key)
    }

    /// 試している状態を、`state` に組み立て直す。もう同じものが入っている部品には、触れない。
    pub(crate) fn unpack(&self, state: &mut impl Parts) {
        state.visit(&mut Unpacker { shelves: self, place: 0 });
    }

    /// 棚の大きさ。`more` は、棚ごとに、これから置きうる部品の数。単位はバイト。
    pub(crate) fn bytes_with(&self, more: usize) -> usize {
        self.shelves.iter().map(|shelf| shelf.bytes_with(more)).sum()
    }
}

/// 棚 `place` を、部品の型 `T` の棚として見る。違う型の棚なら `None`。
fn shelf<T: 'static>(shelves: &[Box<dyn AnyShelf>], place: usize) -> Option<&Shelf<T>> {
    let shelf: &dyn Any = shelves.get(place)?.as_ref();
    shelf.downcast_ref()
}

fn shelf_mut<T: 'static>(shelves: &mut [Box<dyn AnyShelf>], place: usize) -> Option<&mut Shelf<T>> {
    let shelf: &mut dyn Any = shelves.get_mut(place)?.as_mut();
    shelf.downcast_mut()
}

/// 初めの部品を置いた棚を、部品ごとに作る。
struct Opener<'a> {
    shelves: &'a mut Shelves,
}

impl Visitor for Opener<'_> {
    fn part<T: Clone + Eq + Hash + 'static>(&mut self, part: &mut Part<T>) {
        let mut shelf = Shelf::new();
        shelf.number(&**part);
        self.shelves.shelves.push(Box::new(shelf));
    }
}

struct Storer<'a> {
    shelves: &'a mut Shelves,
    place: usize,
    column: usize,
    is_like: bool,
}

impl Storer<'_> {
    /// 触れた部品を棚に置いて番号を控え、手の前の部品に戻す。
    fn put<T: Clone + Eq + Hash + 'static>(
        &mut self,
        part: &mut Part<T>,
        before: u32,
    ) -> Result<(), Unlike> {
        let Shelves { search, shelves, changes, .. } = &mut *self.shelves;
        let shelf = shelf_mut::<T>(shelves, self.place).ok_or(Unlike)?;
        let number = match part.tag().number(*search, self.place as u8) {
            Some(number) => number,
            None => shelf.number_after(part, before, self.column),
        };
        if number != before {
            changes.push((self.place, before, number));
        }
        let item = shelf.items[before as usize].clone();
        part.fill(item, Tag::new(*search, self.place as u8, before));
        Ok(())
    }
}

impl Visitor for Storer<'_> {
    // ANCHOR: touched
    /// 札が外れていない部品は、見もしない。
    #[inline]
    fn part<T: Clone + Eq + Hash + 'static>(&mut self, part: &mut Part<T>) {
        let before = self.shelves.numbers.get(self.place).copied().unwrap_or_default();
        let untouched = Tag::new(self.shelves.search, self.place as u8, before);
        if part.tag() != untouched {
            self.is_like &= self.put(part, before).is_ok();
        }
        self.place += 1;
    }
    // ANCHOR_END: touched
}

struct Unpacker<'a> {
    shelves: &'a Shelves,
    place: usize,
}

impl Unpacker<'_> {
    /// 棚から出して入れる。
    fn fill<T: Clone + Eq + Hash + 'static>(&self, part: &mut Part<T>, tag: Tag, number: u32) {
        let shelf = shelf::<T>(&self.shelves.shelves, self.place);
        if let Some(item) = shelf.and_then(|shelf| shelf.items.get(number as usize)) {
            part.fill(item.clone(), tag);
        }
    }
}

impl Visitor for Unpacker<'_> {
    #[inline]
    fn part<T: Clone + Eq + Hash + 'static>(&mut self, part: &mut Part<T>) {
        let number = self.shelves.numbers.get(self.place).copied().unwrap_or_default();
        let tag = Tag::new(self.shelves.search, self.place as u8, number);
        if part.tag() != tag {
            self.fill(part, tag, number);
        }
        self.place += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 同じ型の部品が二つある状態。
    type Pair = (Part<u8>, Part<u8>);

    fn packed(shelves: &mut Shelves, before: Key, state: &mut Pair) -> (u8, u8) {
        shelves.open(before);
        let key = stored(shelves, before, state);
        let mut again = (Part::new(99), Part::new(99));
        unpacked(shelves, key, &mut again);
        (*again.0, *again.1)
    }

    fn stored(shelves: &mut Shelves, before: Key, state: &mut Pair) -> Key {
        shelves.store(state, 7).unwrap();
        shelves.key(before).unwrap()
    }

    fn unpacked(shelves: &mut Shelves, key: Key, state: &mut Pair) {
        shelves.open(key);
        shelves.unpack(state);
    }

    fn begin() -> (Shelves, Key, Pair) {
        let mut shelves = Shelves::new();
        let mut state = (Part::new(1), Part::new(2));
        let key = shelves.first(&mut state).unwrap();
        unpacked(&mut shelves, key, &mut state);
        (shelves, key, state)
    }

    #[test]
    fn a_part_that_was_swapped_or_assigned_is_never_taken_for_the_one_before() {
        let (mut shelves, key, state) = begin();
        let mut swapped = state;
        std::mem::swap(&mut swapped.0, &mut swapped.1);
        assert_eq!(packed(&mut shelves, key, &mut swapped), (2, 1));
        let mut copied = state;
        copied.1 = copied.0;
        assert_eq!(packed(&mut shelves, key, &mut copied), (1, 1));
        let mut taken = state;
        *taken.0 = 5;
        taken.1 = std::mem::take(&mut taken.0);
        assert_eq!(packed(&mut shelves, key, &mut taken), (0, 5));
        let mut rotated = [state.0, state.1];
        rotated.rotate_left(1);
        assert_eq!(packed(&mut shelves, key, &mut (rotated[0], rotated[1])), (2, 1));
    }

    #[test]
    fn what_was_stored_goes_back_to_how_it_was() {
        let (mut shelves, key, state) = begin();
        let mut next = state;
        (*next.0, next.1) = (6, next.0);
        shelves.open(key);
        let after = stored(&mut shelves, key, &mut next);
        assert_eq!((*next.0, *next.1), (1, 2));
        assert_eq!(stored(&mut shelves, key, &mut next), key, "もう一度置いても、変わらない");
        unpacked(&mut shelves, after, &mut next);
        assert_eq!((*next.0, *next.1), (6, 1));
    }

    #[test]
    fn a_part_kept_from_an_earlier_state_is_found_again() {
        let (mut shelves, key, state) = begin();
        let mut later = state;
        *later.0 = 8;
        let next = stored(&mut shelves, key, &mut later);
        unpacked(&mut shelves, next, &mut later);
        let mut back = later;
        back.0 = state.0;
        assert_eq!(packed(&mut shelves, next, &mut back), (1, 2));
    }

    #[test]
    fn a_part_of_another_search_is_not_trusted() {
        let (mut shelves, key, _) = begin();
        let mut other = Shelves::new();
        let mut foreign = (Part::new(7), Part::new(8));
        let foreign_key = other.first(&mut foreign).unwrap();
        unpacked(&mut other, foreign_key, &mut foreign);
        assert_eq!(packed(&mut shelves, key, &mut foreign), (7, 8));
    }

    #[test]
    fn a_wrong_guess_is_never_taken() {
        let mut shelf = Shelf::new();
        let numbers = ["a", "b", "c"].map(|item| shelf.number(&item));
        assert_eq!(numbers, [0, 1, 2]);
        for (item, number) in [("b", 1), ("c", 2), ("c", 2), ("a", 0), ("d", 3)] {
            assert_eq!(shelf.number_after(&item, 0, 7), number, "{item}");
        }
    }

    #[test]
    fn parts_visited_otherwise_than_at_first_are_refused() {
        let (mut shelves, ..) = begin();
        assert_eq!(shelves.store(&mut Part::new(1_u8), 0), Err(Unlike));
        assert_eq!(shelves.store(&mut [Part::new(1_u8); 3], 0), Err(Unlike));
        assert_eq!(shelves.store(&mut (Part::new(1_u16), Part::new(2_u16)), 0), Err(Unlike));
    }

    #[test]
    fn a_growing_shelf_tells_before_it_needs_the_memory() {
        let mut shelf = Shelf::new();
        let mut told = shelf.bytes_with(1);
        for number in 0..5_000_u64 {
            assert_eq!(shelf.number(&number), number as u32);
            let used = shelf.items.capacity() * 8 + shelf.guesses.capacity() * 4 * COLUMNS;
            assert!(used <= told, "{number}: {used} > {told}");
            told = shelf.bytes_with(1);
        }
    }
}
