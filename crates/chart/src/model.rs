//! 時系列のデータ。レーンと、手ごとに変わったことだけを持つ。

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::json::{VERSION, unique};

/// 時系列。手 0 は始まる前で、レーンの初めの様子だけを持つ。
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Timeline {
    /// 書き方の版。読めるのは [`VERSION`] だけ
    pub version: u32,
    /// 図の題
    pub title: String,
    /// 時刻の呼び名。「時刻」「ミリ秒」など
    pub unit: String,
    /// レーン。上から下へ
    pub lanes: Vec<Lane>,
    /// 手。先頭は手 0
    pub steps: Vec<Step>,
}

/// レーン。名前は、一つの時系列の中で一つしかない。
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lane {
    /// 名前。手や矢印は、この名前でレーンを指す
    pub name: String,
    /// 文字の図と縦の図で使う、短い名前
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub short: Option<String>,
    /// 描きかた
    pub kind: Kind,
    /// 色の番号。1 から [`Lane::TONES`] まで
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tone: Option<u8>,
}

/// レーンの描きかた。
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// [`Kind::Actor`] のレーンすべてに敷く、注意の帯
    Band,
    /// 手を打つもの
    Actor,
    /// 頼まれて働くもの。棒の上に言葉を書く
    Service,
    /// 値をもつもの。箱に値を書く
    Store,
    /// いくつも並ぶ働き手。棒は低く、届いたものの判定を丸で書く
    Node,
}

/// 一手。変わったことだけを書く。書かないレーンと事実は、前の手のまま続く。
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// 起きた時刻。前の手より小さくならない
    pub time: u64,
    /// 起きたことを述べる文。手 0 では空
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub words: String,
    /// したことの短い言葉。なければ空
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub action: String,
    /// レーンに置く印
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<Mark>,
    /// この手で届いたもの
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arrows: Vec<Arrow>,
    /// 様子の変わったレーン
    #[serde(default, deserialize_with = "unique", skip_serializing_if = "BTreeMap::is_empty")]
    pub changes: BTreeMap<String, State>,
    /// 変わった事実。名前と、読ませる言葉。なくなったことは「—」などの言葉で書く
    #[serde(default, deserialize_with = "unique", skip_serializing_if = "BTreeMap::is_empty")]
    pub facts: BTreeMap<String, String>,
}

/// ある手からあとの、一つのレーンの様子。
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct State {
    /// 引いておく棒
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bar: Option<Bar>,
    /// 棒の色を借りるレーン。なければ自分の色
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// 今の様子の言葉
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub label: String,
    /// 前の手の棒の続きか。続きなら、新しい棒は始まらない
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub continues: bool,
    /// 棒の途中で様子が変わったとき、変わった所に書く言葉
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
    /// 動いていない理由
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stop: Option<Stop>,
}

/// 棒の引きかた。
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Bar {
    /// 塗った棒
    Solid,
    /// 枠だけの棒
    Hollow,
}

/// 動いていない理由。
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Stop {
    /// 止まっている。続きがある
    Paused,
    /// 落ちている
    Dead,
}

/// レーンの上の印。
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mark {
    /// 置くレーン
    pub lane: String,
    /// 添える言葉
    pub label: String,
    /// よいか悪いか。どちらでもなければ `None`
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
    /// このレーンの時計が指す時刻。時系列の時刻と違いうるときだけ
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<u64>,
}

/// レーンからレーンへ届いたもの。
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Arrow {
    /// 送ったレーン
    pub from: String,
    /// 届いたレーン
    pub to: String,
    /// 送った手の番号。届いた手より後にはならない
    pub sent: usize,
    /// 届いてどうなったか
    pub verdict: Verdict,
    /// 添える言葉
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub label: String,
}

/// 届いてどうなったか。
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// 認められた
    Yes,
    /// 断られた
    No,
    /// 届かなかった
    Lost,
}

impl Verdict {
    /// 図に置く記号。色だけに意味を持たせない。
    #[must_use]
    pub fn sign(self) -> &'static str {
        match self {
            Verdict::Yes => "✓",
            Verdict::No => "✗",
            Verdict::Lost => "×",
        }
    }

    /// 言葉のない矢印に、文字の図で添える言葉。
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Yes => "可",
            Verdict::No => "否",
            Verdict::Lost => "不着",
        }
    }
}

impl Timeline {
    /// 手 0 だけの時系列。
    #[must_use]
    pub fn new(title: &str, unit: &str, lanes: Vec<Lane>) -> Timeline {
        Timeline {
            version: VERSION,
            title: title.to_owned(),
            unit: unit.to_owned(),
            lanes,
            steps: vec![Step::at(0, "")],
        }
    }

    /// 手の数。手 0 は数えない。
    #[must_use]
    pub fn len(&self) -> usize {
        self.steps.len().saturating_sub(1)
    }

    /// 手が一つもないか。
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// 名前の指すレーンの番号。
    #[must_use]
    pub fn lane(&self, name: &str) -> Option<usize> {
        self.lanes.iter().position(|lane| lane.name == name)
    }
}

impl Lane {
    /// 色の数。
    pub const TONES: u8 = 5;

    /// 色のないレーン。
    #[must_use]
    pub fn new(name: &str, kind: Kind) -> Lane {
        Lane { name: name.to_owned(), short: None, kind, tone: None }
    }

    /// 色をつける。
    #[must_use]
    pub fn tone(self, tone: u8) -> Lane {
        Lane { tone: Some(tone), ..self }
    }

    /// 短い名前をつける。
    #[must_use]
    pub fn short(self, short: &str) -> Lane {
        Lane { short: Some(short.to_owned()), ..self }
    }

    /// 狭い所に書く名前。
    #[must_use]
    pub fn brief(&self) -> &str {
        self.short.as_deref().unwrap_or(&self.name)
    }
}

impl Step {
    /// 時刻と文だけの手。
    #[must_use]
    pub fn at(time: u64, words: &str) -> Step {
        Step { time, words: words.to_owned(), ..Step::default() }
    }

    /// レーンの様子を変える。
    pub fn change(&mut self, lane: &str, state: State) {
        self.changes.insert(lane.to_owned(), state);
    }

    /// 印を置く。
    pub fn mark(&mut self, lane: &str, label: &str) {
        let (lane, label) = (lane.to_owned(), label.to_owned());
        self.marks.push(Mark { lane, label, verdict: None, clock: None });
    }

    /// 事実を書き替える。
    pub fn fact(&mut self, name: &str, text: impl Into<String>) {
        self.facts.insert(name.to_owned(), text.into());
    }

    /// この手の判定の言葉と、よかったか。判定のない手では `None`。
    ///
    /// 届いたものの言葉が先、印の言葉があと。届かなかったものは、判定ではない。
    #[must_use]
    pub fn verdict(&self) -> Option<(&str, bool)> {
        let arrows = self.arrows.iter().map(|arrow| (arrow.label.as_str(), Some(arrow.verdict)));
        let marks = self.marks.iter().map(|mark| (mark.label.as_str(), mark.verdict));
        let judged = arrows.chain(marks).filter(|(label, _)| !label.is_empty());
        judged.into_iter().find_map(|(label, verdict)| match verdict {
            Some(Verdict::Yes) => Some((label, true)),
            Some(Verdict::No) => Some((label, false)),
            Some(Verdict::Lost) | None => None,
        })
    }
}

impl State {
    /// 棒のない様子。
    #[must_use]
    pub fn idle(label: &str) -> State {
        State { label: label.to_owned(), ..State::default() }
    }

    /// 塗った棒の始まり。
    #[must_use]
    pub fn solid(label: &str) -> State {
        State { bar: Some(Bar::Solid), ..State::idle(label) }
    }

    /// 枠だけの棒の始まり。
    #[must_use]
    pub fn hollow(label: &str) -> State {
        State { bar: Some(Bar::Hollow), ..State::idle(label) }
    }

    /// 前の棒の続きにして、変わった所に言葉を書く。
    #[must_use]
    pub fn going_on(self, note: &str) -> State {
        State { continues: true, note: note.to_owned(), ..self }
    }

    /// 色を借りるレーンを決める。
    #[must_use]
    pub fn by(self, lane: &str) -> State {
        State { by: Some(lane.to_owned()), ..self }
    }

    /// 動いていない理由をつける。
    #[must_use]
    pub fn stopped(self, stop: Option<Stop>) -> State {
        State { stop, ..self }
    }
}
