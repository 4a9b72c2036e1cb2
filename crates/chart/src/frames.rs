//! 一手ずつ見せるコマ。見せる側はこの値を並べるだけで、データの意味を知らない。

use std::collections::BTreeMap;

use serde::Serialize;

use crate::model::Timeline;

/// 一つのコマ。手 0 は始まる前。
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Frame {
    /// 何手目か。図の列と同じ
    pub step: usize,
    /// この手の時刻
    pub time: u64,
    /// したこと。手 0 では空
    pub action: String,
    /// 起きたことを述べる文。手 0 では空
    pub words: String,
    /// 判定の言葉。判定のない手では空
    pub verdict: String,
    /// 判定がよければ true、悪ければ false。判定のない手では `None`
    pub good: Option<bool>,
    /// この手のあとに成り立つ事実のすべて。名前と言葉
    pub facts: BTreeMap<String, String>,
}

impl Timeline {
    /// 手 0 から順に並べたコマ。
    #[must_use]
    pub fn frames(&self) -> Vec<Frame> {
        let mut facts = BTreeMap::new();
        let frame = |(step, one): (usize, &crate::Step)| {
            facts.extend(one.facts.clone());
            let verdict = one.verdict();
            Frame {
                step,
                time: one.time,
                action: one.action.clone(),
                words: one.words.clone(),
                verdict: verdict.map(|(words, _)| words.to_owned()).unwrap_or_default(),
                good: verdict.map(|(_, good)| good),
                facts: facts.clone(),
            }
        };
        self.steps.iter().enumerate().map(frame).collect()
    }
}
