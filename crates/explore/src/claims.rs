//! 本文の主張を、相手と性質とリースの長さの組ごとに調べて、表にする。
//!
//! 全部を調べると数十秒かかるので、ページには固定した記録(JSON)から作った表を載せる。記録が今の探索の結果と
//! 同じことは、試験 `explored` が毎回調べ直して確かめる。

use std::ops::ControlFlow;
use std::thread;

use check::{Limits, Report};
use properties::{Properties, Property};
use serde::{Deserialize, Serialize};
use stage::{Action, ChapterError, Table, Time};

use crate::arena::PROPERTIES;
use crate::variants::{VARIANTS, Variant, variant};

/// 調べるリースの長さ。単位は刻み。
pub const LENGTHS: [Time; 3] = [1, 2, 3];

/// 一つの相手を、リースの長さごとに調べた結果。
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Explored {
    /// 相手の名前
    pub variant: String,
    /// 結果。[`LENGTHS`] の順
    pub outcomes: Vec<Outcome>,
}

/// 一つの長さで調べた結果のうち、表に載せるもの。
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// 違う状態の数
    pub states: usize,
    /// いちばん遠い状態までの手数
    pub depth: usize,
    /// 性質を破るまでの、いちばん短い手数。[`PROPERTIES`] の順。破られなければ `None`
    pub shortest: [Option<usize>; PROPERTIES.len()],
}

impl Explored {
    /// 相手 `variant` の、長さごとの結果。
    #[must_use]
    pub fn of(variant: &Variant, reports: &[Report<Action>]) -> Explored {
        let outcome = |report: &Report<Action>| Outcome {
            states: report.states,
            depth: report.depth,
            shortest: PROPERTIES
                .map(|property| report.path(property as usize).map(<[Action]>::len)),
        };
        Explored {
            variant: variant.name.to_owned(),
            outcomes: reports.iter().map(outcome).collect(),
        }
    }

    /// 相手。記録の名前が古ければ `None`。
    fn target(&self) -> Option<&'static Variant> {
        variant(&self.variant)
    }
}

/// すべての相手を調べる。相手ごとに独立なので、糸を分ける。
#[must_use]
pub fn explore_all() -> Vec<Explored> {
    thread::scope(|scope| {
        let threads: Vec<_> =
            VARIANTS.iter().map(|variant| scope.spawn(|| explore_one(variant))).collect();
        threads.into_iter().filter_map(|thread| thread.join().ok()).collect()
    })
}

fn explore_one(variant: &'static Variant) -> Explored {
    let asked: Properties = PROPERTIES.into_iter().collect();
    let report = |length| {
        let watch = &mut |_: &_| ControlFlow::Continue(());
        variant.explore(length, variant.bounds, asked, Limits::NONE, watch)
    };
    Explored::of(variant, &LENGTHS.map(report))
}

/// 相手ごとに、どの性質が守られ、破られるなら何手かかるか。
#[must_use]
pub fn claims(all: &[Explored]) -> Table {
    let names = PROPERTIES.map(|property| property.name().to_owned());
    let header = [vec!["相手".to_owned()], names.to_vec()].concat();
    let row = |explored: &Explored| {
        let target = explored.target()?;
        let cells = PROPERTIES.map(|property| claim(explored, target, property));
        Some([vec![target.label.to_owned()], cells.to_vec()].concat())
    };
    Table { header, rows: all.iter().filter_map(row).collect() }
}

// ANCHOR: claim
/// 「守る」か、破るまでの手数。リースの長さの順に「3・4・5 手」と並べ、どの長さでも同じなら一つだけ書く。
/// 比べる番号がなく、破れようのない性質は「対象外」とする。
fn claim(explored: &Explored, target: &Variant, property: Property) -> String {
    if !target.concerns(property) {
        return "対象外".to_owned();
    }
    let lengths = explored.outcomes.iter().map(|outcome| {
        let shortest = outcome.shortest[place(property)];
        shortest.map_or("—".to_owned(), |actions| actions.to_string())
    });
    let mut lengths: Vec<String> = lengths.collect();
    if lengths.iter().all(|length| length == "—") {
        return "守る".to_owned();
    }
    if lengths.iter().all(|length| *length == lengths[0]) {
        lengths.truncate(1);
    }
    format!("{} 手", lengths.join("・"))
}
// ANCHOR_END: claim

/// [`PROPERTIES`] の中の場所。
fn place(property: Property) -> usize {
    PROPERTIES.iter().position(|one| *one == property).unwrap_or_default()
}

/// 相手とリースの長さごとの、状態の数と、いちばん遠い状態までの手数。
#[must_use]
pub fn sizes(all: &[Explored]) -> Table {
    let lengths = LENGTHS.map(|length| format!("リース {length}"));
    let header = [vec!["相手".to_owned()], lengths.to_vec()].concat();
    let row = |explored: &Explored| {
        let cells = explored
            .outcomes
            .iter()
            .map(|outcome| format!("{} 個、{} 手", grouped(outcome.states), outcome.depth));
        Some(std::iter::once(explored.target()?.label.to_owned()).chain(cells).collect())
    };
    Table { header, rows: all.iter().filter_map(row).collect() }
}

/// 三桁ごとに区切った数。
#[must_use]
pub fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// 固定した記録を読む。
pub(crate) fn recorded<T: for<'de> Deserialize<'de>>(
    path: &'static str,
    json: &str,
) -> Result<T, ChapterError> {
    let remedy = "INSTA_UPDATE=always cargo test -p explore --test explored で作り直す。";
    serde_json::from_str(json).map_err(|_| ChapterError::Record { path, remedy })
}

/// 固定した、すべての相手の結果。
fn pinned() -> Result<Vec<Explored>, ChapterError> {
    let path = "crates/explore/explored/claims.json";
    let all: Vec<Explored> = recorded(path, include_str!("../explored/claims.json"))?;
    match all.iter().all(|explored| explored.target().is_some()) {
        true => Ok(all),
        false => {
            Err(ChapterError::Record { path, remedy: "知らない相手が載っている。" })
        }
    }
}

pub(crate) fn pinned_claims() -> Result<Table, ChapterError> {
    Ok(claims(&pinned()?))
}

pub(crate) fn pinned_sizes() -> Result<Table, ChapterError> {
    Ok(sizes(&pinned()?))
}
