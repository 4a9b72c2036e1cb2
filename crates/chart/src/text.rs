//! 文字の図。端末に出し、スナップショットに固定する。
//!
//! 幅は Unicode の East Asian Width で数える(全角は 2 桁)。端末によって 1 桁にも 2 桁にもなる
//! 罫線や矢印(Ambiguous)は使わず、線と数字は ASCII で書く。

use std::fmt::Write as _;

use unicode_width::UnicodeWidthStr;

use crate::layout::{Layout, Shape};
use crate::model::{Bar, Kind, Lane, State, Step, Stop, Timeline, Verdict};

/// レーンの図は、この桁数に収まるときだけ出す。
const WIDEST: usize = 100;
/// 表の列の幅を決める中身の、いちばん長い桁数。
const LONGEST: usize = 200;
/// レーンの名前を書く桁数。
const NAMES: usize = 8;

/// 右を空白で埋めて、`width` 桁にそろえる。
fn pad(text: &str, width: usize) -> String {
    fill(text, width, ' ')
}

fn fill(text: &str, width: usize, with: char) -> String {
    let missing = width.saturating_sub(text.width());
    let mut filled = text.to_owned();
    filled.extend(std::iter::repeat_n(with, missing));
    filled
}

impl Timeline {
    /// 文字の図。端末に出るものと同じ。
    #[must_use]
    pub fn text(&self) -> String {
        let mut out = format!("{}\n\n", self.title);
        if let Some(lanes) = across(&Layout::of(self), &self.unit) {
            let _ = writeln!(out, "{lanes}");
        }
        let _ = writeln!(out, "{}", self.rows());
        for (number, step) in self.steps.iter().enumerate().skip(1) {
            let _ = writeln!(out, "{number:>2}. {} {}: {}", self.unit, step.time, step.words);
        }
        out
    }

    /// 文字の図のうち、一手を一行にした表だけ。一行目は見出し、二行目は始まる前。
    #[must_use]
    pub fn rows(&self) -> String {
        let mut header = vec!["手".to_owned(), self.unit.clone()];
        header.extend(self.lanes.iter().map(|lane| lane.brief().to_owned()));
        let mut now: Vec<State> = vec![State::default(); self.lanes.len()];
        let mut table = vec![header];
        for (number, step) in self.steps.iter().enumerate() {
            let mut row = vec![number.to_string(), step.time.to_string()];
            for (lane, state) in self.lanes.iter().zip(&mut now) {
                if let Some(changed) = step.changes.get(&lane.name) {
                    *state = changed.clone();
                }
                row.push(cell(lane, state, step));
            }
            table.push(row);
        }
        align(&table)
    }
}

/// 一つのレーンの、一手のあとの様子。
///
/// 手を打つもののレーンの左の印は、`|` が棒のある間、`:` が停止中、`x` が落ちている間である。
fn cell(lane: &Lane, state: &State, step: &Step) -> String {
    let marks = step.marks.iter().filter(|mark| mark.lane == lane.name);
    let marks: Vec<String> =
        marks.map(|mark| marked(&mark.label, mark.verdict, mark.clock)).collect();
    let arrows = step.arrows.iter().filter(|arrow| arrow.to == lane.name);
    let arrows = arrows.map(|arrow| told(&arrow.label, arrow.verdict));
    match lane.kind {
        Kind::Band => if state.bar.is_some() { "!!" } else { "" }.to_owned(),
        Kind::Actor => {
            let sign = match (state.stop, state.bar) {
                (Some(Stop::Paused), _) => ':',
                (Some(Stop::Dead), _) => 'x',
                (None, Some(Bar::Solid | Bar::Hollow)) => '|',
                (None, None) => ' ',
            };
            format!("{sign}{}", marks.into_iter().chain(arrows).collect::<Vec<_>>().join(" "))
        }
        Kind::Service | Kind::Store | Kind::Node => {
            let label = marks.iter().map(String::as_str).chain([state.label.as_str()]);
            let label: Vec<&str> = label.filter(|word| !word.is_empty()).collect();
            let parts = [label.join(" ")].into_iter().chain(arrows);
            parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join("  ")
        }
    }
}

/// 印の言葉。判定と、レーンの時計も書く。
fn marked(label: &str, verdict: Option<Verdict>, clock: Option<u64>) -> String {
    let verdict = verdict.map(|verdict| format!(" {}", verdict.word())).unwrap_or_default();
    let clock = clock.map(|clock| format!(" [{clock}]")).unwrap_or_default();
    format!("{label}{verdict}{clock}").trim_start().to_owned()
}

/// 言葉のない矢印にも、届いてどうなったかを書く。届かなかったことは、いつも書く。
fn told(label: &str, verdict: Verdict) -> String {
    match verdict {
        Verdict::Yes | Verdict::No if !label.is_empty() => label.to_owned(),
        _ => format!("{label} {}", verdict.word()).trim_start().to_owned(),
    }
}

/// レーンを横に並べた図。[`WIDEST`] 桁に収まらなければ `None`。
fn across(layout: &Layout, unit: &str) -> Option<String> {
    let mut lines = vec![pad(unit, NAMES), pad("手", NAMES)];
    lines.extend(layout.lanes.iter().map(|lane| pad(lane.brief(), NAMES)));
    let cells = words(layout);
    let backgrounds = backgrounds(layout);
    for column in 0..layout.end() {
        let time = layout.times.get(column).filter(|_| column > 0 && layout.advances(column));
        let mut column_cells =
            vec![time.map(u64::to_string).unwrap_or_default(), column.to_string()];
        column_cells.extend(cells.iter().map(|lane| lane[column].join(" ")));
        let widest = column_cells.iter().map(|cell| cell.width()).max().unwrap_or_default() + 1;
        for (index, (line, cell)) in lines.iter_mut().zip(&column_cells).enumerate() {
            let with = index.checked_sub(2).map_or(' ', |lane| backgrounds[lane][column]);
            line.push_str(&fill(cell, widest, with));
            if line.trim_end().width() > WIDEST {
                return None;
            }
        }
    }
    Some(lines.iter().fold(String::new(), |all, line| all + line.trim_end() + "\n"))
}

/// レーンごと、列ごとに置く言葉。
fn words(layout: &Layout) -> Vec<Vec<Vec<String>>> {
    let mut cells = vec![vec![Vec::new(); layout.end()]; layout.lanes.len()];
    let mut put = |lane: usize, column: usize, word: &str| {
        if !word.is_empty() {
            cells[lane][column].push(word.to_owned());
        }
    };
    for point in &layout.points {
        put(point.lane, point.step, &marked(&point.label, point.verdict, point.clock));
    }
    for span in layout.spans.iter().filter(|span| span.shape != Shape::Band) {
        put(span.lane, span.from, &span.label);
    }
    for flight in &layout.flights {
        put(flight.to, flight.step, &told(&flight.label, flight.verdict));
    }
    cells
}

/// 区間を表す文字。`=` 塗った棒、`-` 枠だけの棒、`.` 停止中、`x` 落ちている、`!` 注意の帯。
fn backgrounds(layout: &Layout) -> Vec<Vec<char>> {
    let mut lines = vec![vec![' '; layout.end()]; layout.lanes.len()];
    for span in &layout.spans {
        let with = match span.shape {
            Shape::Band => '!',
            Shape::Hollow => '-',
            Shape::Solid => '=',
            Shape::Paused => '.',
            Shape::Dead => 'x',
            Shape::Box => continue,
        };
        lines[span.lane][span.from..span.to].fill(with);
    }
    lines
}

/// 列の幅をそろえて、表にする。[`LONGEST`] 桁より長い中身には、ほかの行をそろえない。空白ばかりの、大きな表になる。
pub(crate) fn align(table: &[Vec<String>]) -> String {
    let columns = table.iter().map(Vec::len).max().unwrap_or_default();
    let widest = |column: usize| {
        let cells = table.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.width()).filter(|width| *width <= LONGEST).max().unwrap_or_default()
    };
    let widths: Vec<usize> = (0..columns).map(widest).collect();
    let mut out = String::new();
    for row in table {
        let cells = row.iter().zip(&widths).map(|(cell, width)| pad(cell, width + 2));
        out.push_str(cells.collect::<String>().trim_end());
        out.push('\n');
    }
    out
}
