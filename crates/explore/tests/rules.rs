//! 性質の決まりと、探索の決まり。

use std::hash::Hash;
use std::ops::ControlFlow;

use explore::{
    BadBounds, Bounds, Context, End, Explored, Finding, LENGTHS, Ledger, Manners, Progress,
    Property, Report, Run, TooMany, VARIANTS, Violations, claims, explore, graph, grouped, moves,
    readable, sizes, variant,
};
use fencing::FencedResource;
use lease::LockService;
use read_modify_write::RegisteringResource;
use stage::Action::{self, *};
use stage::Client::{A, B};
use stage::{Client, Event, Lock, NoResource, Resource, Time, Token, Value, World};

const A1: Value = Value { by: A, nth: 1 };
const A2: Value = Value { by: A, nth: 2 };
const B1: Value = Value { by: B, nth: 1 };

/// 手を選ばないための、いちばん狭い範囲。
const NARROW: Bounds = Bounds {
    grants: 2,
    writes: 1,
    copies: 0,
    horizon: 2,
    pauses: false,
    crashes: false,
    renews: false,
    slow_releases: false,
    restarts: false,
};

const ANY: Manners = Manners { registers: false, checks: false };

fn fenced(length: Time) -> World<LockService, FencedResource> {
    World::with_resource(LockService::new(length), FencedResource::new())
}

/// 出来事を順に付けて、最後のものが破った性質を返す。
fn entered(events: &[(Event, Context)]) -> Vec<Property> {
    let mut ledger = Ledger::default();
    let mut broken = Violations::NONE;
    for (event, context) in events {
        broken = Violations::NONE;
        ledger.enter(event, context, &mut broken);
    }
    broken.iter().collect()
}

fn at(now: Time) -> Context {
    Context { now, ..Context::default() }
}

fn acquired(client: Client, token: u64, expiry: Option<Time>) -> Event {
    Event::Acquired { client, token: Token(token), expiry }
}

fn accepted(value: Value, token: u64) -> Event {
    Event::Accepted { value, token: Token(token), compared: None }
}

fn registered(client: Client, token: u64) -> Event {
    Event::Registered { client, token: Token(token), max: Token::NONE }
}

fn based_on(base: Option<Value>) -> Context {
    Context { base: Some(base), ..Context::default() }
}

fn releasing(token: u64) -> Context {
    Context { releasing: Some(Token(token)), ..Context::default() }
}

#[test]
fn a_grant_waits_for_the_release_or_the_expiry_of_the_one_before() {
    let first = (acquired(A, 1, Some(10)), at(0));
    let early = [Property::GrantAfterEnd];
    assert_eq!(entered(&[first, (acquired(B, 2, None), at(9))]), early);
    assert_eq!(entered(&[first, (acquired(B, 2, None), at(10))]), []);
    let released = (Event::Released { client: A }, releasing(1));
    assert_eq!(entered(&[first, released, (acquired(B, 2, None), at(1))]), []);
    let by_another = (Event::Released { client: B }, releasing(1));
    assert_eq!(entered(&[first, by_another, (acquired(B, 2, None), at(1))]), early);
    let by_an_older_one = (Event::Released { client: A }, releasing(9));
    assert_eq!(entered(&[first, by_an_older_one, (acquired(B, 2, None), at(1))]), early);
    let forever = (acquired(A, 1, None), at(0));
    assert_eq!(entered(&[forever, (acquired(B, 2, None), at(99))]), early);
}

#[test]
fn a_token_is_larger_than_any_before_it() {
    let first = (acquired(A, 2, Some(1)), at(0));
    for (token, broken) in [(1, true), (2, true), (3, false)] {
        let properties = entered(&[first, (acquired(B, token, None), at(1))]);
        assert_eq!(properties == [Property::TokensIncrease], broken, "{token}");
    }
    let back = [first, (acquired(B, 1, Some(2)), at(1)), (acquired(A, 2, None), at(2))];
    assert_eq!(entered(&back), [Property::TokensIncrease], "最大は小さくならない");
    assert_eq!(entered(&[(acquired(A, 0, None), at(0))]), [Property::TokensIncrease]);
}

#[test]
fn renewing_moves_the_expiry_and_renewing_after_the_end_is_a_grant() {
    let renewed = |token, expiry| Event::Renewed { client: A, token: Token(token), expiry };
    let first = (acquired(A, 1, Some(10)), at(0));
    let again = (renewed(1, Some(15)), at(5));
    assert_eq!(entered(&[first, again]), []);
    let early = [Property::GrantAfterEnd];
    assert_eq!(entered(&[first, again, (acquired(B, 2, None), at(14))]), early);
    assert_eq!(entered(&[first, again, (acquired(B, 2, None), at(15))]), []);
    let late = (renewed(1, Some(20)), at(10));
    assert_eq!(entered(&[first, late]), [Property::TokensIncrease]);
    let other = (acquired(B, 2, Some(20)), at(10));
    let both = [Property::GrantAfterEnd, Property::TokensIncrease];
    assert_eq!(entered(&[first, other, (renewed(1, Some(21)), at(11))]), both);
    let by_b = Event::Renewed { client: B, token: Token(1), expiry: Some(12) };
    assert_eq!(entered(&[first, (by_b, at(2))]), both);
    let other_token = (renewed(2, Some(12)), at(2));
    assert_eq!(entered(&[first, other_token]), early);
}

#[test]
fn an_accepted_token_is_never_older_than_an_accepted_or_registered_one() {
    let plain = Context::default();
    let newer = (accepted(B1, 2), plain);
    assert_eq!(entered(&[newer, (accepted(A1, 1), plain)]), [Property::AcceptedNeverGoBack]);
    assert_eq!(entered(&[newer, (accepted(A1, 2), plain)]), []);
    let back = [newer, (accepted(A1, 1), plain), (accepted(A2, 1), plain)];
    assert_eq!(entered(&back), [Property::AcceptedNeverGoBack], "最大は小さくならない");
    let older = [Property::NothingOlderThanRegistered];
    let row = (registered(B, 2), plain);
    assert_eq!(entered(&[row, (accepted(A1, 1), plain)]), older);
    assert_eq!(entered(&[row, (accepted(A1, 2), plain)]), []);
    let twice = [row, (registered(A, 1), plain), (accepted(A1, 1), plain)];
    assert_eq!(entered(&twice), older, "最大は小さくならない");
}

#[test]
fn an_update_is_lost_when_its_base_is_not_the_current_value() {
    let lost = [Property::NoLostUpdate];
    let first = (accepted(A1, 1), based_on(None));
    assert_eq!(entered(&[first]), []);
    assert_eq!(entered(&[first, (accepted(B1, 1), based_on(None))]), lost);
    assert_eq!(entered(&[first, (accepted(B1, 1), based_on(Some(A1)))]), []);
    assert_eq!(entered(&[(accepted(A2, 1), based_on(Some(A1)))]), lost, "もとの値がまだない");
    assert_eq!(
        entered(&[first, (accepted(A1, 1), based_on(None))]),
        [],
        "最後の書き込みの繰り返し"
    );
    assert_eq!(entered(&[first, (accepted(B1, 1), Context::default())]), [], "読まない書き込み");
    let repeated =
        [first, (accepted(A2, 1), based_on(Some(A1))), (accepted(A1, 1), based_on(None))];
    assert_eq!(entered(&repeated), lost, "前の書き込みの繰り返し");
}

#[test]
fn the_ledger_counts_grants_clients_and_progress() {
    let mut ledger = Ledger::default();
    let mut broken = Violations::NONE;
    for event in [acquired(A, 1, Some(1)), registered(A, 1), acquired(B, 2, Some(2))] {
        ledger.enter(&event, &at(1), &mut broken);
    }
    assert_eq!((ledger.grants, ledger.met), (2, 2));
    assert_eq!(ledger.progress[0], Progress { grant: 1, registered: true });
    assert_eq!(ledger.progress[1], Progress { grant: 2, registered: false });
    ledger.enter(&acquired(A, 3, Some(3)), &at(2), &mut broken);
    assert_eq!((ledger.grants, ledger.met), (3, 2));
    assert_eq!(ledger.progress[0], Progress { grant: 3, registered: false });
    assert_eq!(broken, Violations::NONE);
}

/// `actions` のあとで起こりうる手。
fn after<L: Lock, R: Resource>(
    world: World<L, R>,
    manners: Manners,
    bounds: Bounds,
    actions: &[Action],
) -> Vec<Action> {
    let mut run = Run::new(world);
    for &action in actions {
        assert!(run.step(action).is_some(), "{action:?}");
    }
    let mut out = vec![Tick(99)];
    moves(&run.world, &run.ledger, manners, &bounds, &mut out);
    out
}

#[test]
fn the_first_to_acquire_is_called_a() {
    assert_eq!(after(fenced(2), ANY, NARROW, &[]), [Acquire(A), Tick(1)]);
    let both = [Acquire(A), Acquire(B), Tick(1)];
    assert_eq!(after(fenced(2), ANY, NARROW, &[Acquire(A), Release(A)]), both);
    let spent = [Acquire(A), Release(A), Acquire(B), Release(B)];
    assert_eq!(after(fenced(2), ANY, NARROW, &spent), [Tick(1)]);
}

#[test]
fn a_holder_reads_then_writes_then_only_releases() {
    let with_b = |rest: &[Action]| [rest, &[Acquire(B), Tick(1)]].concat();
    let next = |actions: &[Action]| after(fenced(2), ANY, NARROW, actions);
    assert_eq!(next(&[Acquire(A)]), with_b(&[Read(A), Release(A)]));
    assert_eq!(next(&[Acquire(A), Read(A)]), with_b(&[Release(A), Send(A, 1)]));
    let sent = [Acquire(A), Read(A), Send(A, 1)];
    assert_eq!(next(&sent), [Release(A), Acquire(B), Deliver(A, 1), Tick(1)]);
    let again = [&sent[..], &[Release(A), Acquire(A), Read(A)]].concat();
    let values = [Release(A), Send(A, 2), Deliver(A, 1), Tick(1)];
    assert_eq!(next(&again), values, "番号は、前の保持の書き込みと重ならない");
    let second = [Acquire(A), Release(A), Acquire(B), Read(B)];
    assert_eq!(next(&second), [Release(B), Send(B, 2), Tick(1)]);
}

#[test]
fn a_registering_holder_registers_before_it_reads() {
    let row = || World::with_resource(LockService::new(2), RegisteringResource::new());
    let manners = Manners { registers: true, ..ANY };
    let next = |actions: &[Action]| after(row(), manners, NARROW, actions);
    assert_eq!(next(&[Acquire(A)]), [Register(A), Release(A), Acquire(B), Tick(1)]);
    assert_eq!(next(&[Acquire(A), Register(A)]), [Read(A), Release(A), Acquire(B), Tick(1)]);
}

#[test]
fn a_checking_holder_checks_before_every_write_and_may_write_after_its_deadline() {
    let manners = Manners { checks: true, ..ANY };
    let bounds = Bounds { writes: 2, ..NARROW };
    let next = |actions: &[Action]| after(fenced(1).watching_clocks(), manners, bounds, actions);
    let read = [Acquire(A), Read(A)];
    assert_eq!(next(&read[..1]), [Read(A), Release(A), Acquire(B), Tick(1)]);
    assert_eq!(next(&read), [Check(A), Release(A), Acquire(B), Tick(1)]);
    let checked = [&read[..], &[Check(A)]].concat();
    assert_eq!(next(&checked), [Release(A), Send(A, 1), Acquire(B), Tick(1)]);
    let late = [&checked[..], &[Tick(1)]].concat();
    assert_eq!(next(&late), [Acquire(A), Send(A, 1), Acquire(B), Tick(1)]);
    let sent = [&checked[..], &[Send(A, 1)]].concat();
    assert_eq!(next(&sent), [Check(A), Release(A), Acquire(B), Deliver(A, 1), Tick(1)]);
}

#[test]
fn only_one_holder_stops_at_a_time_and_the_stopped_one_does_nothing_else() {
    let bounds = Bounds { pauses: true, crashes: true, horizon: 2, ..NARROW };
    let next = |actions: &[Action]| after(fenced(1), ANY, bounds, actions);
    assert_eq!(next(&[]), [Acquire(A), Tick(1)], "持っていない客は止まらない");
    let held = [Read(A), Release(A), Pause(A), Crash(A), Acquire(B), Tick(1)];
    assert_eq!(next(&[Acquire(A)]), held);
    let paused = [Acquire(A), Pause(A), Tick(1), Acquire(B)];
    let only_b = [Resume(A), Restart(A), Read(B), Release(B), Tick(1)];
    assert_eq!(next(&paused), only_b);
    let crashed = [Acquire(A), Crash(A), Tick(1), Acquire(B)];
    assert_eq!(next(&crashed), only_b);
    let pauses = Bounds { pauses: true, ..NARROW };
    let alone = [Read(A), Release(A), Pause(A), Acquire(B), Tick(1)];
    assert_eq!(after(fenced(1), ANY, pauses, &[Acquire(A)]), alone);
}

#[test]
fn renewals_slow_releases_copies_and_restarts_are_tried_when_asked() {
    let bounds = Bounds { renews: true, slow_releases: true, copies: 1, restarts: true, ..NARROW };
    let next = |actions: &[Action]| after(fenced(2), ANY, bounds, actions);
    let restarts = [RestartService, RestartResource, Tick(1)];
    let held = [Renew(A), Release(A), SendRelease(A)];
    let read = [&held[..], &[Send(A, 1), Acquire(B)], &restarts].concat();
    assert_eq!(next(&[Acquire(A), Read(A)]), read);
    let sent = [Acquire(A), Read(A), Send(A, 1)];
    let travelling =
        [&held[..], &[Acquire(B), Deliver(A, 1), DeliverCopy(A, 1)], &restarts].concat();
    assert_eq!(next(&sent), travelling);
    let copied = [&sent[..], &[DeliverCopy(A, 1)]].concat();
    assert_eq!(next(&copied), [&held[..], &[Acquire(B), Deliver(A, 1)], &restarts].concat());
    let asked = [Acquire(A), SendRelease(A)];
    let rest = [&[Acquire(A), Acquire(B), DeliverRelease(A)], &restarts[..]].concat();
    assert_eq!(next(&asked), rest);
}

#[test]
fn the_clock_stops_at_the_horizon() {
    assert_eq!(after(fenced(2), ANY, NARROW, &[Tick(1)]), [Acquire(A), Tick(1)]);
    assert_eq!(after(fenced(2), ANY, NARROW, &[Tick(2)]), [Acquire(A)]);
}

#[test]
fn what_a_client_did_in_a_grant_is_forgotten_when_the_grant_ends() {
    let bounds = NARROW;
    let mut run = Run::new(World::with_resource(LockService::new(2), RegisteringResource::new()));
    for action in [Acquire(A), Register(A), Release(A)] {
        assert!(run.step(action).is_some());
    }
    assert_eq!(run.ledger.progress, [Progress::default(); 3]);
    assert!(bounds.validate().is_ok());
    let mut watching = Run::new(fenced(1).watching_clocks());
    for action in [Acquire(A), Tick(1)] {
        assert!(watching.step(action).is_some());
    }
    assert_eq!(watching.ledger.progress[0], Progress::default(), "期限を見てやめたときも");
}

#[test]
fn a_step_that_cannot_happen_is_none() {
    assert_eq!(Run::new(fenced(2)).step(Deliver(A, 1)), None);
    assert_eq!(Run::new(World::<_, NoResource>::new(LockService::new(2))).step(Read(A)), None);
}

/// 素朴な探索と、詰めた探索が同じものを見つけること。
fn agrees<L, R>(name: &str, world: World<L, R>, manners: Manners, bounds: Bounds)
where
    L: Lock + Copy + Eq + Hash,
    R: Resource + Copy + Eq + Hash,
{
    let plain = graph(world, manners, &bounds);
    let report = explore(world, manners, bounds, |_| ControlFlow::Continue(()));
    assert_eq!(report.end, End::Complete, "{name}");
    assert_eq!(report.states, plain.states.len(), "{name}");
    assert_eq!(report.steps, plain.edges.len() as u64, "{name}");
    assert_eq!(Some(&report.depth), plain.depths.last(), "{name}");
    for property in Property::ALL {
        let breaking = || plain.edges.iter().filter(|edge| edge.broken.has(property));
        let finding = report.finding(property);
        assert_eq!(finding.violations, breaking().count() as u64, "{name} {property:?}");
        let length = finding.shortest.as_ref().map(Vec::len);
        let nearest = breaking().map(|edge| plain.depths[edge.from] + 1).min();
        assert_eq!(length, nearest, "{name} {property:?}");
        if let Some(actions) = &finding.shortest {
            let mut run = Run::new(world);
            let broken = actions.iter().map(|action| run.step(*action)).last().flatten();
            assert!(broken.is_some_and(|broken| broken.has(property)), "{name} {property:?}");
        }
    }
}

#[test]
fn packing_batching_and_undoing_find_what_the_plain_search_finds() {
    let all = Bounds {
        grants: 2,
        copies: 1,
        pauses: true,
        crashes: true,
        renews: true,
        slow_releases: true,
        restarts: true,
        ..NARROW
    };
    let registers = Manners { registers: true, ..ANY };
    let checks = Manners { checks: true, ..ANY };
    agrees("fenced", fenced(1), ANY, all);
    agrees("two writes", fenced(2), ANY, Bounds { writes: 2, ..NARROW });
    agrees("watching", fenced(1).watching_clocks(), checks, all);
    agrees("three clients", fenced(1).and_c(), ANY, Bounds { grants: 3, ..NARROW });
    let row = World::with_resource(LockService::new(1), RegisteringResource::new());
    agrees("registering", row, registers, all);
    let lock = World::with_resource(
        read_modify_write::RestoredService::new(1),
        read_modify_write::ForgetfulResource::new(),
    );
    agrees("forgetting", lock, ANY, all);
}

#[test]
fn among_the_shortest_runs_the_first_in_the_order_of_moves_is_chosen() {
    // 二重取得までの二手は二つある。延長してからでも、読んでからでも同じ手数にはならない。
    let shortest =
        variant("unfenced").and_then(|one| one.shortest(2, one.bounds, Property::OneBeliever));
    assert_eq!(shortest, Some(vec![Acquire(A), Tick(1), Tick(1), Acquire(B)]));
    let bounds = Bounds { horizon: 1, ..NARROW };
    let run = explore(fenced(1), ANY, bounds, |_| ControlFlow::Continue(()));
    let shortest = run.finding(Property::OneBeliever).shortest.clone();
    assert_eq!(shortest, Some(vec![Acquire(A), Tick(1), Acquire(B)]));
}

#[test]
fn the_watch_hears_of_news_and_can_stop_the_search() {
    let mut heard = Vec::new();
    let report = explore(fenced(1), ANY, NARROW, |tally| {
        heard.push(*tally);
        ControlFlow::Break(())
    });
    assert_eq!(report.end, End::Stopped);
    assert_eq!(heard.len(), 1);
    let tally = heard[0];
    assert_eq!(tally.broken.iter().collect::<Vec<_>>(), [Property::OneBeliever]);
    assert_eq!((tally.states, report.states), (report.states, tally.states));
    assert!(tally.done < tally.states && tally.bytes > 20 * tally.states);
    assert_eq!(tally.depth, 2, "三手目を試している所");
    assert!(report.finding(Property::OneBeliever).shortest.is_some());
}

#[test]
fn the_watch_hears_now_and_then_without_news() {
    let world =
        World::<_, FencedResource>::with_resource(LockService::new(9), FencedResource::new());
    let mut heard = Vec::new();
    let bounds = Bounds { grants: 3, horizon: 3, writes: 2, ..NARROW };
    explore(world, ANY, bounds, |tally| {
        heard.push((tally.done, tally.broken));
        ControlFlow::Continue(())
    });
    let quiet: Vec<usize> =
        heard.iter().map(|(done, _)| *done).filter(|done| done % 4096 == 0).collect();
    assert!(
        !quiet.is_empty() && quiet.windows(2).all(|pair| pair[1] == pair[0] + 4096),
        "{quiet:?}"
    );
    let news = heard.iter().filter(|(done, _)| done % 4096 != 0).count();
    assert_eq!(news, 1, "破られた性質は一つだけで、一度だけ知らされる: {heard:?}");
}

#[test]
fn the_values_are_renamed_in_the_order_in_which_each_client_sent_them() {
    let found =
        [Send(A, 3), Send(B, 5), Deliver(A, 3), Send(A, 1), DeliverCopy(B, 5), Deliver(A, 1)];
    let told =
        [Send(A, 1), Send(B, 1), Deliver(A, 1), Send(A, 2), DeliverCopy(B, 1), Deliver(A, 2)];
    assert_eq!(readable(&found), told);
    assert_eq!(readable(&[Tick(1), Acquire(A)]), [Tick(1), Acquire(A)]);
}

#[test]
fn every_variant_has_its_own_name_and_plays_what_it_found() -> anyhow::Result<()> {
    for (index, one) in VARIANTS.iter().enumerate() {
        assert!(VARIANTS[..index].iter().all(|other| other.name != one.name), "{}", one.name);
        assert!(one.bounds.validate().is_ok());
        let bounds = Bounds { slow_releases: one.bounds.slow_releases, ..NARROW };
        let report = one.explore(1, bounds, &mut |_| ControlFlow::Continue(()));
        for property in Property::ALL {
            let alone = one.shortest(1, bounds, property);
            assert_eq!(alone, report.finding(property).shortest, "{} {property:?}", one.name);
            if let Some(actions) = alone {
                let timeline = one.play(1, "題", &actions)?;
                assert_eq!(timeline.title, "題");
                assert!(!timeline.steps.is_empty());
            }
        }
    }
    assert!(variant("ない").is_none());
    Ok(())
}

#[test]
fn the_stories_are_as_short_as_the_table_says() -> anyhow::Result<()> {
    let chapter = explore::chapter()?;
    let claims = (chapter.tables[0].make)()?;
    let told = |label: &str, property: Property| {
        let row = claims.rows.iter().find(|row| row[0] == label).cloned().unwrap_or_default();
        row.get(property as usize + 1).cloned().unwrap_or_default()
    };
    let length = |name: &str, quiet: usize| -> anyhow::Result<usize> {
        let story = chapter.stories.iter().find(|story| story.name == name);
        let story = story.ok_or_else(|| anyhow::anyhow!("{name} がない"))?;
        Ok(story.run()?.steps.len() + quiet)
    };
    // 何も起きない一刻みは、図では手に数えない。
    let label = |name: &str| variant(name).map_or("", |one| one.label);
    let middle = |cell: String| cell.split('・').nth(1).unwrap_or(&cell).to_owned();
    for (story, quiet, name, property) in [
        ("double_belief", 1, "fenced", Property::OneBeliever),
        ("released_in_flight", 0, "unfenced", Property::AcceptedNeverGoBack),
        ("lost_within_a_grant", 0, "registering", Property::NoLostUpdate),
        ("checked_and_released", 0, "watching", Property::AcceptedNeverGoBack),
        ("older_token", 1, "compare-and-set", Property::AcceptedNeverGoBack),
        ("freed_early", 1, "late-release", Property::GrantAfterEnd),
    ] {
        let expected = middle(told(label(name), property));
        let steps = length(story, quiet)?.to_string();
        assert_eq!(expected.trim_end_matches(" 手"), steps, "{story}");
    }
    assert_eq!(told(label("fenced"), Property::AcceptedNeverGoBack), "守る");
    assert_eq!(LENGTHS, [1, 2, 3]);
    Ok(())
}

#[test]
fn two_stories_need_no_expiry() -> anyhow::Result<()> {
    for story in explore::chapter()?.stories {
        let timeline = story.run()?;
        let expires = timeline.events().any(|event| matches!(event, Event::Expired { .. }));
        let expected = ["double_belief", "older_token", "freed_early"].contains(&story.name);
        assert_eq!(expires, expected, "{}", story.name);
    }
    Ok(())
}

#[test]
fn unusable_bounds_are_refused_with_the_remedy() {
    let bounds = |grants, writes| Bounds { grants, writes, ..NARROW };
    assert_eq!(bounds(5, 51).validate(), Ok(()));
    assert_eq!(bounds(4, 64).validate(), Err(BadBounds::TooManyValues(4, 64)));
    assert_eq!(
        BadBounds::TooManyValues(4, 64).to_string(),
        "取得 4 回と、一度の保持の書き込み 64 個では、値の番号が尽きる。積を 255 までにする"
    );
    assert_eq!(
        TooMany(16).to_string(),
        "16 ビットの番号では足りないほど、種類が多い。範囲を狭める"
    );
}

#[test]
fn numbers_are_grouped_by_three_digits() {
    for (number, text) in [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")] {
        assert_eq!(grouped(number), text);
    }
}

#[test]
fn a_set_of_broken_properties_lists_each_once_in_order() {
    let mut broken = Violations::NONE;
    for property in [Property::NoLostUpdate, Property::GrantAfterEnd, Property::NoLostUpdate] {
        broken.add(property);
    }
    let listed: Vec<Property> = broken.iter().collect();
    assert_eq!(listed, [Property::GrantAfterEnd, Property::NoLostUpdate]);
    let names: Vec<&str> = Property::ALL.into_iter().map(Property::name).collect();
    assert!(names.iter().enumerate().all(|(at, name)| !names[..at].contains(name)), "{names:?}");
}

/// 性質の一つだけが、`shortest` 手で破れた結果。
fn reported(property: Property, states: usize, shortest: Option<usize>) -> Report {
    let mut findings: [Finding; Property::ALL.len()] = Default::default();
    findings[property as usize].shortest = shortest.map(|length| vec![Tick(1); length]);
    Report { end: End::Complete, states, steps: 0, depth: 7, findings }
}

fn explored(name: &str, property: Property, shortest: [Option<usize>; 3]) -> Explored {
    let reports = shortest.map(|length| reported(property, 1234, length));
    Explored::of(variant(name).unwrap_or(&VARIANTS[0]), &reports)
}

#[test]
fn a_claim_lists_the_shortest_lengths_in_the_order_of_the_leases() {
    let cell = |name: &str, property: Property, shortest: [Option<usize>; 3]| {
        let table = claims(&[explored(name, property, shortest)]);
        assert_eq!(table.header.len(), 7);
        assert_eq!(table.header[property as usize + 1], property.name());
        table.rows[0][property as usize + 1].clone()
    };
    let lost = Property::NoLostUpdate;
    assert_eq!(cell("fenced", lost, [None; 3]), "守る");
    assert_eq!(cell("fenced", lost, [Some(9); 3]), "9 手");
    assert_eq!(cell("fenced", lost, [Some(9), Some(9), Some(10)]), "9・9・10 手");
    assert_eq!(cell("fenced", lost, [Some(9), None, None]), "9・—・— 手");
    let older = Property::NothingOlderThanRegistered;
    assert_eq!(cell("fenced", older, [Some(9); 3]), "対象外", "登録する客がいない");
    assert_eq!(cell("registering", older, [Some(9); 3]), "9 手");
    for property in [Property::TokensIncrease, Property::AcceptedNeverGoBack] {
        assert_eq!(cell("plain", property, [Some(1); 3]), "対象外", "番号を配らない");
        assert_eq!(cell("fenced", property, [Some(1); 3]), "1 手");
    }
    assert_eq!(cell("plain", lost, [Some(5); 3]), "5 手");
}

#[test]
fn the_sizes_are_told_for_each_length_of_the_lease() {
    let table = sizes(&[explored("fenced", Property::NoLostUpdate, [None; 3])]);
    assert_eq!(table.header, ["相手", "リース 1", "リース 2", "リース 3"]);
    let cell = "1,234 個、7 手";
    assert_eq!(table.rows, [["トークンを比べる", cell, cell, cell]]);
}

#[test]
fn the_pages_show_the_pinned_tables() -> anyhow::Result<()> {
    let tables = explore::chapter()?.tables;
    let rows: anyhow::Result<Vec<usize>> =
        tables.iter().map(|table| Ok((table.make)()?.rows.len())).collect();
    assert_eq!(rows?, [VARIANTS.len(), VARIANTS.len(), 5]);
    Ok(())
}
