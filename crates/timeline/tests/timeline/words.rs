//! 言葉。出来事と手の、すべての種類を固定する。

use timeline::Action::*;
use timeline::Client::{A, B};
use timeline::{Action, Event, Holder, Observation, ResourceView, Token, words};

use crate::scene::{A1, Scene};

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
            Event::Rejected { value: A1, token: one, max: two },
            "書込 A1",
            "row-42 に A1 がトークン 1 とともに届いた。1 < 2 なので拒否され、値は変わらない。",
        ),
        (Event::Paused { client: A }, "停止", "A が止まった。止まったことに自分では気づけない。"),
        (Event::Resumed { client: A }, "再開", "A が再開した。止まった所から続ける。"),
        (Event::Crashed { client: A }, "クラッシュ", "A が落ちた。持っていた記憶は失われた。"),
        (Event::Restarted { client: A }, "再起動", "A が記憶のない状態で動き出した。"),
    ];
    for (event, label, sentence) in told {
        assert_eq!(words::label(&event), label, "{event:?}");
        assert_eq!(words::sentence(&event), sentence, "{event:?}");
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
        assert_eq!(words::action(&action), words);
    }
}

#[test]
fn a_verdict_tells_what_was_compared() {
    let verdict = |event| words::verdict(&event);
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
    assert_eq!(verdict(Event::Rejected { value: A1, token, max }), Some("拒否 1 < 2".to_owned()));
    assert_eq!(verdict(Event::Sent { value: A1, token }), None);
}

fn held(token: Token, expiry: Option<u64>) -> Observation {
    let holder = Some(Holder { client: A, token });
    Observation { holder, expiry, ..Scene::new().play("").start }
}

#[test]
fn the_holder_is_told_with_its_token_and_expiry() {
    assert_eq!(words::holding(&Scene::new().play("").start), "(空き)");
    assert_eq!(words::holding(&held(Token(1), Some(10))), "A #1 ~10");
    assert_eq!(words::holding(&held(Token::NONE, None)), "A");
}

#[test]
fn the_resource_is_told_with_its_value_and_its_maximum() {
    let empty = ResourceView { value: None, max_token: Token::NONE };
    let written = ResourceView { value: Some(A1), max_token: Token(2) };
    assert_eq!((words::value(&empty), words::stored(&empty)), ("(空)".into(), "(空) 最大0".into()));
    assert_eq!((words::value(&written), words::stored(&written)), ("A1".into(), "A1 最大2".into()));
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
            Event::ReadRefused { client: A, token: one, max: two },
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
            Event::RegisterRefused { client: A, token: one, max: two },
            "登録 断",
            Some("拒否 1 < 2"),
            "A の登録は拒否された。1 < 2 で、A のトークンは古い。",
        ),
        (
            Event::Conflicted { value: A1, base: None, current: Some(A1) },
            "書込 A1",
            Some("拒否 (空) でなく A1"),
            "row-42 に A1 が届いた。読んだ値は (空) だったが、今は A1 なので拒否された。",
        ),
        (
            Event::Mismatched { value: A1, token: Token(2), wanted: one },
            "書込 A1",
            Some("拒否 2 != 1"),
            "row-42 に A1 がトークン 2 とともに届いた。2 は 1 と等しくないので拒否され、値は変わらない。",
        ),
        (
            Event::OutOfOrder { value: A1, sequence: 1, next: 3 },
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
        assert_eq!(words::label(&event), label, "{event:?}");
        assert_eq!(words::verdict(&event).as_deref(), verdict, "{event:?}");
        assert_eq!(words::sentence(&event), sentence, "{event:?}");
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
        assert_eq!(words::action(&action), expected);
        assert_eq!(action.client(), client, "{action:?}");
    }
}
