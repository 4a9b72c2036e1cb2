//! 縦の図の規則。時間は上から下へ進み、狭い欄に収まること。

use std::collections::BTreeMap;

use chart::{Kind, Shape, Timeline, Verdict};
use roxmltree::Node;

use crate::ordinary::stories;
use crate::plate::{
    Form, Plate, classes, each_in, extent, is, no_faults, path, step_of, with, words,
};
use crate::scene::{far_ahead, hand_over, lost_on_the_way, takeover};

/// 狭い画面の欄の幅。
const NARROW: i64 = 324;

#[test]
fn no_words_lie_over_a_bar_or_in_the_box_of_another() {
    no_faults(&[Form::Down], |plate, faults| {
        let thick = |node: &Node<'_, '_>| {
            ["tl-holds", "tl-believes", "tl-node"].iter().any(|class| is(node, class))
        };
        let bars: Vec<_> = plate.drawn().filter(thick).collect();
        let boxes = plate.of_class("tl-stored");
        for words in plate.texts().iter().filter(|words| !words.is("tl-sign")) {
            if bars.iter().any(|bar| extent(bar).meets(words.area)) {
                faults.push(format!("{} が棒にかかる", words.text));
            }
            let over = boxes.iter().filter(|stored| extent(stored).meets(words.area));
            if !words.is("tl-value") && over.count() > 0 {
                faults.push(format!("{} が箱にかかる", words.text));
            }
        }
    });
}

#[test]
fn every_word_of_a_box_is_inside_it() {
    no_faults(&[Form::Down], |plate, faults| {
        let boxes: Vec<_> = plate.of_class("tl-stored").iter().map(extent).collect();
        for node in plate.of_class("tl-value").iter().filter(|node| step_of(node).is_some()) {
            if !boxes.iter().any(|stored| stored.holds(extent(node))) {
                faults.push(node.text().unwrap_or_default().to_owned());
            }
        }
    });
}

#[test]
fn a_story_with_up_to_five_lanes_fits_a_narrow_column() {
    let mut fitted = 0;
    let mut wide = Vec::new();
    for (name, timeline) in stories() {
        with(&timeline, Form::Down, |plate| {
            let lanes = plate.layout.lanes.iter().filter(|lane| lane.kind != Kind::Band);
            if lanes.count() <= 5 {
                fitted += 1;
                if plate.size().0 > NARROW + 1 {
                    wide.push(format!("{name}: {}", plate.size().0));
                }
            }
        });
    }
    assert_eq!(wide, Vec::<String>::new());
    assert!(fitted >= 50, "{fitted} 本しか確かめていない");
}

/// レーンの棒の真ん中の横の位置。帯と箱にはない。
fn xs(plate: &Plate<'_>) -> Vec<Option<i64>> {
    let mut lines = plate.of_class("tl-lane").into_iter();
    let lanes = plate.layout.lanes.iter();
    let xs: Vec<Option<i64>> = lanes
        .map(|lane| match lane.kind {
            Kind::Band | Kind::Store => None,
            _ => Some(path(&lines.next().unwrap())[0].0),
        })
        .collect();
    assert_eq!(lines.next(), None);
    xs
}

#[test]
fn bars_reach_from_row_to_row_on_the_line_of_their_lane() {
    let drawn = ["tl-believes", "tl-holds", "tl-node", "tl-paused", "tl-dead"];
    each_in(Form::Down, |plate| {
        let (rows, xs) = (plate.middles(), xs(plate));
        let bars = plate.layout.spans.iter();
        let bars = bars.filter(|span| !matches!(span.shape, Shape::Band | Shape::Box));
        let mut wanted: Vec<_> =
            bars.map(|span| (xs[span.lane].unwrap(), rows[span.from], rows[span.to])).collect();
        let found = plate.drawn().filter(|node| classes(node).any(|own| drawn.contains(&own)));
        let mut found: Vec<_> = found
            .map(|bar| {
                let area = extent(&bar);
                (area.left.midpoint(area.right), area.top, area.bottom)
            })
            .collect();
        wanted.sort_unstable();
        found.sort_unstable();
        assert_eq!(found, wanted, "{}", plate.name);
    });
}

#[test]
fn the_boxes_of_a_store_lie_one_below_the_other_without_a_gap() {
    each_in(Form::Down, |plate| {
        let rows = plate.middles();
        let mut lanes: BTreeMap<i64, Vec<_>> = BTreeMap::new();
        for stored in plate.of_class("tl-stored") {
            let area = extent(&stored);
            let (from, to) = (rows[step_of(&stored).unwrap()], area.bottom);
            assert!(area.top < from && from < to, "{}: 印の行から", plate.name);
            lanes.entry(area.left).or_default().push(area);
        }
        for boxes in lanes.values() {
            for pair in boxes.windows(2) {
                assert_eq!(pair[0].bottom, pair[1].top, "{}", plate.name);
            }
            assert_eq!(boxes.last().unwrap().bottom, *rows.last().unwrap(), "{}", plate.name);
        }
    });
}

#[test]
fn a_band_covers_the_columns_of_the_actors_and_no_other() {
    each_in(Form::Down, |plate| {
        let xs = xs(plate);
        let (stops, rows) = (plate.stops(), plate.middles());
        for band in plate.of_class("tl-band") {
            let area = extent(&band);
            let is_actor = |lane: &usize| plate.layout.lanes[*lane].kind == Kind::Actor;
            let actors: Vec<usize> = (0..xs.len()).filter(is_actor).collect();
            for (lane, x) in xs.iter().enumerate() {
                let Some(x) = x else { continue };
                let inside = (area.left + 5..area.right - 5).contains(x);
                let covered = (actors[0]..=actors[actors.len() - 1]).contains(&lane);
                assert_eq!(inside, covered, "{}: レーン {lane}", plate.name);
            }
            let from = step_of(&band).unwrap();
            assert!(area.top < rows[from] && rows[from - 1] < area.top, "{}", plate.name);
            let spans = plate.layout.spans.iter();
            let own = spans.filter(|span| span.shape == Shape::Band && span.from == from);
            // 終わらせた手の言葉に重ならないように、その手の行の手前で終わる。
            assert!(own.map(|span| stops[span.to - 1]).any(|end| end == area.bottom));
        }
    });
}

#[test]
fn the_cursor_stops_between_rows_and_crosses_no_words() {
    each_in(Form::Down, |plate| {
        let (stops, rows) = (plate.stops(), plate.middles());
        assert!(stops[stops.len() - 1] <= plate.size().1, "{}", plate.name);
        for (step, stop) in stops.into_iter().enumerate() {
            assert!(rows[step] < stop && stop < rows[step + 1], "{}: 手 {step}", plate.name);
            for node in plate.drawn().filter(|node| node.has_tag_name("text")) {
                let Some(at) = step_of(&node) else { continue };
                let area = words(&node).area;
                let apart = if at > step { stop <= area.top } else { area.bottom <= stop };
                assert!(apart, "{}: 手 {step} と {:?}", plate.name, node.text());
            }
        }
    });
}

#[test]
fn marks_stand_on_their_lane_in_their_row() {
    each_in(Form::Down, |plate| {
        let (rows, xs) = (plate.middles(), xs(plate));
        for act in plate.of_class("tl-act") {
            assert_eq!(extent(&act).middle().1, rows[step_of(&act).unwrap()], "{}", plate.name);
        }
        let mut wanted: Vec<_> = plate
            .layout
            .points
            .iter()
            .filter_map(|point| Some((xs[point.lane]?, rows[point.step])))
            .collect();
        let on_a_bar = |node: &Node<'_, '_>| {
            is(node, "tl-act") || (is(node, "tl-note") && extent(node).top == extent(node).bottom)
        };
        let mut found: Vec<_> = plate
            .drawn()
            .filter(on_a_bar)
            .map(|mark| extent(&mark).middle())
            .filter(|(x, _)| xs.contains(&Some(*x)))
            .collect();
        wanted.sort_unstable();
        found.sort_unstable();
        assert_eq!(found, wanted, "{}", plate.name);
    });
}

#[test]
fn an_arrow_runs_level_in_the_row_where_it_arrives() {
    each_in(Form::Down, |plate| {
        let (rows, xs) = (plate.middles(), xs(plate));
        let mut lines = plate.drawn().filter(|node| is(node, "tl-arrow") || is(node, "tl-call"));
        let mut halos = plate.of_class("tl-halo").into_iter();
        for flight in &plate.layout.flights {
            let (line, halo) = (lines.next().unwrap(), halos.next().unwrap());
            assert_eq!(line.attribute("d"), halo.attribute("d"), "{}", plate.name);
            let points = path(&line);
            let (start, end) = (points[0], points[points.len() - 1]);
            assert_eq!((start.1, end.1), (rows[flight.sent], rows[flight.step]));
            if flight.sent == flight.step {
                assert_eq!(points.len(), 2, "{}: まっすぐ", plate.name);
            } else if let Some(from) = xs[flight.from] {
                assert!(points[1].0 < from && points[1].0 == points[2].0, "{}", plate.name);
            }
            if let (Some(from), Some(to), Verdict::Yes | Verdict::No) =
                (xs[flight.from], xs[flight.to], flight.verdict)
            {
                assert!((end.0 - to).abs() <= 14, "{}: {flight:?}", plate.name);
                assert!((start.0 - from).abs() <= 6, "{}: {flight:?}", plate.name);
            }
        }
        assert_eq!((lines.next(), halos.next()), (None, None));
    });
}

#[test]
fn what_is_lost_ends_near_the_lane_that_sent_it() {
    with(&lost_on_the_way(), Form::Down, |plate| {
        let xs = xs(plate);
        let heads = plate.of_class("tl-head").into_iter().filter(|head| is(head, "tl-lost"));
        let heads: Vec<i64> = heads.map(|head| extent(&head).middle().0).collect();
        let (a, service) = (xs[0].unwrap(), xs[1].unwrap());
        assert_eq!(heads.len(), 3);
        // 一つ目と三つ目は右へ、二つ目は左へ送った。
        assert!(a < heads[0] && heads[0] < service && a < heads[2] && heads[2] < service);
        assert!(a < heads[1] && heads[1] < service);
    });
}

#[test]
fn the_words_of_a_row_with_an_arrow_are_above_it() {
    each_in(Form::Down, |plate| {
        let rows = plate.middles();
        for flight in &plate.layout.flights {
            let y = rows[flight.step];
            for node in plate.of_step_and_class(flight.step, "tl-word") {
                assert!(words(&node).area.bottom < y, "{}: {:?}", plate.name, node.text());
            }
        }
    });
}

#[test]
fn the_margin_is_as_wide_as_the_times_need() {
    let margin = |timeline: &Timeline| {
        with(timeline, Form::Down, |plate| *xs(plate).iter().flatten().next().unwrap())
    };
    assert_eq!(margin(&takeover()), margin(&hand_over()));
    assert!(margin(&far_ahead()) > margin(&takeover()));
}

#[test]
fn a_unit_that_does_not_fit_the_margin_is_not_written() {
    let units = |unit: &str| {
        let mut timeline = takeover();
        timeline.unit = unit.to_owned();
        with(&timeline, Form::Down, |plate| {
            plate.texts().iter().any(|words| words.text == unit && words.is("tl-dim"))
        })
    };
    assert!(units("時刻") && units("ms") && units("秒"));
    assert!(!units("ミリ秒") && !units("とても長い呼び名"));
}

#[test]
fn a_sign_is_never_left_alone_on_a_line() {
    each_in(Form::Down, |plate| {
        for words in plate.texts().iter().filter(|words| words.is("tl-judged")) {
            let alone = ["✓", "✗", "×"].contains(&words.text.as_str());
            let wordless = plate.layout.flights.iter().any(|flight| flight.label.is_empty());
            assert!(!alone || wordless, "{}", plate.name);
        }
    });
}
