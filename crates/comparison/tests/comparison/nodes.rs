//! ロックと関わりのない模型でも、探索と stateright が同じことを言う。

use std::ops::ControlFlow;

use check::{End, Limits, Strategy, check};
use comparison::nodes::{Act, Nodes, OneMajority};
use comparison::{Compared, count};

/// 両方に調べさせて比べ、状態の数と、いちばん短い手の列を返す。
fn agree(model: Nodes) -> (usize, Option<Vec<Act>>) {
    let hear = |_: &_| ControlFlow::Continue(());
    let report = check(&model, &OneMajority, Strategy::Breadth, Limits::NONE, hear);
    assert_eq!(report.end, End::Complete);
    let all = count(Compared { model, monitor: OneMajority, property: None });
    assert_eq!((report.states, report.depth), (all.states, all.depth));
    let theirs = count(Compared { model, monitor: OneMajority, property: Some(0) });
    assert_eq!(report.path(0).map(<[Act]>::len), theirs.shortest);
    (report.states, report.path(0).map(<[Act]>::to_vec))
}

#[test]
fn nodes_that_remember_never_give_two_majorities() {
    let (states, path) = agree(Nodes { forgetful: 0, restarts: 2 });
    assert!(states >= 100_000, "{states}");
    assert_eq!(path, None);
}

#[test]
fn one_forgetful_node_gives_two_majorities() {
    let (states, path) = agree(Nodes { forgetful: 1, restarts: 1 });
    assert!(states >= 100_000, "{states}");
    let path = path.unwrap();
    // 二人が二つずつのノードに、頼み、届き、聞く。その間に、忘れるノードが一度だけ再起動する。
    assert_eq!(path.len(), 2 * 2 * 3 + 1);
    assert_eq!(path.iter().filter(|act| matches!(act, Act::Restart(0))).count(), 1);
}
