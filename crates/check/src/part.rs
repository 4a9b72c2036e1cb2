//! 状態の部品。変えていない部品が、探し直さなくても分かるようにする。

use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::{Deref, DerefMut};

/// 状態の部品。中身を変えられる形で借りると、棚のどこにあったかを示す札が外れる。
///
/// どの手がどの部品に触れるかを、表にしておく必要はない。触れば外れるので、書き忘れようがない。
#[derive(Clone, Copy)]
pub struct Part<T> {
    value: T,
    tag: Tag,
}

impl<T> Part<T> {
    /// まだ棚に置かれていない部品。
    pub const fn new(value: T) -> Part<T> {
        Part { value, tag: Tag::NONE }
    }

    /// 中身を取り出す。
    pub fn into_inner(self) -> T {
        self.value
    }

    pub(crate) fn tag(&self) -> Tag {
        self.tag
    }

    /// 棚から出した中身を、札をつけて入れる。
    pub(crate) fn fill(&mut self, value: T, tag: Tag) {
        *self = Part { value, tag };
    }
}

impl<T> Deref for Part<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

// ANCHOR: touch
impl<T> DerefMut for Part<T> {
    fn deref_mut(&mut self) -> &mut T {
        self.tag = Tag::NONE;
        &mut self.value
    }
}
// ANCHOR_END: touch

impl<T> From<T> for Part<T> {
    fn from(value: T) -> Part<T> {
        Part::new(value)
    }
}

impl<T: Default> Default for Part<T> {
    fn default() -> Part<T> {
        Part::new(T::default())
    }
}

impl<T: fmt::Debug> fmt::Debug for Part<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.fmt(f)
    }
}

impl<T: PartialEq> PartialEq for Part<T> {
    fn eq(&self, other: &Part<T>) -> bool {
        self.value == other.value
    }
}

impl<T: Eq> Eq for Part<T> {}

impl<T: Hash> Hash for Part<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.value.hash(state);
    }
}

/// 部品が、どの探索の、何番目の棚の、何番にあるか。
///
/// 棚の番号も持つのは、同じ型の部品を入れ替えたときに、よその棚の番号と取り違えないためである。一語にまとめて、
/// 一度に比べる。
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tag(u64);

impl Tag {
    /// どの探索の棚にもない。探索の番号は 1 から始まる。
    const NONE: Tag = Tag(0);
    /// 一つの棚に置ける部品の数。
    pub(crate) const CAPACITY: usize = 1 << Tag::NUMBER;
    /// 番号のビットの数。
    const NUMBER: u32 = 24;

    pub(crate) fn new(search: u32, place: u8, number: u32) -> Tag {
        Tag(u64::from(search) << u32::BITS | u64::from(place) << Tag::NUMBER | u64::from(number))
    }

    /// 探索 `search` の棚 `place` にあるなら、その番号。
    pub(crate) fn number(self, search: u32, place: u8) -> Option<u32> {
        let of_place = Tag::new(search, place, 0).0 >> Tag::NUMBER;
        (self.0 >> Tag::NUMBER == of_place).then_some(self.0 as u32 & (Tag::CAPACITY as u32 - 1))
    }
}

/// 部品に分けられる状態。
///
/// 状態の中身は、すべて部品の中に置く。部品の外にあるものは、見分けられない。`let` で構造体をほどいて訪ねると、
/// 部品を加えたときの訪ね忘れが、コンパイルの誤りになる。
///
/// ```
/// use check::{Part, Parts, Visitor};
///
/// #[derive(Clone)]
/// struct Pair {
///     left: Part<u8>,
///     right: Part<bool>,
/// }
///
/// impl Parts for Pair {
///     fn visit(&mut self, visitor: &mut impl Visitor) {
///         let Pair { left, right } = self;
///         left.visit(visitor);
///         right.visit(visitor);
///     }
/// }
/// ```
pub trait Parts: Clone {
    /// 部品を、いつも同じ順に、一つずつ訪ねる。
    fn visit(&mut self, visitor: &mut impl Visitor);
}

/// 部品を訪ねるもの。
pub trait Visitor {
    /// 部品を一つ訪ねる。
    fn part<T: Clone + Eq + Hash + 'static>(&mut self, part: &mut Part<T>);
}

impl<T: Clone + Eq + Hash + 'static> Parts for Part<T> {
    fn visit(&mut self, visitor: &mut impl Visitor) {
        visitor.part(self);
    }
}

impl<P: Parts, const N: usize> Parts for [P; N] {
    fn visit(&mut self, visitor: &mut impl Visitor) {
        self.iter_mut().for_each(|part| part.visit(visitor));
    }
}

impl<P: Parts, Q: Parts> Parts for (P, Q) {
    fn visit(&mut self, visitor: &mut impl Visitor) {
        let (first, second) = self;
        first.visit(visitor);
        second.visit(visitor);
    }
}

impl Parts for () {
    fn visit(&mut self, _: &mut impl Visitor) {}
}
