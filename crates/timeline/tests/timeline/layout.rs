//! 図の組み立ての規則。どの段に、どの列からどの列まで、何を描くか。

use timeline::Action::*;
use timeline::Client::{A, B, C};
use timeline::{Event, Form, Holder, Lane, Layout, Shape, Timeline, Token, Value};

use crate::scene::{A1, B1, Scene, believe, crowd, hand_over, late_packet, plain, view, zombie};

/// `lane` にある `shape` の、(始まりの列, 終わりの列)。
fn spans(timeline: &Timeline, lane: Lane, shape: Shape) -> Vec<(usize, usize)> {
    let layout = Layout::of(timeline);
    let marks = layout.marks.iter().filter(|mark| mark.lane == lane && mark.shape == shape);
    marks.map(|mark| (mark.from, mark.to)).collect()
}

/// `lane` にある `shape` の言葉。
fn labels(timeline: &Timeline, lane: Lane, shape: Shape) -> Vec<String> {
    let layout = Layout::of(timeline);
    let marks = layout.marks.iter().filter(|mark| mark.lane == lane && mark.shape == shape);
    marks.map(|mark| mark.label.clone()).collect()
}

const LANE_A: Lane = Lane::Client(A);

#[test]
fn a_bar_that_lasts_reaches_one_past_the_last_column() {
    let timeline = Scene::new().acquire(A, 1, Some(10)).pause(A).play("題");
    assert_eq!(Layout::of(&timeline).end(), 3);
    assert_eq!(spans(&timeline, Lane::Lock, Shape::Holds(A)), [(1, 3)]);
    assert_eq!(Layout::of(&Scene::new().play("題")).end(), 1);
}

#[test]
fn belief_goes_on_where_holding_ends() {
    let timeline = zombie().play("題");
    assert_eq!(spans(&timeline, LANE_A, Shape::Believes(A)), [(1, 7)]);
    assert_eq!(spans(&timeline, LANE_A, Shape::Holds(A)), [(1, 3)]);
    assert_eq!(spans(&timeline, Lane::Lock, Shape::Holds(A)), [(1, 3)]);
    assert_eq!(spans(&timeline, Lane::Lock, Shape::Holds(B)), [(4, 8)]);
}

#[test]
fn the_band_is_where_two_believe() {
    let timeline = zombie().play("題");
    assert_eq!(spans(&timeline, Lane::Double, Shape::Double), [(4, 7)]);
}

#[test]
fn the_band_begins_anew_after_a_gap() {
    let believing =
        |client, token| move |seen: &mut timeline::Observation| believe(seen, client, token);
    let paused = [Event::Paused { client: A }];
    let timeline = Scene::new()
        .then(Pause(A), paused, believing(A, Some(Token(1))))
        .then(Pause(A), paused, believing(B, Some(Token(2))))
        .then(Pause(A), paused, believing(C, Some(Token(3))))
        .then(Pause(A), paused, |seen| {
            believe(seen, A, None);
            believe(seen, B, None);
        })
        .then(Pause(A), paused, believing(B, Some(Token(2))))
        .play("題");
    assert_eq!(spans(&timeline, Lane::Double, Shape::Double), [(2, 4), (5, 6)]);
}

#[test]
fn a_client_that_did_not_hear_the_grant_holds_only_in_the_lane_of_the_lock() {
    let timeline = hand_over().play("題");
    assert_eq!(spans(&timeline, Lane::Lock, Shape::Holds(B)), [(4, 7)]);
    assert_eq!(spans(&timeline, Lane::Client(B), Shape::Holds(B)), []);
    assert_eq!(spans(&timeline, Lane::Client(B), Shape::Believes(B)), []);
}

#[test]
fn an_old_belief_is_not_the_holding_of_the_present() {
    let timeline =
        Scene::new().acquire(A, 1, Some(10)).expire(10, A, 10).acquire_reply_lost(A, 2, 20);
    let timeline = timeline.play("題");
    assert_eq!(spans(&timeline, LANE_A, Shape::Believes(A)), [(1, 4)]);
    assert_eq!(spans(&timeline, LANE_A, Shape::Holds(A)), [(1, 2)]);
    assert_eq!(spans(&timeline, Lane::Lock, Shape::Holds(A)), [(1, 2), (3, 4)]);
}

#[test]
fn the_holding_of_another_with_the_same_token_is_not_ones_own() {
    // 番号のないロックでは、どの保持のトークンも同じになる。
    let timeline = Scene::new()
        .acquire(A, 0, None)
        .then(Acquire(B), [Event::Acquired { client: B, token: Token::NONE, expiry: None }], |s| {
            s.holder = Some(Holder { client: B, token: Token::NONE });
        })
        .play("題");
    assert_eq!(spans(&timeline, LANE_A, Shape::Holds(A)), [(1, 2)]);
}

#[test]
fn a_renewal_lengthens_the_same_bar_and_notes_the_new_expiry() {
    let timeline = hand_over().play("題");
    assert_eq!(spans(&timeline, Lane::Lock, Shape::Holds(A)), [(1, 3)]);
    assert_eq!(labels(&timeline, Lane::Lock, Shape::Holds(A)), ["A #1 ~10"]);
    assert_eq!(spans(&timeline, Lane::Lock, Shape::Note), [(2, 2), (7, 7)]);
    assert_eq!(labels(&timeline, Lane::Lock, Shape::Note), ["~16", "失効"]);
    assert_eq!(labels(&timeline, LANE_A, Shape::Act), ["取得 #1", "延長", "解放"]);
}

#[test]
fn a_renewal_without_an_expiry_has_nothing_to_note() {
    let timeline = Scene::new().acquire(A, 1, None).renew(A, 1, None).play("題");
    assert_eq!(labels(&timeline, Lane::Lock, Shape::Note), [""]);
}

#[test]
fn two_holdings_of_one_client_are_two_bars() {
    let timeline = Scene::new()
        .acquire(A, 1, Some(10))
        .then(Acquire(A), [Event::ReplyLost { client: A }], |seen| {
            seen.holder = Some(Holder { client: A, token: Token(2) });
            believe(seen, A, Some(Token(2)));
        })
        .play("題");
    assert_eq!(spans(&timeline, Lane::Lock, Shape::Holds(A)), [(1, 2), (2, 3)]);
    assert_eq!(spans(&timeline, LANE_A, Shape::Believes(A)), [(1, 2), (2, 3)]);
    assert_eq!(spans(&timeline, LANE_A, Shape::Holds(A)), [(1, 2), (2, 3)]);
}

#[test]
fn a_holding_before_the_first_step_begins_at_column_zero() {
    let timeline = Scene::new()
        .starting(|seen| seen.holder = Some(Holder { client: B, token: Token(1) }))
        .pause(A)
        .play("題");
    assert_eq!(spans(&timeline, Lane::Lock, Shape::Holds(B)), [(0, 2)]);
    assert_eq!(labels(&timeline, Lane::Lock, Shape::Holds(B)), ["B #1"]);
}

#[test]
fn a_pause_lasts_until_the_column_of_the_resume() {
    let timeline = zombie().play("題");
    assert_eq!(spans(&timeline, LANE_A, Shape::Paused), [(2, 6)]);
    assert_eq!(spans(&timeline, LANE_A, Shape::Down), []);
}

#[test]
fn a_client_is_down_until_the_column_of_the_restart() {
    let timeline = hand_over().play("題");
    assert_eq!(spans(&timeline, Lane::Client(B), Shape::Down), [(5, 6)]);
    assert_eq!(spans(&timeline, Lane::Client(B), Shape::Paused), []);
}

#[test]
fn the_resource_keeps_its_value_until_the_next_accepted_write() {
    let timeline = zombie().play("題");
    assert_eq!(spans(&timeline, Lane::Resource, Shape::Stored), [(0, 5), (5, 8)]);
    assert_eq!(labels(&timeline, Lane::Resource, Shape::Stored), ["(空) 最大0", "B1 最大2"]);
}

#[test]
fn a_write_goes_straight_down_in_its_column() {
    let timeline = zombie().play("題");
    assert_eq!(spans(&timeline, Lane::Resource, Shape::Accepted(B)), [(5, 5)]);
    assert_eq!(spans(&timeline, Lane::Resource, Shape::Rejected(A)), [(7, 7)]);
    assert_eq!(labels(&timeline, Lane::Resource, Shape::Rejected(A)), ["拒否 1 < 2"]);
    assert_eq!(labels(&timeline, Lane::Client(B), Shape::Act), ["取得 #2", "書込 B1"]);
}

#[test]
fn a_late_packet_goes_from_where_it_was_sent_to_where_it_arrived() {
    let timeline = late_packet().play("題");
    assert_eq!(spans(&timeline, Lane::Resource, Shape::Accepted(A)), [(2, 6)]);
    // 送り主は止まっているかもしれないので、到着は送り主の手にはしない。
    assert_eq!(labels(&timeline, LANE_A, Shape::Act), ["取得 #1", "送信 A1"]);
}

#[test]
fn a_packet_goes_from_the_last_time_its_value_was_sent() {
    let deliver = |scene: Scene| scene.accept(Deliver(A, 1), A1, 1, false);
    let timeline = deliver(deliver(Scene::new().send(A1, 1)).send(A1, 1)).play("題");
    assert_eq!(spans(&timeline, Lane::Resource, Shape::Accepted(A)), [(1, 2), (3, 4)]);
}

#[test]
fn a_packet_is_told_from_another_by_its_value() {
    let a2 = Value { by: A, nth: 2 };
    let timeline = Scene::new()
        .send(A1, 1)
        .send(a2, 1)
        .accept(Deliver(A, 1), A1, 1, false)
        .accept(Deliver(A, 2), a2, 1, false)
        .play("題");
    assert_eq!(spans(&timeline, Lane::Resource, Shape::Accepted(A)), [(1, 3), (2, 4)]);
}

#[test]
fn a_write_goes_straight_down_even_if_its_value_was_sent_before() {
    let timeline = Scene::new()
        .send(A1, 1)
        .accept(Deliver(A, 1), A1, 1, false)
        .accept(Write(A, 1), A1, 1, false)
        .play("題");
    assert_eq!(spans(&timeline, Lane::Resource, Shape::Accepted(A)), [(1, 2), (3, 3)]);
}

#[test]
fn every_other_event_is_an_act_of_its_client() {
    let deadline = 10;
    let events = [
        (Acquire(A), Event::Busy { client: A, holder: B, expiry: None }, "取得 断"),
        (Renew(A), Event::RenewRefused { client: A }, "延長 断"),
        (Release(A), Event::ReleaseRefused { client: A }, "解放 断"),
        (Check(A), Event::CheckPassed { client: A, at: 0, deadline }, "時計 前"),
        (Check(A), Event::CheckFailed { client: A, at: 0, deadline }, "時計 過"),
        (Tick(1), Event::DeadlineReached { client: A, at: 0 }, "期限"),
        (Write(A, 1), Event::Withheld { client: A }, "見送り"),
        (Send(A, 1), Event::Sent { value: A1, token: Token(1) }, "送信 A1"),
        (Pause(A), Event::Paused { client: A }, "停止"),
        (Resume(A), Event::Resumed { client: A }, "再開"),
        (Crash(A), Event::Crashed { client: A }, "クラッシュ"),
        (Restart(A), Event::Restarted { client: A }, "再起動"),
    ];
    for (action, event, label) in events {
        let timeline = Scene::new().then(action, [event], |_| {}).play("題");
        assert_eq!(labels(&timeline, LANE_A, Shape::Act), [label]);
        assert_eq!(spans(&timeline, LANE_A, Shape::Act), [(1, 1)]);
    }
}

#[test]
fn the_lanes_are_the_acting_clients_the_lock_and_the_resource() {
    let lanes = |scene: Scene| Layout::of(&scene.play("題")).lanes;
    let (b, c) = (Lane::Client(B), Lane::Client(C));
    assert_eq!(lanes(zombie()), [Lane::Double, LANE_A, b, Lane::Lock, Lane::Resource]);
    assert_eq!(lanes(hand_over()), [LANE_A, b, Lane::Lock]);
    assert_eq!(lanes(crowd()), [Lane::Double, LANE_A, b, c, Lane::Lock, Lane::Resource]);
    assert_eq!(lanes(Scene::new()), [Lane::Lock, Lane::Resource]);
    assert_eq!(lanes(Scene::without_resource().pause(C)), [c, Lane::Lock]);
}

#[test]
fn a_column_has_the_time_of_its_step() {
    assert_eq!(Layout::of(&zombie().play("題")).times, [0, 2, 10, 10, 10, 12, 12]);
    assert_eq!(Layout::of(&plain().play("題")).times, [0, 3, 1_000_002]);
}

#[test]
fn a_paused_client_that_crashes_is_down_from_then_on() {
    let timeline = Scene::new().pause(A).crash(A).play("題");
    assert_eq!(spans(&timeline, LANE_A, Shape::Paused), [(1, 2)]);
    assert_eq!(spans(&timeline, LANE_A, Shape::Down), [(2, 3)]);
}

#[test]
fn clients_are_looked_up_by_name_not_by_place() {
    let timeline = Scene::new()
        .starting(|seen| seen.clients.reverse())
        .then(Pause(C), [Event::Paused { client: C }], |seen| {
            // 並びを逆にしたので、C は A の場所にいる。
            view(seen, A).condition = timeline::Condition::Paused;
        })
        .play("題");
    assert_eq!(spans(&timeline, Lane::Client(C), Shape::Paused), [(1, 2)]);
}

#[test]
fn the_layout_is_told_line_by_line() {
    let down = Scene::new()
        .acquire(A, 1, Some(10))
        .crash(A)
        .expire(10, A, 10)
        .acquire(B, 2, Some(20))
        .pause(B)
        .acquire(C, 3, Some(30))
        .accept(Write(B, 1), B1, 2, false)
        .reject(Write(C, 1), Value { by: C, nth: 1 }, 3, 4)
        .play("題");
    let expected = "\
列 1 = 時刻 0
列 2 = 時刻 0
列 3 = 時刻 10
列 4 = 時刻 10
列 5 = 時刻 10
列 6 = 時刻 10
列 7 = 時刻 10
列 8 = 時刻 10
二重 | 帯 | 6..8 | \n\
A | つもり A | 1..2 | \n\
A | 保持 A | 1..2 | \n\
A | 落ちている | 2..右端 | \n\
B | つもり B | 4..右端 | \n\
B | 保持 B | 4..6 | \n\
B | 停止中 | 5..右端 | \n\
C | つもり C | 6..8 | \n\
C | 保持 C | 6..8 | \n\
ロック | 保持 A | 1..3 | A #1 ~10
ロック | 保持 B | 4..6 | B #2 ~20
ロック | 保持 C | 6..右端 | C #3 ~30
row-42 | 値 | 0..7 | (空) 最大0
row-42 | 値 | 7..右端 | B1 最大2
A | 手 | 1..1 | 取得 #1
A | 手 | 2..2 | クラッシュ
ロック | 出来事 | 3..3 | 失効
B | 手 | 4..4 | 取得 #2
B | 手 | 5..5 | 停止
C | 手 | 6..6 | 取得 #3
B | 手 | 7..7 | 書込 B1
row-42 | 受理 B | 7..7 | 受理
C | 手 | 8..8 | 書込 C1
row-42 | 拒否 C | 8..8 | 拒否 3 < 4
";
    assert_eq!(Layout::of(&down).to_string(), expected);
    assert_eq!(down.form(Form::Layout).unwrap(), expected);
}
