//! コマの規則。事実は積み重なり、判定は矢印と印から決まる。

use std::collections::BTreeMap;

use chart::{Frame, Layout, Verdict};

use crate::ordinary::everything;
use crate::scene::{Telling, takeover};

fn facts(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    pairs.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect()
}

fn blank() -> Telling {
    use chart::{Kind, Lane};
    let lanes = vec![
        Lane::new("A", Kind::Actor),
        Lane::new("B", Kind::Actor),
        Lane::new("棚", Kind::Store),
    ];
    Telling::new("題", lanes)
}

#[test]
fn facts_accumulate_and_the_latest_wins() {
    let timeline = blank()
        .fact("値", "(空)")
        .fact("数", "0")
        .step(1, "書いた。")
        .fact("値", "x")
        .step(2, "何もない。")
        .step(3, "消した。")
        .fact("値", "—")
        .fact("新しい", "はい")
        .done();
    let frames: Vec<_> = timeline.frames().into_iter().map(|frame| frame.facts).collect();
    assert_eq!(
        frames,
        [
            facts(&[("値", "(空)"), ("数", "0")]),
            facts(&[("値", "x"), ("数", "0")]),
            facts(&[("値", "x"), ("数", "0")]),
            facts(&[("値", "—"), ("数", "0"), ("新しい", "はい")]),
        ]
    );
}

#[test]
fn a_frame_tells_the_whole_step() {
    let mut timeline = blank()
        .fact("数", "0")
        .step(4, "書いた。")
        .arrow("A", "棚", Verdict::No, "満杯")
        .fact("数", "1")
        .done();
    timeline.steps[1].action = "A: 書く".to_owned();
    let first = Frame {
        step: 0,
        time: 0,
        action: String::new(),
        words: String::new(),
        verdict: String::new(),
        good: None,
        facts: facts(&[("数", "0")]),
    };
    let second = Frame {
        step: 1,
        time: 4,
        action: "A: 書く".to_owned(),
        words: "書いた。".to_owned(),
        verdict: "満杯".to_owned(),
        good: Some(false),
        facts: facts(&[("数", "1")]),
    };
    assert_eq!(timeline.frames(), [first, second]);
}

/// 一手だけの時系列の、判定の言葉と、よかったか。
fn verdict(tell: impl FnOnce(Telling) -> Telling) -> (String, Option<bool>) {
    let frame = tell(blank().step(1, "")).done().frames().remove(1);
    (frame.verdict, frame.good)
}

#[test]
fn the_verdict_is_of_an_arrow_first_and_then_of_a_mark() {
    let (yes, no, lost) = (Verdict::Yes, Verdict::No, Verdict::Lost);
    let told = |words: &str, good| (words.to_owned(), good);
    assert_eq!(verdict(|it| it.arrow("A", "棚", yes, "受")), told("受", Some(true)));
    assert_eq!(verdict(|it| it.arrow("A", "棚", no, "断")), told("断", Some(false)));
    assert_eq!(verdict(|it| it.judged("A", "3/5", yes)), told("3/5", Some(true)));
    assert_eq!(verdict(|it| it.judged("A", "0/5", no)), told("0/5", Some(false)));
    let both = |it: Telling| it.judged("A", "印", no).arrow("A", "棚", yes, "矢");
    assert_eq!(verdict(both), told("矢", Some(true)));
    let two = |it: Telling| it.arrow("A", "棚", no, "先").arrow("B", "棚", yes, "後");
    assert_eq!(verdict(two), told("先", Some(false)));
    assert_eq!(verdict(|it| it.mark("A", "押す")), told("", None));
    assert_eq!(verdict(|it| it.arrow("A", "棚", lost, "不明")), told("", None));
    assert_eq!(verdict(|it| it.judged("A", "不明", lost)), told("", None));
}

#[test]
fn what_says_nothing_or_is_lost_gives_way_to_the_next() {
    let (yes, no, lost) = (Verdict::Yes, Verdict::No, Verdict::Lost);
    let silent = |it: Telling| it.judged("A", "2/3", yes).arrow("A", "B", no, "");
    assert_eq!(verdict(silent), ("2/3".to_owned(), Some(true)));
    let gone = |it: Telling| it.arrow("A", "B", lost, "消えた").arrow("B", "棚", no, "満杯");
    assert_eq!(verdict(gone), ("満杯".to_owned(), Some(false)));
}

#[test]
fn there_is_a_frame_for_every_column_of_the_figure() {
    for (name, timeline) in everything() {
        let frames = timeline.frames();
        let steps: Vec<usize> = frames.iter().map(|frame| frame.step).collect();
        assert_eq!(steps, (0..Layout::of(&timeline).end()).collect::<Vec<_>>(), "{name}");
        for (frame, step) in frames.iter().zip(&timeline.steps) {
            assert_eq!((frame.time, &frame.words), (step.time, &step.words), "{name}");
        }
    }
}

#[test]
fn the_json_of_a_frame_has_plain_numbers_and_names() {
    let frame = takeover().frames().remove(7);
    let expected = "{\"step\":7,\"time\":12,\"action\":\"\",\"words\":\"A1 が拒否された。\",\
                    \"verdict\":\"拒否 1 < 2\",\"good\":false,\"facts\":{}}";
    assert_eq!(serde_json::to_string(&frame).unwrap(), expected);
}

#[test]
fn the_length_counts_the_steps_without_the_start() {
    let timeline = takeover();
    assert_eq!((timeline.len(), timeline.is_empty()), (7, false));
    let start = blank().done();
    assert_eq!((start.len(), start.is_empty()), (0, true));
    assert_eq!((start.lane("棚"), start.lane("箱")), (Some(2), None));
}
