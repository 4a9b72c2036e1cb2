//! 素朴な探索。状態をまるごと表に入れ、手の列もそのまま持ち歩く。速くする工夫は何もない。

use std::collections::{BTreeMap, HashSet, VecDeque};
use std::hash::Hash;

use check::{Broken, Model, Monitor};

/// 素朴な探索で分かったこと。
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Known<A> {
    pub states: usize,
    pub steps: u64,
    pub depth: usize,
    /// 性質の番号から、破った手の数と、いちばん短い手の列
    pub findings: BTreeMap<usize, (u64, Vec<A>)>,
}

// ANCHOR: naive
/// `model` から行き着ける状態のすべてを、近いほうから訪ねる。
pub fn explore<M, W>(model: &M, monitor: &W) -> Known<M::Action>
where
    M: Model<State: Eq + Hash>,
    W: Monitor<M::Event, Memory: Eq + Hash>,
{
    let first = (model.start(), monitor.start());
    let mut known = Known { states: 1, steps: 0, depth: 0, findings: BTreeMap::new() };
    let mut seen = HashSet::from([first.clone()]);
    let mut waiting = VecDeque::from([(first, Vec::new())]);
    while let Some(((state, memory), path)) = waiting.pop_front() {
        known.depth = known.depth.max(path.len());
        let mut actions = Vec::new();
        model.actions(&state, &mut actions);
        for action in actions {
            let (mut next, mut memory) = (state.clone(), memory.clone());
            let mut events = Vec::new();
            if !model.step(&mut next, action, &mut events) {
                continue;
            }
            known.steps += 1;
            let path: Vec<M::Action> = path.iter().copied().chain([action]).collect();
            let mut broken = Broken::NONE;
            events.iter().for_each(|event| monitor.hear(&mut memory, event, &mut broken));
            for property in broken.iter() {
                known.findings.entry(property).or_insert((0, path.clone())).0 += 1;
            }
            let node = (next, memory);
            if seen.insert(node.clone()) {
                known.states += 1;
                waiting.push_back((node, path));
            }
        }
    }
    known
}
// ANCHOR_END: naive
