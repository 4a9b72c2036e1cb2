//! 図の組み立ての規則。どの段に、どの列からどの列まで、何を描くか。

use chart::{Flight, Kind, Lane, Layout, Point, Shape, Span, State, Step, Stop, Timeline, Verdict};

use crate::ordinary::everything;
use crate::scene::{Telling, alarms, far_ahead, hand_over, late_packet, nothing, still, takeover};

/// レーン `name` にある `shape` の、(始まりの列, 終わりの列)。
fn spans(timeline: &Timeline, name: &str, shape: Shape) -> Vec<(usize, usize)> {
    let layout = Layout::of(timeline);
    let here = |span: &&Span| layout.lanes[span.lane].name == name && span.shape == shape;
    layout.spans.iter().filter(here).map(|span| (span.from, span.to)).collect()
}

/// レーン `name` にある印の、(列, 言葉)。
fn points(timeline: &Timeline, name: &str) -> Vec<(usize, String)> {
    let layout = Layout::of(timeline);
    let here = |point: &&Point| layout.lanes[point.lane].name == name;
    layout.points.iter().filter(here).map(|point| (point.step, point.label.clone())).collect()
}

/// `kind` のレーン「甲」と、手を打つ「A」「B」の上で、「甲」の様子が順に変わるもの。
fn changing(kind: Kind, states: Vec<State>) -> Timeline {
    let lanes = vec![
        Lane::new("甲", kind).tone(3),
        Lane::new("A", Kind::Actor).tone(1),
        Lane::new("B", Kind::Actor).tone(2),
        Lane::new("棚", Kind::Store),
    ];
    let telling = Telling::new("題", lanes);
    states.into_iter().fold(telling, |it, state| it.step(0, "").state("甲", state)).done()
}

/// 「甲」の区間の、(描きかた, 始まり, 終わり, 色, 言葉)。
fn drawn(kind: Kind, states: Vec<State>) -> Vec<(Shape, usize, usize, Option<u8>, String)> {
    let layout = Layout::of(&changing(kind, states));
    let own = layout.spans.into_iter().filter(|span| layout.lanes[span.lane].name == "甲");
    own.map(|span| (span.shape, span.from, span.to, span.tone, span.label)).collect()
}

fn told(words: &str) -> String {
    words.to_owned()
}

#[test]
fn a_bar_that_lasts_reaches_one_past_the_last_column() {
    let timeline = takeover();
    assert_eq!(Layout::of(&timeline).end(), 8);
    assert_eq!(spans(&timeline, "ロック", Shape::Solid), [(1, 3), (4, 8)]);
    assert_eq!(Layout::of(&nothing()).end(), 1);
}

#[test]
fn the_solid_bar_of_an_actor_lies_inside_a_hollow_one_that_goes_on() {
    let timeline = takeover();
    assert_eq!(spans(&timeline, "A", Shape::Hollow), [(1, 7)]);
    assert_eq!(spans(&timeline, "A", Shape::Solid), [(1, 3)]);
    assert_eq!(spans(&timeline, "B", Shape::Hollow), [(4, 8)]);
    assert_eq!(spans(&timeline, "B", Shape::Solid), [(4, 8)]);
    assert_eq!(spans(&timeline, "二重取得", Shape::Band), [(4, 7)]);
}

#[test]
fn what_lies_below_comes_first() {
    let shapes: Vec<Shape> = drawn(Kind::Actor, vec![State::solid("").stopped(Some(Stop::Paused))])
        .into_iter()
        .map(|span| span.0)
        .collect();
    assert_eq!(shapes, [Shape::Hollow, Shape::Solid, Shape::Paused]);
}

#[test]
fn every_kind_of_lane_draws_its_bar_in_its_own_way() {
    let shapes = |kind, state: State| {
        drawn(kind, vec![state]).into_iter().map(|span| span.0).collect::<Vec<_>>()
    };
    let (idle, solid, hollow) = (State::idle("x"), State::solid("x"), State::hollow("x"));
    for (kind, expected) in [
        (Kind::Band, [vec![], vec![Shape::Band], vec![Shape::Band]]),
        (Kind::Actor, [vec![], vec![Shape::Hollow, Shape::Solid], vec![Shape::Hollow]]),
        (Kind::Service, [vec![], vec![Shape::Solid], vec![Shape::Hollow]]),
        (Kind::Node, [vec![], vec![Shape::Solid], vec![Shape::Hollow]]),
        (Kind::Store, [vec![Shape::Box], vec![Shape::Box], vec![Shape::Box]]),
    ] {
        let found = [&idle, &solid, &hollow].map(|state| shapes(kind, state.clone()));
        assert_eq!(found, expected, "{kind:?}");
    }
}

#[test]
fn a_bar_goes_on_only_if_it_says_so_and_looks_the_same() {
    let again = vec![State::solid("一"), State::solid("二")];
    assert_eq!(
        drawn(Kind::Service, again.clone()),
        [(Shape::Solid, 1, 2, Some(3), told("一")), (Shape::Solid, 2, 3, Some(3), told("二"))]
    );
    let on = vec![State::solid("一"), still(State::solid("二"))];
    assert_eq!(drawn(Kind::Service, on), [(Shape::Solid, 1, 3, Some(3), told("一"))]);
    let reshaped = vec![State::solid("一"), still(State::hollow("二"))];
    assert_eq!(
        drawn(Kind::Service, reshaped),
        [(Shape::Solid, 1, 2, Some(3), told("一")), (Shape::Hollow, 2, 3, Some(3), told("二"))]
    );
    let handed = vec![State::solid("一").by("A"), still(State::solid("二").by("B"))];
    assert_eq!(
        drawn(Kind::Service, handed),
        [(Shape::Solid, 1, 2, Some(1), told("一")), (Shape::Solid, 2, 3, Some(2), told("二"))]
    );
    let after_a_gap = vec![State::solid("一"), State::idle(""), still(State::solid("二"))];
    assert_eq!(
        drawn(Kind::Service, after_a_gap),
        [(Shape::Solid, 1, 2, Some(3), told("一")), (Shape::Solid, 3, 4, Some(3), told("二"))]
    );
}

#[test]
fn the_tone_is_that_of_the_lane_named_or_else_its_own() {
    let of = |state: State| drawn(Kind::Node, vec![state])[0].3;
    assert_eq!(of(State::solid("")), Some(3));
    assert_eq!(of(State::solid("").by("B")), Some(2));
    assert_eq!(of(State::solid("").by("棚")), None);
}

#[test]
fn stops_merge_whatever_the_bar_does_and_change_only_with_their_reason() {
    let paused = |state: State| state.stopped(Some(Stop::Paused));
    let dead = |state: State| state.stopped(Some(Stop::Dead));
    let states = vec![
        paused(State::solid("")),
        paused(State::hollow("")),
        paused(State::idle("")),
        dead(State::idle("")),
        State::idle(""),
        dead(State::idle("")),
    ];
    let stops: Vec<_> = drawn(Kind::Actor, states)
        .into_iter()
        .filter(|span| matches!(span.0, Shape::Paused | Shape::Dead))
        .collect();
    assert_eq!(
        stops,
        [
            (Shape::Paused, 1, 4, None, told("")),
            (Shape::Dead, 4, 5, None, told("")),
            (Shape::Dead, 6, 7, None, told(""))
        ]
    );
}

#[test]
fn a_box_keeps_its_value_until_the_next() {
    let timeline = takeover();
    assert_eq!(spans(&timeline, "row-42", Shape::Box), [(0, 5), (5, 8)]);
    let on = vec![State::idle("一"), still(State::idle("一"))];
    assert_eq!(drawn(Kind::Store, on), [(Shape::Box, 1, 3, Some(3), told("一"))]);
}

#[test]
fn a_note_within_a_bar_is_a_point_before_the_marks_of_its_step() {
    let timeline = hand_over();
    assert_eq!(points(&timeline, "ロック"), [(2, told("~16")), (7, told("失効"))]);
    assert_eq!(spans(&timeline, "ロック", Shape::Solid), [(1, 3), (4, 7)]);
    let both = Telling::new("題", vec![Lane::new("係", Kind::Service)])
        .step(0, "")
        .mark("係", "先の手")
        .step(1, "")
        .mark("係", "印")
        .state("係", State::solid("").going_on("途中"))
        .done();
    let expected = [(1, told("先の手")), (2, told("途中")), (2, told("印"))];
    assert_eq!(points(&both, "係"), expected);
}

#[test]
fn a_band_that_is_never_laid_is_not_shown() {
    let names = |timeline: &Timeline| {
        let lanes = Layout::of(timeline).lanes.into_iter();
        lanes.map(|lane| lane.name).collect::<Vec<_>>()
    };
    assert_eq!(names(&takeover()), ["二重取得", "A", "B", "ロック", "row-42"]);
    assert_eq!(names(&hand_over()), ["A", "B", "ロック"]);
    assert_eq!(names(&alarms()), ["重なり", "人手不足", "A", "B"]);
    let never = changing(Kind::Band, vec![State::idle("言葉だけ")]);
    assert_eq!(names(&never), ["A", "B", "棚"]);
}

#[test]
fn a_point_keeps_all_that_its_mark_says() {
    let timeline =
        Telling::new("題", vec![Lane::new("帯", Kind::Band), Lane::new("A", Kind::Actor)])
            .step(4, "")
            .judged("A", "見る", Verdict::No)
            .clock(9)
            .done();
    let (label, verdict, clock) = (told("見る"), Some(Verdict::No), Some(9));
    assert_eq!(Layout::of(&timeline).points, [Point { lane: 0, step: 1, label, verdict, clock }]);
}

#[test]
fn a_flight_goes_from_where_it_was_sent_to_where_it_arrived() {
    let layout = Layout::of(&late_packet());
    let flight = |from, sent, step| Flight {
        from,
        to: 4,
        sent,
        step,
        verdict: Verdict::Yes,
        label: told("受理"),
        level: 0,
    };
    assert_eq!(layout.flights, [flight(2, 5, 5), flight(1, 2, 6)]);
}

/// 「A」か「B」を (送った手, 届いた手) で出たものの、ずらす分。
fn levels(flights: &[(&str, usize, usize)]) -> Vec<usize> {
    let lanes = ["A", "B"].map(|name| Lane::new(name, Kind::Actor));
    let lanes = lanes.into_iter().chain([Lane::new("棚", Kind::Store)]).collect();
    let last = flights.iter().map(|flight| flight.2).max().unwrap();
    let mut telling = Telling::new("題", lanes);
    for step in 1..=last {
        telling = telling.step(0, "");
        for (from, sent, _) in flights.iter().filter(|flight| flight.2 == step) {
            telling = telling.late(from, "棚", *sent, Verdict::Yes, "");
        }
    }
    Layout::of(&telling.done()).flights.iter().map(|flight| flight.level).collect()
}

#[test]
fn flights_that_are_on_the_way_at_once_are_raised_above_the_earlier() {
    assert_eq!(levels(&[("A", 1, 3), ("A", 2, 4)]), [0, 1]);
    assert_eq!(levels(&[("A", 1, 5), ("A", 2, 6), ("A", 3, 7)]), [0, 1, 2]);
    // 入れ替わって届いても、先に出たものが段に近い。
    assert_eq!(levels(&[("A", 2, 3), ("A", 1, 4)]), [1, 0]);
}

#[test]
fn flights_that_do_not_meet_are_not_raised() {
    assert_eq!(levels(&[("A", 1, 2), ("A", 2, 3)]), [0, 0], "届いてから出た");
    assert_eq!(levels(&[("A", 1, 3), ("B", 2, 4)]), [0, 0], "別の段から出た");
    assert_eq!(levels(&[("A", 1, 3), ("A", 1, 4)]), [0, 0], "一度に出た");
    assert_eq!(levels(&[("A", 1, 4), ("A", 1, 5), ("A", 2, 6)]), [0, 0, 1], "一度に出た組は一つ");
}

#[test]
fn a_column_has_the_time_of_its_step() {
    let layout = Layout::of(&far_ahead());
    assert_eq!(layout.times, [0, 0, 3, 1_000_002]);
    let layout = Layout::of(&takeover());
    let advancing: Vec<usize> = (0..layout.end()).filter(|at| layout.advances(*at)).collect();
    assert_eq!(advancing, [0, 1, 2, 3, 6]);
}

#[test]
fn every_span_has_a_width() {
    for (name, timeline) in everything() {
        let layout = Layout::of(&timeline);
        for span in &layout.spans {
            assert!(span.from < span.to && span.to <= layout.end(), "{name}: {span:?}");
        }
    }
}

#[test]
fn a_state_of_the_start_begins_in_the_first_column() {
    let mut timeline = changing(Kind::Service, vec![State::solid("一")]);
    timeline.steps[0].change("甲", State::solid("零"));
    let found: Vec<_> =
        Layout::of(&timeline).spans.iter().map(|span| (span.from, span.to)).collect();
    assert_eq!(found, [(0, 1), (1, 2)]);
}

/// 書いては読むことを繰り返す、`count` 手の時系列。
fn long(count: usize) -> Timeline {
    let lanes = vec![
        Lane::new("帯", Kind::Band),
        Lane::new("A", Kind::Actor).tone(1),
        Lane::new("B", Kind::Actor).tone(2),
        Lane::new("係", Kind::Service),
        Lane::new("棚", Kind::Store),
    ];
    let mut timeline = Timeline::new("長い記録", "ミリ秒", lanes);
    for number in 1..=count {
        let name = if number % 3 == 0 { "B" } else { "A" };
        let mut step = Step::at(number as u64 * 7, "書いた。");
        step.mark(name, "書く");
        step.change(name, State::solid(""));
        step.change("係", State::solid("番").by(name));
        step.change("棚", State::idle(&number.to_string()));
        step.change("帯", if number % 2 == 0 { State::solid("") } else { State::idle("") });
        step.arrows.push(chart::Arrow {
            from: name.to_owned(),
            to: "棚".to_owned(),
            sent: number.saturating_sub(number % 4).max(1),
            verdict: Verdict::Yes,
            label: "受".to_owned(),
        });
        timeline.steps.push(step);
    }
    timeline
}

#[test]
fn two_thousand_steps_are_laid_out_and_drawn() {
    let timeline = long(2_000);
    timeline.check().unwrap();
    let layout = Layout::of(&timeline);
    assert_eq!((layout.end(), layout.flights.len()), (2_001, 2_000));
    assert_eq!(layout.spans.iter().filter(|span| span.shape == Shape::Box).count(), 2_000);
    for svg in [timeline.across(), timeline.down()] {
        assert_eq!(svg.matches("class=\"tl-stored").count(), 2_000);
        assert_eq!(svg.matches("class=\"tl-head tl-ok").count(), 2_000);
    }
    assert_eq!(timeline.rows().lines().count(), 2_002);
}
