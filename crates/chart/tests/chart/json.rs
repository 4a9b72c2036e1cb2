//! JSON の読み方。書いたものはそのまま読み戻せ、描けないデータは、場所を名指した文で断られること。

use std::collections::BTreeMap;

use chart::{
    Arrow, Bar, Kind, Lane, Mark, ReadError, State, Step, Stop, Timeline, VERSION, Verdict,
};
use serde_json::Value;

use crate::ordinary::everything;

/// どの項目も埋まっている時系列。項目を足したら、ここにも足さないと組み立てられない。
fn full() -> Timeline {
    let text = |words: &str| words.to_owned();
    let lane = |name: &str, kind| Lane { name: text(name), short: None, kind, tone: None };
    let lanes = vec![
        Lane { name: text("帯"), short: Some(text("お")), kind: Kind::Band, tone: None },
        Lane { name: text("A"), short: None, kind: Kind::Actor, tone: Some(5) },
        lane("係", Kind::Service),
        lane("棚", Kind::Store),
        lane("甲", Kind::Node),
    ];
    let state = State {
        bar: Some(Bar::Hollow),
        by: Some(text("A")),
        label: text("使用中"),
        continues: true,
        note: text("延びた"),
        stop: Some(Stop::Paused),
    };
    let dead = State {
        bar: Some(Bar::Solid),
        stop: Some(Stop::Dead),
        label: text("x"),
        ..State::default()
    };
    let mark = |verdict, clock| Mark { lane: text("A"), label: text("押す"), verdict, clock };
    let arrow = |sent, verdict| Arrow {
        from: text("A"),
        to: text("棚"),
        sent,
        verdict,
        label: text("満杯"),
    };
    let first = Step {
        time: 3,
        words: text("始まった。"),
        action: text("A: 押す"),
        marks: vec![mark(Some(Verdict::Yes), Some(7)), mark(None, None)],
        arrows: vec![arrow(1, Verdict::No), arrow(1, Verdict::Lost)],
        changes: BTreeMap::from([(text("係"), state)]),
        facts: BTreeMap::from([(text("数"), text("1"))]),
    };
    let second = Step {
        changes: BTreeMap::from([(text("甲"), dead)]),
        arrows: vec![arrow(1, Verdict::Yes), arrow(2, Verdict::Yes)],
        ..Step::at(3, "続いた。")
    };
    let steps = vec![Step::at(0, ""), first, second];
    Timeline { version: VERSION, title: text("題"), unit: text("秒"), lanes, steps }
}

#[test]
fn everything_that_is_written_is_read_back_as_it_was() {
    let full = ("どの項目も埋まったもの".to_owned(), full());
    for (name, timeline) in everything().into_iter().chain([full]) {
        let json = timeline.to_json().unwrap();
        assert_eq!(Timeline::from_json(&json).unwrap(), timeline, "{name}");
        assert_eq!(Timeline::from_json(&json).unwrap().to_json().unwrap(), json, "{name}");
    }
}

#[test]
fn a_lane_and_a_step_are_written_in_a_line_each_without_what_is_empty() {
    let mut timeline = Timeline::new("題", "秒", vec![Lane::new("A", Kind::Actor).tone(1)]);
    let mut step = Step::at(2, "押した。");
    step.mark("A", "押す");
    step.change("A", State::solid("").by("A"));
    timeline.steps.push(step);
    insta::assert_snapshot!(timeline.to_json().unwrap(), @r#"
    {
      "version": 1,
      "title": "題",
      "unit": "秒",
      "lanes": [
        {"name":"A","kind":"actor","tone":1}
      ],
      "steps": [
        {"time":0},
        {"time":2,"words":"押した。","marks":[{"lane":"A","label":"押す"}],"changes":{"A":{"bar":"solid","by":"A"}}}
      ]
    }
    "#);
}

fn refusal(json: &str) -> String {
    match Timeline::from_json(json) {
        Ok(_) => panic!("読めないはず: {json}"),
        Err(error) => error.to_string(),
    }
}

/// `change` を加えた時系列が断られる文。
fn refused(change: impl FnOnce(&mut Timeline)) -> String {
    let mut timeline = full();
    change(&mut timeline);
    let told = timeline.check().unwrap_err().to_string();
    assert_eq!(refusal(&timeline.to_json().unwrap()), told);
    told
}

fn many_lanes(count: usize) -> Vec<Lane> {
    let mut lanes = full().lanes;
    lanes.extend((lanes.len()..count).map(|nth| Lane::new(&format!("L{nth}"), Kind::Actor)));
    lanes
}

fn many_steps(count: usize) -> Vec<Step> {
    let mut steps = full().steps;
    steps.resize(count + 1, Step::at(3, "続いた。"));
    steps
}

const UNNAMED: &str = "レーン 4 の name: 空か、両端に空白がある。見分けられる名前を書く。";

/// 印と矢印を、合わせて `count` 個にする。
fn with_events(timeline: &mut Timeline, count: usize) {
    let others = timeline.steps.iter().map(|step| step.marks.len() + step.arrows.len());
    let others = others.sum::<usize>() - timeline.steps[1].marks.len();
    let mark = timeline.steps[1].marks[1].clone();
    timeline.steps[1].marks.resize(count - others, mark);
}

/// 描けないデータと、それを断る文。
fn contents() -> Vec<(String, &'static str)> {
    vec![
        (
            refused(|it| it.version = 2),
            "version が 2 である。読めるのは 1 だけなので、書き出した道具と版をそろえる。",
        ),
        (
            refused(|it| it.version = 0),
            "version が 0 である。読めるのは 1 だけなので、書き出した道具と版をそろえる。",
        ),
        (refused(|it| it.lanes.clear()), "lanes: レーンは 1 本から 40 本までにする。"),
        (refused(|it| it.lanes = many_lanes(41)), "lanes: レーンは 1 本から 40 本までにする。"),
        (refused(|it| it.lanes[3].name = String::new()), UNNAMED),
        (refused(|it| it.lanes[3].name = " \u{3000}".to_owned()), UNNAMED),
        (refused(|it| it.lanes[3].name = "A ".to_owned()), UNNAMED),
        (
            refused(|it| it.lanes[0].short = Some(String::new())),
            "レーン 1 の short: 空か、両端に空白がある。見分けられる名前を書く。",
        ),
        (
            refused(|it| it.lanes[4].name = "A".to_owned()),
            "レーン 5: 「A」という名前が二つある。片方を変える。",
        ),
        (refused(|it| it.lanes[1].tone = Some(0)), "レーン 2: 色の番号は 1 から 5 までである。"),
        (refused(|it| it.lanes[1].tone = Some(6)), "レーン 2: 色の番号は 1 から 5 までである。"),
        (refused(|it| it.steps.clear()), "steps: 空である。始まる前の手 0 を置く。"),
        (refused(|it| it.steps = many_steps(5_001)), "steps: 手が多すぎる。5000 手までに分ける。"),
        (refused(|it| it.steps[2].time = 2), "手 2: 時刻が 3 から 2 に戻る。起きた順に並べる。"),
        (refused(|it| it.steps[0].time = 4), "手 1: 時刻が 4 から 3 に戻る。起きた順に並べる。"),
        (
            refused(|it| it.steps[0].marks = it.steps[1].marks.clone()),
            "手 0: 始まる前には、印も矢印も置けない。手 1 からに置く。",
        ),
        (
            refused(|it| it.steps[0].arrows = it.steps[1].arrows.clone()),
            "手 0: 始まる前には、印も矢印も置けない。手 1 からに置く。",
        ),
        (
            refused(|it| it.steps[1].marks[1].lane = "乙".to_owned()),
            "手 1 の印 2: レーン「乙」はない。あるのは 帯、A、係、棚、甲 である。",
        ),
        (
            refused(|it| it.steps[1].arrows[1].from = "乙".to_owned()),
            "手 1 の矢印 2: レーン「乙」はない。あるのは 帯、A、係、棚、甲 である。",
        ),
        (
            refused(|it| it.steps[2].arrows[0].to = "乙".to_owned()),
            "手 2 の矢印 1: レーン「乙」はない。あるのは 帯、A、係、棚、甲 である。",
        ),
        (
            refused(|it| it.steps[2].change("乙", State::default())),
            "手 2 の changes「乙」: レーン「乙」はない。あるのは 帯、A、係、棚、甲 である。",
        ),
        (
            refused(|it| it.steps[1].change("棚", State::idle("").by("乙"))),
            "手 1 の changes「棚」: レーン「乙」はない。あるのは 帯、A、係、棚、甲 である。",
        ),
        (
            refused(|it| it.steps[1].arrows[0].from = "帯".to_owned()),
            "手 1 の矢印 1: 矢印は、帯でない二つのレーンの間に引く。",
        ),
        (
            refused(|it| it.steps[1].arrows[0].to = "帯".to_owned()),
            "手 1 の矢印 1: 矢印は、帯でない二つのレーンの間に引く。",
        ),
        (
            refused(|it| it.steps[1].arrows[0].to = "A".to_owned()),
            "手 1 の矢印 1: 矢印は、帯でない二つのレーンの間に引く。",
        ),
        (
            refused(|it| it.steps[1].arrows[0].sent = 0),
            "手 1 の矢印 1: 手 0 に送ったことになっている。1 から 1 までにする。",
        ),
        (
            refused(|it| it.steps[1].arrows[1].sent = 2),
            "手 1 の矢印 2: 手 2 に送ったことになっている。1 から 1 までにする。",
        ),
        (
            refused(|it| it.title.push('\u{1b}')),
            "title: 文字に、端末や図を乱す \\u{1b} がある。除いて書く。",
        ),
        (
            refused(|it| it.steps[1].words = "長".repeat(1_001)),
            "手 1 の words: 長すぎる。1000 文字までにする。",
        ),
        (
            refused(|it| with_events(it, 20_001)),
            "steps: 印と矢印が多すぎる。合わせて 20000 までに分ける。",
        ),
        (
            refused(|it| it.steps[1].marks[0].lane = "帯".to_owned()),
            "手 1 の印 1: 帯には印を置けない。ほかのレーンに置く。",
        ),
        (
            refused(|it| it.steps[1].marks[0].lane = "\u{1b}[31m".to_owned()),
            "手 1 の印 1: レーン「\\u{1b}[31m」はない。あるのは 帯、A、係、棚、甲 である。",
        ),
        (
            refused(|it| it.steps[2].change("\u{202e}", State::default())),
            "手 2 の changes「\\u{202e}」: レーン「\\u{202e}」はない。あるのは 帯、A、係、棚、甲 である。",
        ),
    ]
}

const TRAILING: &str = "終わりを読めない(18 行 1 桁)。JSON の書き方が違う。カンマ、括弧、引用符、文字の書き方を確かめる。";

/// 読めない JSON と、それを断る文。
fn writings() -> Vec<(String, &'static str)> {
    let json = full().to_json().unwrap();
    let changed = |from: &str, to: &str| {
        assert!(json.contains(from), "{from}");
        refusal(&json.replacen(from, to, 1))
    };
    vec![
        (refusal(""), "全体: 空である。時系列の JSON を書く。"),
        (refusal(" \n"), "全体: 空である。時系列の JSON を書く。"),
        (refusal("[]"), "全体を読めない(1 行 2 桁)。値の種類が違う。オブジェクトを書く。"),
        (refusal("{"), "全体を読めない(1 行 1 桁)。途中で終わっている。終わりまで書く。"),
        (
            refusal(&json[..json.find("\"unit\"").unwrap()]),
            "全体を読めない(4 行 2 桁)。途中で終わっている。終わりまで書く。",
        ),
        (refusal(&format!("{json}x")), TRAILING),
        (refusal(&format!("{json}{json}")), TRAILING),
        (
            changed("\"version\": 1", "\"version\": 1, \"extra\": 0"),
            "extra を読めない(2 行 23 桁)。項目「extra」はない。あるのは version、title、unit、lanes、steps である。",
        ),
        (
            changed("\"version\": 1", "\"version\": 1, \"\\u001b`, expected \": 0"),
            "\\u{1b}`, expected  を読めない(2 行 36 桁)。項目「\\u{1b}`, expected 」はない。あるのは version、title、unit、lanes、steps である。",
        ),
        (
            changed("\"kind\":\"node\"", "\"kind\":\"robot\\u0007\""),
            "lanes[4].kind を読めない(10 行 36 桁)。「robot\\u{7}」とは書けない。書けるのは band、actor、service、store、node である。",
        ),
        (
            changed("\"kind\":\"node\"", "\"kind\":0"),
            "lanes[4].kind を読めない(10 行 24 桁)。値の種類が違う。決まった言葉の文字列を書く。",
        ),
        (
            changed("\"verdict\":\"no\"", "\"verdict\":\"maybe\""),
            "steps[1].arrows[0].verdict を読めない(14 行 192 桁)。「maybe」とは書けない。書けるのは yes、no、lost である。",
        ),
        (
            changed("\"time\":3", "\"time\":-3"),
            "steps[1].time を読めない(14 行 14 桁)。値の種類が違う。0 以上の、大きすぎない整数を書く。",
        ),
        (
            changed("\"time\":3", "\"time\":18446744073709551616"),
            "steps[1].time を読めない(14 行 32 桁)。値の種類が違う。0 以上の、大きすぎない整数を書く。",
        ),
        (
            changed("\"tone\":5", "\"tone\":256"),
            "lanes[1].tone を読めない(7 行 41 桁)。値の種類が違う。1 から 5 までの整数を書く。",
        ),
        (
            changed("\"time\":3", "\"time\":3,\"time\":3"),
            "steps[1] を読めない(14 行 20 桁)。項目「time」が二度ある。一つにする。",
        ),
        (
            changed("\"facts\":{", "\"facts\":{\"数\":\"2\","),
            "steps[1].facts を読めない(14 行 393 桁)。項目「数」が二度ある。一つにする。",
        ),
        (
            changed("\"continues\":true", "\"continues\":1"),
            "steps[1].changes.係.continues を読めない(14 行 333 桁)。値の種類が違う。真偽値(true か false)を書く。",
        ),
        (
            changed("\"title\": \"題\"", "\"title\": 1"),
            "title を読めない(3 行 12 桁)。値の種類が違う。文字列を書く。",
        ),
        (
            changed("\"marks\":[", "\"marks\":0,\"x\":["),
            "steps[1].marks を読めない(14 行 56 桁)。値の種類が違う。配列を書く。",
        ),
        (
            changed("\"title\": \"題\",", "\"title\": \"題\""),
            "全体を読めない(4 行 3 桁)。JSON の書き方が違う。カンマ、括弧、引用符、文字の書き方を確かめる。",
        ),
        (
            changed("  \"unit\": \"秒\",\n", ""),
            "全体を読めない(16 行 1 桁)。項目「unit」がない。書き足す。",
        ),
    ]
}

#[test]
fn what_cannot_be_drawn_is_refused_with_a_sentence_that_names_the_place() {
    let (told, expected): (Vec<_>, Vec<_>) = contents().into_iter().unzip();
    assert_eq!(told, expected);
}

#[test]
fn what_cannot_be_read_is_refused_with_a_sentence_that_names_the_place() {
    let (told, expected): (Vec<_>, Vec<_>) = writings().into_iter().unzip();
    assert_eq!(told, expected);
}

#[test]
fn the_largest_timelines_are_not_refused() {
    let mut timeline = full();
    timeline.lanes = many_lanes(40);
    timeline.steps = many_steps(5_000);
    timeline.steps[1].words = "長".repeat(1_000);
    with_events(&mut timeline, 20_000);
    timeline.check().unwrap();
    for tone in 1..=Lane::TONES {
        timeline.lanes[1].tone = Some(tone);
        timeline.check().unwrap();
    }
}

/// 読み手のソースにある、断る文の型。`{}` の所で切ってある。
fn templates() -> Vec<Vec<String>> {
    let source = include_str!("../../src/json.rs");
    let code = source.lines().filter(|line| !line.trim_start().starts_with("//"));
    let literals = code.flat_map(|line| line.split('"').skip(1).step_by(2));
    let sentences = literals.filter(|literal| literal.ends_with('。'));
    let cut = |sentence: &str| {
        let mut pieces = sentence.split('{');
        let first = pieces.next().unwrap_or_default().to_owned();
        let rest = pieces.map(|piece| piece.split_once('}').unwrap().1.to_owned());
        std::iter::once(first).chain(rest).collect()
    };
    sentences.map(cut).collect()
}

#[test]
fn every_sentence_of_refusal_in_the_source_is_tried_here() {
    let mut told: Vec<String> = contents().into_iter().map(|(told, _)| told).collect();
    told.extend(writings().into_iter().map(|(told, _)| told));
    let templates = templates();
    assert!(templates.len() >= 14, "{templates:?}");
    for pieces in templates {
        let fits = |told: &String| {
            let mut rest = told.as_str();
            pieces.iter().all(|piece| match rest.find(piece.as_str()) {
                Some(at) => {
                    rest = &rest[at + piece.len()..];
                    true
                }
                None => false,
            })
        };
        assert!(told.iter().any(fits), "{pieces:?} を断る試験がない");
    }
    // 種類を足すと、ここが組み立てられない。
    let kind = |error: &ReadError| match error {
        ReadError::Json { .. } | ReadError::Version { .. } | ReadError::Content { .. } => (),
    };
    kind(&Timeline::from_json("").unwrap_err());
}

/// すべての文字列と、すべての名前の場所。
fn places(value: &Value, at: &str, found: &mut Vec<String>) {
    match value {
        Value::String(_) => found.push(at.to_owned()),
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                places(item, &format!("{at}/{index}"), found);
            }
        }
        Value::Object(fields) => {
            for (name, item) in fields {
                places(item, &format!("{at}/{name}"), found);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// 乱す文字。
const DISTURBING: [char; 17] = [
    '\u{0}',
    '\n',
    '\t',
    '\u{1b}',
    '\u{7f}',
    '\u{9b}',
    '\u{ad}',
    '\u{200b}',
    '\u{200f}',
    '\u{2028}',
    '\u{202e}',
    '\u{2060}',
    '\u{2066}',
    '\u{2069}',
    '\u{feff}',
    '\u{ffff}',
    '\u{e0041}',
];

#[test]
fn no_string_may_hold_what_disturbs_a_terminal_or_an_svg() {
    let whole: Value = serde_json::from_str(&full().to_json().unwrap()).unwrap();
    let mut found = Vec::new();
    places(&whole, "", &mut found);
    assert!(found.len() > 30, "{found:?}");
    for place in found {
        for disturbing in DISTURBING {
            let mut changed = whole.clone();
            if let Some(Value::String(text)) = changed.pointer_mut(&place) {
                text.push(disturbing);
            }
            assert_ne!(changed, whole);
            refusal(&changed.to_string());
        }
    }
}

#[test]
fn no_name_of_a_fact_may_disturb() {
    for disturbing in DISTURBING {
        let told = refused(|it| it.steps[1].fact(&disturbing.to_string(), "x"));
        let shown = format!("\\u{{{:x}}}", u32::from(disturbing));
        let expected = "文字に、端末や図を乱す";
        assert_eq!(
            told,
            format!("手 1 の facts「{shown}」: {expected} {shown} がある。除いて書く。")
        );
    }
}

#[test]
fn a_disturbing_character_is_told_with_its_place() {
    let escape = |text: &mut String| text.push('\u{1b}');
    let told = [
        (refused(|it| escape(&mut it.unit)), "unit"),
        (refused(|it| escape(&mut it.lanes[1].name)), "レーン 2 の name"),
        (refused(|it| escape(it.lanes[0].short.as_mut().unwrap())), "レーン 1 の short"),
        (refused(|it| escape(&mut it.steps[1].words)), "手 1 の words"),
        (refused(|it| escape(&mut it.steps[1].action)), "手 1 の action"),
        (refused(|it| escape(&mut it.steps[1].marks[1].label)), "手 1 の印 2"),
        (refused(|it| escape(&mut it.steps[1].arrows[1].label)), "手 1 の矢印 2"),
        (
            refused(|it| escape(&mut it.steps[1].changes.get_mut("係").unwrap().label)),
            "手 1 の changes「係」",
        ),
        (
            refused(|it| escape(&mut it.steps[1].changes.get_mut("係").unwrap().note)),
            "手 1 の changes「係」",
        ),
        (refused(|it| escape(it.steps[1].facts.get_mut("数").unwrap())), "手 1 の facts「数」"),
    ];
    for (told, place) in told {
        assert_eq!(told, format!("{place}: 文字に、端末や図を乱す \\u{{1b}} がある。除いて書く。"));
    }
}

#[test]
fn ordinary_characters_of_every_width_are_not_refused() {
    let mut timeline = full();
    timeline.title = "é ｶﾅ 漢字 \u{2010}\u{2027}\u{2065}\u{206a}\u{fffd} 😀 <&>\"'".to_owned();
    timeline.check().unwrap();
}
