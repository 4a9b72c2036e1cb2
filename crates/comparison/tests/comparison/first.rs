//! 見つかる反例は、同じ長さの反例のうち、手の並びの順で先頭のものである。総当たりで確かめる。

use std::hash::Hash;

use check::{Limits, Model as _, Monitor as _, shortest};
use comparison::step;
use double_acquisition::UnfencedResource;
use explore::{Arena, Bounds, Manners, Run};
use lease::LockService;
use properties::{Property, Watch};
use stage::{Action, Lock, Resource, World};

use crate::wrong::{Careless, Fault, WrongLock};

/// 反例。手と、それが起こりうる手の何番目だったか。
type Sequence = (Vec<usize>, Vec<Action>);

/// 総当たり。同じ状態に二度来ても、別の順序として調べる。
struct Every<L, R> {
    arena: Arena<L, R>,
    watch: Watch,
    property: Property,
    found: Vec<Sequence>,
}

/// 状態と、見張りの覚えていること。
type Node<L, R> = (Run<L, R>, <Watch as check::Monitor<stage::Fact>>::Memory);

impl<L, R> Every<L, R>
where
    L: Lock + Copy + Eq + Hash + 'static,
    R: Resource + Copy + Eq + Hash + 'static,
{
    /// `node` から、残り `rest` 手ちょうどで性質を破る手の列を、すべて集める。
    fn collect(&mut self, node: &Node<L, R>, rest: usize, so_far: &Sequence) {
        let mut actions = Vec::new();
        self.arena.actions(&node.0, &mut actions);
        for (place, action) in actions.into_iter().enumerate() {
            let (mut run, mut notes) = *node;
            let broken = step(&self.arena, &self.watch, &mut run, &mut notes, action);
            let Some(broken) = broken else { continue };
            let mut sequence = so_far.clone();
            sequence.0.push(place);
            sequence.1.push(action);
            if rest > 1 {
                self.collect(&(run, notes), rest - 1, &sequence);
            } else if broken.has(self.property as usize) {
                self.found.push(sequence);
            }
        }
    }
}

/// 一手ずつ長くして、初めて見つかった長さの反例のうち、先頭のもの。
fn first_of_all<L, R>(arena: Arena<L, R>, watch: Watch, property: Property) -> Option<Vec<Action>>
where
    L: Lock + Copy + Eq + Hash + 'static,
    R: Resource + Copy + Eq + Hash + 'static,
{
    let mut every = Every { arena, watch, property, found: Vec::new() };
    for length in 1.. {
        every.collect(&(arena.start(), watch.start()), length, &Sequence::default());
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
    L: Lock + Copy + Eq + Hash + 'static,
    R: Resource + Copy + Eq + Hash + 'static,
{
    let (arena, watch) = (Arena { world, manners, bounds }, Watch::only(property, 2));
    let found = shortest(&arena, &watch, Limits::NONE, property as usize);
    assert_eq!(found, first_of_all(arena, watch, property), "{property:?}");
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
