//! 見つかる反例は、同じ長さの反例のうち、手の並びの順で先頭のものである。総当たりで確かめる。

use std::hash::Hash;
use std::ops::ControlFlow;

use double_acquisition::UnfencedResource;
use explore::{Bounds, Manners, Property, Run, explore, moves};
use lease::LockService;
use stage::{Action, Lock, Resource, World};

use crate::wrong::{Careless, Fault, WrongLock};

/// 反例。手と、それが起こりうる手の何番目だったか。
type Sequence = (Vec<usize>, Vec<Action>);

/// 総当たり。同じ状態に二度来ても、別の順序として調べる。
struct Every {
    manners: Manners,
    bounds: Bounds,
    property: Property,
    found: Vec<Sequence>,
}

impl Every {
    /// `run` から、残り `rest` 手ちょうどで性質を破る手の列を、すべて集める。
    fn collect<L: Lock + Copy, R: Resource + Copy>(
        &mut self,
        run: &Run<L, R>,
        rest: usize,
        so_far: &Sequence,
    ) {
        let mut actions = Vec::new();
        moves(&run.world, &run.ledger, self.manners, &self.bounds, &mut actions);
        for (place, action) in actions.into_iter().enumerate() {
            let mut next = *run;
            let Some(broken) = next.step(action) else { continue };
            let mut sequence = so_far.clone();
            sequence.0.push(place);
            sequence.1.push(action);
            if rest > 1 {
                self.collect(&next, rest - 1, &sequence);
            } else if broken.has(self.property) {
                self.found.push(sequence);
            }
        }
    }
}

/// 一手ずつ長くして、初めて見つかった長さの反例のうち、先頭のもの。
fn first_of_all<L, R>(
    world: World<L, R>,
    manners: Manners,
    bounds: Bounds,
    property: Property,
) -> Option<Vec<Action>>
where
    L: Lock + Copy,
    R: Resource + Copy,
{
    let mut every = Every { manners, bounds, property, found: Vec::new() };
    for length in 1.. {
        every.collect(&Run::new(world), length, &Sequence::default());
        // 同じ長さの反例が一つだけでは、選び方を確かめたことにならない。
        if !every.found.is_empty() {
            assert!(every.found.len() > 1, "{property:?} の反例は {:?} だけ", every.found);
            break;
        }
    }
    // 集めた順に頼らず、並びの番号で比べる。
    every.found.into_iter().min_by(|(a, _), (b, _)| a.cmp(b)).map(|(_, actions)| actions)
}

fn assert_first<L, R>(world: World<L, R>, manners: Manners, bounds: Bounds, property: Property)
where
    L: Lock + Copy + Eq + Hash,
    R: Resource + Copy + Eq + Hash,
{
    let report = explore(world, manners, bounds, |_| ControlFlow::Continue(()));
    let first = first_of_all(world, manners, bounds, property);
    assert_eq!(report.finding(property).shortest, first, "{property:?}");
}

/// 総当たりでも終わる範囲。
const TINY: Bounds = Bounds {
    grants: 2,
    writes: 1,
    copies: 1,
    horizon: 2,
    pauses: false,
    crashes: false,
    renews: false,
    slow_releases: false,
    restarts: false,
};

#[test]
fn the_first_of_the_shortest_is_chosen_among_grants() {
    let world = World::with_resource(WrongLock::new(Fault::RepeatsToken), Careless::default());
    let bounds = Bounds { pauses: true, crashes: true, restarts: true, ..TINY };
    assert_first(world, Manners::default(), bounds, Property::TokensIncrease);
    assert_first(world.and_c(), Manners::default(), bounds, Property::TokensIncrease);
}

#[test]
fn the_first_of_the_shortest_is_chosen_among_deliveries() {
    let world = World::with_resource(LockService::new(1), UnfencedResource::new());
    assert_first(world, Manners::default(), TINY, Property::AcceptedNeverGoBack);
    assert_first(world, Manners::default(), TINY, Property::NoLostUpdate);
}

#[test]
fn the_first_of_the_shortest_is_chosen_after_a_registration() {
    let world = World::with_resource(LockService::new(1), Careless::default());
    let registers = Manners { registers: true, checks: false };
    assert_first(world, registers, TINY, Property::NothingOlderThanRegistered);
}
