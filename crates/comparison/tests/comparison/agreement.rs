//! 探索、stateright、素朴な幅優先探索の三つが、同じ模型について同じことを言う。

use std::collections::HashSet;
use std::fmt::Debug;
use std::hash::Hash;
use std::ops::ControlFlow;

use check::{Broken, End, Limits, Model, Monitor, Report, Strategy, check};
use comparison::{Compared, count, step};
use double_acquisition::UnfencedResource;
use explore::{Arena, Bounds, Manners};
use fencing::FencedResource;
use lease::LockService;
use plain_lock::PlainLock;
use properties::Property::{self, *};
use properties::Watch;
use read_modify_write::{
    CompareAndSet, ForgetfulResource, HeldService, NextSequence, RegisteringResource,
    RestoredService,
};
use stage::{Action, Lock, Resource, World};

use crate::wrong::{Careless, Fault, WrongLock};

const NONE: Manners = Manners { registers: false, checks: false };
const REGISTERS: Manners = Manners { registers: true, checks: false };
const CHECKS: Manners = Manners { registers: false, checks: true };

/// 多くても数万の状態に収まる範囲。
const SMALL: Bounds =
    Bounds { grants: 2, writes: 1, horizon: 3, pauses: false, restarts: false, ..Bounds::PAGE };

/// 性質ごとの、いちばん短い手数。破られなければ `None`。
type Lengths = [Option<usize>; Property::ALL.len()];

/// 三つに調べさせて比べ、性質ごとのいちばん短い長さを返す。
fn agree<L, R>(world: World<L, R>, manners: Manners, bounds: Bounds) -> Lengths
where
    L: Lock + Copy + Debug + Eq + Hash + Send + Sync + 'static,
    R: Resource + Copy + Debug + Eq + Hash + Send + Sync + 'static,
{
    assert_eq!(bounds.validate(), Ok(()));
    let (model, monitor) = (Arena { world, manners, bounds }, Watch::all(2));
    let report =
        check(&model, &monitor, Strategy::Breadth, Limits::NONE, |_| ControlFlow::Continue(()));
    assert_eq!(report.end, End::Complete);
    let all = count(Compared { model, monitor, property: None });
    assert_eq!((report.states, report.depth, None), (all.states, all.depth, all.shortest));
    assert_eq!(counts(&report), naive(&model, &monitor));
    Property::ALL.map(|property| {
        let ours = report.path(property as usize).map(<[Action]>::len);
        let theirs = count(Compared { model, monitor, property: Some(property as usize) });
        assert_eq!(ours, theirs.shortest, "{property:?}");
        ours
    })
}

/// 状態の数、深さ、試した手の数、性質ごとの破った手の数。
type Counts = (usize, usize, u64, [u64; Property::ALL.len()]);

fn counts(report: &Report<Action>) -> Counts {
    let violations = Property::ALL
        .map(|property| report.finding(property as usize).map_or(0, |finding| finding.violations));
    (report.states, report.depth, report.steps, violations)
}

/// 圧縮も工夫もしない、第三の意見。状態をそのまま集合に入れる。
fn naive<M, W>(model: &M, monitor: &W) -> Counts
where
    M: Model<State: Copy + Eq + Hash>,
    W: Monitor<M::Event, Memory: Copy + Eq + Hash>,
{
    let (mut depth, mut steps, mut violations) = (0, 0, [0; Property::ALL.len()]);
    let (mut level, mut actions) = (vec![(model.start(), monitor.start())], Vec::new());
    let mut seen: HashSet<_> = level.iter().copied().collect();
    loop {
        let mut next_level = Vec::new();
        for (state, memory) in level {
            actions.clear();
            model.actions(&state, &mut actions);
            for &action in &actions {
                let (mut state, mut memory) = (state, memory);
                let broken: Option<Broken> = step(model, monitor, &mut state, &mut memory, action);
                let Some(broken) = broken else { continue };
                steps += 1;
                broken.iter().for_each(|property| violations[property] += 1);
                next_level.extend(seen.insert((state, memory)).then_some((state, memory)));
            }
        }
        if next_level.is_empty() {
            return (seen.len(), depth, steps, violations);
        }
        (level, depth) = (next_level, depth + 1);
    }
}

/// 破られるはずの性質だけが破られる。
fn assert_broken(lengths: Lengths, expected: &[Property]) {
    let broken = Property::ALL.into_iter().zip(lengths).filter(|(_, length)| length.is_some());
    assert_eq!(broken.map(|(property, _)| property).collect::<Vec<_>>(), expected);
}

#[test]
fn about_a_plain_lock() {
    let world = World::with_resource(PlainLock::new(), UnfencedResource::new());
    let lengths = agree(world, NONE, Bounds { restarts: true, pauses: true, ..SMALL });
    assert_broken(lengths, &[TokensIncrease, AcceptedNeverGoBack, NoLostUpdate]);
}

#[test]
fn about_an_unfenced_resource() {
    let world = World::with_resource(LockService::new(2), UnfencedResource::new());
    let lengths = agree(world, NONE, Bounds { pauses: true, ..SMALL });
    assert_broken(lengths, &[OneValid, OneBeliever, AcceptedNeverGoBack, NoLostUpdate]);
}

#[test]
fn about_clients_that_watch_their_clocks() {
    let world = World::with_resource(LockService::new(2), UnfencedResource::new());
    let lengths = agree(world.watching_clocks(), CHECKS, Bounds { pauses: true, ..SMALL });
    // 止まった客のつもりは残るが、もう有効ではない。
    assert_broken(lengths, &[OneBeliever, AcceptedNeverGoBack, NoLostUpdate]);
}

#[test]
fn about_a_fenced_resource_and_two_writes_at_a_time() {
    let world = World::with_resource(LockService::new(1), FencedResource::new());
    let lengths = agree(world, NONE, Bounds { writes: 2, crashes: false, ..SMALL });
    assert_broken(lengths, &[OneValid, OneBeliever, NoLostUpdate]);
}

#[test]
fn about_three_clients() {
    let world = World::with_resource(LockService::new(1), FencedResource::new());
    let bounds = Bounds { grants: 3, pauses: true, renews: false, ..SMALL };
    let lengths = agree(world.and_c(), NONE, bounds);
    assert_broken(lengths, &[OneValid, OneBeliever, NoLostUpdate]);
}

#[test]
fn about_registering_clients() {
    let world = World::with_resource(LockService::new(2), RegisteringResource::new());
    assert_broken(
        agree(world, REGISTERS, Bounds { pauses: true, ..SMALL }),
        &[OneValid, OneBeliever],
    );
}

#[test]
fn about_a_resource_that_compares_what_was_read() {
    let world = World::with_resource(LockService::new(2), CompareAndSet::new());
    agree(world, NONE, SMALL);
}

#[test]
fn about_a_resource_that_wants_the_next_number() {
    let world = World::with_resource(LockService::new(2), NextSequence::new());
    agree(world, REGISTERS, Bounds { writes: 2, ..SMALL });
}

#[test]
fn about_releases_that_arrive_late() {
    let bounds = Bounds { slow_releases: true, ..SMALL };
    let by_name = World::with_resource(LockService::new(2), FencedResource::new());
    let by_hold = World::with_resource(HeldService::new(2), FencedResource::new());
    let [by_name, by_hold] = [agree(by_name, NONE, bounds), agree(by_hold, NONE, bounds)];
    assert!(by_name[GrantAfterEnd as usize].is_none(), "取得が二度では、まだ足りない");
    assert_broken(by_hold, &[OneValid, OneBeliever, NoLostUpdate]);
}

#[test]
fn about_a_release_that_ends_the_hold_of_another() {
    let bounds = Bounds { grants: 3, slow_releases: true, copies: 0, crashes: false, ..SMALL };
    let by_name = World::with_resource(LockService::new(1), FencedResource::new());
    let lengths = agree(by_name, NONE, bounds);
    assert!(lengths[GrantAfterEnd as usize].is_some());
}

#[test]
fn about_parts_that_forget_when_they_restart() {
    let bounds = Bounds { restarts: true, copies: 0, crashes: false, ..SMALL };
    let lock = World::with_resource(RestoredService::new(2), FencedResource::new());
    let lengths = agree(lock, NONE, bounds);
    assert!(lengths[TokensIncrease as usize].is_some());
    let resource = World::with_resource(LockService::new(2), ForgetfulResource::new());
    let lengths = agree(resource, NONE, bounds);
    assert!(lengths[AcceptedNeverGoBack as usize].is_some());
}

#[test]
fn about_a_lock_that_grants_before_the_end() {
    let world = World::with_resource(WrongLock::new(Fault::GrantsTwice), FencedResource::new());
    let lengths = agree(world, NONE, SMALL);
    assert_broken(lengths, &[GrantAfterEnd, OneValid, OneBeliever, NoLostUpdate]);
}

#[test]
fn about_a_lock_that_repeats_a_token() {
    let world = World::with_resource(WrongLock::new(Fault::RepeatsToken), FencedResource::new());
    let lengths = agree(world, NONE, SMALL);
    assert_broken(lengths, &[TokensIncrease, AcceptedNeverGoBack, NoLostUpdate]);
}

#[test]
fn about_a_resource_that_forgets_what_was_registered() {
    let world = World::with_resource(LockService::new(2), Careless::default());
    let lengths = agree(world, REGISTERS, SMALL);
    let expected =
        [OneValid, OneBeliever, AcceptedNeverGoBack, NothingOlderThanRegistered, NoLostUpdate];
    assert_broken(lengths, &expected);
}
