//! 範囲を一つずつ広げると、状態がどう増えるか。

use std::fmt::Write as _;
use std::ops::ControlFlow;

use fencing::FencedResource;
use lease::LockService;
use stage::{ChapterError, Drawing, Table, World};

use crate::bounds::Bounds;
use crate::claims::{grouped, pinned};
use crate::moves::Manners;
use crate::search::explore;

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
    explore(world, Manners::default(), bounds, |_| ControlFlow::Continue(())).states
}

/// 広げるものごとの、状態の数。
#[must_use]
pub fn growth() -> Table {
    let header = ["広げるもの", "一段目", "二段目", "三段目", "四段目"];
    let row = |(name, values): Wider| {
        let cells = values
            .into_iter()
            .map(|(value, bounds, three)| format!("{value} で {}", grouped(count(bounds, three))));
        let cells = std::iter::once(name.to_owned()).chain(cells);
        cells.chain(std::iter::repeat("—".to_owned())).take(header.len()).collect()
    };
    Table {
        header: header.map(str::to_owned).to_vec(),
        rows: wider().into_iter().map(row).collect(),
    }
}

pub(crate) fn pinned_growth() -> Result<Table, ChapterError> {
    let path = "crates/explore/explored/explored__growth.snap";
    pinned(path, include_str!("../explored/explored__growth.snap"))
}

const WIDTH: usize = 620;
const HEIGHT: usize = 480;
/// 左の余白
const LEFT: usize = 70;
/// 値を点の下に書く行。上に書くと、ほかの行と重なる
const BELOW: usize = 4;
/// 一段の幅と、十倍の高さ
const STEP: usize = 110;
const DECADE: f64 = 102.0;
/// 縦軸のいちばん下。10 の 2 乗
const LOWEST: f64 = 2.0;

/// 増えかたの折れ線。縦軸は対数。
pub(crate) fn drawing() -> Result<Drawing, ChapterError> {
    let table = pinned_growth()?;
    let mut svg = format!(
        "<svg class=\"tl gr\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" \
         role=\"img\" aria-label=\"範囲を広げたときの、状態の数\">\n"
    );
    for power in 2..=6 {
        let y = height(10_f64.powi(power));
        let _ = writeln!(
            svg,
            "<path class=\"tl-rule\" d=\"M{LEFT} {y}H{}\"/>\n\
             <text class=\"gr-mark\" x=\"{}\" y=\"{}\">{}</text>",
            LEFT + 3 * STEP,
            LEFT - 8,
            y + 4,
            grouped(10_usize.pow(power as u32)),
        );
    }
    for (index, row) in table.rows.iter().enumerate() {
        line(&mut svg, index, row);
    }
    svg.push_str("</svg>\n");
    let words =
        table.rows.iter().map(|row| row.join("、").replacen('、', ": ", 1) + "。").collect();
    Ok(Drawing { title: "範囲を広げたときの、状態の数".to_owned(), svg, words })
}

fn height(count: f64) -> usize {
    (HEIGHT as f64 - 24.0 - (count.log10() - LOWEST) * DECADE).round() as usize
}

/// 「3 で 52,714」の、3 と 52714。
fn point(cell: &str) -> Option<(&str, f64)> {
    let (value, count) = cell.split_once(" で ")?;
    Some((value, count.replace(',', "").parse().ok()?))
}

fn line(svg: &mut String, index: usize, row: &[String]) {
    let points: Vec<(usize, usize, &str)> = row
        .iter()
        .skip(1)
        .filter_map(|cell| point(cell))
        .enumerate()
        .map(|(step, (value, count))| (LEFT + step * STEP, height(count), value))
        .collect();
    let path: Vec<String> = points.iter().map(|(x, y, _)| format!("{x} {y}")).collect();
    let _ = writeln!(svg, "<path class=\"gr-line gr-{index}\" d=\"M{}\"/>", path.join("L"));
    for (x, y, value) in &points {
        let _ = writeln!(
            svg,
            "<circle class=\"gr-dot gr-{index}\" cx=\"{x}\" cy=\"{y}\" r=\"4\"/>\n\
             <text class=\"gr-value\" x=\"{x}\" y=\"{}\">{value}</text>",
            if index == BELOW { y + 18 } else { y.saturating_sub(8) },
        );
    }
    if let (Some((x, y, _)), Some(name)) = (points.last(), row.first()) {
        let _ =
            writeln!(svg, "<text class=\"gr-name\" x=\"{}\" y=\"{}\">{name}</text>", x + 12, y + 4);
    }
}
