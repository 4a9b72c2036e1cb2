//! 探索の範囲、手、相手、表の決まり。

use std::hash::Hash;
use std::ops::ControlFlow;

use check::{End, Finding, Limits, Model as _, Report, Strategy, check};
use explore::{
    Arena, BadBounds, Bounds, Explored, LENGTHS, Manners, PROPERTIES, Used, VARIANTS, claims,
    grouped, moves, readable, sizes, variant,
};
use fencing::FencedResource;
use lease::LockService;
use properties::{Property, Watch};
use read_modify_write::RegisteringResource;
use stage::Action::{self, *};
use stage::Client::{A, B};
use stage::{Event, Lock, NoResource, Resource, Time, World};

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

/// `actions` のあとで起こりうる手。
fn after<L, R>(
    world: World<L, R>,
    manners: Manners,
    bounds: Bounds,
    actions: &[Action],
) -> Vec<Action>
where
    L: Lock + Eq + Hash + 'static,
    R: Resource + Eq + Hash + 'static,
{
    let arena = Arena { world, manners, bounds };
    let mut run = arena.start();
    for &action in actions {
        assert!(arena.step(&mut run, action, &mut Vec::new()), "{action:?}");
    }
    let mut out = Vec::new();
    moves(&run, manners, &bounds, &mut out);
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
fn what_was_used_of_the_bounds_is_counted() {
    let arena = Arena { world: fenced(2), manners: ANY, bounds: Bounds { copies: 1, ..NARROW } };
    let mut run = arena.start();
    let mut used = |action| {
        assert!(arena.step(&mut run, action, &mut Vec::new()), "{action:?}");
        *run.used
    };
    assert_eq!(used(Acquire(A)), Used { met: 1, copies: 0 });
    assert_eq!(used(Acquire(B)), Used { met: 1, copies: 0 }, "断られた客は、数えない");
    assert_eq!(used(Send(A, 1)), Used { met: 1, copies: 0 });
    assert_eq!(used(DeliverCopy(A, 1)), Used { met: 1, copies: 1 });
    assert_eq!(used(Release(A)), Used { met: 1, copies: 1 });
    assert_eq!(used(AcquireReplyLost(B)), Used { met: 2, copies: 1 });
    assert_eq!(used(Tick(2)), Used { met: 2, copies: 1 });
    assert_eq!(used(Acquire(A)), Used { met: 2, copies: 1 });
}

#[test]
fn a_step_that_cannot_happen_is_refused() {
    let can = |arena: &Arena<LockService, FencedResource>, action| {
        arena.step(&mut arena.start(), action, &mut Vec::new())
    };
    let arena = Arena { world: fenced(2), manners: ANY, bounds: NARROW };
    assert!(can(&arena, Acquire(A)) && !can(&arena, Deliver(A, 1)));
    let world = World::<_, NoResource>::new(LockService::new(2));
    let bare = Arena { world, manners: ANY, bounds: NARROW };
    assert!(!bare.step(&mut bare.start(), Read(A), &mut Vec::new()));
}

#[test]
fn among_the_shortest_runs_the_first_in_the_order_of_moves_is_chosen() {
    // 二重取得までの二手は二つある。延長してからでも、読んでからでも同じ手数にはならない。
    let shortest =
        variant("unfenced").and_then(|one| one.shortest(2, one.bounds, Property::OneBeliever));
    assert_eq!(shortest, Some(vec![Acquire(A), Tick(1), Tick(1), Acquire(B)]));
    let arena = Arena { world: fenced(1), manners: ANY, bounds: Bounds { horizon: 1, ..NARROW } };
    let believer = Property::OneBeliever;
    let found = check::shortest(&arena, &Watch::only(believer, 1), Limits::NONE, believer as usize);
    assert_eq!(found, Some(vec![Acquire(A), Tick(1), Acquire(B)]));
}

#[test]
fn all_properties_are_watched_at_once_or_each_alone() {
    let arena = Arena { world: fenced(1), manners: ANY, bounds: NARROW };
    let all = check(&arena, &Watch::all(1), Strategy::Breadth, Limits::NONE, |_| {
        ControlFlow::Continue(())
    });
    assert_eq!(all.end, End::Complete);
    for property in Property::ALL {
        let alone = Watch::only(property, 1);
        let found = check::shortest(&arena, &alone, Limits::NONE, property as usize);
        assert_eq!(found.as_deref(), all.path(property as usize), "{property:?}");
    }
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
        let asked = PROPERTIES.into_iter().collect();
        let hear = &mut |_: &_| ControlFlow::Continue(());
        let report = one.explore(1, bounds, asked, Limits::NONE, hear);
        for property in PROPERTIES {
            let alone = one.shortest(1, bounds, property);
            assert_eq!(alone.as_deref(), report.path(property as usize), "{}", one.name);
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
}

#[test]
fn numbers_are_grouped_by_three_digits() {
    for (number, text) in [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")] {
        assert_eq!(grouped(number), text);
    }
}

/// 性質の一つだけが、`shortest` 手で破れた結果。
fn reported(property: Property, states: usize, shortest: Option<usize>) -> Report<Action> {
    let finding = |length| Finding {
        property: property as usize,
        violations: 1,
        path: vec![Tick(1); length],
    };
    let findings = shortest.map(finding).into_iter().collect();
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
        assert_eq!(table.header.len(), 8);
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
    let tokens = Property::TokensIncrease;
    assert_eq!(cell("plain", tokens, [Some(1); 3]), "対象外", "番号を配らない");
    assert_eq!(cell("fenced", tokens, [Some(1); 3]), "1 手");
    let back = Property::AcceptedNeverGoBack;
    assert_eq!(cell("plain", back, [Some(9); 3]), "9 手", "保持の順は、番号がなくても決まる");
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
