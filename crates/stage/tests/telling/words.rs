//! 言葉。出来事と手の、すべての種類を固定する。

use stage::Action::*;
use stage::Client::{A, B};
use stage::{Action, Asked, Event, Place, Refusal, Token};

use crate::scene::A1;

#[test]
fn every_event_has_its_label_and_its_sentence() {
    let (one, two) = (Token(1), Token(2));
    let expiry = Some(10);
    let told = [
        (
            Event::Acquired { client: A, token: one, expiry },
            "取得 #1",
            "A がロックを取得した。トークンは 1、期限は時刻 10。",
        ),
        (
            Event::Acquired { client: A, token: one, expiry: None },
            "取得 #1",
            "A がロックを取得した。トークンは 1、期限はない。",
        ),
        (
            Event::Acquired { client: A, token: Token::NONE, expiry: None },
            "取得",
            "A がロックを取得した。期限はない。",
        ),
        (
            Event::Acquired { client: A, token: Token::NONE, expiry },
            "取得",
            "A がロックを取得した。期限は時刻 10。",
        ),
        (
            Event::Busy { client: A, holder: B, expiry },
            "取得 断",
            "A の取得は断られた。持ち主は B で、期限は時刻 10。",
        ),
        (
            Event::Busy { client: A, holder: B, expiry: None },
            "取得 断",
            "A の取得は断られた。持ち主は B で、期限はない。",
        ),
        (Event::ReplyLost { client: A }, "返事なし", "その返事は A に届かなかった。"),
        (
            Event::Renewed { client: A, token: one, expiry },
            "延長",
            "A がリースを延長した。トークンは 1 のまま、期限は時刻 10。",
        ),
        (Event::RenewRefused { client: A }, "延長 断", "A の延長は断られた。A は持ち主ではない。"),
        (Event::Released { client: A }, "解放", "A がロックを解放した。"),
        (
            Event::ReleaseRefused { client: A },
            "解放 断",
            "A の解放は断られた。ロックは変わらない。",
        ),
        (Event::Expired { client: A, at: 10 }, "失効", "A のリースが期限を迎え、失効した。"),
        (
            Event::CheckPassed { client: A, at: 9, deadline: 10 },
            "時計 前",
            "A が時計を見た。時刻 9 は期限 10 より前なので、書くと決めた。",
        ),
        (
            Event::CheckFailed { client: A, at: 10, deadline: 10 },
            "時計 過",
            "A が時計を見た。時刻 10 は期限 10 より前ではないので、持っていないと知った。",
        ),
        (
            Event::DeadlineReached { client: A, at: 10 },
            "期限",
            "A が返事で聞いていた期限 10 が来た。",
        ),
        (
            Event::Withheld { client: A },
            "見送り",
            "A は持っているつもりがないので、書き込みを見送った。",
        ),
        (
            Event::Sent { value: A1, token: one },
            "送信 A1",
            "A が A1 をトークン 1 とともに送り出した。まだ届いていない。",
        ),
        (
            Event::Sent { value: A1, token: Token::NONE },
            "送信 A1",
            "A が A1 を送り出した。まだ届いていない。",
        ),
        (
            Event::Accepted { value: A1, token: two, compared: Some(one) },
            "書込 A1",
            "row-42 に A1 がトークン 2 とともに届いた。2 >= 1 なので受理され、値は A1 になった。",
        ),
        (
            Event::Accepted { value: A1, token: one, compared: None },
            "書込 A1",
            "row-42 に A1 がトークン 1 とともに届いた。比べずに受理され、値は A1 になった。",
        ),
        (
            Event::Accepted { value: A1, token: Token::NONE, compared: None },
            "書込 A1",
            "row-42 に A1 が届いた。比べずに受理され、値は A1 になった。",
        ),
        (
            Event::Rejected {
                asked: Asked::Write(A1),
                token: one,
                reason: Refusal::Older { max: two },
            },
            "書込 A1",
            "row-42 に A1 がトークン 1 とともに届いた。1 < 2 なので拒否され、値は変わらない。",
        ),
        (Event::Paused { client: A }, "停止", "A が止まった。止まったことに自分では気づけない。"),
        (Event::Resumed { client: A }, "再開", "A が再開した。止まった所から続ける。"),
        (Event::Crashed { client: A }, "クラッシュ", "A が落ちた。持っていた記憶は失われた。"),
        (Event::Restarted { client: A }, "再起動", "A が記憶のない状態で動き出した。"),
    ];
    for (event, label, sentence) in told {
        assert_eq!(event.label(), label, "{event:?}");
        assert_eq!(event.sentence(), sentence, "{event:?}");
    }
}

#[test]
fn every_action_has_its_words() {
    let told: [(Action, &str); 13] = [
        (Acquire(A), "A: 取得する"),
        (AcquireReplyLost(A), "A: 取得する(返事は失われる)"),
        (Renew(A), "A: 延長する"),
        (Release(A), "A: 解放する"),
        (Check(A), "A: 時計を見る"),
        (Write(A, 1), "A: A1 を書く"),
        (Send(A, 1), "A: A1 を送る"),
        (Deliver(A, 1), "A1 が届く"),
        (Pause(A), "A: 止まる"),
        (Resume(A), "A: 再開する"),
        (Crash(A), "A: 落ちる"),
        (Restart(A), "A: 再起動する"),
        (Tick(8), "時刻を 8 進める"),
    ];
    for (action, words) in told {
        assert_eq!(action.words(), words);
    }
}

#[test]
fn a_verdict_tells_what_was_compared() {
    let verdict = |event: Event| event.verdict();
    let (token, max) = (Token(1), Token(2));
    let compared = Some(Token::NONE);
    assert_eq!(
        verdict(Event::Accepted { value: A1, token, compared }),
        Some("受理 1 >= 0".to_owned())
    );
    assert_eq!(
        verdict(Event::Accepted { value: A1, token, compared: None }),
        Some("受理".to_owned())
    );
    assert_eq!(
        verdict(Event::Rejected { asked: Asked::Write(A1), token, reason: Refusal::Older { max } }),
        Some("拒否 1 < 2".to_owned())
    );
    assert_eq!(verdict(Event::Sent { value: A1, token }), None);
}

#[test]
fn every_event_of_reading_and_registering_has_its_words() {
    let (one, two) = (Token(1), Token(2));
    let told = [
        (
            Event::Read { client: A, value: None },
            "読取 (空)",
            None,
            "A が row-42 を読んだ。値は (空) だった。",
        ),
        (
            Event::Read { client: A, value: Some(A1) },
            "読取 A1",
            None,
            "A が row-42 を読んだ。値は A1 だった。",
        ),
        (
            Event::Rejected {
                asked: Asked::Read(A),
                token: one,
                reason: Refusal::Older { max: two },
            },
            "読取 断",
            Some("拒否 1 < 2"),
            "A の読み取りは拒否された。1 < 2 で、A のトークンは古い。",
        ),
        (
            Event::Registered { client: A, token: two, max: one },
            "登録 #2",
            Some("登録 2 >= 1"),
            "A がトークン 2 を row-42 に登録した。2 >= 1 なので、最大は 2 になった。",
        ),
        (
            Event::Rejected {
                asked: Asked::Register(A),
                token: one,
                reason: Refusal::Older { max: two },
            },
            "登録 断",
            Some("拒否 1 < 2"),
            "A の登録は拒否された。1 < 2 で、A のトークンは古い。",
        ),
        (
            Event::Rejected {
                asked: Asked::Write(A1),
                token: one,
                reason: Refusal::Changed { base: None, current: Some(A1) },
            },
            "書込 A1",
            Some("拒否 (空) でなく A1"),
            "row-42 に A1 が届いた。読んだ値は (空) だったが、今は A1 なので拒否された。",
        ),
        (
            Event::Rejected {
                asked: Asked::Write(A1),
                token: two,
                reason: Refusal::Unequal { wanted: one },
            },
            "書込 A1",
            Some("拒否 2 != 1"),
            "row-42 に A1 がトークン 2 とともに届いた。2 は 1 と等しくないので拒否され、値は変わらない。",
        ),
        (
            Event::Rejected {
                asked: Asked::Write(A1),
                token: one,
                reason: Refusal::OutOfOrder { sequence: 1, next: 3 },
            },
            "書込 A1",
            Some("拒否 1 番 次は 3 番"),
            "row-42 に A1 が 1 番として届いた。次は 3 番なので拒否された。",
        ),
        (
            Event::ReleaseSent { client: A, token: one },
            "解放 送信",
            None,
            "A がトークン 1 の解放を頼んだ。頼みはまだ届いていない。",
        ),
        (
            Event::ServiceRestarted { issued: one },
            "再起動",
            None,
            "ロックサービスが再起動した。最後に配ったトークンの記録は 1 になった。",
        ),
        (
            Event::ResourceRestarted { max: one },
            "再起動",
            None,
            "row-42 が再起動した。最大の記録は 1 になった。",
        ),
    ];
    for (event, label, verdict, sentence) in told {
        assert_eq!(event.label(), label, "{event:?}");
        assert_eq!(event.verdict().as_deref(), verdict, "{event:?}");
        assert_eq!(event.sentence(), sentence, "{event:?}");
    }
}

#[test]
fn every_action_of_reading_and_registering_has_its_words() {
    let told: [(Action, Option<_>, &str); 7] = [
        (Read(A), Some(A), "A: 読む"),
        (Register(A), Some(A), "A: 登録する"),
        (DeliverCopy(A, 1), Some(A), "A1 の写しが届く"),
        (SendRelease(A), Some(A), "A: 解放の頼みを送る"),
        (DeliverRelease(A), Some(A), "A の解放の頼みが届く"),
        (RestartService, None, "ロックサービスが再起動する"),
        (RestartResource, None, "資源が再起動する"),
    ];
    for (action, client, expected) in told {
        assert_eq!(action.words(), expected);
        assert_eq!(action.client(), client, "{action:?}");
    }
}

#[test]
fn a_refused_reading_tells_its_own_reason() {
    let told = |asked, reason| Event::Rejected { asked, token: Token(2), reason }.sentence();
    let wanted = Token(1);
    assert_eq!(
        told(Asked::Read(A), Refusal::Unequal { wanted }),
        "A の読み取りは拒否された。2 は 1 と等しくない。"
    );
    assert_eq!(
        told(Asked::Register(A), Refusal::Changed { base: None, current: Some(A1) }),
        "A の登録は拒否された。値は A1 に変わっていた。"
    );
    assert_eq!(
        told(Asked::Read(B), Refusal::OutOfOrder { sequence: 1, next: 3 }),
        "B の読み取りは拒否された。次は 3 番である。"
    );
}

/// 拒否は、理由を増やしても、必ず拒否の印になる。
#[test]
fn every_refusal_of_the_resource_is_judged_and_only_some_tell_that_the_token_is_stale() {
    let (max, wanted) = (Token(2), Token(3));
    for (reason, stale) in [
        (Refusal::Older { max }, true),
        (Refusal::Unequal { wanted }, true),
        (Refusal::Changed { base: None, current: None }, false),
        (Refusal::OutOfOrder { sequence: 1, next: 2 }, false),
    ] {
        assert_eq!(reason.tells_stale(), stale, "{reason:?}");
        for asked in [Asked::Write(A1), Asked::Read(A), Asked::Register(A)] {
            let place = Event::Rejected { asked, token: Token(1), reason }.told().place;
            let Place::Judged { client: A, accepted: false, verdict } = place else {
                panic!("拒否の印にならない: {asked:?} {reason:?}");
            };
            assert!(verdict.starts_with("拒否 "), "{verdict}");
        }
    }
}

#[test]
fn what_was_asked_knows_its_client_and_its_value() {
    let b1 = stage::Value { by: B, nth: 1 };
    assert_eq!((Asked::Write(b1).client(), Asked::Write(b1).value()), (B, Some(b1)));
    assert_eq!((Asked::Read(A).client(), Asked::Read(A).value()), (A, None));
    assert_eq!((Asked::Register(B).client(), Asked::Register(B).value()), (B, None));
}

#[test]
fn every_event_has_its_place() {
    let token = Token(1);
    let place = |event: Event| event.told().place;
    let accepted =
        |verdict: &str| Place::Judged { client: A, accepted: true, verdict: verdict.to_owned() };
    assert_eq!(place(Event::Expired { client: A, at: 1 }), Place::Service);
    assert_eq!(place(Event::ServiceRestarted { issued: token }), Place::Service);
    assert_eq!(place(Event::ResourceRestarted { max: token }), Place::Resource);
    assert_eq!(place(Event::Accepted { value: A1, token, compared: None }), accepted("受理"));
    assert_eq!(
        place(Event::Registered { client: A, token, max: Token::NONE }),
        accepted("登録 1 >= 0")
    );
    for event in [
        Event::Acquired { client: B, token, expiry: None },
        Event::Busy { client: B, holder: A, expiry: None },
        Event::ReplyLost { client: B },
        Event::Renewed { client: B, token, expiry: None },
        Event::RenewRefused { client: B },
        Event::Released { client: B },
        Event::ReleaseRefused { client: B },
        Event::CheckPassed { client: B, at: 1, deadline: 2 },
        Event::CheckFailed { client: B, at: 2, deadline: 2 },
        Event::DeadlineReached { client: B, at: 2 },
        Event::Withheld { client: B },
        Event::Sent { value: stage::Value { by: B, nth: 1 }, token },
        Event::Read { client: B, value: None },
        Event::ReleaseSent { client: B, token },
        Event::Paused { client: B },
        Event::Resumed { client: B },
        Event::Crashed { client: B },
        Event::Restarted { client: B },
    ] {
        assert_eq!(place(event), Place::Client(B), "{event:?}");
    }
}
