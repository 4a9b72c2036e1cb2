//! 測る相手。stateright、状態をまるごと覚える素朴な探索、本の探索が、同じ模型を調べる。

use std::collections::{HashSet, VecDeque};
use std::hash::{BuildHasher, RandomState};
use std::ops::ControlFlow;

use check::{Limits, Model as _, Monitor as _, Strategy, check};
use explore::{Arena, Bounds, Manners};
use fencing::FencedResource;
use lease::LockService;
use properties::Watch;
use rustc_hash::FxBuildHasher;
use stage::World;

use crate::{Compared, count, step};

/// 測る模型と見張り。
pub type Measured = Compared<Arena<LockService, FencedResource>, Watch>;

/// 本の表に載せる範囲の、トークンを比べる資源。表に載せる性質を、すべて見張る。
#[must_use]
pub fn model() -> Measured {
    within(Bounds::PAGE)
}

/// 範囲 `bounds` の模型。
#[must_use]
pub fn within(bounds: Bounds) -> Measured {
    let world = World::with_resource(LockService::new(2), FencedResource::new());
    let model = Arena { world, manners: Manners::default(), bounds };
    let monitor = Watch { asked: explore::PROPERTIES.into_iter().collect(), length: 2 };
    Compared { model, monitor, property: None }
}

/// 測る相手。
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// 検査器 stateright
    Stateright,
    /// 状態をまるごと、標準の集合と待ち行列に入れる
    Whole,
    /// 標準のハッシュを、速いものに替える
    FastHash,
    /// 本の探索。状態を部品の番号に詰め、変わった部品の番号だけを当て、まとめて引く
    Check,
}

impl Engine {
    /// すべての相手。測る順。
    pub const ALL: [Engine; 4] =
        [Engine::Stateright, Engine::Whole, Engine::FastHash, Engine::Check];

    /// 記録に出す名前。
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Engine::Stateright => "stateright",
            Engine::Whole => "状態をまるごと覚える",
            Engine::FastHash => "ハッシュを速くする",
            Engine::Check => "部品に分け、番号を当て、まとめて引く。本の探索",
        }
    }

    /// 調べ終えて、違う状態の数を返す。
    #[must_use]
    pub fn states(self, measured: Measured) -> usize {
        let Compared { model, monitor, .. } = &measured;
        match self {
            Engine::Stateright => count(measured).states,
            Engine::Whole => whole(&measured, RandomState::new()),
            Engine::FastHash => whole(&measured, FxBuildHasher),
            Engine::Check => {
                let hear = |_: &_| ControlFlow::Continue(());
                check(model, monitor, Strategy::Breadth, Limits::NONE, hear).states
            }
        }
    }
}

fn whole(Compared { model, monitor, .. }: &Measured, hasher: impl BuildHasher) -> usize {
    let first = (model.start(), monitor.start());
    let (mut seen, mut queue) = (HashSet::with_hasher(hasher), VecDeque::from([first]));
    seen.insert(first);
    let mut actions = Vec::new();
    while let Some((state, memory)) = queue.pop_front() {
        actions.clear();
        model.actions(&state, &mut actions);
        for &action in &actions {
            let (mut state, mut memory) = (state, memory);
            let played = step(model, monitor, &mut state, &mut memory, action).is_some();
            if played && seen.insert((state, memory)) {
                queue.push_back((state, memory));
            }
        }
    }
    seen.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_engine_counts_the_same_states() {
        let bounds = Bounds { grants: 2, ..Bounds::PAGE };
        let counts = Engine::ALL.map(|engine| engine.states(within(bounds)));
        assert_eq!(counts, [counts[0]; Engine::ALL.len()]);
        assert!(counts[0] > 10_000, "{counts:?}");
    }
}
