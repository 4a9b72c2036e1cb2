//! 舞台を、探索の調べる模型にする。

use std::hash::Hash;

use check::{Model, Part, Parts, Visitor};
use properties::Property;
use stage::{Action, Client, Fact, Lock, Resource, World};

use crate::bounds::Bounds;
use crate::moves::{Manners, moves};

/// この章で確かめる性質。
pub const PROPERTIES: [Property; 7] = [
    Property::GrantAfterEnd,
    Property::OneValid,
    Property::OneBeliever,
    Property::TokensIncrease,
    Property::AcceptedNeverGoBack,
    Property::NothingOlderThanRegistered,
    Property::NoLostUpdate,
];

/// 調べる舞台と、客の作法と、範囲。
#[derive(Clone, Copy, Debug)]
pub struct Arena<L, R> {
    /// 初めの舞台
    pub world: World<L, R>,
    /// 客の作法
    pub manners: Manners,
    /// 調べる範囲
    pub bounds: Bounds,
}

// ANCHOR: run
/// 調べる状態。舞台と、範囲のうちもう使った分。
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Run<L, R> {
    /// 舞台
    pub world: World<L, R>,
    /// 範囲のうち、もう使った分
    pub used: Part<Used>,
}
// ANCHOR_END: run

/// 範囲のうち、もう使った分。取得の数は、舞台が数えている。
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Used {
    /// 取得したことのある客の数
    pub met: u8,
    /// 届いた写しの数
    pub copies: u8,
}

impl<L, R> Parts for Run<L, R>
where
    L: Clone + Eq + Hash + 'static,
    R: Clone + Eq + Hash + 'static,
{
    fn visit(&mut self, visitor: &mut impl Visitor) {
        let Run { world, used } = self;
        world.visit(visitor);
        used.visit(visitor);
    }
}

impl<L, R> Model for Arena<L, R>
where
    L: Lock + Eq + Hash + 'static,
    R: Resource + Eq + Hash + 'static,
{
    type State = Run<L, R>;
    type Action = Action;
    type Event = Fact;

    fn start(&self) -> Run<L, R> {
        Run { world: self.world.clone(), used: Part::default() }
    }

    fn actions(&self, run: &Run<L, R>, out: &mut Vec<Action>) {
        moves(run, self.manners, &self.bounds, out);
    }

    fn step(&self, run: &mut Run<L, R>, action: Action, facts: &mut Vec<Fact>) -> bool {
        let granted = *run.world.grants;
        if run.world.witness(action, facts).is_err() {
            return false;
        }
        match action {
            Action::DeliverCopy(..) => run.used.copies += 1,
            Action::Acquire(client) | Action::AcquireReplyLost(client) => {
                run.used.meet(client, *run.world.grants > granted);
            }
            _ => {}
        }
        true
    }
}

impl Used {
    /// 取得の認められた客を、取得したことのある客に数える。客は、名前の順にしか初めての取得をしない。
    fn meet(&mut self, client: Client, is_granted: bool) {
        if is_granted {
            self.met = self.met.max(client as u8 + 1);
        }
    }
}
