//! 舞台に載せて、すべての順序で性質を確かめる。

use std::collections::HashMap;
use std::hash::Hash;
use std::ops::ControlFlow;

use check::{Broken, End, Limits, Model, Monitor, Part, Report, Strategy, check};
use explore::{Arena, Bounds, Manners, Run, readable};
use properties::{Notes, Property, Watch};
use stage::Action::{self, Acquire, Check, Deliver, Read, Register, Send, Tick};
use stage::{Client, Event, Fact, Lock, Resource, Time, World};

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
            Property::OneValid => checks,
            Property::NothingOlderThanRegistered | Property::NoLostUpdate => registers,
            // 止まった客のつもりは、どのリースでも残る。番号の等しさを求める資源や、いつまでも空かない錠は、
            // 規則のほうで見つかる。
            Property::OneBeliever | Property::NewestServed | Property::Frees => false,
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
    L: Lock + Eq + Hash + 'static,
    R: Resource + Eq + Hash + 'static,
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
            match one(world(), cast, length, &expected, bounds) {
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

fn keep(shortest: &mut Shortest, expected: &[Property], length: Time, report: &Report<Action>) {
    for &property in expected {
        let Some(actions) = report.path(property as usize) else { continue };
        let known = shortest.get(&property);
        if known.is_none_or(|(_, known)| actions.len() < known.len()) {
            shortest.insert(property, (length, actions.to_vec()));
        }
    }
}

/// パニックの理由と、そこまでの手の列。
type Panicked = (String, Vec<Action>);

/// 読者の部品を載せた舞台。パニックも、起きたことの一つとして聞かせる。
struct Guarded<L: Clone + Eq + Hash + 'static, R: Clone + Eq + Hash + 'static> {
    arena: Arena<Kept<L>, Kept<R>>,
    locks: Shelf<L>,
    resources: Shelf<R>,
}

/// 舞台で起きたこと。
enum Seen {
    Fact(Fact),
    /// 読者のコードがパニックした。理由
    Panicked(String),
}

impl<L, R> Guarded<L, R>
where
    L: Lock + Eq + Hash + 'static,
    R: Resource + Eq + Hash + 'static,
{
    fn new(world: World<L, R>, manners: Manners, bounds: Bounds) -> Guarded<L, R> {
        let (locks, resources) = (Shelf::new(), Shelf::new());
        let World { lock, resource, actors, transit, grants } = world;
        let world = World {
            lock: Part::new(locks.keep(lock.into_inner())),
            resource: Part::new(resource.into_inner().map(|resource| resources.keep(resource))),
            actors,
            transit,
            grants,
        };
        Guarded { arena: Arena { world, manners, bounds }, locks, resources }
    }

    /// パニックするまでの手の列 `path` を演じて、その理由を聞く。
    fn reason(&self, path: &[Action]) -> Option<String> {
        let (mut run, mut seen) = (self.start(), Vec::new());
        for &action in path {
            self.step(&mut run, action, &mut seen);
        }
        seen.into_iter().find_map(|seen| match seen {
            Seen::Panicked(reason) => Some(reason),
            Seen::Fact(_) => None,
        })
    }
}

impl<L, R> Model for Guarded<L, R>
where
    L: Lock + Eq + Hash + 'static,
    R: Resource + Eq + Hash + 'static,
{
    type State = Run<Kept<L>, Kept<R>>;
    type Action = Action;
    type Event = Seen;

    fn start(&self) -> Self::State {
        self.arena.start()
    }

    fn actions(&self, run: &Self::State, out: &mut Vec<Action>) {
        self.arena.actions(run, out);
    }

    fn step(&self, run: &mut Self::State, action: Action, seen: &mut Vec<Seen>) -> bool {
        let mut facts = Vec::new();
        let played = self.arena.step(run, action, &mut facts);
        seen.extend(facts.into_iter().map(Seen::Fact));
        let panic = self.locks.take_panic().or_else(|| self.resources.take_panic());
        let panicked = panic.is_some();
        seen.extend(panic.map(Seen::Panicked));
        played || panicked
    }
}

/// パニックに付ける、性質の番号の続き。
const PANIC: usize = Property::ALL.len();

/// 性質とパニックの見張り。
struct Guard(Watch);

impl Monitor<Seen> for Guard {
    type Memory = Part<Notes>;

    fn start(&self) -> Part<Notes> {
        self.0.start()
    }

    fn hear(&self, notes: &mut Part<Notes>, seen: &Seen, broken: &mut Broken) {
        match seen {
            Seen::Fact(fact) => self.0.hear(notes, fact, broken),
            Seen::Panicked(_) => broken.add(PANIC),
        }
    }
}

/// 一つの長さと範囲を調べる。調べきれなければ、すべて調べた手数も返す。
fn one<L, R>(
    world: World<L, R>,
    cast: &Cast,
    length: Time,
    expected: &[Property],
    bounds: Bounds,
) -> Result<(Report<Action>, Option<usize>), Panicked>
where
    L: Lock + Eq + Hash + 'static,
    R: Resource + Eq + Hash + 'static,
{
    let guarded = Guarded::new(world, cast.manners, bounds);
    let guard = Guard(Watch { asked: expected.iter().copied().collect(), length });
    let all: Broken = expected.iter().map(|property| *property as usize).collect();
    let limits = Limits { states: STATES, ..Limits::NONE };
    let report = check(&guarded, &guard, Strategy::Breadth, limits, |tally| {
        match tally.broken.has(PANIC) || all.without(tally.broken).is_empty() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    });
    if let Some(path) = report.path(PANIC) {
        return Err((guarded.reason(path).unwrap_or_default(), path.to_vec()));
    }
    let within = (report.end != End::Complete).then_some(report.depth);
    Ok((report, within))
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
