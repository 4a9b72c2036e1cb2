//! 図の組み立て。どのレーンの、どの列からどの列まで、何を描くかを決める。
//!
//! 文字の図も SVG もこの [`Layout`] から描く。列 0 は始まる前、列 n は手 n。
//! ここは観測を区間に束ねるだけで、ロックの規則を知らない。

use std::fmt;

use crate::play::{Step, Timeline};
use crate::vocabulary::{Action, Client, Condition, Event, Holder, Observation, Time, Value};
use crate::words;

/// 図の段。
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lane {
    /// 二重取得の区間
    Double,
    /// 客
    Client(Client),
    /// ロックサービス
    Lock,
    /// 資源
    Resource,
}

impl fmt::Display for Lane {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Lane::Double => f.write_str("二重"),
            Lane::Client(client) => write!(f, "{client}"),
            Lane::Lock => f.write_str("ロック"),
            Lane::Resource => f.write_str(words::RESOURCE),
        }
    }
}

/// 描くものの種類。
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// 二人以上が持っているつもりの区間
    Double,
    /// ロックサービスから見て、この客が持っている区間
    Holds(Client),
    /// 客が持っているつもりの区間。失効したあとも続く
    Believes(Client),
    /// 客が止まっている区間
    Paused,
    /// 客が落ちている区間
    Down,
    /// 客の手
    Act,
    /// ロックのレーンの出来事
    Note,
    /// 資源がこの値を持つ区間
    Stored,
    /// 資源に届いて受理された書き込み。送った列から届いた列まで
    Accepted(Client),
    /// 資源に届いて拒否された書き込み。送った列から届いた列まで
    Rejected(Client),
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Shape::Double => f.write_str("帯"),
            Shape::Holds(client) => write!(f, "保持 {client}"),
            Shape::Believes(client) => write!(f, "つもり {client}"),
            Shape::Paused => f.write_str("停止中"),
            Shape::Down => f.write_str("落ちている"),
            Shape::Act => f.write_str("手"),
            Shape::Note => f.write_str("出来事"),
            Shape::Stored => f.write_str("値"),
            Shape::Accepted(client) => write!(f, "受理 {client}"),
            Shape::Rejected(client) => write!(f, "拒否 {client}"),
        }
    }
}

/// 図に描くもの一つ。
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// どの段に
    pub lane: Lane,
    /// 何を
    pub shape: Shape,
    /// どの列から
    pub from: usize,
    /// どの列まで。図の右端まで続くものは、最後の列の次
    pub to: usize,
    /// 添える言葉
    pub label: String,
}

/// 図の組み立て。
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// 手 1 からの論理時刻
    pub times: Vec<Time>,
    /// 段。上から下へ
    pub lanes: Vec<Lane>,
    /// 描くもの。下に敷くものが先
    pub marks: Vec<Mark>,
}

impl Layout {
    /// 記録から図を組み立てる。
    #[must_use]
    pub fn of(timeline: &Timeline) -> Layout {
        let mut marks = bars(timeline);
        for (index, step) in timeline.steps.iter().enumerate() {
            points(timeline, index + 1, step, &mut marks);
        }
        Layout {
            times: timeline.steps.iter().map(Step::time).collect(),
            lanes: lanes(timeline),
            marks,
        }
    }

    /// 右端の位置。最後の列の次。
    #[must_use]
    pub fn end(&self) -> usize {
        self.times.len() + 1
    }

    /// `lane` の列 `column` から後ろへ、`column` を含んで続く区間の種類。
    pub(crate) fn covers(&self, lane: Lane, column: usize, wanted: fn(&Shape) -> bool) -> bool {
        let mut marks = self.marks.iter().filter(|mark| mark.lane == lane);
        marks.any(|mark| wanted(&mark.shape) && mark.from <= column && column < mark.to)
    }

    /// `lane` の列 `column` に置く言葉。なければ空。
    pub(crate) fn cell(&self, lane: Lane, column: usize) -> String {
        let marks = self.marks.iter().filter(|mark| mark.lane == lane);
        let labels = marks.filter(|mark| mark.label_column() == column);
        let words: Vec<&str> = labels.map(|mark| mark.label.as_str()).collect();
        words.join(" ").trim().to_owned()
    }
}

impl Mark {
    fn label_column(&self) -> usize {
        match self.shape {
            Shape::Accepted(_) | Shape::Rejected(_) => self.to,
            _ => self.from,
        }
    }
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, time) in self.times.iter().enumerate() {
            writeln!(f, "列 {} = 時刻 {time}", index + 1)?;
        }
        for mark in &self.marks {
            let Mark { lane, shape, from, to, label } = mark;
            write!(f, "{lane} | {shape} | {from}..")?;
            match *to == self.end() {
                true => write!(f, "右端")?,
                false => write!(f, "{to}")?,
            }
            writeln!(f, " | {label}")?;
        }
        Ok(())
    }
}

fn lanes(timeline: &Timeline) -> Vec<Lane> {
    let mut lanes = Vec::new();
    if timeline.has_double() {
        lanes.push(Lane::Double);
    }
    lanes.extend(timeline.cast().map(Lane::Client));
    lanes.push(Lane::Lock);
    if timeline.start.resource.is_some() {
        lanes.push(Lane::Resource);
    }
    lanes
}

/// 見え方が同じ間を一つの区間に束ねる。返すのは (始まりの列, 終わりの列, 見え方)。
fn spans<K: PartialEq>(
    timeline: &Timeline,
    key: impl Fn(&Observation) -> Option<K>,
) -> Vec<(usize, usize, K)> {
    let mut spans: Vec<(usize, usize, K)> = Vec::new();
    for (column, observation) in timeline.observations().enumerate() {
        let Some(seen) = key(observation) else { continue };
        match spans.last_mut() {
            Some((_, to, last)) if *to == column && *last == seen => *to = column + 1,
            _ => spans.push((column, column + 1, seen)),
        }
    }
    spans
}

fn bars(timeline: &Timeline) -> Vec<Mark> {
    let mut marks = Vec::new();
    let mut draw = |lane, shape, from, to, label| marks.push(Mark { lane, shape, from, to, label });

    for (from, to, ()) in spans(timeline, |seen| seen.is_double().then_some(())) {
        draw(Lane::Double, Shape::Double, from, to, String::new());
    }
    for client in timeline.cast() {
        let lane = Lane::Client(client);
        for (from, to, _) in spans(timeline, |seen| seen.client(client)?.belief) {
            draw(lane, Shape::Believes(client), from, to, String::new());
        }
        for (from, to, _) in spans(timeline, |seen| rightful(seen, client)) {
            draw(lane, Shape::Holds(client), from, to, String::new());
        }
        let is =
            |seen: &Observation, wanted| seen.client(client)?.condition.eq(&wanted).then_some(());
        for (from, to, ()) in spans(timeline, |seen| is(seen, Condition::Paused)) {
            draw(lane, Shape::Paused, from, to, String::new());
        }
        for (from, to, ()) in spans(timeline, |seen| is(seen, Condition::Crashed)) {
            draw(lane, Shape::Down, from, to, String::new());
        }
    }
    // 延長すると期限だけが変わる。同じ保持なので、区間は持ち主だけで束ねる。
    for (from, to, (holder, label)) in held(timeline) {
        draw(Lane::Lock, Shape::Holds(holder.client), from, to, label);
    }
    for (from, to, stored) in spans(timeline, |seen| seen.resource) {
        draw(Lane::Resource, Shape::Stored, from, to, words::stored(&stored));
    }
    marks
}

/// 客が持っているつもりで、ロックサービスから見てもそうであるときの持ち主。
fn rightful(seen: &Observation, client: Client) -> Option<Holder> {
    let belief = seen.client(client)?.belief?;
    seen.holder.filter(|holder| holder.client == client && holder.token == belief)
}

fn held(timeline: &Timeline) -> Vec<(usize, usize, (Holder, String))> {
    let label = |column: usize| timeline.observations().nth(column).map(words::holding);
    let spans = spans(timeline, |seen| seen.holder).into_iter();
    spans.map(|(from, to, holder)| (from, to, (holder, label(from).unwrap_or_default()))).collect()
}

/// 一手の中の出来事を、それぞれのレーンに置く。
fn points(timeline: &Timeline, column: usize, step: &Step, marks: &mut Vec<Mark>) {
    let mut draw =
        |lane, shape, from, label| marks.push(Mark { lane, shape, from, to: column, label });
    for event in &step.events {
        let label = words::label(event);
        match *event {
            Event::Expired { .. } | Event::ServiceRestarted { .. } => {
                draw(Lane::Lock, Shape::Note, column, label);
            }
            // 遅れて届いた解放は、ロックサービスの出来事である。頼んだ客はもう別のことをしている。
            Event::Released { .. } | Event::ReleaseRefused { .. }
                if matches!(step.action, Action::DeliverRelease(_)) =>
            {
                draw(Lane::Lock, Shape::Note, column, label);
            }
            Event::ResourceRestarted { .. } => draw(Lane::Resource, Shape::Note, column, label),
            Event::Registered { client, .. }
            | Event::RegisterRefused { client, .. }
            | Event::ReadRefused { client, .. } => {
                draw(Lane::Client(client), Shape::Act, column, label);
                let shape = match event {
                    Event::Registered { .. } => Shape::Accepted(client),
                    _ => Shape::Rejected(client),
                };
                draw(Lane::Resource, shape, column, words::verdict(event).unwrap_or_default());
            }
            Event::Accepted { value, .. }
            | Event::Rejected { value, .. }
            | Event::Mismatched { value, .. }
            | Event::Conflicted { value, .. }
            | Event::OutOfOrder { value, .. } => {
                let sent = match step.action {
                    Action::Deliver(..) | Action::DeliverCopy(..) => {
                        sent_at(timeline, column, value)
                    }
                    _ => {
                        draw(Lane::Client(value.by), Shape::Act, column, label);
                        column
                    }
                };
                let shape = match event {
                    Event::Accepted { .. } => Shape::Accepted(value.by),
                    _ => Shape::Rejected(value.by),
                };
                draw(Lane::Resource, shape, sent, words::verdict(event).unwrap_or_default());
            }
            Event::Renewed { client, expiry, .. } => {
                draw(Lane::Client(client), Shape::Act, column, label);
                // 空きからよみがえった保持の期限は、そこから始まる棒に書いてある。
                let before = timeline.observations().nth(column - 1);
                if before.is_some_and(|before| before.holder == step.after.holder) {
                    let until = expiry.map(|time| format!("~{time}")).unwrap_or_default();
                    draw(Lane::Lock, Shape::Note, column, until);
                }
            }
            Event::Acquired { client, .. }
            | Event::Busy { client, .. }
            | Event::ReplyLost { client }
            | Event::RenewRefused { client }
            | Event::Released { client }
            | Event::ReleaseRefused { client }
            | Event::CheckPassed { client, .. }
            | Event::CheckFailed { client, .. }
            | Event::DeadlineReached { client, .. }
            | Event::Withheld { client }
            | Event::Sent { value: Value { by: client, .. }, .. }
            | Event::Read { client, .. }
            | Event::ReleaseSent { client, .. }
            | Event::Paused { client }
            | Event::Resumed { client }
            | Event::Crashed { client }
            | Event::Restarted { client } => draw(Lane::Client(client), Shape::Act, column, label),
        }
    }
}

/// この列で届いた書き込みが送られた列。
fn sent_at(timeline: &Timeline, column: usize, value: Value) -> usize {
    let is_sending = |step: &Step| {
        step.events
            .iter()
            .any(|event| matches!(event, Event::Sent { value: sent, .. } if *sent == value))
    };
    let earlier = timeline.steps.iter().take(column).rposition(is_sending);
    earlier.map_or(column, |index| index + 1)
}
