//! 演じた記録を、図のデータにする規則。

use chart::{Bar, Kind, Stop, Timeline, Verdict};
use stage::Action::{Deliver, DeliverCopy, DeliverRelease, RestartResource, Write};
use stage::Client::{A, B};
use stage::{Event, Token};

use crate::scene::{A1, B1, Scene, all, hand_over, late_packet, plain, zombie};

fn fact(timeline: &Timeline, step: usize, name: &str) -> Option<String> {
    timeline.frames()[step].facts.get(name).cloned()
}

fn facts(timeline: &Timeline, name: &str) -> Vec<String> {
    (0..=timeline.len()).filter_map(|step| fact(timeline, step, name)).collect()
}

fn marks(timeline: &Timeline, step: usize) -> Vec<(&str, &str)> {
    let marks = timeline.steps[step].marks.iter();
    marks.map(|mark| (mark.lane.as_str(), mark.label.as_str())).collect()
}

#[test]
fn every_run_becomes_data_that_can_be_drawn_and_read_back() {
    for run in all() {
        let timeline = run.timeline();
        assert_eq!(Timeline::from_json(&timeline.to_json().unwrap()).unwrap(), timeline);
        assert_eq!(timeline.len(), run.steps.len());
        assert_eq!((timeline.title.as_str(), timeline.unit.as_str()), (run.title.as_str(), "時刻"));
        for (told, step) in timeline.steps[1..].iter().zip(&run.steps) {
            assert_eq!((told.time, &told.words), (step.time(), &step.sentence()));
            assert_eq!(told.action, step.action.words());
        }
    }
}

#[test]
fn the_lanes_are_the_band_the_clients_that_act_the_service_and_the_resource() {
    let lanes = |timeline: &Timeline| -> Vec<(String, Kind, Option<u8>)> {
        timeline.lanes.iter().map(|it| (it.name.clone(), it.kind, it.tone)).collect()
    };
    let lane = |name: &str, kind, tone| (name.to_owned(), kind, tone);
    let expected = [
        lane("二重取得", Kind::Band, None),
        lane("A", Kind::Actor, Some(1)),
        lane("B", Kind::Actor, Some(2)),
        lane("ロック", Kind::Service, None),
        lane("row-42", Kind::Store, None),
    ];
    assert_eq!(lanes(&zombie().play("題").timeline()), expected, "C は何もしない");
    assert_eq!(lanes(&hand_over().play("題").timeline()), expected[..4], "資源がない");
}

#[test]
fn a_belief_is_solid_while_it_is_rightful_and_hollow_after_the_expiry() {
    let timeline = zombie().play("題").timeline();
    let bars: Vec<_> = timeline.steps.iter().map(|step| step.changes.get("A")).collect();
    let shape = |step: usize| bars[step].map(|state| (state.bar, state.continues, state.stop));
    assert_eq!(shape(0), None);
    assert_eq!(shape(1), Some((Some(Bar::Solid), false, None)));
    assert_eq!(shape(2), Some((Some(Bar::Solid), true, Some(Stop::Paused))));
    assert_eq!(shape(3), Some((Some(Bar::Hollow), true, Some(Stop::Paused))));
    assert_eq!(shape(4), None, "ほかの手では変わらない");
    assert_eq!(shape(6), Some((Some(Bar::Hollow), true, None)));
    assert_eq!(shape(7), Some((None, false, None)));
}

#[test]
fn the_band_lies_while_two_believe() {
    let timeline = zombie().play("題").timeline();
    let band = |step: usize| timeline.steps[step].changes.get("二重取得").map(|it| it.bar);
    let bands: Vec<_> = (0..=7).map(band).collect();
    let mut expected = vec![None; 8];
    (expected[4], expected[7]) = (Some(Some(Bar::Solid)), Some(None));
    assert_eq!(bands, expected);
}

#[test]
fn a_crash_leaves_the_client_dead_until_it_restarts() {
    let timeline = hand_over().play("題").timeline();
    assert_eq!(timeline.steps[5].changes["B"].stop, Some(Stop::Dead));
    assert_eq!(timeline.steps[6].changes["B"].stop, None);
}

#[test]
fn the_service_is_coloured_by_its_holder_and_told_with_token_and_expiry() {
    let timeline = hand_over().play("題").timeline();
    let service = |step: usize| timeline.steps[step].changes.get("ロック").cloned();
    let told = |step| service(step).map(|state| (state.label, state.by));
    assert_eq!(told(0), Some(("(空き)".to_owned(), None)));
    assert_eq!(told(1), Some(("A #1 ~10".to_owned(), Some("A".to_owned()))));
    assert_eq!(told(3), Some(("(空き)".to_owned(), None)));
    assert_eq!(told(4), Some(("B #2 ~16".to_owned(), Some("B".to_owned()))));
    assert_eq!(told(5), None);
    let plain = plain().play("題").timeline();
    assert_eq!(plain.steps[1].changes["ロック"].label, "A", "番号も期限もない");
}

#[test]
fn a_renewal_goes_on_with_the_bar_and_notes_the_new_expiry() {
    let timeline = hand_over().play("題").timeline();
    let renewed = &timeline.steps[2].changes["ロック"];
    assert_eq!((renewed.continues, renewed.note.as_str()), (true, "~16"));
    assert_eq!(renewed.label, "A #1 ~16");
}

/// 空きからよみがえった保持の期限は、そこから始まる棒に書いてある。
#[test]
fn a_hold_that_comes_back_from_free_begins_a_new_bar() {
    let scene = Scene::new().acquire(A, 1, Some(10)).expire(10, A, 10);
    let renewed = Event::Renewed { client: A, token: Token(1), expiry: Some(20) };
    let scene = scene.then(stage::Action::Renew(A), [renewed], |seen| {
        seen.holder = Some(stage::Holder { client: A, token: Token(1) });
        seen.expiry = Some(20);
    });
    let revived = &scene.play("題").timeline().steps[3].changes["ロック"];
    assert_eq!(
        (revived.continues, revived.note.as_str(), revived.label.as_str()),
        (false, "", "A #1 ~20")
    );
}

#[test]
fn a_write_is_an_arrow_with_its_verdict_and_a_mark_of_its_sender() {
    let timeline = zombie().play("題").timeline();
    let arrow = &timeline.steps[5].arrows[0];
    assert_eq!((arrow.from.as_str(), arrow.to.as_str(), arrow.sent), ("B", "row-42", 5));
    assert_eq!((arrow.verdict, arrow.label.as_str()), (Verdict::Yes, "受理 2 >= 0"));
    assert_eq!(marks(&timeline, 5), [("B", "書込 B1")]);
    let arrow = &timeline.steps[7].arrows[0];
    assert_eq!(
        (arrow.from.as_str(), arrow.verdict, arrow.label.as_str()),
        ("A", Verdict::No, "拒否 1 < 2")
    );
}

#[test]
fn a_late_write_starts_where_it_was_sent_and_its_sender_has_no_mark_when_it_lands() {
    let timeline = late_packet().play("題").timeline();
    let arrow = &timeline.steps[6].arrows[0];
    assert_eq!((arrow.from.as_str(), arrow.sent), ("A", 2));
    assert_eq!(marks(&timeline, 6), []);
    assert_eq!(marks(&timeline, 2), [("A", "送信 A1")]);
}

#[test]
fn a_copy_starts_at_the_latest_sending_before_it() {
    let twice = Scene::new()
        .acquire(A, 1, Some(10))
        .send(A1, 1)
        .accept(Deliver(A, 1), A1, 1, false)
        .send(A1, 1)
        .accept(DeliverCopy(A, 1), A1, 1, false)
        .accept(Write(B, 1), B1, 1, false);
    let timeline = twice.play("題").timeline();
    let sent: Vec<usize> =
        timeline.steps.iter().flat_map(|step| &step.arrows).map(|arrow| arrow.sent).collect();
    assert_eq!(sent, [2, 4, 6]);
}

/// 遅れて届いた解放は、ロックサービスの出来事である。頼んだ客はもう別のことをしている。
#[test]
fn a_late_release_is_marked_at_the_service() {
    let released = Event::Released { client: A };
    let scene = Scene::new().acquire(A, 1, Some(10));
    let late = scene.clone().then(DeliverRelease(A), [released], |_| {}).play("題").timeline();
    assert_eq!(marks(&late, 2), [("ロック", "解放")]);
    let now = scene.release(A).play("題").timeline();
    assert_eq!(marks(&now, 2), [("A", "解放")]);
}

#[test]
fn an_expiry_and_a_restart_are_marked_where_they_happen() {
    let timeline = zombie().play("題").timeline();
    assert_eq!(marks(&timeline, 3), [("ロック", "失効")]);
    let restarted = Event::ResourceRestarted { max: Token::NONE };
    let scene = Scene::new().then(RestartResource, [restarted], |_| {});
    assert_eq!(marks(&scene.play("題").timeline(), 1), [("row-42", "再起動")]);
}

#[test]
fn the_facts_tell_what_the_pages_quote() {
    let timeline = zombie().play("題").timeline();
    assert_eq!(facts(&timeline, "持ち主"), ["(空き)", "A", "A", "(空き)", "B", "B", "B", "B"]);
    assert_eq!(facts(&timeline, "トークン"), ["—", "1", "1", "1", "2", "2", "2", "2"]);
    assert_eq!(facts(&timeline, "期限"), ["—", "10", "10", "—", "20", "20", "20", "20"]);
    assert_eq!(facts(&timeline, "現在"), ["0", "0", "2", "10", "10", "10", "12", "12"]);
    assert_eq!(facts(&timeline, "つもり"), ["なし", "A", "A", "A", "AとB", "AとB", "AとB", "B"]);
    assert_eq!(facts(&timeline, "値"), ["(空)", "(空)", "(空)", "(空)", "(空)", "B1", "B1", "B1"]);
    assert_eq!(facts(&timeline, "最大"), ["0", "0", "0", "0", "0", "2", "2", "2"]);
    assert_eq!(facts(&timeline, "拒否数"), ["0", "0", "0", "0", "0", "0", "0", "1"]);
}

#[test]
fn rejected_writes_are_counted_up() {
    let b2 = stage::Value { by: B, nth: 2 };
    let scene = Scene::new().accept(Write(B, 1), B1, 2, true);
    let scene = scene.reject(Write(A, 1), A1, 1, 2).accept(Write(B, 2), b2, 2, true);
    let timeline = scene.reject(Write(A, 1), A1, 1, 2).play("題").timeline();
    assert_eq!(facts(&timeline, "拒否数"), ["0", "0", "1", "1", "2"]);
}

#[test]
fn a_fact_is_written_only_when_it_changes() {
    let timeline = zombie().play("題").timeline();
    let names: Vec<&str> = timeline.steps[2].facts.keys().map(String::as_str).collect();
    assert_eq!(names, ["現在"]);
}

#[test]
fn without_a_resource_there_is_no_value_to_quote() {
    let timeline = plain().play("題").timeline();
    for name in ["値", "最大", "拒否数"] {
        assert_eq!(fact(&timeline, 1, name), None, "{name}");
    }
}

#[test]
fn a_client_that_only_stands_there_has_no_lane_no_mark_and_lends_no_colour() {
    let reached = Event::DeadlineReached { client: B, at: 0 };
    let scene = Scene::new()
        .starting(|seen| {
            seen.holder = Some(stage::Holder { client: B, token: Token(1) });
            seen.expiry = Some(5);
        })
        .pause(A)
        .then(stage::Action::Tick(5), [reached], |seen| seen.now = 5);
    let timeline = scene.play("題").timeline();
    assert_eq!(timeline.lane("B"), None);
    assert_eq!(marks(&timeline, 2), []);
    let held = &timeline.steps[0].changes["ロック"];
    assert_eq!(
        (held.bar, held.by.as_deref(), held.label.as_str()),
        (Some(Bar::Solid), None, "B #1 ~5")
    );
}

#[test]
fn the_resource_is_told_with_its_value_and_maximum_only_when_one_changes() {
    let timeline = zombie().play("題").timeline();
    let labels: Vec<_> = timeline
        .steps
        .iter()
        .map(|step| step.changes.get("row-42").map(|state| state.label.as_str()))
        .collect();
    let mut expected = vec![None; 8];
    (expected[0], expected[5]) = (Some("(空) 最大0"), Some("B1 最大2"));
    assert_eq!(labels, expected);
}

#[test]
fn a_hold_whose_expiry_moves_without_a_renewal_goes_on_as_the_same_bar() {
    let checked = Event::CheckPassed { client: A, at: 0, deadline: 10 };
    let scene = Scene::new().acquire(A, 1, Some(10));
    let scene = scene.then(stage::Action::Check(A), [checked], |seen| seen.expiry = Some(5));
    let moved = &scene.play("題").timeline().steps[2].changes["ロック"];
    assert_eq!((moved.continues, moved.note.as_str(), moved.label.as_str()), (true, "", "A #1 ~5"));
}
