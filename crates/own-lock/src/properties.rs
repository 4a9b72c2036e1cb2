//! 舞台に載せて、すべての順序で性質を確かめる。

use std::collections::{HashMap, HashSet};
use std::hash::Hash;
use std::ops::ControlFlow;

use explore::{Bounds, End, Manners, Property, Report, Run, explore, moves, readable};
use stage::Action::{self, Acquire, Check, Deliver, Read, Register, Send, Tick};
use stage::{Client, Event, Lock, Resource, Time, World};

use crate::coverage::{Searched, fewer};
use crate::finding::{Broke, Finding, title};
use crate::kept::{Kept, Shelf};
use crate::play::{Played, play};
use crate::record::Breach;
use crate::walk::panicked;

/// 調べるリースの長さ。
const LENGTHS: [Time; 3] = [1, 2, 3];
/// 持ち主が何度も替わる範囲。
const WIDE: Bounds = Bounds {
    grants: 3,
    writes: 1,
    copies: 1,
    horizon: 4,
    pauses: true,
    crashes: true,
    renews: true,
    slow_releases: false,
    restarts: true,
};
/// 一度の保持で二度書く範囲。
const TWICE: Bounds = Bounds { grants: 2, writes: 2, ..WIDE };
/// 一回の探索で見る状態の数の上限。中の控えが増え続ける錠でも終わるようにする。
const STATES: usize = 150_000;

/// 舞台に載せる、錠のほかのもの。
pub(crate) struct Cast {
    pub(crate) about: &'static str,
    pub(crate) manners: Manners,
    pub(crate) bounds: &'static [Bounds],
}

/// 登録する客。
pub(crate) const REGISTERING: Cast = Cast {
    about: "登録する客と、番号と順番を確かめる資源",
    manners: Manners { registers: true, checks: false },
    bounds: &[WIDE, TWICE],
};

/// 時計を見る客。
pub(crate) const WATCHING: Cast = Cast {
    about: "時計を見る客と、番号を比べる資源",
    manners: Manners { registers: false, checks: true },
    bounds: &[WIDE],
};

impl Cast {
    /// 読者の資源。
    pub(crate) fn own(manners: Manners) -> Cast {
        Cast { about: "渡された資源", manners, bounds: &[WIDE, TWICE] }
    }

    /// 保たれるはずの性質。
    ///
    /// 時計を見ない客は、期限を過ぎても持っているつもりでいる。登録しない客は、読んだあとの割り込みに
    /// 気づけない。どちらも、錠のせいではない。
    fn expected(&self) -> Vec<Property> {
        let Manners { registers, checks } = self.manners;
        let holds = |property: &Property| match property {
            Property::GrantAfterEnd | Property::TokensIncrease | Property::AcceptedNeverGoBack => {
                true
            }
            Property::OneBeliever => checks,
            Property::NothingOlderThanRegistered | Property::NoLostUpdate => registers,
        };
        Property::ALL.into_iter().filter(holds).collect()
    }

    fn world<L: Lock, R: Resource>(&self, lock: L, resource: R) -> World<L, R> {
        let world = World::with_resource(lock, resource);
        if self.manners.checks { world.watching_clocks() } else { world }
    }
}

/// 持ち主が一度書くまでの手。持ち主は、失効のあとに替わる。
fn writing(manners: Manners, length: Time) -> Vec<Action> {
    let of = |client| {
        let register = manners.registers.then_some(Register(client));
        let check = manners.checks.then_some(Check(client));
        let before = [Some(Acquire(client)), register, Some(Read(client)), check];
        let write = [Some(Send(client, 1)), Some(Deliver(client, 1))];
        before.into_iter().chain(write).flatten()
    };
    of(Client::A).chain([Tick(length)]).chain(of(Client::B)).collect()
}

/// 受理されなかった、持ち主の書き込み。書けない舞台では、どの順序を調べても何も破れない。
pub(crate) fn unwritten<L: Lock, R: Resource>(
    make_lock: &impl Fn(Time) -> L,
    make_resource: &impl Fn() -> R,
    cast: &Cast,
) -> Vec<Finding> {
    let one = |length| {
        let world = cast.world(make_lock(length), make_resource());
        let mut actions = writing(cast.manners, length);
        let played = play(&title(length), world.clone(), &actions)?;
        let at = refused(&actions, &played)?;
        let why = played.stopped.map(|stopped| stopped.sentence()).unwrap_or_default();
        actions.truncate(at + 1);
        let detail = format!("{}で、持ち主が書けない。{why}", cast.about);
        let timeline = play(&title(length), world, &actions).map(|played| played.timeline);
        Some(Finding { broke: Broke::Write, detail, length, rounds: 0, actions, timeline })
    };
    LENGTHS.into_iter().filter_map(one).collect()
}

/// 書き込みが受理されなかった手か、演じられなかった手。
fn refused(actions: &[Action], played: &Played) -> Option<usize> {
    let accepted = |event: &Event| matches!(event, Event::Accepted { .. });
    actions.iter().enumerate().position(|(at, action)| match played.events.get(at) {
        Some(events) => matches!(action, Deliver(..)) && !events.iter().any(accepted),
        None => true,
    })
}

/// 性質ごとの、いちばん短い破れ。
type Shortest = HashMap<Property, (Time, Vec<Action>)>;

/// 調べる。
pub(crate) fn search<L, R>(
    make_lock: &impl Fn(Time) -> L,
    make_resource: &impl Fn() -> R,
    cast: &Cast,
) -> (Searched, Vec<Finding>)
where
    L: Lock + Eq + Hash,
    R: Resource + Eq + Hash,
{
    let expected = cast.expected();
    let mut searched = Searched {
        about: cast.about.to_owned(),
        expected: expected.clone(),
        bounds: cast.bounds.to_vec(),
        states: 0,
        steps: 0,
        within: None,
    };
    let mut shortest = Shortest::new();
    for length in LENGTHS {
        for &bounds in cast.bounds {
            let world = || cast.world(make_lock(length), make_resource());
            match one(world(), cast, &expected, bounds) {
                Ok((report, within)) => {
                    searched.states += report.states;
                    searched.steps += report.steps;
                    searched.within = fewer(searched.within, within);
                    keep(&mut shortest, &expected, length, &report);
                }
                Err((reason, actions)) => {
                    let broke = panicked(&reason);
                    return (searched, vec![panic(broke, length, &actions, world())]);
                }
            }
        }
    }
    let findings = expected.iter().filter_map(|&property| {
        let (length, actions) = shortest.remove(&property)?;
        let world = cast.world(make_lock(length), make_resource());
        Some(finding(property, cast, length, &actions, world))
    });
    (searched.clone(), findings.collect())
}

fn keep(shortest: &mut Shortest, expected: &[Property], length: Time, report: &Report) {
    for &property in expected {
        let Some(actions) = &report.finding(property).shortest else { continue };
        let known = shortest.get(&property);
        if known.is_none_or(|(_, known)| actions.len() < known.len()) {
            shortest.insert(property, (length, actions.clone()));
        }
    }
}

/// パニックの理由と、そこまでの手の列。
type Panicked = (String, Vec<Action>);

/// 一つの長さと範囲を調べる。調べきれなければ、すべて調べた手数も返す。
fn one<L, R>(
    world: World<L, R>,
    cast: &Cast,
    expected: &[Property],
    bounds: Bounds,
) -> Result<(Report, Option<usize>), Panicked>
where
    L: Lock + Eq + Hash,
    R: Resource + Eq + Hash,
{
    let (locks, resources) = (Shelf::new(), Shelf::new());
    let kept = World {
        lock: locks.keep(world.lock),
        resource: world.resource.map(|resource| resources.keep(resource)),
        actors: world.actors,
        transit: world.transit,
    };
    let panic = || locks.panic().or_else(|| resources.panic());
    let mut depth = 0;
    let report = explore(kept, cast.manners, bounds, |tally| {
        depth = tally.depth;
        let all_broken = expected.iter().all(|property| tally.broken.has(*property));
        match panic().is_some() || all_broken || tally.states > STATES {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    });
    match panic() {
        Some(reason) => Err((reason, path_to_panic(kept, cast.manners, bounds))),
        None => {
            let within = (report.end != End::Complete).then_some(depth);
            Ok((report, within))
        }
    }
}

/// パニックするまでの、いちばん短い手の列。探索は、状態への道を教えないので、自分で歩き直す。
#[expect(clippy::mutable_key_type, reason = "棚のものは番号だけで比べ、番号は変わらない")]
fn path_to_panic<L, R>(
    world: World<Kept<'_, L>, Kept<'_, R>>,
    manners: Manners,
    bounds: Bounds,
) -> Vec<Action>
where
    L: Lock + Eq + Hash,
    R: Resource + Eq + Hash,
{
    // 棚のパニックの印は、初めの探索がもうつけている。新しい棚で歩く。
    let (locks, resources) = (Shelf::new(), Shelf::new());
    let world = World {
        lock: locks.keep(world.lock.item()),
        resource: world.resource.map(|resource| resources.keep(resource.item())),
        actors: world.actors,
        transit: world.transit,
    };
    let (mut runs, mut paths) = (vec![Run::new(world)], vec![Vec::new()]);
    let mut seen: HashSet<_> = runs.iter().copied().collect();
    let (mut at, mut actions) = (0, Vec::new());
    while let Some(&run) = runs.get(at) {
        moves(&run.world, &run.ledger, manners, &bounds, &mut actions);
        for &action in &actions {
            let (mut next, mut path) = (run, paths[at].clone());
            path.push(action);
            let played = next.step(action).is_some();
            if locks.panic().is_some() || resources.panic().is_some() {
                return path;
            }
            if played && seen.insert(next) {
                runs.push(next);
                paths.push(path);
            }
        }
        at += 1;
    }
    Vec::new()
}

fn finding<L: Lock, R: Resource>(
    property: Property,
    cast: &Cast,
    length: Time,
    actions: &[Action],
    world: World<L, R>,
) -> Finding {
    let detail = format!("{}で、すべての順序を調べて見つけた。", cast.about);
    timed(Broke::Property(property), detail, length, actions, world)
}

fn panic<L: Lock, R: Resource>(
    breach: Breach,
    length: Time,
    actions: &[Action],
    world: World<L, R>,
) -> Finding {
    timed(Broke::Rule(breach.rule), breach.detail, length, actions, world)
}

fn timed<L: Lock, R: Resource>(
    broke: Broke,
    detail: String,
    length: Time,
    actions: &[Action],
    world: World<L, R>,
) -> Finding {
    let actions = readable(actions);
    let played = play(&title(length), world, &actions);
    let timeline = played.map(|played| played.timeline);
    Finding { broke, detail, length, rounds: 0, actions, timeline }
}
