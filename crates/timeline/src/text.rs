//! 文字の図。端末に出し、スナップショットに固定する。
//!
//! 幅は Unicode の East Asian Width で数える(全角は 2 桁)。端末によって 1 桁にも 2 桁にもなる
//! 罫線や矢印(Ambiguous)は使わず、線と数字は ASCII で書く。

use std::fmt::Write as _;

use unicode_width::UnicodeWidthStr;

use crate::layout::{Lane, Layout, Shape};
use crate::play::{Step, Timeline};
use crate::vocabulary::{Client, Condition, Event, Observation};
use crate::words;

/// レーンの図は、この桁数に収まるときだけ出す。
const WIDEST: usize = 100;

/// 右を空白で埋めて、`width` 桁にそろえる。
pub(crate) fn pad(text: &str, width: usize) -> String {
    fill(text, width, ' ')
}

fn fill(text: &str, width: usize, with: char) -> String {
    let missing = width.saturating_sub(text.width());
    let mut filled = text.to_owned();
    filled.extend(std::iter::repeat_n(with, missing));
    filled
}

/// 記録全体を文字にする。
pub(crate) fn text(timeline: &Timeline) -> String {
    let mut out = format!("{}\n\n", timeline.title);
    let lanes = lanes(timeline);
    if lanes.lines().all(|line| line.width() <= WIDEST) {
        let _ = writeln!(out, "{lanes}");
    }
    let _ = writeln!(out, "{}", rows(timeline));
    out.push_str(&sentences(timeline));
    out
}

/// レーンを横に並べた図。
fn lanes(timeline: &Timeline) -> String {
    let layout = Layout::of(timeline);
    let mut lines = vec![pad("時刻", 8), pad("手", 8)];
    lines.extend(layout.lanes.iter().map(|lane| pad(&lane.to_string(), 8)));
    for column in 0..layout.end() {
        push_column(&layout, column, &mut lines);
    }
    lines.iter().fold(String::new(), |all, line| all + line.trim_end() + "\n")
}

fn push_column(layout: &Layout, column: usize, lines: &mut [String]) {
    let before = column.checked_sub(2).and_then(|index| layout.times.get(index));
    let time = column.checked_sub(1).and_then(|index| layout.times.get(index));
    let mut cells = vec![
        // 時刻は、前の列から進んだときだけ書く。
        time.filter(|time| before != Some(*time)).map(u64::to_string).unwrap_or_default(),
        column.to_string(),
    ];
    cells.extend(layout.lanes.iter().map(|&lane| layout.cell(lane, column)));
    let widest = cells.iter().map(|cell| cell.width()).max().unwrap_or_default() + 1;
    for (index, (line, cell)) in lines.iter_mut().zip(&cells).enumerate() {
        let lane = index.checked_sub(2).and_then(|index| layout.lanes.get(index));
        let with = lane.map_or(' ', |&lane| background(layout, lane, column));
        line.push_str(&fill(cell, widest, with));
    }
}

/// 区間を表す文字。`=` 持っている、`-` 持っているつもり、`.` 停止中、`x` 落ちている、`!` 二重取得。
fn background(layout: &Layout, lane: Lane, column: usize) -> char {
    let covers = |wanted| layout.covers(lane, column, wanted);
    if covers(|shape| *shape == Shape::Double) {
        return '!';
    }
    if covers(|shape| *shape == Shape::Paused) {
        return '.';
    }
    if covers(|shape| *shape == Shape::Down) {
        return 'x';
    }
    if covers(|shape| matches!(shape, Shape::Holds(_))) {
        return '=';
    }
    if covers(|shape| matches!(shape, Shape::Believes(_))) {
        return '-';
    }
    ' '
}

/// 一手を一行にした表。
pub(crate) fn rows(timeline: &Timeline) -> String {
    let mut table = vec![header(timeline), row(timeline, 0, None, &timeline.start)];
    for (index, step) in timeline.steps.iter().enumerate() {
        table.push(row(timeline, index + 1, Some(step), &step.after));
    }
    align(&table)
}

/// 列の幅をそろえて、表にする。
pub(crate) fn align(table: &[Vec<String>]) -> String {
    let columns = table.iter().map(Vec::len).max().unwrap_or_default();
    let widest = |column: usize| {
        table
            .iter()
            .filter_map(|row| row.get(column))
            .map(|cell| cell.width())
            .max()
            .unwrap_or_default()
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

fn header(timeline: &Timeline) -> Vec<String> {
    let mut cells = vec!["手".to_owned(), "時刻".to_owned(), "二重".to_owned()];
    cells.extend(timeline.cast().map(|client| client.to_string()));
    cells.push("ロック".to_owned());
    if timeline.start.resource.is_some() {
        cells.push(words::RESOURCE.to_owned());
    }
    cells
}

fn row(
    timeline: &Timeline,
    column: usize,
    step: Option<&Step>,
    after: &Observation,
) -> Vec<String> {
    let time = step.map_or(after.now, Step::time);
    let double = if after.is_double() { "!!" } else { "" };
    let mut cells = vec![column.to_string(), time.to_string(), double.to_owned()];
    cells.extend(timeline.cast().map(|client| client_cell(client, step, after)));
    cells.push(lock_cell(step, after));
    if let Some(resource) = after.resource {
        let verdict = step.and_then(|step| step.events.iter().find_map(words::verdict));
        let stored = words::stored(&resource);
        cells.push(verdict.map_or(stored.clone(), |verdict| format!("{stored}  {verdict}")));
    }
    cells
}

/// 客の一手。左の印は `|` が持っているつもり、`:` が停止中、`x` が落ちている。
fn client_cell(client: Client, step: Option<&Step>, after: &Observation) -> String {
    let mark = after.client(client).map_or(' ', |view| match (view.condition, view.belief) {
        (Condition::Paused, _) => ':',
        (Condition::Crashed, _) => 'x',
        (Condition::Running, Some(_)) => '|',
        (Condition::Running, None) => ' ',
    });
    let column = step.map(|step| acts(client, step)).unwrap_or_default();
    format!("{mark}{column}")
}

fn acts(client: Client, step: &Step) -> String {
    let single =
        Timeline { title: String::new(), start: step.after.clone(), steps: vec![step.clone()] };
    Layout::of(&single).cell(Lane::Client(client), 1)
}

fn lock_cell(step: Option<&Step>, after: &Observation) -> String {
    let expired = step
        .is_some_and(|step| step.events.iter().any(|event| matches!(event, Event::Expired { .. })));
    if expired { format!("失効 {}", words::holding(after)) } else { words::holding(after) }
}

/// 同じ記録を言葉で。
fn sentences(timeline: &Timeline) -> String {
    let mut out = String::new();
    for (index, step) in timeline.steps.iter().enumerate() {
        let _ = writeln!(out, "{:>2}. 時刻 {}: {}", index + 1, step.time(), step.sentence());
    }
    out
}
