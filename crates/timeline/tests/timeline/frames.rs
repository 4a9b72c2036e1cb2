//! コマの規則。

use timeline::Client::{A, B};
use timeline::{Event, Form, Frame, Layout, Token, words};

use crate::scene::{all, hand_over, late_packet, plain, zombie};

/// 手 0 から順に、`pick` で選んだ所。
fn each<T>(frames: &[Frame], pick: impl Fn(&Frame) -> T) -> Vec<T> {
    frames.iter().map(pick).collect()
}

#[test]
fn frame_zero_shows_the_state_before_anything_is_done() {
    let expected = Frame {
        step: 0,
        time: 0,
        action: String::new(),
        sentence: String::new(),
        verdict: String::new(),
        accepted: None,
        holder: "(空き)".to_owned(),
        token: "—".to_owned(),
        expiry: "—".to_owned(),
        now: 0,
        value: Some("(空)".to_owned()),
        max_token: Some(Token::NONE),
        rejected: 0,
        believers: vec![],
    };
    assert_eq!(zombie().play("題").frames()[0], expected);
}

#[test]
fn a_frame_shows_the_whole_step() {
    let expected = Frame {
        step: 5,
        time: 10,
        action: "B: B1 を書く".to_owned(),
        sentence: "row-42 に B1 がトークン 2 とともに届いた。\
                   2 >= 0 なので受理され、値は B1 になった。"
            .to_owned(),
        verdict: "受理 2 >= 0".to_owned(),
        accepted: Some(true),
        holder: "B".to_owned(),
        token: "2".to_owned(),
        expiry: "20".to_owned(),
        now: 10,
        value: Some("B1".to_owned()),
        max_token: Some(Token(2)),
        rejected: 0,
        believers: vec![A, B],
    };
    assert_eq!(zombie().play("題").frames()[5], expected);
}

#[test]
fn a_frame_of_a_rejected_write_counts_it_and_keeps_the_value() {
    let timeline = zombie().play("題");
    let last = &timeline.frames()[7];
    assert_eq!((last.accepted, last.rejected), (Some(false), 1));
    assert_eq!((last.verdict.as_str(), last.value.as_deref()), ("拒否 1 < 2", Some("B1")));
    assert_eq!(last.believers, [B]);
}

#[test]
fn rejected_writes_are_counted_up_to_each_frame() {
    let frames = crate::scene::crowd().play("題").frames();
    let expected = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2];
    assert_eq!(each(&frames, |frame| frame.rejected), expected);
}

#[test]
fn a_frame_of_an_expiry_shows_both_the_expiry_and_the_present_time() {
    let frames = hand_over().play("題").frames();
    assert_eq!(each(&frames, |frame| frame.time), [0, 0, 6, 6, 6, 6, 6, 16]);
    assert_eq!(each(&frames, |frame| frame.now), [0, 0, 6, 6, 6, 6, 6, 20]);
    assert_eq!(
        each(&frames, |frame| frame.expiry.clone()),
        ["—", "10", "16", "—", "16", "16", "16", "—"]
    );
}

#[test]
fn the_token_last_handed_out_stays_after_a_release() {
    let frames = hand_over().play("題").frames();
    assert_eq!(
        each(&frames, |frame| frame.token.clone()),
        ["—", "1", "1", "1", "2", "2", "2", "2"]
    );
}

#[test]
fn a_lock_without_numbers_shows_none() {
    let frames = plain().play("題").frames();
    assert!(frames.iter().all(|frame| frame.token == "—" && frame.expiry == "—"));
}

#[test]
fn a_stage_without_a_resource_shows_neither_value_nor_maximum() {
    let frames = plain().play("題").frames();
    assert!(frames.iter().all(|frame| frame.value.is_none() && frame.max_token.is_none()));
}

#[test]
fn a_late_delivery_is_a_verdict_too() {
    let frames = late_packet().play("題").frames();
    assert_eq!(frames[6].action, "A1 が届く");
    assert_eq!((frames[6].verdict.as_str(), frames[6].accepted), ("受理", Some(true)));
    assert_eq!((frames[2].verdict.as_str(), frames[2].accepted), ("", None));
}

#[test]
fn every_frame_has_one_sentence_or_more_for_each_event_and_nothing_else() {
    for timeline in all() {
        let frames = timeline.frames();
        assert_eq!(frames.len(), timeline.steps.len() + 1);
        assert_eq!(frames.len(), Layout::of(&timeline).end());
        for (step, frame) in timeline.steps.iter().zip(&frames[1..]) {
            let told: Vec<String> = step.events.iter().map(words::sentence).collect();
            assert_eq!(frame.sentence, told.concat());
            assert_eq!(frame.action, words::action(&step.action));
        }
        assert_eq!(each(&frames, |frame| frame.step), Vec::from_iter(0..frames.len()));
    }
}

#[test]
fn two_events_in_one_step_are_told_one_after_the_other() {
    let timeline = hand_over().play("題");
    let sentence = timeline.steps[3].sentence();
    assert_eq!(
        sentence,
        "B がロックを取得した。トークンは 2、期限は時刻 16。その返事は B に届かなかった。"
    );
    assert!(matches!(timeline.steps[3].events[1], Event::ReplyLost { client: B }));
}

#[test]
fn the_json_of_a_frame_has_plain_numbers_and_names() {
    let json = zombie().play("題").form(Form::Frames).unwrap();
    let expected = r#"    "step": 5,
    "time": 10,
    "action": "B: B1 を書く",
    "sentence": "row-42 に B1 がトークン 2 とともに届いた。2 >= 0 なので受理され、値は B1 になった。",
    "verdict": "受理 2 >= 0",
    "accepted": true,
    "holder": "B",
    "token": "2",
    "expiry": "20",
    "now": 10,
    "value": "B1",
    "max_token": 2,
    "rejected": 0,
    "believers": [
      "A",
      "B"
    ]
"#;
    assert!(json.contains(expected), "{json}");
}

#[test]
fn the_suffixes_of_the_forms_are_all_different() {
    let suffixes = Form::ALL.map(Form::suffix);
    assert_eq!(suffixes, ["text", "layout", "svg", "frames"]);
}
