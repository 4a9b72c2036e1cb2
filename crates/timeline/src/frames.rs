//! 一手ずつ見せるコマ。デモはこの値を並べるだけで、ロックの規則を持たない。

use serde::Serialize;

use crate::play::{Step, Timeline};
use crate::vocabulary::{Client, Event, Observation, Time, Token};
use crate::words;

/// 一つのコマ。手 0 は始まる前。
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Frame {
    /// 何手目か。図の列と同じ
    pub step: usize,
    /// この手の論理時刻
    pub time: Time,
    /// したこと。手 0 では空
    pub action: String,
    /// 起きたことを述べる文。手 0 では空
    pub sentence: String,
    /// 資源の判定。書き込みの届かない手では空
    pub verdict: String,
    /// 判定が受理なら true、拒否なら false。書き込みの届かない手では `None`
    pub accepted: Option<bool>,
    /// ロックサービスから見た持ち主。いなければ「(空き)」
    pub holder: String,
    /// 最後に配ったトークン。まだなら「—」
    pub token: String,
    /// リースの期限。なければ「—」
    pub expiry: String,
    /// 時刻を進めた先の、現在の論理時刻
    pub now: Time,
    /// 資源の値。空なら「(空)」、資源がなければ `None`
    pub value: Option<String>,
    /// 資源の見た最大のトークン。資源がなければ `None`
    pub max_token: Option<Token>,
    /// ここまでに拒否した書き込みの数
    pub rejected: usize,
    /// 持っているつもりの客
    pub believers: Vec<Client>,
}

impl Step {
    /// この手で起きたことを述べる文。
    #[must_use]
    pub fn sentence(&self) -> String {
        if self.events.is_empty() {
            return "何も起きない。".to_owned();
        }
        self.events.iter().map(words::sentence).collect()
    }
}

fn or_dash(value: Option<String>) -> String {
    value.unwrap_or_else(|| "—".to_owned())
}

fn at_rest(observation: &Observation) -> Frame {
    let issued = Some(observation.issued).filter(|token| *token != Token::NONE);
    Frame {
        step: 0,
        time: observation.now,
        action: String::new(),
        sentence: String::new(),
        verdict: String::new(),
        accepted: None,
        holder: observation
            .holder
            .map_or("(空き)".to_owned(), |holder| holder.client.to_string()),
        token: or_dash(issued.map(|token| token.to_string())),
        expiry: or_dash(observation.expiry.map(|time| time.to_string())),
        now: observation.now,
        value: observation.resource.as_ref().map(words::value),
        max_token: observation.resource.map(|resource| resource.max_token),
        rejected: 0,
        believers: observation.believers().collect(),
    }
}

fn accepted(event: &Event) -> Option<bool> {
    match event {
        Event::Accepted { .. } | Event::Registered { .. } => Some(true),
        Event::Rejected { .. }
        | Event::Mismatched { .. }
        | Event::ReadRefused { .. }
        | Event::RegisterRefused { .. }
        | Event::Conflicted { .. }
        | Event::OutOfOrder { .. } => Some(false),
        _ => None,
    }
}

/// 手 0 から順に並べたコマ。
pub(crate) fn frames(timeline: &Timeline) -> Vec<Frame> {
    let mut frames = vec![at_rest(&timeline.start)];
    let mut rejected = 0;
    for (index, step) in timeline.steps.iter().enumerate() {
        let verdict = step.events.iter().find_map(accepted);
        rejected += usize::from(verdict == Some(false));
        frames.push(Frame {
            step: index + 1,
            time: step.time(),
            action: words::action(&step.action),
            sentence: step.sentence(),
            verdict: step.events.iter().find_map(words::verdict).unwrap_or_default(),
            accepted: verdict,
            rejected,
            ..at_rest(&step.after)
        });
    }
    frames
}
