//! 判定。

use std::fmt;
use std::process::{ExitCode, Termination};

use crate::coverage::Coverage;
use crate::finding::{Broke, Finding};

/// 確かめた結果。`main` が返すと、動かす側に渡り、終了コードになる。
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// 破れた
    Broken {
        /// 初めに見せる破れ。規則、性質、筋書きの順に選び、その中では手の列がいちばん短い
        first: Box<Finding>,
        /// ほかの破れ
        others: Vec<Finding>,
    },
    /// 調べた範囲の中では、破れなかった
    Unbroken(Coverage),
}

/// 破れたときの一行目。
const BROKEN: &str = "破れた";
/// 破れなかったときの一行目。
const UNBROKEN: &str = "範囲の中では破れなかった";

/// 名前を挙げる筋書きの数。
const NAMED: usize = 3;

/// まだ調べていないこと。
const LATER: &str = "すべての順序の探索は、規則が通ってから行う。";

impl Verdict {
    /// 調べた範囲の中では、破れなかったか。
    #[must_use]
    pub fn is_unbroken(&self) -> bool {
        matches!(self, Verdict::Unbroken(_))
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (first, others) = match self {
            Verdict::Unbroken(coverage) => return write!(f, "{UNBROKEN}\n\n{coverage}"),
            Verdict::Broken { first, others } => (first, others),
        };
        write!(f, "{BROKEN}\n\n{first}")?;
        if !others.is_empty() {
            writeln!(f, "\nほかにも破れたもの\n\n{}", list(others))?;
        }
        match first.broke {
            Broke::Rule(_) | Broke::Write => writeln!(f, "\n{LATER}"),
            Broke::Property(_) | Broke::Story(_) => Ok(()),
        }
    }
}

/// ほかの破れを並べる。筋書きは多いので、一行にまとめる。
fn list(others: &[Finding]) -> String {
    let is_story = |finding: &&Finding| matches!(finding.broke, Broke::Story(_));
    let (stories, rest): (Vec<&Finding>, Vec<&Finding>) = others.iter().partition(is_story);
    let line = |one: &&Finding| format!("  {}({} 手)", one.broke, one.actions.len());
    let mut lines: Vec<String> = rest.iter().map(line).collect();
    let name = |one: &&Finding| match &one.broke {
        Broke::Story(name) => name.clone(),
        other => other.to_string(),
    };
    if !stories.is_empty() {
        let names: Vec<String> = stories.iter().take(NAMED).map(name).collect();
        let more = if stories.len() > NAMED { " など" } else { "" };
        lines.push(format!("  筋書き {} 本({}{more})", stories.len(), names.join("、")));
    }
    lines.join("\n")
}

impl Termination for Verdict {
    fn report(self) -> ExitCode {
        let (passed, text) = (self.is_unbroken(), self.to_string());
        verdict_channel::Verdict { passed, text }.deliver()
    }
}

/// 読者の `main` を動かす。読者の出力や `exit` は、判定を変えない。
pub fn run(lock: fn() -> Verdict) -> ExitCode {
    verdict_channel::conduct("錠", lock)
}
