//! 見つけた破れ。

use std::fmt;

use properties::Property;
use stage::{Action, Run, Time};

use crate::rule::Rule;

/// 何が破れたか。
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Broke {
    /// 錠だけを相手にした規則
    Rule(Rule),
    /// 持ち主の書き込みは受理される
    Write,
    /// すべての順序で保たれるはずの性質
    Property(Property),
    /// 本の筋書き。`章::名前`
    Story(String),
}

impl Broke {
    /// 運用で何に気づくか。
    #[must_use]
    pub fn symptom(&self) -> &'static str {
        match self {
            Broke::Rule(rule) => rule.symptom(),
            Broke::Write => "正しい持ち主の書き込みも断られ、仕事が進まない。",
            Broke::Property(Property::GrantAfterEnd) => {
                "前の持ち主の期限より前に、次の客が取得する。"
            }
            Broke::Property(Property::OneValid) => {
                "時計を見る客どうしでも、二人が同時に、期限の前の持ち主になる。"
            }
            Broke::Property(Property::OneBeliever) => "二人が同時に、持っているつもりになる。",
            Broke::Property(Property::TokensIncrease) => Rule::TokensGrow.symptom(),
            Broke::Property(Property::AcceptedNeverGoBack) => {
                "古い持ち主の書き込みが、新しい持ち主の値を上書きする。"
            }
            Broke::Property(Property::NothingOlderThanRegistered) => {
                "新しい持ち主が登録したあとで、古い持ち主の書き込みが入る。"
            }
            Broke::Property(Property::NoLostUpdate) => "誰かの更新が、読まれないまま消える。",
            Broke::Property(Property::NewestServed) => {
                "いちばん新しい持ち主の書き込みが、古いものとして断られる。"
            }
            Broke::Property(Property::Frees) => "誰も使っていないロックが、いつまでも取れない。",
            Broke::Story(_) => "本のとおりに動かすと、本と違う結果になる。",
        }
    }
}

impl fmt::Display for Broke {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Broke::Rule(rule) => write!(f, "規則「{}」", rule.name()),
            Broke::Write => write!(f, "規則「持ち主の書き込みは受理される」"),
            Broke::Property(property) => write!(f, "性質「{}」", property.name()),
            Broke::Story(name) => write!(f, "筋書き {name} "),
        }
    }
}

/// 見つけた破れ。
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// 何が破れたか
    pub broke: Broke,
    /// どこが違ったか
    pub detail: String,
    /// リースの長さ。単位は刻み
    pub length: Time,
    /// 先に、A の取得と解放を繰り返した回数。たいていは 0
    pub rounds: u32,
    /// 手の列
    pub actions: Vec<Action>,
    /// その時系列。始まる前の様子も見られなければ `None`
    pub timeline: Option<Run>,
}

impl Finding {
    /// 調べた範囲に、これより短い手の列がないか。決まった列を演じて見つけたものは、そうとは限らない。
    #[must_use]
    pub fn is_shortest(&self) -> bool {
        self.rounds == 0 && matches!(self.broke, Broke::Rule(_) | Broke::Property(_))
    }

    /// 手の列を一行にしたもの。
    #[must_use]
    pub fn path(&self) -> String {
        let actions: Vec<String> = self.actions.iter().map(Action::words).collect();
        let before = match self.rounds {
            0 => String::new(),
            rounds => format!("A の取得と解放を {rounds} 回繰り返したあと、"),
        };
        match actions.is_empty() {
            true => "作ったばかりで、まだ何もしていない".to_owned(),
            false => format!("{before}{}", actions.join("、")),
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Finding { broke, detail, .. } = self;
        writeln!(f, "{}\n", broke.symptom())?;
        writeln!(f, "{broke}が破れた。")?;
        writeln!(f, "{detail}\n")?;
        writeln!(f, "{}手の列", if self.is_shortest() { "いちばん短い" } else { "" })?;
        writeln!(f, "  {}", self.path())?;
        match &self.timeline {
            Some(timeline) if !timeline.steps.is_empty() => {
                write!(f, "\n{}", timeline.timeline().text())
            }
            _ => Ok(()),
        }
    }
}

/// 時系列の題。
pub(crate) fn title(length: Time) -> String {
    format!("リースの長さは {length} 刻み")
}
