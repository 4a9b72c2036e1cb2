//! 探索と同じ模型を、検査器 stateright にも調べさせる。本の章ではない。
//!
//! stateright は、いくつもの性質を一度に頼むと、前に見つけた反例を上書きする(0.31)。一つずつ頼む。

pub mod measure;
pub mod steps;

use std::fmt::Debug;
use std::hash::Hash;

use explore::{Bounds, Manners, Property, Run, moves};
use stage::{Action, Lock, Resource, World};
use stateright::{Checker as _, Model};

const NAME: &str = "性質";

/// stateright に渡す模型。手の並びも、一手の演じかたも、探索と同じものを使う。
#[derive(Clone, Debug)]
pub struct Compared<L, R> {
    /// 初めの舞台
    pub world: World<L, R>,
    /// 客の作法
    pub manners: Manners,
    /// 範囲
    pub bounds: Bounds,
    /// 確かめる性質。`None` なら、状態を数えるだけ
    pub property: Option<Property>,
}

/// stateright が数えたもの。
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counted {
    /// 違う状態の数。初めの状態も数える
    pub states: usize,
    /// 初めの状態からいちばん遠い状態までの手数
    pub depth: usize,
    /// 性質を破るまでの、いちばん短い手数
    pub shortest: Option<usize>,
}

impl<L, R> Model for Compared<L, R>
where
    L: Lock + Copy + Debug + Eq + Hash,
    R: Resource + Copy + Debug + Eq + Hash,
{
    /// 状態と、そこへ来た手が性質を破ったか
    type State = (Run<L, R>, bool);
    type Action = Action;

    fn init_states(&self) -> Vec<Self::State> {
        vec![(Run::new(self.world), false)]
    }

    fn actions(&self, (run, broken): &Self::State, out: &mut Vec<Action>) {
        if !broken {
            moves(&run.world, &run.ledger, self.manners, &self.bounds, out);
        }
    }

    fn next_state(&self, (run, _): &Self::State, action: Action) -> Option<Self::State> {
        let mut next = *run;
        let broken = next.step(action)?;
        Some((next, self.property.is_some_and(|property| broken.has(property))))
    }

    fn properties(&self) -> Vec<stateright::Property<Self>> {
        vec![stateright::Property::always(NAME, |_, (_, broken): &Self::State| !broken)]
    }
}

/// 一本の糸で、幅優先に調べさせる。stateright の深さは、初めの状態を 1 と数える。
pub fn count<L, R>(model: Compared<L, R>) -> Counted
where
    L: Lock + Copy + Debug + Eq + Hash + Send + Sync + 'static,
    R: Resource + Copy + Debug + Eq + Hash + Send + Sync + 'static,
{
    let checker = model.checker().threads(1).spawn_bfs().join();
    let found = checker.discovery(NAME).map(|path| path.into_actions().len());
    Counted {
        states: checker.unique_state_count(),
        depth: checker.max_depth() - 1,
        shortest: found,
    }
}
