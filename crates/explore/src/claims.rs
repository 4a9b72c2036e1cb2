//! 本文の主張を、相手と性質とリースの長さの組ごとに調べて、表にする。
//!
//! 全部を調べると数十秒かかるので、ページには固定した記録を載せる。記録が今の探索の結果と同じことは、
//! 試験 `explored` が毎回調べ直して確かめる。

use std::ops::ControlFlow;
use std::thread;

use stage::{ChapterError, Table, Time};

use crate::property::Property;
use crate::search::Report;
use crate::variants::{VARIANTS, Variant};

/// 調べるリースの長さ。単位は刻み。
pub const LENGTHS: [Time; 3] = [1, 2, 3];

/// 一つの相手を、リースの長さごとに調べた結果。
#[derive(Clone, Debug)]
pub struct Explored {
    /// 相手
    pub variant: &'static Variant,
    /// 結果。[`LENGTHS`] の順
    pub reports: Vec<Report>,
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
    let report =
        |length| variant.explore(length, variant.bounds, &mut |_| ControlFlow::Continue(()));
    Explored { variant, reports: LENGTHS.map(report).to_vec() }
}

/// 相手ごとに、どの性質が守られ、破られるなら何手かかるか。
#[must_use]
pub fn claims(all: &[Explored]) -> Table {
    let names = Property::ALL.map(|property| property.name().to_owned());
    let header = [vec!["相手".to_owned()], names.to_vec()].concat();
    let row = |explored: &Explored| {
        let cells = Property::ALL.map(|property| claim(explored, property));
        [vec![explored.variant.label.to_owned()], cells.to_vec()].concat()
    };
    Table { header, rows: all.iter().map(row).collect() }
}

// ANCHOR: claim
/// 「守る」か、破るまでの手数。リースの長さの順に「3・4・5 手」と並べ、どの長さでも同じなら一つだけ書く。
/// 比べる番号がなく、破れようのない性質は「対象外」とする。
fn claim(explored: &Explored, property: Property) -> String {
    let compares = match property {
        Property::TokensIncrease | Property::AcceptedNeverGoBack => explored.variant.numbers,
        Property::NothingOlderThanRegistered => explored.variant.manners.registers,
        _ => true,
    };
    if !compares {
        return "対象外".to_owned();
    }
    let lengths = explored.reports.iter().map(|report| {
        let shortest = report.finding(property).shortest.as_ref();
        shortest.map_or("—".to_owned(), |actions| actions.len().to_string())
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

/// 相手とリースの長さごとの、状態の数と、いちばん遠い状態までの手数。
#[must_use]
pub fn sizes(all: &[Explored]) -> Table {
    let lengths = LENGTHS.map(|length| format!("リース {length}"));
    let header = [vec!["相手".to_owned()], lengths.to_vec()].concat();
    let row = |explored: &Explored| {
        let cells = explored
            .reports
            .iter()
            .map(|report| format!("{} 個、{} 手", grouped(report.states), report.depth));
        std::iter::once(explored.variant.label.to_owned()).chain(cells).collect()
    };
    Table { header, rows: all.iter().map(row).collect() }
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

/// 固定した記録 `path` から読み戻した表。
pub(crate) fn pinned(path: &'static str, record: &str) -> Result<Table, ChapterError> {
    let body = record.split_once("\n---\n").map_or(record, |(_, body)| body);
    let remedy = "INSTA_UPDATE=always cargo test -p explore --test explored で作り直す。";
    Table::parse(&body.replace('\r', "")).ok_or(ChapterError::Record { path, remedy })
}

pub(crate) fn pinned_claims() -> Result<Table, ChapterError> {
    let path = "crates/explore/explored/explored__claims.snap";
    pinned(path, include_str!("../explored/explored__claims.snap"))
}

pub(crate) fn pinned_sizes() -> Result<Table, ChapterError> {
    let path = "crates/explore/explored/explored__sizes.snap";
    pinned(path, include_str!("../explored/explored__sizes.snap"))
}
