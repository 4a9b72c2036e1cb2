//! 種を決めて、遠くまで歩く。

use std::ops::ControlFlow;

use check::{End, Limits, Model, Report, Strategy, check, judge};

use crate::naive::explore;
use crate::table::{Table, Watching};

fn walk(seed: u64, runs: u64, steps: usize, model: &Table) -> Report<usize> {
    let strategy = Strategy::Runs { seed, runs, steps };
    check(model, &Watching, strategy, Limits::NONE, |_| ControlFlow::Continue(()))
}

#[test]
fn a_walk_stays_inside_and_what_it_finds_can_be_played() {
    let mut found = 0;
    for seed in 0..40 {
        let model = Table::of(seed);
        let all = explore(&model, &Watching);
        let report = walk(seed, 20, 30, &model);
        assert_eq!(report.end, End::Complete);
        assert!(report.states <= all.states && report.depth <= 30, "種 {seed}");
        for finding in &report.findings {
            assert!(finding.path.len() >= all.findings[&finding.property].1.len());
            let (mut state, mut events) = (model.start(), Vec::new());
            let mut path = finding.path.iter();
            assert!(path.all(|&action| model.step(&mut state, action, &mut events)));
            let judged = judge(&Watching, &events);
            assert!(judged.contains(&(finding.path.len() - 1, finding.property)), "{judged:?}");
            found += 1;
        }
    }
    assert!(found > 30, "{found}");
}

#[test]
fn the_same_seed_walks_the_same_way_and_another_seed_another() {
    let model = Table::of(3);
    assert_eq!(walk(5, 10, 20, &model), walk(5, 10, 20, &model));
    let reports: Vec<Report<usize>> = (0..5).map(|seed| walk(seed, 2, 20, &model)).collect();
    assert!(reports.iter().any(|report| *report != reports[0]));
}

#[test]
fn many_walks_see_almost_every_state_of_small_models() {
    let (mut seen, mut all, mut models) = (0, 0, 0);
    for model in (0..120).map(Table::of) {
        let known = explore(&model, &Watching);
        if (20..60).contains(&known.states) {
            seen += walk(1, 2_000, 60, &model).states;
            all += known.states;
            models += 1;
        }
    }
    assert!(models > 5 && 10 * seen > 9 * all, "{models} 個で、{all} のうち {seen}");
}

#[test]
fn walks_keep_the_limits_too() {
    let model = (0..120).map(Table::of).find(|model| walk(0, 50, 50, model).states > 300).unwrap();
    let strategy = Strategy::Runs { seed: 0, runs: 50, steps: 50 };
    let go = |limits| check(&model, &Watching, strategy, limits, |_| ControlFlow::Continue(()));
    let few = go(Limits { states: 100, ..Limits::NONE });
    assert_eq!((few.end, few.states), (End::States, 100));
    let near = go(Limits { depth: 4, ..Limits::NONE });
    assert_eq!((near.end, near.depth), (End::Complete, 4));
    assert_eq!(go(Limits { bytes: 1, ..Limits::NONE }).end, End::Memory);
}
