//! 台本。手ごとに起きることと見えるものを先に決めておき、規則なしで [`Run`] を作る。

use std::collections::VecDeque;

use stage::Client::{A, B, C};
use stage::{
    Action, Asked, Client, ClientView, Condition, Event, Events, Holder, Impossible, Observation,
    Refusal, ResourceView, Run, StoryError, System, Time, Token, Value,
};

pub const A1: Value = Value { by: A, nth: 1 };
pub const B1: Value = Value { by: B, nth: 1 };

/// 台本の一手。
#[derive(Clone, Debug)]
struct Cue {
    action: Action,
    outcome: Result<Vec<Event>, Impossible>,
    after: Observation,
}

/// 台本。見え方は、書き足すたびに前の手から引き継ぐ。
#[derive(Clone, Debug)]
pub struct Scene {
    start: Observation,
    seen: Observation,
    cues: Vec<Cue>,
}

/// 台本を読み上げるだけの [`System`]。
#[derive(Clone)]
struct Script {
    seen: Observation,
    cues: VecDeque<Cue>,
}

impl System for Script {
    fn apply(&mut self, action: Action) -> Result<Events, Impossible> {
        let Some(cue) = self.cues.pop_front() else { return Ok(Events::new()) };
        assert_eq!(cue.action, action);
        self.seen = cue.after;
        cue.outcome.map(|events| events.into_iter().collect())
    }

    fn observe(&self) -> Observation {
        self.seen.clone()
    }
}

impl Scene {
    /// 三人の客と空の資源がいて、誰も持っていない、時刻 0 の舞台。
    pub fn new() -> Scene {
        let idle = |client| ClientView { client, condition: Condition::Running, belief: None };
        let start = Observation {
            now: 0,
            holder: None,
            expiry: None,
            issued: Token::NONE,
            resource: Some(ResourceView { value: None, max_token: Token::NONE }),
            clients: Client::ALL.map(idle).to_vec(),
        };
        Scene { seen: start.clone(), start, cues: Vec::new() }
    }

    /// 資源のない舞台。
    pub fn without_resource() -> Scene {
        let mut scene = Scene::new();
        scene.start.resource = None;
        scene.seen.resource = None;
        scene
    }

    /// 始まる前の見え方を変える。
    pub fn starting(mut self, change: impl FnOnce(&mut Observation)) -> Scene {
        change(&mut self.start);
        self.seen = self.start.clone();
        self
    }

    /// 一手を書き足す。
    pub fn then<const N: usize>(
        mut self,
        action: Action,
        events: [Event; N],
        change: impl FnOnce(&mut Observation),
    ) -> Scene {
        change(&mut self.seen);
        self.cues.push(Cue { action, outcome: Ok(events.to_vec()), after: self.seen.clone() });
        self
    }

    /// 起こりえない手を書き足す。
    pub fn impossible(mut self, action: Action, reason: Impossible) -> Scene {
        self.cues.push(Cue { action, outcome: Err(reason), after: self.seen.clone() });
        self
    }

    /// 演じる。
    pub fn try_play(&self, title: &str) -> Result<Run, StoryError> {
        let actions: Vec<Action> = self.cues.iter().map(|cue| cue.action).collect();
        let script = Script { seen: self.start.clone(), cues: self.cues.clone().into() };
        Run::play(title, script, &actions)
    }

    /// 最後まで演じられる台本を演じる。
    pub fn play(self, title: &str) -> Run {
        let start = self.start.clone();
        let played = self.try_play(title);
        assert_eq!(played.as_ref().err(), None);
        played.unwrap_or(Run { title: String::new(), start, steps: Vec::new() })
    }

    /// 取得が認められ、返事が届く。
    pub fn acquire(self, client: Client, token: u64, expiry: Option<Time>) -> Scene {
        let token = Token(token);
        let granted = Event::Acquired { client, token, expiry };
        self.then(Action::Acquire(client), [granted], |seen| {
            hold(seen, client, token, expiry);
            believe(seen, client, Some(token));
        })
    }

    /// 取得が認められ、返事が失われる。
    pub fn acquire_reply_lost(self, client: Client, token: u64, expiry: Time) -> Scene {
        let (token, expiry) = (Token(token), Some(expiry));
        let granted = Event::Acquired { client, token, expiry };
        let events = [granted, Event::ReplyLost { client }];
        self.then(Action::AcquireReplyLost(client), events, |seen| {
            hold(seen, client, token, expiry);
        })
    }

    /// 延長が認められる。
    pub fn renew(self, client: Client, token: u64, expiry: Option<Time>) -> Scene {
        let renewed = Event::Renewed { client, token: Token(token), expiry };
        self.then(Action::Renew(client), [renewed], |seen| seen.expiry = expiry)
    }

    /// 解放する。
    pub fn release(self, client: Client) -> Scene {
        self.then(Action::Release(client), [Event::Released { client }], |seen| {
            free(seen);
            believe(seen, client, None);
        })
    }

    /// 何も起きずに時刻が進む。
    pub fn quiet(self, ticks: Time) -> Scene {
        self.then(Action::Tick(ticks), [], |seen| seen.now += ticks)
    }

    /// 時刻が進み、途中の `at` に失効する。
    pub fn expire(self, ticks: Time, client: Client, at: Time) -> Scene {
        self.then(Action::Tick(ticks), [Event::Expired { client, at }], |seen| {
            seen.now += ticks;
            free(seen);
        })
    }

    /// 止まる。
    pub fn pause(self, client: Client) -> Scene {
        self.then(Action::Pause(client), [Event::Paused { client }], |seen| {
            view(seen, client).condition = Condition::Paused;
        })
    }

    /// 再開する。
    pub fn resume(self, client: Client) -> Scene {
        self.then(Action::Resume(client), [Event::Resumed { client }], |seen| {
            view(seen, client).condition = Condition::Running;
        })
    }

    /// 落ちる。
    pub fn crash(self, client: Client) -> Scene {
        self.then(Action::Crash(client), [Event::Crashed { client }], |seen| {
            view(seen, client).condition = Condition::Crashed;
            believe(seen, client, None);
        })
    }

    /// 動き出す。
    pub fn restart(self, client: Client) -> Scene {
        self.then(Action::Restart(client), [Event::Restarted { client }], |seen| {
            view(seen, client).condition = Condition::Running;
        })
    }

    /// 書き込みを送り出す。
    pub fn send(self, value: Value, token: u64) -> Scene {
        let sent = Event::Sent { value, token: Token(token) };
        self.then(Action::Send(value.by, value.nth), [sent], |_| {})
    }

    /// 書き込みが届いて受理される。`fenced` なら、トークンを比べてから。
    pub fn accept(self, action: Action, value: Value, token: u64, fenced: bool) -> Scene {
        let token = Token(token);
        let max = self.seen.resource.map_or(Token::NONE, |resource| resource.max_token);
        let compared = fenced.then_some(max);
        self.then(action, [Event::Accepted { value, token, compared }], |seen| {
            seen.resource = Some(ResourceView { value: Some(value), max_token: max.max(token) });
        })
    }

    /// 書き込みが届いて拒否され、書いた客がそれを聞く。
    pub fn reject(self, action: Action, value: Value, token: u64, max: u64) -> Scene {
        let rejected = Event::Rejected {
            asked: Asked::Write(value),
            token: Token(token),
            reason: Refusal::Older { max: Token(max) },
        };
        self.then(action, [rejected], |seen| believe(seen, value.by, None))
    }
}

/// `client` の見え方。
pub fn view(seen: &mut Observation, client: Client) -> &mut ClientView {
    &mut seen.clients[client as usize]
}

/// `client` の思い込みを変える。
pub fn believe(seen: &mut Observation, client: Client, belief: Option<Token>) {
    view(seen, client).belief = belief;
}

fn hold(seen: &mut Observation, client: Client, token: Token, expiry: Option<Time>) {
    (seen.holder, seen.expiry, seen.issued) = (Some(Holder { client, token }), expiry, token);
}

fn free(seen: &mut Observation) {
    (seen.holder, seen.expiry) = (None, None);
}

/// 停止、失効、二重取得、受理、拒否のある筋書き。
pub fn zombie() -> Scene {
    Scene::new()
        .acquire(A, 1, Some(10))
        .quiet(2)
        .pause(A)
        .expire(8, A, 10)
        .acquire(B, 2, Some(20))
        .accept(Action::Write(B, 1), B1, 2, true)
        .quiet(2)
        .resume(A)
        .reject(Action::Write(A, 1), A1, 1, 2)
}

/// 延長、解放、クラッシュ、再起動、失われた返事のある筋書き。
pub fn hand_over() -> Scene {
    Scene::without_resource()
        .acquire(A, 1, Some(10))
        .quiet(6)
        .renew(A, 1, Some(16))
        .release(A)
        .acquire_reply_lost(B, 2, 16)
        .crash(B)
        .restart(B)
        .expire(14, B, 16)
}

/// 途中で遅れる書き込みのある筋書き。
pub fn late_packet() -> Scene {
    Scene::new()
        .acquire(A, 1, Some(10))
        .send(A1, 1)
        .expire(10, A, 10)
        .acquire(B, 2, Some(20))
        .accept(Action::Write(B, 1), B1, 2, false)
        .accept(Action::Deliver(A, 1), A1, 1, false)
}

/// 期限も番号もないロックの筋書き。
pub fn plain() -> Scene {
    let refused = Event::Busy { client: B, holder: A, expiry: None };
    Scene::without_resource().acquire(A, 0, None).quiet(3).crash(A).then(
        Action::Acquire(B),
        [refused],
        |seen| seen.now += 999_999,
    )
}

/// 三人が順に持つつもりになり、100 桁に収まらない筋書き。
pub fn crowd() -> Scene {
    let mut scene = Scene::new();
    for (client, token) in [(A, 1), (B, 2), (C, 3)] {
        let start = 10 * (token - 1);
        let value = Value { by: client, nth: 1 };
        scene = scene
            .acquire(client, token, Some(start + 10))
            .accept(Action::Write(client, 1), value, token, true)
            .expire(10, client, start + 10);
    }
    scene.reject(Action::Write(A, 2), Value { by: A, nth: 2 }, 1, 3).reject(
        Action::Write(B, 2),
        Value { by: B, nth: 2 },
        2,
        3,
    )
}

/// 図と文字の試験に使う、すべての筋書き。
pub fn all() -> Vec<Run> {
    vec![
        zombie().play("古い持ち主が目を覚ます"),
        hand_over().play("順に渡す"),
        late_packet().play("書き込みが遅れる"),
        plain().play("期限のないロック"),
        crowd().play("三人が順に持つ"),
        Scene::new().play("何もしない"),
    ]
}
