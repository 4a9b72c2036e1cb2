//! 演じた記録を、図のデータにする。ロックの言葉を知っているのはここまでで、描く側は何も知らない。

use chart::{Arrow, Bar, Kind, Lane, Mark, State, Stop, Timeline, Verdict};

use crate::action::Action;
use crate::event::{Event, Place, RESOURCE, number, value_or_empty};
use crate::run::{Run, Step};
use crate::vocabulary::{
    Client, ClientView, Condition, Holder, Observation, ResourceView, Token, Value,
};

/// 二重取得の帯のレーン。
const DOUBLE: &str = "二重取得";
/// ロックサービスのレーン。
const SERVICE: &str = "ロック";

impl Run {
    /// 図のデータ。
    #[must_use]
    pub fn timeline(&self) -> Timeline {
        let narrator = Narrator { run: self, cast: self.cast().collect() };
        let mut timeline = Timeline::new(&self.title, "時刻", narrator.lanes());
        let mut steps = vec![narrator.start()];
        let mut before = &self.start;
        let mut rejected = 0;
        for (index, step) in self.steps.iter().enumerate() {
            rejected += usize::from(step.events.iter().any(is_rejected));
            steps.push(narrator.step(index + 1, step, before, rejected));
            before = &step.after;
        }
        timeline.steps = steps;
        timeline
    }
}

/// 資源が拒否したか。
fn is_rejected(event: &Event) -> bool {
    matches!(event.told().place, Place::Judged { accepted: false, .. })
}

struct Narrator<'a> {
    run: &'a Run,
    /// 出番のある客
    cast: Vec<Client>,
}

impl Narrator<'_> {
    fn lanes(&self) -> Vec<Lane> {
        let mut lanes = vec![Lane::new(DOUBLE, Kind::Band).short("二重")];
        for &client in &self.cast {
            lanes.push(Lane::new(&client.to_string(), Kind::Actor).tone(client as u8 + 1));
        }
        lanes.push(Lane::new(SERVICE, Kind::Service));
        if self.run.start.resource.is_some() {
            lanes.push(Lane::new(RESOURCE, Kind::Store));
        }
        lanes
    }

    fn start(&self) -> chart::Step {
        let mut told = chart::Step::at(self.run.start.now, "");
        self.changes(&mut told, None, &self.run.start);
        facts(&mut told, None, &self.run.start, 0);
        told
    }

    fn step(
        &self,
        number: usize,
        step: &Step,
        before: &Observation,
        rejected: usize,
    ) -> chart::Step {
        let mut told = chart::Step::at(step.time(), &step.sentence());
        told.action = step.action.words();
        for event in &step.events {
            self.mark(&mut told, number, step, event);
        }
        self.changes(&mut told, Some(before), &step.after);
        self.renewed(&mut told, step, before);
        facts(&mut told, Some(before), &step.after, rejected);
        told
    }

    /// 出来事を、印か矢印にする。
    fn mark(&self, told: &mut chart::Step, number: usize, step: &Step, event: &Event) {
        let words = event.told();
        match words.place {
            // 遅れて届いた解放は、ロックサービスの出来事である。頼んだ客はもう別のことをしている。
            Place::Client(_) if matches!(step.action, Action::DeliverRelease(_)) => {
                told.mark(SERVICE, &words.label);
            }
            Place::Client(client) => self.act(told, client, words.label),
            Place::Service => told.mark(SERVICE, &words.label),
            Place::Resource => told.mark(RESOURCE, &words.label),
            Place::Judged { client, accepted, verdict } => {
                let delivered = delivered(step.action);
                if delivered.is_none() {
                    self.act(told, client, words.label);
                }
                let sent = delivered.and_then(|value| self.sent_at(number, value));
                told.arrows.push(Arrow {
                    from: client.to_string(),
                    to: RESOURCE.to_owned(),
                    sent: sent.unwrap_or(number),
                    verdict: if accepted { Verdict::Yes } else { Verdict::No },
                    label: verdict,
                });
            }
        }
    }

    fn act(&self, told: &mut chart::Step, client: Client, label: String) {
        if self.cast.contains(&client) {
            told.marks.push(Mark { lane: client.to_string(), label, verdict: None, clock: None });
        }
    }

    /// 手 `number` で届いた書き込みを送った手。
    fn sent_at(&self, number: usize, value: Value) -> Option<usize> {
        let is_sending = |step: &Step| {
            let mut events = step.events.iter();
            events.any(|event| matches!(event, Event::Sent { value: sent, .. } if *sent == value))
        };
        let earlier = self.run.steps.iter().take(number).rposition(is_sending);
        earlier.map(|index| index + 1)
    }

    /// 様子の変わったレーン。
    fn changes(&self, told: &mut chart::Step, before: Option<&Observation>, after: &Observation) {
        let was_double = before.is_some_and(Observation::is_double);
        if was_double != after.is_double() {
            let state = if after.is_double() { State::solid("") } else { State::idle("") };
            told.change(DOUBLE, state);
        }
        for &client in &self.cast {
            let then = before.map(|seen| Seen::of(client, seen)).unwrap_or_default();
            let now = Seen::of(client, after);
            if then != now {
                told.change(&client.to_string(), now.state(then));
            }
        }
        let then = before.map(|seen| (seen.holder, seen.expiry));
        if then != Some((after.holder, after.expiry)) {
            told.change(SERVICE, self.held(then.and_then(|(holder, _)| holder), after));
        }
        if let Some(resource) = after.resource
            && before.is_none_or(|before| before.resource != after.resource)
        {
            told.change(RESOURCE, State::idle(&stored(&resource)));
        }
    }

    /// ロックサービスから見た持ち主。延長すると期限だけが変わり、同じ保持が続く。
    fn held(&self, then: Option<Holder>, after: &Observation) -> State {
        let Some(holder) = after.holder else { return State::idle("(空き)") };
        let state =
            State { continues: then == Some(holder), ..State::solid(&holding(holder, after)) };
        match self.cast.contains(&holder.client) {
            true => state.by(&holder.client.to_string()),
            false => state,
        }
    }

    /// 延長したら、保持の途中に新しい期限を書く。空きからよみがえった保持の期限は、そこから始まる棒に書いてある。
    fn renewed(&self, told: &mut chart::Step, step: &Step, before: &Observation) {
        let renewed = step.events.iter().find_map(|event| {
            if let Event::Renewed { expiry, .. } = event { *expiry } else { None }
        });
        let Some(expiry) = renewed.filter(|_| before.holder == step.after.holder) else { return };
        let state = self.held(before.holder, &step.after);
        told.change(SERVICE, state.going_on(&format!("~{expiry}")));
    }
}

/// 途中から届いた書き込みの値。その場で届いたものでは `None`。
fn delivered(action: Action) -> Option<Value> {
    if let Action::Deliver(by, nth) | Action::DeliverCopy(by, nth) = action {
        return Some(Value { by, nth });
    }
    None
}

/// 客のレーンの様子を決めるもの。
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Seen {
    belief: Option<Token>,
    /// ロックサービスから見ても、その通りか
    rightful: bool,
    stop: Option<Stop>,
}

impl Seen {
    fn of(client: Client, observation: &Observation) -> Seen {
        let Some(ClientView { condition, belief, .. }) = observation.client(client) else {
            return Seen::default();
        };
        let held = belief.map(|token| Holder { client, token });
        let stop = match condition {
            Condition::Running => None,
            Condition::Paused => Some(Stop::Paused),
            Condition::Crashed => Some(Stop::Dead),
        };
        let rightful = held.is_some() && held == observation.holder;
        Seen { belief: *belief, rightful, stop }
    }

    fn state(self, then: Seen) -> State {
        let bar = match (self.belief, self.rightful) {
            (None, _) => None,
            (Some(_), true) => Some(Bar::Solid),
            (Some(_), false) => Some(Bar::Hollow),
        };
        let continues = self.belief.is_some() && self.belief == then.belief;
        State { bar, continues, stop: self.stop, ..State::default() }
    }
}

/// 持ち主と、番号と、期限。
fn holding(holder: Holder, observation: &Observation) -> String {
    let until = observation.expiry.map(|time| format!(" ~{time}")).unwrap_or_default();
    format!("{}{}{until}", holder.client, number(holder.token))
}

/// 資源の値と最大。
fn stored(resource: &ResourceView) -> String {
    format!("{} 最大{}", value_or_empty(resource.value), resource.max_token)
}

/// 本文とデモが引く事実。変わったものだけを書く。
fn facts(
    told: &mut chart::Step,
    before: Option<&Observation>,
    after: &Observation,
    rejected: usize,
) {
    let then = before.map(all_facts).unwrap_or_default();
    for (name, text) in all_facts(after) {
        if !then.contains(&(name, text.clone())) {
            told.fact(name, text);
        }
    }
    if after.resource.is_some() && (before.is_none() || told.verdict().is_some_and(|it| !it.1)) {
        told.fact("拒否数", rejected.to_string());
    }
}

fn all_facts(seen: &Observation) -> Vec<(&'static str, String)> {
    let or_dash = |text: Option<String>| text.unwrap_or_else(|| "—".to_owned());
    let issued = Some(seen.issued).filter(|token| *token != Token::NONE);
    let believers: Vec<String> = seen.believers().map(|client| client.to_string()).collect();
    let mut facts = vec![
        ("持ち主", seen.holder.map_or("(空き)".to_owned(), |holder| holder.client.to_string())),
        ("トークン", or_dash(issued.map(|token| token.to_string()))),
        ("期限", or_dash(seen.expiry.map(|time| time.to_string()))),
        ("現在", seen.now.to_string()),
        ("つもり", if believers.is_empty() { "なし".to_owned() } else { believers.join("と") }),
    ];
    if let Some(resource) = seen.resource {
        facts.push(("値", value_or_empty(resource.value)));
        facts.push(("最大", resource.max_token.to_string()));
    }
    facts
}
