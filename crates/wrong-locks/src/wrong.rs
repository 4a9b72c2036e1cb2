//! 壊れた決めごと。どれも、正しい決めごとを一つだけ替える。

use stage::{Client, Holder, Time, Token};

use crate::queue::QueueRules;
use crate::row::RowRules;
use crate::service::{LockRules, State};

/// 決めごとを替えるための、中身のない型を並べる。
macro_rules! deviations {
    ($($(#[$about:meta])* $name:ident;)+) => {
        $($(#[$about])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub struct $name;)+
    };
}

deviations! {
    /// 誰の解放でも受ける
    AnyRelease;
    /// 客の名前だけで解放する
    NameRelease;
    /// 失効した保持を、延長でよみがえらせる
    Revive;
    /// 空くたびに、番号を数え直す
    CountAgain;
    /// 復元すると、番号が戻る
    Backup;
    /// 番号が一周する
    Wrap;
    /// 前の自分の記録を、今の自分のものとみなす
    OldSelf;
    /// 取ったあとの手で、期限をつける
    TwoSteps;
    /// 裏のウォッチドッグが、終わった仕事の分も延長し続ける
    Watchdog;
    /// 頼んだ客の時計で、期限を判定する
    CallerClock;
    /// 壁時計で、期限を判定する
    WallClock;
    /// 返事が届いてから、期限を数え始める
    LateTimer;
    /// 列で待つ間に失効したかを、確かめずに渡す
    DeadWaiter;
    /// 番号を覚えるが、比べない
    NeverCompares;
    /// 番号が等しいことを求める
    Equality;
    /// 登録された番号を、再起動で忘れる
    ForgetsRegistration;
}

// ANCHOR: any_release
impl LockRules for AnyRelease {
    fn may_release(&self, state: &State, _asked: Holder) -> bool {
        state.lease.is_some()
    }
}
// ANCHOR_END: any_release

// ANCHOR: name_release
impl LockRules for NameRelease {
    fn may_release(&self, state: &State, asked: Holder) -> bool {
        state.holder().is_some_and(|holder| holder.client == asked.client)
    }
}
// ANCHOR_END: name_release

// ANCHOR: revive
impl LockRules for Revive {
    fn may_renew(&self, state: &State, asked: Holder) -> bool {
        state.holder().is_none_or(|holder| holder == asked)
    }
}
// ANCHOR_END: revive

// ANCHOR: count_again
impl LockRules for CountAgain {
    fn issued_when_free(&self, _state: &State) -> Token {
        Token::NONE
    }
}
// ANCHOR_END: count_again

// ANCHOR: backup
impl LockRules for Backup {
    fn issued_after_restart(&self, _state: &State) -> Token {
        Token::NONE
    }
}
// ANCHOR_END: backup

// ANCHOR: wrap
/// 表せる最大の番号。実物の 32767 を、調べられる大きさに縮めた。
const MAX: Token = Token(2);

impl LockRules for Wrap {
    fn next_token(&self, state: &State) -> Option<Token> {
        if state.issued == MAX { Some(Token(1)) } else { state.issued.next() }
    }
}
// ANCHOR_END: wrap

// ANCHOR: old_self
impl LockRules for OldSelf {
    fn already_held(&self, state: &State, client: Client) -> Option<Holder> {
        state.holder().filter(|holder| holder.client == client)
    }
}
// ANCHOR_END: old_self

// ANCHOR: two_steps
impl LockRules for TwoSteps {
    fn first_expiry(&self, _expiry: Time) -> Option<Time> {
        None
    }
}
// ANCHOR_END: two_steps

// ANCHOR: watchdog
impl LockRules for Watchdog {
    fn keeps_alive(&self) -> bool {
        true
    }
}
// ANCHOR_END: watchdog

// ANCHOR: caller_clock
impl LockRules for CallerClock {
    fn clock(&self, state: &State, client: Client) -> Time {
        let ahead = Time::from(client == Client::B); // B の時計は 1 刻み進んでいる
        state.now.saturating_add(ahead)
    }
}
// ANCHOR_END: caller_clock

// ANCHOR: wall_clock
impl LockRules for WallClock {
    fn has_expired(&self, state: &State, expiry: Time) -> bool {
        let jump = if state.now == 1 { 100 } else { 0 }; // 時刻 1 の間だけ、時計が 100 先を指す
        state.now.saturating_add(jump) >= expiry
    }
}
// ANCHOR_END: wall_clock

// ANCHOR: late_timer
impl LockRules for LateTimer {
    fn heard(&self, expiry: Time) -> Time {
        expiry.saturating_add(1) // 返事が届くまでに、1 刻み過ぎている
    }
}
// ANCHOR_END: late_timer

// ANCHOR: dead_waiter
impl QueueRules for DeadWaiter {
    fn may_grant(&self, _now: Time, _session: Time) -> bool {
        true
    }
}
// ANCHOR_END: dead_waiter

// ANCHOR: never_compares
impl RowRules for NeverCompares {
    fn refuses(&self, _token: Token, _max: Token) -> bool {
        false
    }
}
// ANCHOR_END: never_compares

// ANCHOR: equality
impl RowRules for Equality {
    fn refuses(&self, token: Token, max: Token) -> bool {
        max != Token::NONE && token != max
    }
}
// ANCHOR_END: equality

// ANCHOR: forgets_registration
impl RowRules for ForgetsRegistration {
    fn registered_after_restart(&self, _registered: Token) -> Token {
        Token::NONE
    }
}
// ANCHOR_END: forgets_registration
