//! 語彙の規則。

use stage::Action::*;
use stage::Client::{A, B, C};
use stage::{Client, Impossible, Token};

use crate::scene::{A1, Scene, believe};

#[test]
fn the_next_token_is_larger_and_never_wraps() {
    assert_eq!(Token::NONE.next(), Some(Token(1)));
    assert_eq!(Token(u64::MAX - 1).next(), Some(Token(u64::MAX)));
    assert_eq!(Token(u64::MAX).next(), None);
}

#[test]
fn tokens_clients_and_values_are_shown_by_their_names() {
    assert_eq!(Token(12).to_string(), "12");
    assert_eq!(Client::ALL.map(|client| client.to_string()), ["A", "B", "C"]);
    assert_eq!(A1.to_string(), "A1");
}

#[test]
fn every_action_but_a_tick_belongs_to_a_client() {
    let actions = [
        Acquire(A),
        AcquireReplyLost(B),
        Renew(C),
        Release(A),
        Check(B),
        Write(C, 1),
        Send(A, 1),
        Deliver(B, 1),
        Pause(C),
        Resume(A),
        Crash(B),
        Restart(C),
    ];
    for (action, client) in actions.iter().zip(Client::ALL.into_iter().cycle()) {
        assert_eq!(action.client(), Some(client), "{action:?}");
    }
    assert_eq!(Tick(1).client(), None);
}

#[test]
fn believers_are_the_clients_with_a_belief() {
    let mut seen = Scene::new().play("").start;
    assert_eq!((seen.believers().count(), seen.is_double()), (0, false));
    believe(&mut seen, C, Some(Token(3)));
    assert_eq!((Vec::from_iter(seen.believers()), seen.is_double()), (vec![C], false));
    believe(&mut seen, A, Some(Token(1)));
    assert_eq!((Vec::from_iter(seen.believers()), seen.is_double()), (vec![A, C], true));
    believe(&mut seen, B, Some(Token::NONE));
    assert_eq!((Vec::from_iter(seen.believers()), seen.is_double()), (vec![A, B, C], true));
}

#[test]
fn a_client_that_is_not_there_has_no_view() {
    let mut seen = Scene::new().play("").start;
    seen.clients.pop();
    assert_eq!(seen.client(B).map(|view| view.client), Some(B));
    assert_eq!(seen.client(C), None);
}

#[test]
fn every_impossible_act_says_what_to_do_instead() {
    let told = [
        (Impossible::UnknownClient(C), "C はこの舞台にいない。舞台を作るときの人数を増やす"),
        (Impossible::Paused(A), "A は停止中で、何もできない。先に Resume(A) を置く"),
        (Impossible::Crashed(A), "A は落ちていて、何もできない。先に Restart(A) を置く"),
        (Impossible::NotPaused(A), "A は停止していないので、再開できない。先に Pause(A) を置く"),
        (Impossible::NotCrashed(A), "A は落ちていないので、再起動できない。先に Crash(A) を置く"),
        (
            Impossible::NoDeadline(A),
            "A は期限を聞いていないので、時計と比べられない。先に取得させる",
        ),
        (
            Impossible::NoResource,
            "この舞台には資源がないので、書き込めない。World::with_resource で作る",
        ),
        (Impossible::NotInFlight(A1), "A1 は途中にないので、届けられない。先に Send を置く"),
        (Impossible::AlreadyInFlight(A1), "A1 はもう途中にある。別の番号の値を送る"),
        (Impossible::NetworkFull(4), "途中にとどまれる書き込みは 4 個まで。先に Deliver で届ける"),
        (Impossible::NotRenewable, "期限のないロックは延長できない。リースのあるロックを使う"),
        (Impossible::Panicked, "錠か資源の部品がパニックした。部品のコードを直す"),
        (Impossible::TimeOverflow, "論理時刻が表せる範囲を超える。Tick とリースの長さを小さくする"),
        (
            Impossible::TokenOverflow,
            "トークンをこれ以上大きくできない。小さい番号に戻すことはしない",
        ),
    ];
    for (reason, text) in told {
        assert_eq!(reason.to_string(), text);
    }
}
