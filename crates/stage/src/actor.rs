//! 客。ロックサービスの返事を聞いて「持っているつもり」になり、それをやめる。

use crate::event::{Asked, Event};
use crate::network::{Packet, Sent};
use crate::vocabulary::{Client, ClientView, Condition, Time, Token, Value};

/// 認められた一度の取得。番号を忘れて配り直すロックでは、違う取得が同じトークンを持つ。
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Hold {
    /// 取得の返事で聞いたトークン
    pub token: Token,
    /// 舞台の上で何度目に認められた取得か。1 から数える
    pub grant: u64,
}

/// 持っているつもり。
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Belief {
    /// 何を持っているつもりか
    pub(crate) hold: Hold,
    /// 返事で聞いた期限
    pub(crate) deadline: Option<Time>,
}

/// 舞台の上の客。
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Actor {
    client: Client,
    pub(crate) condition: Condition,
    pub(crate) belief: Option<Belief>,
    /// 自分の時計で期限を見て、過ぎたら持っているつもりをやめるか
    pub(crate) watches_clock: bool,
    /// 時計を見る客が止まっている間に、聞いた期限が過ぎたか。つもりは、次に時計を見るまで残る
    lapsed: bool,
    /// 「期限の前だから書く」と決めたが、まだ書いていない書き込みの保持
    decided: Option<Hold>,
    /// 今の保持を、資源に登録したか
    registered: bool,
    /// 読んだ値。まだ読んでいなければ `None`
    known: Option<Option<Value>>,
    /// 今の保持で送った書き込みの数
    sent: u64,
}

impl Actor {
    pub(crate) fn new(client: Client) -> Actor {
        Actor {
            client,
            condition: Condition::Running,
            belief: None,
            watches_clock: false,
            lapsed: false,
            decided: None,
            registered: false,
            known: None,
            sent: 0,
        }
    }

    /// 外からの見え方。
    #[must_use]
    pub fn view(&self) -> ClientView {
        ClientView {
            client: self.client,
            condition: self.condition,
            belief: self.belief.map(|belief| belief.hold.token),
        }
    }

    /// 今の保持で、資源を読んだか。
    #[must_use]
    pub fn has_read(&self) -> bool {
        self.known.is_some()
    }

    /// 今の保持で送った書き込みの数。
    #[must_use]
    pub fn sent(&self) -> u64 {
        self.sent
    }

    /// 自分の時計で期限を見る客か。
    #[must_use]
    pub fn watches_clock(&self) -> bool {
        self.watches_clock
    }

    /// 「期限の前だから書く」と決めた、まだ送っていない書き込みの保持。
    #[must_use]
    pub fn decided(&self) -> Option<Hold> {
        self.decided
    }

    /// 持っているつもりの保持。
    #[must_use]
    pub fn belief(&self) -> Option<Hold> {
        self.belief.map(|belief| belief.hold)
    }

    /// 今の保持を、資源に登録したか。
    #[must_use]
    pub fn has_registered(&self) -> bool {
        self.registered
    }

    /// 持っているつもりで、止まっている間に期限が過ぎてもいないか。
    ///
    /// 止まった客は、期限が来ても何もできないので、つもりは残る。時計を見る客なら、そのつもりで新しく何かを
    /// 始めることはもうない。
    #[must_use]
    pub fn is_valid(&self) -> bool {
        self.belief.is_some() && !self.lapsed
    }

    /// 起きたことを聞いて、持っているつもりを改める。自分に関わらない出来事では変わらない。
    ///
    /// `grants` は、これまでに認められた取得の数。
    pub(crate) fn hear(&mut self, event: &Event, grants: u64) {
        match *event {
            Event::Acquired { token, expiry, .. } => {
                let hold = Hold { token, grant: grants };
                *self = Actor { belief: Some(Belief { hold, deadline: expiry }), ..self.blank() };
            }
            Event::Renewed { token, expiry, .. } => {
                // つもりのない客の延長が認められたなら、いちばん新しい保持を持ったつもりになる。
                let grant = self.belief.map_or(grants, |belief| belief.hold.grant);
                let hold = Hold { token, grant };
                self.belief = Some(Belief { hold, deadline: expiry });
                (self.decided, self.lapsed) = (None, false);
            }
            Event::Read { value, .. } => self.known = Some(value),
            Event::Registered { .. } => self.registered = true,
            Event::Released { .. }
            | Event::ReleaseSent { .. }
            | Event::ReleaseRefused { .. }
            | Event::RenewRefused { .. }
            | Event::CheckFailed { .. }
            | Event::Rejected { asked: Asked::Read(_) | Asked::Register(_), .. } => {
                self.belief = None;
                self.decided = None;
            }
            // 書くと決めたあとで期限が来ても、決めた書き込みは止まらない。
            Event::DeadlineReached { .. } => self.belief = None,
            // 拒否されたのが前の保持の遅れた書き込みなら、今の保持には関わらない。
            Event::Rejected { asked: Asked::Write(_), token, reason } => {
                if reason.tells_stale() && self.holds_with(token) {
                    self.belief = None;
                }
            }
            Event::CheckPassed { .. } => self.decided = self.belief(),
            Event::Crashed { .. } => {
                *self = Actor { condition: Condition::Crashed, ..self.blank() };
            }
            Event::Busy { .. }
            | Event::ReplyLost { .. }
            | Event::Expired { .. }
            | Event::Withheld { .. }
            | Event::Sent { .. }
            | Event::Accepted { .. }
            | Event::ServiceRestarted { .. }
            | Event::ResourceRestarted { .. }
            | Event::Paused { .. }
            | Event::Resumed { .. }
            | Event::Restarted { .. } => {}
        }
        self.forget_the_past();
    }

    /// 終わった保持のことは、もう何にも使わない。覚えていると、先の同じ状態が別の状態に見える。
    fn forget_the_past(&mut self) {
        if self.belief.is_none() {
            self.lapsed = false;
        }
        if !self.is_valid() && self.decided.is_none() {
            self.known = None;
            self.sent = 0;
            self.registered = false;
        }
    }

    fn holds_with(&self, token: Token) -> bool {
        self.belief.is_some_and(|belief| belief.hold.token == token)
    }

    /// 同じ客の、何も覚えていない状態。
    fn blank(&self) -> Actor {
        Actor { watches_clock: self.watches_clock, ..Actor::new(self.client) }
    }

    /// 次の書き込みの保持。持っているつもりも、書くという決定もなければ `None`。
    #[must_use]
    pub fn hold_to_write(&self) -> Option<Hold> {
        self.decided.or(self.belief().filter(|_| !self.lapsed))
    }

    /// 次に送る書き込み。
    pub(crate) fn writes(&self, value: Value, hold: Hold) -> Sent {
        let Hold { token, grant } = hold;
        let packet = Packet { value, token, base: self.known, sequence: self.sent + 1 };
        Sent { packet, grant }
    }

    /// `value` を送った。書くという決定は果たされ、次は自分の書いた値をもとにする。
    pub(crate) fn has_sent(&mut self, value: Value) {
        self.decided = None;
        self.sent += 1;
        self.known = self.known.map(|_| Some(value));
        self.forget_the_past();
    }

    /// 時計を見る客で、聞いた期限が `now` までに過ぎたか。
    pub(crate) fn is_due(&self, now: Time) -> bool {
        let deadline = self.belief.and_then(|belief| belief.deadline);
        self.watches_clock && !self.lapsed && deadline.is_some_and(|deadline| deadline <= now)
    }

    /// 時刻が `now` まで進んだ。動いている、時計を見る客なら、迎えた期限を返す。
    ///
    /// 止まっている客は気づかない。止まっている間に過ぎたことだけを控える。
    pub(crate) fn reaches(&mut self, now: Time) -> Option<Time> {
        if !self.is_due(now) {
            return None;
        }
        if self.condition == Condition::Running {
            return self.belief?.deadline;
        }
        self.lapsed = true;
        self.forget_the_past();
        None
    }

    /// 時計を見て、止まっている間に過ぎていたと気づく期限。書くと決めた客は、書くまで時計を見ない。
    pub(crate) fn notices(&self) -> Option<Time> {
        let may_look = self.lapsed && self.decided.is_none();
        self.belief.filter(|_| may_look)?.deadline
    }
}
