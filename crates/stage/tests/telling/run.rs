//! 筋書きの演じ方の規則。

use stage::Action::*;
use stage::Client::{A, B};
use stage::{Event, Impossible, Run, Step, StoryError, Token, Value};

use crate::scene::{A1, B1, Scene, believe, zombie};

fn times(timeline: &Run) -> Vec<u64> {
    timeline.steps.iter().map(Step::time).collect()
}

#[test]
fn a_quiet_tick_gives_no_step_but_moves_the_time_of_the_next() {
    let timeline = Scene::new().acquire(A, 1, Some(10)).quiet(2).pause(A).play("題");
    assert_eq!(
        timeline.steps.iter().map(|step| step.action).collect::<Vec<_>>(),
        [Acquire(A), Pause(A)]
    );
    assert_eq!(times(&timeline), [0, 2]);
}

#[test]
fn a_step_keeps_what_was_done_what_happened_and_what_was_seen_after_it() {
    let timeline = Scene::new().acquire(A, 1, Some(10)).play("題");
    assert_eq!(timeline.title, "題");
    assert_eq!(timeline.start, Scene::new().play("").start);
    let [Step { action, events, after }] = &timeline.steps[..] else {
        panic!("一手のはず");
    };
    assert_eq!(*action, Acquire(A));
    assert_eq!(events[..], [Event::Acquired { client: A, token: Token(1), expiry: Some(10) }]);
    assert_eq!(
        (after.expiry, after.client(A).and_then(|view| view.belief)),
        (Some(10), Some(Token(1)))
    );
}

#[test]
fn an_expiry_happens_at_the_expiry_not_at_the_end_of_the_tick() {
    let timeline = Scene::new().acquire(A, 1, Some(10)).expire(25, A, 10).pause(A).play("題");
    assert_eq!(times(&timeline), [0, 10, 25]);
    assert_eq!(timeline.steps[1].after.now, 25);
}

#[test]
fn a_deadline_is_reached_at_the_deadline_not_at_the_end_of_the_tick() {
    let reached = Event::DeadlineReached { client: A, at: 10 };
    let timeline = Scene::new()
        .acquire(A, 1, Some(10))
        .then(Tick(25), [reached], |seen| {
            seen.now = 25;
            believe(seen, A, None);
        })
        .play("題");
    assert_eq!(times(&timeline), [0, 10]);
}

#[test]
fn the_time_of_a_check_is_when_it_was_made() {
    let passed = Event::CheckPassed { client: A, at: 3, deadline: 10 };
    let timeline =
        Scene::new().acquire(A, 1, Some(10)).quiet(3).then(Check(A), [passed], |_| {}).play("題");
    assert_eq!(times(&timeline), [0, 3]);
}

#[test]
fn an_impossible_act_is_named_by_its_number_among_all_the_acts() {
    let scene = Scene::new()
        .acquire(A, 1, Some(10))
        .quiet(2)
        .impossible(Resume(A), Impossible::NotPaused(A))
        .impossible(Write(A, 1), Impossible::NoResource);
    let error = scene.try_play("題").unwrap_err();
    let expected = StoryError { number: 3, action: Resume(A), reason: Impossible::NotPaused(A) };
    assert_eq!(error, expected);
    assert_eq!(
        error.to_string(),
        "筋書きの 3 番目の操作 Resume(A) は起こりえない。\
         A は停止していないので、再開できない。先に Pause(A) を置く。"
    );
}

#[test]
fn events_come_in_the_order_they_happened() {
    let timeline = Scene::new().acquire_reply_lost(A, 1, 10).expire(10, A, 10).play("題");
    let expected = [
        Event::Acquired { client: A, token: Token(1), expiry: Some(10) },
        Event::ReplyLost { client: A },
        Event::Expired { client: A, at: 10 },
    ];
    assert_eq!(timeline.events().copied().collect::<Vec<_>>(), expected);
}

#[test]
fn it_has_a_double_if_two_believed_at_any_time() {
    assert!(zombie().play("題").has_double());
    let one = Scene::new().acquire(A, 1, Some(10)).release(A).acquire(B, 2, Some(10));
    assert!(!one.play("題").has_double());
    let from_the_start = Scene::new().starting(|seen| {
        believe(seen, A, Some(Token(1)));
        believe(seen, B, Some(Token(2)));
    });
    assert!(from_the_start.play("題").has_double());
}

/// 受理された書き込みのトークンだけを並べた記録。
fn accepting(tokens: &[u64]) -> Run {
    let write = |scene: Scene, &token: &u64| scene.accept(Write(A, 1), A1, token, false);
    tokens.iter().fold(Scene::new(), write).play("題")
}

#[test]
fn it_is_damaged_when_an_older_token_is_accepted_after_a_newer() {
    for tokens in [&[2, 1][..], &[1, 2, 1], &[1, 3, 2], &[3, 1, 3]] {
        assert!(accepting(tokens).is_damaged(), "{tokens:?}");
    }
    for tokens in [&[][..], &[1], &[1, 1], &[1, 2, 3], &[0, 0, 1]] {
        assert!(!accepting(tokens).is_damaged(), "{tokens:?}");
    }
}

#[test]
fn a_rejected_write_does_no_damage() {
    assert!(!zombie().play("題").is_damaged());
    let after_it = Scene::new()
        .accept(Write(B, 1), B1, 2, true)
        .reject(Write(A, 1), A1, 1, 2)
        .accept(Write(B, 2), Value { by: B, nth: 2 }, 2, true);
    assert!(!after_it.play("題").is_damaged());
}

const A2: Value = Value { by: A, nth: 2 };

/// 読む。
fn read(scene: Scene, client: stage::Client, value: Option<Value>) -> Scene {
    scene.then(Read(client), [Event::Read { client, value }], |_| {})
}

/// 書いて、受理される。
fn write(scene: Scene, value: Value) -> Scene {
    scene.accept(Write(value.by, value.nth), value, 1, false)
}

#[test]
fn an_update_is_lost_when_one_that_did_not_read_it_overwrites_it() {
    let both = read(read(Scene::new(), A, None), B, None);
    let lost = write(write(both, B1), A1).play("題");
    assert_eq!(lost.lost_updates(), [B1]);
    let after = read(write(read(Scene::new(), B, None), B1), A, Some(B1));
    assert_eq!(write(after, A1).play("題").lost_updates(), [], "読んでから書いた");
}

#[test]
fn every_lost_update_is_told_in_the_order_of_its_loss() {
    let both = read(read(Scene::new(), A, None), B, None);
    let b2 = Value { by: B, nth: 2 };
    // A1 は B1 を、B2 は A1 を、読まずに上書きする。
    let lost = write(write(write(both, B1), A1), b2).play("題");
    assert_eq!(lost.lost_updates(), [B1, A1]);
}

#[test]
fn a_client_that_never_read_loses_nothing_and_neither_does_one_that_holds_anew() {
    assert_eq!(write(write(Scene::new(), B1), A1).play("題").lost_updates(), []);
    let anew = read(Scene::new(), A, None).acquire(A, 2, Some(10));
    assert_eq!(write(write(anew, B1), A1).play("題").lost_updates(), []);
}

#[test]
fn a_client_knows_what_it_wrote_itself_and_a_copy_overwrites_nothing() {
    let own = write(write(read(Scene::new(), A, None), A1), A2);
    assert_eq!(own.play("題").lost_updates(), []);
    let copied = read(Scene::new(), A, None)
        .send(A1, 1)
        .accept(Deliver(A, 1), A1, 1, false)
        .accept(DeliverCopy(A, 1), A1, 1, false);
    assert_eq!(copied.play("題").lost_updates(), []);
}

#[test]
fn a_value_that_has_not_landed_is_lost_to_the_one_based_on_it_unless_it_lands_last() {
    let overtaken =
        read(Scene::new(), A, None).send(A1, 1).send(A2, 1).accept(Deliver(A, 2), A2, 1, false);
    assert_eq!(overtaken.clone().play("題").lost_updates(), [A1]);
    let landed = overtaken.accept(Deliver(A, 1), A1, 1, false);
    assert_eq!(landed.play("題").lost_updates(), [A2], "あとから届いて残った A1 は失われていない");
}

#[test]
fn the_sentence_of_a_step_is_that_of_its_events_one_after_the_other() {
    let run = Scene::new().acquire_reply_lost(A, 1, 10).play("題");
    assert_eq!(
        run.steps[0].sentence(),
        "A がロックを取得した。トークンは 1、期限は時刻 10。その返事は A に届かなかった。"
    );
    let quiet = Step { events: stage::Events::new(), ..run.steps[0].clone() };
    assert_eq!(quiet.sentence(), "何も起きない。");
}
