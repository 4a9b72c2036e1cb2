//! 状態の数、手の数、深さ、性質を破った手の数、いちばん短い手の列が、素朴な探索と同じになる。

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use check::{End, Limits, Model, Report, Strategy, Unwatched, check, graph, judge, shortest};

use crate::naive::{Known, explore};
use crate::table::{Table, Watching};

const MODELS: u64 = 120;

fn breadth(model: &Table) -> Report<usize> {
    check(model, &Watching, Strategy::Breadth, Limits::NONE, |_| ControlFlow::Continue(()))
}

fn known(report: Report<usize>) -> Known<usize> {
    let findings = report.findings.into_iter();
    let findings = findings.map(|one| (one.property, (one.violations, one.path)));
    let findings: BTreeMap<_, _> = findings.collect();
    Known { states: report.states, steps: report.steps, depth: report.depth, findings }
}

#[test]
fn random_models_agree_with_the_naive_search_in_everything() {
    let (mut most, mut broken) = (0, [0; 6]);
    for seed in 0..MODELS {
        let model = Table::of(seed);
        let expected = explore(&model, &Watching);
        most = most.max(expected.states);
        expected.findings.keys().for_each(|property| broken[*property] += 1);
        let report = breadth(&model);
        assert_eq!(report.end, End::Complete, "種 {seed}");
        assert_eq!(known(report), expected, "種 {seed}");
    }
    assert!(most > 5_000, "いちばん大きい模型でも {most} 状態しかない");
    assert!([0, 1, 5].into_iter().all(|property| broken[property] > 5), "{broken:?}");
}

#[test]
fn an_unwatched_model_has_the_states_of_the_model_alone() {
    for seed in 0..MODELS {
        let model = Table::of(seed);
        let expected = explore(&model, &Unwatched);
        let report = check(&model, &Unwatched, Strategy::Breadth, Limits::NONE, |_| {
            ControlFlow::Continue(())
        });
        assert_eq!((report.states, report.steps), (expected.states, expected.steps), "種 {seed}");
        assert_eq!(report.findings, []);
    }
}

/// 手の列を演じて、起きたことを並べる。
fn history(model: &Table, path: &[usize]) -> Vec<(usize, u8)> {
    let (mut state, mut events) = (model.start(), Vec::new());
    assert!(path.iter().all(|&action| model.step(&mut state, action, &mut events)));
    events
}

#[test]
fn a_shortest_path_breaks_its_property_in_the_last_step_and_not_before() {
    let mut paths = 0;
    for seed in 0..MODELS {
        let model = Table::of(seed);
        for finding in breadth(&model).findings {
            let path = shortest(&model, &Watching, Limits::NONE, finding.property);
            assert_eq!(path.as_ref(), Some(&finding.path), "種 {seed}");
            let found = judge(&Watching, &history(&model, &finding.path));
            assert!(found.contains(&(finding.path.len() - 1, finding.property)), "{found:?}");
            paths += 1;
        }
    }
    assert!(paths > 100, "{paths}");
}

#[test]
fn a_property_that_nothing_breaks_has_no_path() {
    assert_eq!(shortest(&Table::of(1), &Watching, Limits::NONE, 31), None);
    assert_eq!(breadth(&Table::of(1)).path(31), None);
}

#[test]
fn the_graph_has_every_state_and_every_step_of_the_search() {
    for seed in 0..MODELS {
        let model = Table::of(seed);
        let report = breadth(&model);
        if report.states > 2_000 {
            continue;
        }
        let graph = graph(&model, &Watching, Limits::NONE);
        assert_eq!(graph.end, End::Complete);
        assert_eq!((graph.states.len(), graph.edges.len() as u64), (report.states, report.steps));
        assert_eq!(graph.depths.iter().max(), Some(&report.depth));
        for edge in &graph.edges {
            let (mut state, mut events) = (graph.states[edge.from].0.clone(), Vec::new());
            assert!(model.step(&mut state, edge.action, &mut events));
            assert_eq!(state, graph.states[edge.to].0, "種 {seed}");
            assert!(graph.depths[edge.to] <= graph.depths[edge.from] + 1);
        }
    }
}
