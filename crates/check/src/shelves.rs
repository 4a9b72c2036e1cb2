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
    fn number(&mut self, item: &T) -> Result<u32, Overflow> {
        let items = &mut self.items;
        let hash = FxBuildHasher.hash_one(item);
        if let Some(&number) = self.index.find(hash, |&number| items[number as usize] == *item) {
            return Ok(number);
        }
        let number = u32::try_from(items.len()).map_err(|_| Overflow)?;
        items.push(item.clone());
        self.guesses.push([0; COLUMNS]);
        self.index
            .insert_unique(hash, number, |&number| FxBuildHasher.hash_one(&items[number as usize]));
        Ok(number)
    }

    /// 手を演じたあとの部品の番号。手の前は `before` 番だった。
    ///
    /// 同じ部品に同じ手を演じると、たいてい前と同じ部品になる。前の番号の部品と比べて、同じなら引かない。
    fn number_after(&mut self, item: &T, before: u32, column: usize) -> Result<u32, Overflow> {
        let guess = self.guesses[before as usize][column];
        if self.items[guess as usize] == *item {
            return Ok(guess);
        }
        let number = self.number(item)?;
        self.guesses[before as usize][column] = number;
        Ok(number)
    }
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
}

/// 状態を詰められない。
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unpacked {
    /// 番号が、今の並べかたに収まらない
    Overflow,
    /// 部品の訪ねかたが、初めと違う
    Unlike,
}

impl From<Overflow> for Unpacked {
    fn from(_: Overflow) -> Unpacked {
        Unpacked::Overflow
    }
}

impl Shelves {
    pub(crate) fn new() -> Shelves {
        static NEXT: AtomicU32 = AtomicU32::new(1);
        let search = NEXT.fetch_add(1, Ordering::Relaxed);
        Shelves { search, shelves: Vec::new(), layout: Layout::default() }
    }

    /// 初めの状態を部品に分けて棚に置き、詰める。部品が多すぎれば `None`。
    pub(crate) fn first(&mut self, state: &mut impl Parts) -> Option<Key> {
        state.visit(&mut Opener { shelves: self });
        self.layout = self.fitting()?;
        self.pack(state, 0, 0).ok()
    }

    /// 今の棚に合う並べかた。
    pub(crate) fn fitting(&self) -> Option<Layout> {
        let counts: Vec<usize> = self.shelves.iter().map(|shelf| shelf.len()).collect();
        Layout::fitting(&counts)
    }

    /// `before` に詰めた状態から、一手を演じたあとの `state` を詰める。触れていない部品は、見もしない。
    pub(crate) fn pack(
        &mut self,
        state: &mut impl Parts,
        before: Key,
        column: usize,
    ) -> Result<Key, Unpacked> {
        let mut packer = Packer { shelves: self, place: 0, key: before, column, failed: None };
        state.visit(&mut packer);
        let Packer { place, key, failed, .. } = packer;
        match failed {
            Some(failed) => Err(failed),
            None if place != self.shelves.len() => Err(Unpacked::Unlike),
            None => Ok(key),
        }
    }

    /// 詰めた状態を、`state` に組み立て直す。もう同じものが入っている部品には、触れない。
    pub(crate) fn unpack(&self, key: Key, state: &mut impl Parts) {
        state.visit(&mut Unpacker { shelves: self, place: 0, key });
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
        // 空の棚には、必ず収まる。
        let _ = shelf.number(&**part);
        self.shelves.shelves.push(Box::new(shelf));
    }
}

struct Packer<'a> {
    shelves: &'a mut Shelves,
    place: usize,
    key: Key,
    column: usize,
    failed: Option<Unpacked>,
}

impl Packer<'_> {
    fn number<T: Clone + Eq + Hash + 'static>(&mut self, part: &Part<T>) -> Result<(), Unpacked> {
        let Some(place) = self.shelves.layout.places.get(self.place) else {
            return Err(Unpacked::Unlike);
        };
        let tag = part.tag().number(self.shelves.search, self.place as u32);
        let before = place.get(self.key);
        if tag == Some(before) {
            return Ok(());
        }
        let number = match tag {
            Some(number) => number,
            None => {
                let shelf = shelf_mut::<T>(&mut self.shelves.shelves, self.place);
                let shelf = shelf.ok_or(Unpacked::Unlike)?;
                shelf.number_after(part, before, self.column)?
            }
        };
        Ok(place.set(&mut self.key, number)?)
    }
}

impl Visitor for Packer<'_> {
    fn part<T: Clone + Eq + Hash + 'static>(&mut self, part: &mut Part<T>) {
        if self.failed.is_none() {
            self.failed = self.number(part).err();
        }
        self.place += 1;
    }
}

struct Unpacker<'a> {
    shelves: &'a Shelves,
    place: usize,
    key: Key,
}

impl Visitor for Unpacker<'_> {
    fn part<T: Clone + Eq + Hash + 'static>(&mut self, part: &mut Part<T>) {
        let (index, search) = (self.place, self.shelves.search);
        self.place += 1;
        let Some(place) = self.shelves.layout.places.get(index) else { return };
        let number = place.get(self.key);
        let tag = Tag::new(search, index as u32, number);
        if part.tag() == tag {
            return;
        }
        let item = shelf::<T>(&self.shelves.shelves, index)
            .and_then(|shelf| shelf.items.get(number as usize));
        if let Some(item) = item {
            part.fill(item.clone(), tag);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 同じ型の部品が二つある状態。
    type Pair = (Part<u8>, Part<u8>);

    fn packed(shelves: &mut Shelves, before: Key, state: &mut Pair) -> (u8, u8) {
        let key = shelves.pack(state, before, 7).unwrap();
        let mut again = (Part::new(99), Part::new(99));
        shelves.unpack(key, &mut again);
        (*again.0, *again.1)
    }

    fn begin() -> (Shelves, Key, Pair) {
        let mut shelves = Shelves::new();
        let mut state = (Part::new(1), Part::new(2));
        let key = shelves.first(&mut state).unwrap();
        shelves.unpack(key, &mut state);
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
    fn a_part_kept_from_an_earlier_state_is_found_again() {
        let (mut shelves, key, state) = begin();
        let mut later = state;
        *later.0 = 8;
        let next = shelves.pack(&mut later, key, 0).unwrap();
        shelves.unpack(next, &mut later);
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
        other.unpack(foreign_key, &mut foreign);
        assert_eq!(packed(&mut shelves, key, &mut foreign), (7, 8));
    }

    #[test]
    fn a_wrong_guess_is_never_taken() {
        let mut shelf = Shelf::new();
        let numbers = ["a", "b", "c"].map(|item| shelf.number(&item));
        assert_eq!(numbers, [Ok(0), Ok(1), Ok(2)]);
        for (item, number) in [("b", 1), ("c", 2), ("c", 2), ("a", 0), ("d", 3)] {
            assert_eq!(shelf.number_after(&item, 0, 7), Ok(number), "{item}");
        }
    }

    #[test]
    fn parts_visited_otherwise_than_at_first_are_refused() {
        let (mut shelves, key, _) = begin();
        let mut one = Part::new(1_u8);
        assert_eq!(shelves.pack(&mut one, key, 0), Err(Unpacked::Unlike));
        let mut three = [Part::new(1_u8); 3];
        assert_eq!(shelves.pack(&mut three, key, 0), Err(Unpacked::Unlike));
        let mut others = (Part::new(1_u16), Part::new(2_u16));
        assert_eq!(shelves.pack(&mut others, key, 0), Err(Unpacked::Unlike));
    }

    #[test]
    fn a_growing_shelf_tells_before_it_needs_the_memory() {
        let mut shelf = Shelf::new();
        let mut told = shelf.bytes_with(1);
        for number in 0..5_000_u64 {
            assert_eq!(shelf.number(&number), Ok(number as u32));
            let used = shelf.items.capacity() * 8 + shelf.guesses.capacity() * 4 * COLUMNS;
            assert!(used <= told, "{number}: {used} > {told}");
            told = shelf.bytes_with(1);
        }
    }
}
