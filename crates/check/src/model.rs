//! 調べる模型と、性質を見張るもの。

use std::hash::Hash;

use crate::part::Parts;

/// 調べる模型。
pub trait Model {
    /// 状態
    type State: Parts;
    /// 一手
    type Action: Copy + Eq + Hash;
    /// 一手で起きたこと。性質は、これだけから判定する
    type Event;

    /// 初めの状態。
    fn start(&self) -> Self::State;

    /// `state` で起こりうる手を、`out` の後ろに並べる。並びの順は、同じ長さの反例のうちどれを選ぶかも決める。
    fn actions(&self, state: &Self::State, out: &mut Vec<Self::Action>);

    /// 一手を演じて、起きたことを `events` の後ろに並べる。起こりえない手なら `false`。そのときの状態は捨てられる。
    fn step(
        &self,
        state: &mut Self::State,
        action: Self::Action,
        events: &mut Vec<Self::Event>,
    ) -> bool;
}

/// 性質を見張るもの。起きたことを順に聞き、破られた性質を数え上げる。
///
/// 覚えていることは、状態の一部になる。先の判定に効かないことまで覚えると、同じ状態が違う状態に見えて、
/// 状態が増える。
pub trait Monitor<E> {
    /// 覚えていること
    type Memory: Parts;

    /// まだ何も起きていないときの、覚えていること。
    fn start(&self) -> Self::Memory;

    /// `event` を聞き、破られた性質を `broken` に加える。
    fn hear(&self, memory: &mut Self::Memory, event: &E, broken: &mut Broken);
}

/// 何も見張らない。状態を数えるだけのときに使う。
#[derive(Clone, Copy, Debug, Default)]
pub struct Unwatched;

impl<E> Monitor<E> for Unwatched {
    type Memory = ();

    fn start(&self) {}

    fn hear(&self, (): &mut (), _: &E, _: &mut Broken) {}
}

/// 破られた性質の集まり。性質は番号で指す。
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Broken(u32);

impl Broken {
    /// 何も破られていない。
    pub const NONE: Broken = Broken(0);
    /// 見分けられる性質の数。
    pub const CAPACITY: usize = u32::BITS as usize;

    /// 番号 `property` の性質が破られた。
    ///
    /// # Panics
    /// 番号が [`Broken::CAPACITY`] 以上のとき。
    pub fn add(&mut self, property: usize) {
        assert!(property < Broken::CAPACITY, "性質の番号 {property} は大きすぎる");
        self.0 |= 1 << property;
    }

    /// 番号 `property` の性質が破られたか。
    #[must_use]
    pub fn has(self, property: usize) -> bool {
        property < Broken::CAPACITY && self.0 & (1 << property) != 0
    }

    /// 何も破られていないか。
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// 合わせたもの。
    #[must_use]
    pub fn and(self, other: Broken) -> Broken {
        Broken(self.0 | other.0)
    }

    /// `other` にもあるもの。
    #[must_use]
    pub fn within(self, other: Broken) -> Broken {
        Broken(self.0 & other.0)
    }

    /// `other` にあるものを除いたもの。
    #[must_use]
    pub fn without(self, other: Broken) -> Broken {
        Broken(self.0 & !other.0)
    }

    /// 破られた性質の番号。小さい順。
    pub fn iter(self) -> impl Iterator<Item = usize> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let next = (rest != 0).then(|| rest.trailing_zeros() as usize)?;
            rest &= rest - 1;
            Some(next)
        })
    }
}

impl FromIterator<usize> for Broken {
    fn from_iter<I: IntoIterator<Item = usize>>(properties: I) -> Broken {
        let mut broken = Broken::NONE;
        properties.into_iter().for_each(|property| broken.add(property));
        broken
    }
}

/// 起きたことの記録を、探索と同じ見張りで判定する。性質ごとの、初めて破られた所が、破られた順に並ぶ。
pub fn judge<E, M: Monitor<E>>(monitor: &M, history: &[E]) -> Vec<(usize, usize)> {
    let (mut memory, mut known, mut found) = (monitor.start(), Broken::NONE, Vec::new());
    for (at, event) in history.iter().enumerate() {
        let mut broken = Broken::NONE;
        monitor.hear(&mut memory, event, &mut broken);
        found.extend(broken.without(known).iter().map(|property| (at, property)));
        known = known.and(broken);
    }
    found
}
