//! 状態と手のつながり。状態をまるごと覚える、いちばん素朴な探索で作る。

use std::collections::HashMap;
use std::hash::Hash;

use stage::{Action, Lock, Resource, World};

use crate::bounds::Bounds;
use crate::moves::{Manners, moves};
use crate::property::Violations;
use crate::run::Run;

/// 状態から状態への一手。
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// 手の前の状態の番号
    pub from: usize,
    /// 手
    pub action: Action,
    /// 手のあとの状態の番号
    pub to: usize,
    /// 手が破った性質
    pub broken: Violations,
}

/// 状態と手のつながり。
#[derive(Clone, Debug)]
pub struct Graph<L, R> {
    /// 見つけた順の状態
    pub states: Vec<Run<L, R>>,
    /// 初めの状態からの手数。`states` と同じ順
    pub depths: Vec<usize>,
    /// 手。状態を変えないものも含む
    pub edges: Vec<Edge>,
}

// ANCHOR: graph
/// `world` から、`bounds` の中で行き着ける状態のすべてと、その間の手。
pub fn graph<L, R>(world: World<L, R>, manners: Manners, bounds: &Bounds) -> Graph<L, R>
where
    L: Lock + Eq + Hash,
    R: Resource + Eq + Hash,
{
    let mut states = vec![Run::new(world)];
    let mut numbers = HashMap::from([(states[0].clone(), 0)]);
    let (mut depths, mut edges, mut actions) = (vec![0], Vec::new(), Vec::new());
    let mut from = 0;
    while from < states.len() {
        let run = states[from].clone();
        moves(&run.world, &run.ledger, manners, bounds, &mut actions);
        for &action in &actions {
            let mut next = run.clone();
            let Some(broken) = next.step(action) else { continue };
            let to = *numbers.entry(next.clone()).or_insert(states.len());
            if to == states.len() {
                states.push(next);
                depths.push(depths[from] + 1);
            }
            edges.push(Edge { from, action, to, broken });
        }
        from += 1;
    }
    Graph { states, depths, edges }
}
// ANCHOR_END: graph
