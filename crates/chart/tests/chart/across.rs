//! 横の図の規則。時間は左から右へ進み、どの段も、どの列も、決まった所にあること。

use chart::{Kind, Shape, Span, Verdict};
use roxmltree::Node;

use crate::plate::{
    Form, Plate, classes, each_in, extent, is, number, path, rect, step_of, width, with, words,
};
use crate::scene::{Telling, all, hand_over, lost_on_the_way};

/// 段の縦の位置。帯の段には線がない。
fn ys(plate: &Plate<'_>) -> Vec<Option<i64>> {
    let mut lines = plate.of_class("tl-lane").into_iter();
    let lanes = plate.layout.lanes.iter();
    let ys: Vec<Option<i64>> = lanes
        .map(|lane| match lane.kind {
            Kind::Band => None,
            _ => Some(path(&lines.next().unwrap())[0].1),
        })
        .collect();
    assert_eq!(lines.next(), None);
    ys
}

fn spans<'p>(plate: &'p Plate<'_>, shapes: &'p [Shape]) -> impl Iterator<Item = &'p Span> {
    plate.layout.spans.iter().filter(|span| shapes.contains(&span.shape))
}

#[test]
fn the_first_stop_is_where_the_lanes_begin_and_the_last_is_the_right_edge() {
    each_in(Form::Across, |plate| {
        let columns = plate.middles();
        for line in plate.of_class("tl-lane") {
            let ends = path(&line);
            assert_eq!((ends[0].0, ends[1].0), (columns[0], plate.size().0), "{}", plate.name);
        }
        for number in plate.of_class("tl-step") {
            let step = step_of(&number).unwrap();
            assert_eq!(words(&number).x, columns[step], "{}: 手 {step}", plate.name);
        }
    });
}

#[test]
fn the_names_stand_left_of_the_lanes_on_their_lines() {
    each_in(Form::Across, |plate| {
        let (left, ys) = (plate.middles()[0], ys(plate));
        let lines = ys.into_iter().flatten();
        let names = plate.of_class("tl-name").into_iter().filter(|name| !is(name, "tl-dim"));
        for (name, y) in names.zip(lines) {
            let name = words(&name);
            assert!((name.baseline - y).abs() <= 6, "{}: {}", plate.name, name.text);
            assert!(name.area.right < left, "{}: {}", plate.name, name.text);
        }
    });
}

#[test]
fn a_long_name_of_a_lane_moves_the_lanes_to_the_right() {
    let lanes = vec![chart::Lane::new("とても長い名前のレーン", Kind::Actor)];
    let timeline = Telling::new("題", lanes).step(0, "").done();
    with(&timeline, Form::Across, |plate| {
        assert!(plate.middles()[0] > width("とても長い名前のレーン"));
    });
}

#[test]
fn the_names_lie_on_a_sheet_of_ground_that_covers_the_whole_height() {
    each_in(Form::Across, |plate| {
        let sheet = extent(&plate.of_class("tl-aside")[0]);
        let edge = path(&plate.of_class("tl-edge")[0]);
        let (left, height) = (plate.middles()[0], plate.size().1);
        assert_eq!((sheet.left, sheet.top, sheet.bottom), (0, 0, height), "{}", plate.name);
        assert!(sheet.right <= left, "{}", plate.name);
        assert_eq!(edge, [(sheet.right, 0), (sheet.right, height)], "{}", plate.name);
    });
}

#[test]
fn a_line_is_ruled_halfway_only_where_time_advances() {
    each_in(Form::Across, |plate| {
        let (times, columns) = (&plate.layout.times, plate.middles());
        let advancing = (2..times.len()).filter(|step| times[*step] != times[step - 1]);
        let wanted: Vec<i64> =
            advancing.map(|step| columns[step].midpoint(columns[step - 1])).collect();
        let ruled: Vec<i64> = plate.of_class("tl-rule").iter().map(|it| path(it)[0].0).collect();
        assert_eq!(ruled, wanted, "{}", plate.name);
    });
}

#[test]
fn bars_and_boxes_reach_from_column_to_column_on_the_line_of_their_lane() {
    let shapes = [Shape::Hollow, Shape::Solid, Shape::Box, Shape::Paused, Shape::Dead];
    let drawn = ["tl-believes", "tl-holds", "tl-node", "tl-stored", "tl-paused", "tl-dead"];
    each_in(Form::Across, |plate| {
        let (columns, ys) = (plate.middles(), ys(plate));
        let mut wanted: Vec<_> = spans(plate, &shapes)
            .map(|span| (columns[span.from], columns[span.to], ys[span.lane].unwrap()))
            .collect();
        let bars = plate.drawn().filter(|node| classes(node).any(|own| drawn.contains(&own)));
        let mut found: Vec<_> = bars
            .map(|bar| {
                let area = extent(&bar);
                (area.left, area.right, area.top.midpoint(area.bottom))
            })
            .collect();
        wanted.sort_unstable();
        found.sort_unstable();
        assert_eq!(found, wanted, "{}", plate.name);
    });
}

#[test]
fn a_band_covers_the_lanes_of_the_actors_and_no_other() {
    each_in(Form::Across, |plate| {
        let (columns, ys) = (plate.middles(), ys(plate));
        for band in plate.of_class("tl-band") {
            let area = rect(&band);
            let is_actor = |lane: &usize| plate.layout.lanes[*lane].kind == Kind::Actor;
            let actors: Vec<usize> = (0..ys.len()).filter(is_actor).collect();
            for (lane, y) in ys.iter().enumerate() {
                let Some(y) = y else { continue };
                let inside = area.top < y - 20 && y + 20 < area.bottom;
                let outside = area.bottom < y - 10 || y + 10 < area.top;
                let covered = (actors[0]..=actors[actors.len() - 1]).contains(&lane);
                assert!(if covered { inside } else { outside }, "{}: 段 {lane}", plate.name);
            }
            let from = step_of(&band).unwrap();
            let own = spans(plate, &[Shape::Band]).filter(|span| span.from == from);
            let ends = own.map(|span| (columns[span.from], columns[span.to]));
            assert!(ends.into_iter().any(|ends| ends == (area.left, area.right)));
        }
    });
}

#[test]
fn the_value_is_written_inside_its_box() {
    each_in(Form::Across, |plate| {
        for stored in plate.of_class("tl-stored") {
            let (area, step) = (rect(&stored), step_of(&stored).unwrap());
            let own = plate.of_step(step).filter(|node| node.tag_name().name() == "text");
            let inside = own.map(|node| words(&node)).filter(|it| {
                (area.top..area.bottom).contains(&it.baseline) && it.area.left >= area.left
            });
            for value in inside {
                assert!(value.area.right <= area.right, "{}: {}", plate.name, value.text);
                assert!((value.baseline - area.middle().1 - 5).abs() <= 1, "{}", plate.name);
            }
        }
    });
}

#[test]
fn marks_stand_on_their_lane_in_their_column() {
    each_in(Form::Across, |plate| {
        let (columns, ys) = (plate.middles(), ys(plate));
        let mut wanted: Vec<_> = plate
            .layout
            .points
            .iter()
            .map(|point| (columns[point.step], ys[point.lane].unwrap()))
            .collect();
        let marks = plate.drawn().filter(|node| is(node, "tl-act") || is(node, "tl-note"));
        let mut found: Vec<_> = marks.map(|mark| extent(&mark).middle()).collect();
        wanted.sort_unstable();
        found.sort_unstable();
        assert_eq!(found, wanted, "{}", plate.name);
    });
}

#[test]
fn the_label_of_a_mark_is_above_its_lane_and_a_second_one_below() {
    with(&hand_over(), Form::Across, |plate| {
        let y = ys(plate)[1].unwrap();
        let baseline = |label: &str| {
            let labels = plate.of_class("tl-label").into_iter().map(|label| words(&label));
            labels.filter(|words| words.text == label).map(|words| words.baseline).next().unwrap()
        };
        assert_eq!((baseline("取得 #2"), baseline("クラッシュ")), (y - 12, y - 12));
        assert_eq!(baseline("返事なし"), y + 22);
    });
}

/// 矢印の線の、始まりと終わり。
fn ends(line: &Node<'_, '_>) -> ((i64, i64), (i64, i64)) {
    let points = path(line);
    (points[0], points[points.len() - 1])
}

#[test]
fn an_arrow_leaves_its_lane_and_reaches_another_with_a_halo_under_it() {
    each_in(Form::Across, |plate| {
        let (columns, ys) = (plate.middles(), ys(plate));
        let mut lines = plate.drawn().filter(|node| is(node, "tl-arrow") || is(node, "tl-call"));
        let mut halos = plate.of_class("tl-halo").into_iter();
        for flight in &plate.layout.flights {
            let (line, halo) = (lines.next().unwrap(), halos.next().unwrap());
            assert_eq!(line.attribute("d"), halo.attribute("d"), "{}", plate.name);
            let (start, end) = ends(&line);
            assert_eq!((start.0, end.0), (columns[flight.sent], columns[flight.step]));
            let (from, to) = (ys[flight.from].unwrap(), ys[flight.to].unwrap());
            let down = if from < to { 1 } else { -1 };
            assert!((5..=16).contains(&((start.1 - from) * down)), "{}: すぐそばから", plate.name);
            let rest = (to - end.1) * down;
            match (is(&line, "tl-call"), flight.verdict) {
                (true, _) => assert_eq!(rest, 0, "{}: 丸の真ん中まで", plate.name),
                (false, Verdict::Lost) => {
                    let gone = (end.1 - from) * down;
                    assert!((10..60).contains(&gone) && rest > 10, "{}: 途中まで", plate.name);
                }
                (false, _) => assert!((12..=24).contains(&rest), "{}: 手前まで", plate.name),
            }
        }
        assert_eq!((lines.next(), halos.next()), (None, None));
    });
}

#[test]
fn the_head_of_an_arrow_shows_its_verdict_by_its_shape() {
    each_in(Form::Across, |plate| {
        for head in plate.of_class("tl-head") {
            let points = path(&head);
            let corners = match classes(&head).nth(1).unwrap() {
                "tl-ok" => 3,
                "tl-ng" | "tl-lost" => 4,
                other => panic!("{other}"),
            };
            assert_eq!(points.len(), corners, "{}: {head:?}", plate.name);
            let x = plate.middles()[step_of(&head).unwrap()];
            assert_eq!(extent(&head).middle().0, x, "{}: 線の真ん中", plate.name);
        }
    });
}

#[test]
fn what_is_lost_ends_beside_its_words() {
    with(&lost_on_the_way(), Form::Across, |plate| {
        let heads = plate.of_class("tl-head").into_iter().filter(|head| is(head, "tl-lost"));
        let heads: Vec<_> = heads.collect();
        assert_eq!(heads.len(), 3);
        for label in ["頼み", "返事"] {
            let verdicts = plate.of_class("tl-verdict").into_iter().map(|node| words(&node));
            let label = verdicts.into_iter().find(|words| words.text == label).unwrap();
            let beside = heads.iter().map(extent).filter(|head| {
                (0..=12).contains(&(label.area.left - head.right))
                    && (label.area.top..=label.area.bottom).contains(&head.middle().1)
            });
            assert_eq!(beside.count(), 1, "{}", label.text);
        }
    });
}

#[test]
fn a_round_with_its_sign_stands_on_a_node_that_is_reached() {
    each_in(Form::Across, |plate| {
        let (columns, ys) = (plate.middles(), ys(plate));
        let nodes = plate.layout.flights.iter();
        let reached = nodes.filter(|flight| plate.layout.lanes[flight.to].kind == Kind::Node);
        let mut wanted: Vec<_> = reached
            .map(|it| (columns[it.step], ys[it.to].unwrap(), it.verdict.sign().to_owned()))
            .collect();
        let rounds = plate.of_class("tl-round").into_iter().zip(plate.of_class("tl-sign"));
        let mut found: Vec<_> = rounds
            .map(|(round, sign)| {
                let (x, y) = (number(&round, "cx"), number(&round, "cy"));
                assert!(extent(&round).holds(words(&sign).area), "{}: 丸の中", plate.name);
                (x, y, sign.text().unwrap().to_owned())
            })
            .collect();
        wanted.sort();
        found.sort();
        assert_eq!(found, wanted, "{}", plate.name);
    });
}

#[test]
fn changing_only_the_labels_of_verdicts_changes_no_column() {
    let written = |label: &str| {
        let lanes = vec![chart::Lane::new("A", Kind::Actor), chart::Lane::new("棚", Kind::Store)];
        let telling = Telling::new("題", lanes).step(0, "").mark("A", "書く");
        telling.arrow("A", "棚", Verdict::Yes, label).step(0, "").done()
    };
    let columns = |label: &str| with(&written(label), Form::Across, |plate| plate.middles());
    assert_eq!(columns("受理"), columns("拒否 1 < 2"));
    assert_ne!(columns("受理"), columns("拒否 1000000000 < 2000000000"));
}

#[test]
fn its_width_is_told_without_drawing_it() {
    for timeline in all() {
        with(&timeline, Form::Across, |plate| {
            assert_eq!(timeline.width_across() as i64, plate.size().0, "{}", plate.name);
        });
    }
}
