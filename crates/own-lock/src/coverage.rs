//! 調べた範囲。

use std::fmt;

use explore::Bounds;
use properties::Property;

use crate::rule::Rule;
use crate::walk::{GRANTS, HORIZON};

/// 規則を確かめた範囲。
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Walked {
    /// 見た状態の数
    pub states: usize,
    /// 試した手の数
    pub steps: u64,
    /// 範囲の中を歩ききれなかったなら、すべて歩いた手数
    pub within: Option<usize>,
}

/// 取得と解放を繰り返した長い一本道。
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Long {
    /// 繰り返した回数
    pub rounds: u32,
    /// 錠が誤りを返して、それより先へ行けなかったか
    pub exhausted: bool,
}

/// すべての順序を調べた範囲。
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Searched {
    /// 客と資源
    pub about: String,
    /// 保たれるはずの性質
    pub expected: Vec<Property>,
    /// 調べた範囲
    pub bounds: Vec<Bounds>,
    /// 見た状態の数
    pub states: usize,
    /// 試した手の数
    pub steps: u64,
    /// 範囲の中を調べきれなかったなら、すべて調べた手数
    pub within: Option<usize>,
}

/// 調べた範囲のすべて。
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// 規則
    pub walked: Walked,
    /// 長い一本道
    pub long: Long,
    /// 性質
    pub searched: Vec<Searched>,
    /// 筋書き。`章::名前`
    pub stories: Vec<String>,
}

impl fmt::Display for Coverage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "調べたこと\n")?;
        write!(f, "{}{}", self.walked, self.long)?;
        for searched in &self.searched {
            write!(f, "{searched}")?;
        }
        writeln!(f, "本の筋書き {} 本(リースの長さ 10)", self.stories.len())?;
        for chapter in self.stories.chunk_by(|a, b| chapter(a) == chapter(b)) {
            let names: Vec<&str> = chapter.iter().map(|name| after(name)).collect();
            let chapter = chapter.first().map(|name| self::chapter(name)).unwrap_or_default();
            writeln!(f, "  {chapter}: {}", names.join("、"))?;
        }
        write!(f, "\n{NOT_COVERED}")
    }
}

const NOT_COVERED: &str = "\
調べていないこと

  ここに挙げた範囲より長い手の列と、多い客
  時計のずれ。時計を見る客の時計は、ロックサービスと同じに進む
  途中で遅れて届く取得、延長、解放
  いくつものロックと、ロックサービスの複製
  待つ客の順番と、待つ時間
";

fn chapter(name: &str) -> &str {
    name.split_once("::").map_or(name, |(chapter, _)| chapter)
}

fn after(name: &str) -> &str {
    name.split_once("::").map_or(name, |(_, name)| name)
}

/// どこまで調べたか。
fn until(within: Option<usize>) -> String {
    match within {
        None => "すべて調べた".to_owned(),
        Some(moves) => format!("状態が多すぎるので、{moves} 手までをすべて調べた"),
    }
}

/// 調べきれなかったときに、すべて調べた手数。二つのうちの少ないほう。
pub(crate) fn fewer(one: Option<usize>, other: Option<usize>) -> Option<usize> {
    one.into_iter().chain(other).min()
}

impl fmt::Display for Walked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Walked { states, steps, within } = *self;
        writeln!(f, "規則 {} 個(錠だけ。リースの長さ 0、1、2、3、最大)", Rule::ALL.len())?;
        writeln!(f, "  客 3 人、取得 {GRANTS} 回、時刻 {HORIZON} までと、時刻の最大の手前")?;
        writeln!(f, "  状態 {states}、手 {steps}。{}", until(within))
    }
}

impl fmt::Display for Long {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Long { rounds, exhausted } = *self;
        match exhausted {
            true => writeln!(f, "  取得と解放の繰り返し {rounds} 回。次の取得は誤りになった"),
            false => writeln!(f, "  取得と解放の繰り返し {rounds} 回"),
        }
    }
}

impl fmt::Display for Searched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "性質 {} 個({}。リースの長さ 1、2、3)", self.expected.len(), self.about)?;
        let names: Vec<&str> = self.expected.iter().map(|property| property.name()).collect();
        writeln!(f, "  {}", names.join("、"))?;
        for Bounds { grants, writes, copies, horizon, .. } in &self.bounds {
            let each =
                format!("取得 {grants} 回、一度の保持の書き込み {writes} 個、写し {copies} 個");
            writeln!(f, "  客 2 人、{each}、時刻 {horizon} まで")?;
        }
        let (states, steps) = (self.states, self.steps);
        writeln!(f, "  停止、クラッシュ、延長、二つの再起動を含む")?;
        writeln!(f, "  状態 {states}、手 {steps}。{}", until(self.within))
    }
}
