//! 範囲を一つずつ広げると、状態がどう増えるか。

use std::fmt::Write as _;
use std::ops::ControlFlow;

use check::{Limits, Strategy, check};
use fencing::FencedResource;
use lease::LockService;
use properties::Watch;
use serde::{Deserialize, Serialize};
use stage::{ChapterError, Drawing, Table, World};

use crate::arena::{Arena, PROPERTIES};
use crate::bounds::Bounds;
use crate::claims::{grouped, recorded};
use crate::moves::Manners;

// ANCHOR: base
/// 広げる前の範囲。どの行も、このうちの一つだけを変える。
const BASE: Bounds = Bounds {
    grants: 3,
    writes: 2,
    copies: 0,
    horizon: 3,
    pauses: false,
    crashes: false,
    renews: false,
    slow_releases: false,
    restarts: false,
};
// ANCHOR_END: base

/// 広げるもの、その値、そのときの範囲と、客を三人にするか。
type Wider = (&'static str, Vec<(u8, Bounds, bool)>);

fn wider() -> Vec<Wider> {
    let each = |values: [u8; 4], set: fn(u8) -> Bounds| {
        values.map(|value| (value, set(value), false)).to_vec()
    };
    vec![
        ("取得の回数", each([1, 2, 3, 4], |grants| Bounds { grants, ..BASE })),
        ("保持ごとの書き込み", each([1, 2, 3, 4], |writes| Bounds { writes, ..BASE })),
        ("届く写し", each([0, 1, 2, 3], |copies| Bounds { copies, ..BASE })),
        ("時刻", each([3, 4, 5, 6], |horizon| Bounds { horizon: horizon.into(), ..BASE })),
        ("客", vec![(2, BASE, false), (3, BASE, true)]),
    ]
}

fn count(bounds: Bounds, three: bool) -> usize {
    let world = World::with_resource(LockService::new(2), FencedResource::new());
    let world = if three { world.and_c() } else { world };
    let arena = Arena { world, manners: Manners::default(), bounds };
    let watch = Watch { asked: PROPERTIES.into_iter().collect(), length: 2 };
    check(&arena, &watch, Strategy::Breadth, Limits::NONE, |_| ControlFlow::Continue(())).states
}

/// 一つだけを広げたときの、状態の数。
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Growth {
    /// 広げるもの
    pub name: String,
    /// 広げるものの値と、そのときの状態の数。小さい順
    pub counts: Vec<(u8, usize)>,
}

/// 広げるものごとに数える。
#[must_use]
pub fn count_all() -> Vec<Growth> {
    let one = |(name, values): Wider| Growth {
        name: name.to_owned(),
        counts: values
            .into_iter()
            .map(|(value, bounds, three)| (value, count(bounds, three)))
            .collect(),
    };
    wider().into_iter().map(one).collect()
}

/// 広げるものごとの、状態の数の表。
#[must_use]
pub fn growth(all: &[Growth]) -> Table {
    let header = ["広げるもの", "一段目", "二段目", "三段目", "四段目"];
    let row = |one: &Growth| {
        let cells =
            one.counts.iter().map(|(value, states)| format!("{value} で {}", grouped(*states)));
        let cells = std::iter::once(one.name.clone()).chain(cells);
        cells.chain(std::iter::repeat("—".to_owned())).take(header.len()).collect()
    };
    Table { header: header.map(str::to_owned).to_vec(), rows: all.iter().map(row).collect() }
}

/// 固定した数。
fn pinned() -> Result<Vec<Growth>, ChapterError> {
    recorded("crates/explore/explored/growth.json", include_str!("../explored/growth.json"))
}

pub(crate) fn pinned_growth() -> Result<Table, ChapterError> {
    Ok(growth(&pinned()?))
}

const HEIGHT: usize = 480;
/// 左の余白
const LEFT: usize = 62;
/// 十倍の高さ
const DECADE: f64 = 102.0;
/// 縦軸のいちばん下。10 の 2 乗
const LOWEST: f64 = 2.0;
/// 線の右に書く値と名の幅。いちばん長い名が入る
const NAME: usize = 136;
/// 点から、値を書く所まで。急な線は右下に、緩い線は上に書くと、線と重ならない
const BESIDE: [(isize, isize); 5] = [(9, 14), (9, 14), (0, -9), (0, -9), (0, -9)];
/// 同じ段で、すぐ上か下に、ほかの点があるときに書く所。上の点と下の点
const CROWDED: [(isize, isize); 2] = [(-9, -5), (9, 14)];
/// すぐ上か下とみなす近さ
const NEAR: usize = 12;
/// いくつもの線が同じ点から出るときは、点の左に、値を線の順に積む
const STACKED: isize = 12;
/// 広い所と狭い所の、一段の幅。狭いほうは、幅 360 の画面の本文に収まる
const FORMS: [(&str, usize); 2] = [("gr-wide", 150), ("gr-narrow", 42)];

const TITLE: &str = "範囲を広げたときの、状態の数";

/// 増えかたの折れ線。縦軸は対数。
pub(crate) fn drawing() -> Result<Drawing, ChapterError> {
    let all = pinned()?;
    let svg = FORMS.map(|(class, step)| chart(&all, class, step));
    let table = growth(&all);
    let words =
        table.rows.iter().map(|row| row.join("、").replacen('、', ": ", 1) + "。").collect();
    Ok(Drawing { title: TITLE.to_owned(), svg: svg.concat(), words })
}

fn chart(all: &[Growth], class: &str, step: usize) -> String {
    let (end, width) = (LEFT + 3 * step, LEFT + 3 * step + NAME);
    let mut svg = format!(
        "<svg class=\"tl gr {class}\" viewBox=\"0 0 {width} {HEIGHT}\" width=\"{width}\" \
         height=\"{HEIGHT}\" role=\"img\" aria-label=\"{TITLE}\">\n"
    );
    for power in 2..=6 {
        let y = height(10_f64.powi(power));
        let _ = writeln!(
            svg,
            "<path class=\"tl-rule\" d=\"M{LEFT} {y}H{end}\"/>\n\
             <text class=\"gr-mark\" x=\"{}\" y=\"{}\">{}</text>",
            LEFT - 8,
            y + 4,
            grouped(10_usize.pow(power as u32)),
        );
    }
    for index in 0..all.len() {
        line(&mut svg, index, all, step);
    }
    svg.push_str("</svg>\n");
    svg
}

fn height(count: f64) -> usize {
    (HEIGHT as f64 - 24.0 - (count.log10() - LOWEST) * DECADE).round() as usize
}

/// 一つの行の点と、その値。
fn points(one: &Growth, width: usize) -> Vec<(usize, usize, u8)> {
    let counts = one.counts.iter().enumerate();
    counts
        .map(|(step, (value, states))| (LEFT + step * width, height(*states as f64), *value))
        .collect()
}

fn line(svg: &mut String, index: usize, all: &[Growth], width: usize) {
    let Some(one) = all.get(index) else { return };
    let points = points(one, width);
    let path: Vec<String> = points.iter().map(|(x, y, _)| format!("{x} {y}")).collect();
    let (whole, dots) = (path.join("L"), path.join("h0M"));
    let _ = writeln!(
        svg,
        "<path class=\"gr-line gr-{index}\" d=\"M{whole}\"/>\
         <path class=\"gr-dot gr-{index}\" d=\"M{dots}h0\"/>"
    );
    let Some(((x, y, last), before)) = points.split_last() else { return };
    svg.push_str("<text class=\"gr-value\">");
    for (x, y, value) in before {
        let (dx, dy) = beside(index, all, width, (*x, *y));
        let (x, y) = (x.saturating_add_signed(dx), y.saturating_add_signed(dy));
        let _ = write!(svg, "<tspan x=\"{x}\" y=\"{y}\">{value}</tspan>");
    }
    let (name, x, y) = (&one.name, x + 10, y + 4);
    let _ = writeln!(
        svg,
        "<tspan class=\"gr-name\" x=\"{x}\" y=\"{y}\">{last} <tspan>{name}</tspan></tspan></text>"
    );
}

/// 点 `at` の値を書く所。
fn beside(index: usize, all: &[Growth], width: usize, at: (usize, usize)) -> (isize, isize) {
    let same_step = |one: &Growth| {
        let at_step = points(one, width).into_iter().find(|(x, ..)| *x == at.0);
        at_step.map(|(_, y, _)| y)
    };
    let others: Vec<usize> = all.iter().filter_map(same_step).collect();
    let same = others.iter().filter(|y| **y == at.1).count() as isize;
    if same > 1 {
        let before = all.iter().take(index).filter_map(same_step).filter(|y| *y == at.1);
        return (-10, 4 + STACKED * before.count() as isize - STACKED * (same - 1) / 2);
    }
    let [above, below] = CROWDED;
    match others.iter().find(|y| **y != at.1 && y.abs_diff(at.1) <= NEAR) {
        Some(other) if *other > at.1 => above,
        Some(_) => below,
        None => BESIDE.get(index).copied().unwrap_or((0, -9)),
    }
}
