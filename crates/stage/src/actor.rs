//! 客。ロックサービスの返事を聞いて「持っているつもり」になり、それをやめる。

use timeline::{Client, ClientView, Condition, Event, Time, Token};

/// 持っているつもり。
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Belief {
    /// 取得の返事で聞いたトークン
    pub(crate) token: Token,
    /// 返事で聞いた期限
    pub(crate) deadline: Option<Time>,
}

/// 舞台の上の客。
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Actor {
    client: Client,
    pub(crate) condition: Condition,
    pub(crate) belief: Option<Belief>,
    /// 自分の時計で期限を見て、過ぎたら持っているつもりをやめるか
    pub(crate) watches_clock: bool,
    /// 「期限の前だから書く」と決めたが、まだ書いていない書き込みのトークン
    decided: Option<Token>,
}

impl Actor {
    pub(crate) fn new(client: Client) -> Actor {
        Actor {
            client,
            condition: Condition::Running,
            belief: None,
            watches_clock: false,
            decided: None,
        }
    }

    pub(crate) fn view(&self) -> ClientView {
        ClientView {
            client: self.client,
            condition: self.condition,
            belief: self.belief.map(|belief| belief.token),
        }
    }

    /// 起きたことを聞いて、持っているつもりを改める。自分に関わらない出来事では変わらない。
    pub(crate) fn hear(&mut self, event: &Event) {
        match *event {
            Event::Acquired { token, expiry, .. } | Event::Renewed { token, expiry, .. } => {
                self.belief = Some(Belief { token, deadline: expiry });
                self.decided = None;
            }
            Event::Released { .. }
            | Event::ReleaseRefused { .. }
            | Event::RenewRefused { .. }
            | Event::CheckFailed { .. } => {
                self.belief = None;
                self.decided = None;
            }
            // 書くと決めたあとで期限が来ても、決めた書き込みは止まらない。
            Event::DeadlineReached { .. } => self.belief = None,
            // 拒否されたのが前の保持の遅れた書き込みなら、今の保持には関わらない。
            Event::Rejected { token, .. } if self.holds_with(token) => self.belief = None,
            Event::CheckPassed { .. } => self.decided = self.belief.map(|belief| belief.token),
            Event::Crashed { .. } => *self = self.down(),
            _ => {}
        }
    }

    fn holds_with(&self, token: Token) -> bool {
        self.belief.is_some_and(|belief| belief.token == token)
    }

    /// 落ちたあとの客。記憶は残らない。
    fn down(&self) -> Actor {
        let fresh = Actor::new(self.client);
        Actor { condition: Condition::Crashed, watches_clock: self.watches_clock, ..fresh }
    }

    /// 次の書き込みに添えるトークン。持っているつもりも、書くという決定もなければ `None`。
    pub(crate) fn token_to_write(&self) -> Option<Token> {
        self.decided.or(self.belief.map(|belief| belief.token))
    }

    /// 書き込みを送った。書くという決定は、一度の書き込みで果たされる。
    pub(crate) fn sent(&mut self) {
        self.decided = None;
    }

    /// 自分の時計で期限を見る客が、`now` までに迎えた期限。
    pub(crate) fn reached(&self, now: Time) -> Option<Time> {
        let deadline = self.belief?.deadline?;
        (self.watches_clock && deadline <= now).then_some(deadline)
    }
}
