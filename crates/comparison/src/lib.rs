//! 探索と同じ模型を、検査器 stateright にも調べさせる。本の章ではない。
//!
//! stateright は、いくつもの性質を一度に頼むと、前に見つけた反例を上書きする(0.31)。一つずつ頼む。

pub mod measure;
pub mod nodes;
pub mod steps;

use std::fmt::Debug;
use std::hash::Hash;

use check::{Broken, Model, Monitor};
use stateright::Checker as _;

const NAME: &str = "性質";

/// stateright に渡す模型。手の並びも、一手の演じかたも、見張りも、探索と同じものを使う。
#[derive(Clone, Debug)]
pub struct Compared<M, W> {
    /// 模型
    pub model: M,
    /// 見張り
    pub monitor: W,
    /// 確かめる性質。`None` なら、状態を数えるだけ
    pub property: Option<usize>,
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

/// stateright の見る状態。
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Watched<S, W> {
    /// 模型の状態
    pub state: S,
    /// 見張りの覚えていること
    pub memory: W,
    /// ここへ来た手が、性質を破ったか
    pub broken: bool,
}

impl<M, W> stateright::Model for Compared<M, W>
where
    M: Model<State: Debug + Eq + Hash, Action: Debug>,
    W: Monitor<M::Event, Memory: Debug + Eq + Hash>,
{
    type State = Watched<M::State, W::Memory>;
    type Action = M::Action;

    fn init_states(&self) -> Vec<Self::State> {
        vec![Watched { state: self.model.start(), memory: self.monitor.start(), broken: false }]
    }

    fn actions(&self, watched: &Self::State, out: &mut Vec<M::Action>) {
        if !watched.broken {
            self.model.actions(&watched.state, out);
        }
    }

    fn next_state(&self, watched: &Self::State, action: M::Action) -> Option<Self::State> {
        let (mut state, mut memory) = (watched.state.clone(), watched.memory.clone());
        let broken = step(&self.model, &self.monitor, &mut state, &mut memory, action)?;
        let broken = self.property.is_some_and(|property| broken.has(property));
        Some(Watched { state, memory, broken })
    }

    fn properties(&self) -> Vec<stateright::Property<Self>> {
        vec![stateright::Property::always(NAME, |_, watched: &Self::State| !watched.broken)]
    }
}

/// 一手を演じて、見張りに聞かせる。起こりえない手なら `None`。
pub fn step<M: Model, W: Monitor<M::Event>>(
    model: &M,
    monitor: &W,
    state: &mut M::State,
    memory: &mut W::Memory,
    action: M::Action,
) -> Option<Broken> {
    let (mut events, mut broken) = (Vec::new(), Broken::NONE);
    let played = model.step(state, action, &mut events);
    events.iter().for_each(|event| monitor.hear(memory, event, &mut broken));
    played.then_some(broken)
}

/// 一本の糸で、幅優先に調べさせる。stateright の深さは、初めの状態を 1 と数える。
pub fn count<M, W>(compared: Compared<M, W>) -> Counted
where
    M: Model<State: Debug + Eq + Hash + Send + Sync, Action: Debug + Send + Sync> + Send + Sync,
    M: 'static,
    W: Monitor<M::Event, Memory: Debug + Eq + Hash + Send + Sync> + Send + Sync + 'static,
    M::State: 'static,
    M::Action: 'static,
    W::Memory: 'static,
{
    use stateright::Model as _;
    let checker = compared.checker().threads(1).spawn_bfs().join();
    let found = checker.discovery(NAME).map(|path| path.into_actions().len());
    Counted {
        states: checker.unique_state_count(),
        depth: checker.max_depth() - 1,
        shortest: found,
    }
}
