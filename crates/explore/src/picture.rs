//! 小さな範囲の、状態のつながりの絵。

use std::fmt::Write as _;

use lease::LockService;
use stage::Action::{Acquire, Release, Tick};
use stage::{Action, ChapterError, Drawing, NoResource, Observation, System as _, World};

use crate::bounds::Bounds;
use crate::graph::{Edge, Graph, graph};
use crate::moves::Manners;

// ANCHOR: small
/// 紙に収まる範囲。長さ 1 刻みのリース、二人の客、二度の取得、一刻み。書き込みはない。
const SMALL: Bounds = Bounds {
    grants: 2,
    writes: 0,
    copies: 0,
    horizon: 1,
    pauses: false,
    crashes: false,
    renews: false,
    slow_releases: false,
    restarts: false,
};
// ANCHOR_END: small

const COLUMN: usize = 140;
const ROW: usize = 62;
const BOX: (usize, usize) = (92, 40);
const MARGIN: usize = 8;

/// 状態の箱を置く場所。
struct Spot {
    x: usize,
    y: usize,
    seen: Observation,
}

/// つながりの絵。
pub(crate) fn drawing() -> Result<Drawing, ChapterError> {
    let world = World::<_, NoResource>::new(LockService::new(1));
    let graph = graph(world, Manners::default(), &SMALL);
    let edges: Vec<Edge> =
        graph.edges.iter().filter(|edge| edge.from != edge.to).copied().collect();
    let spots = spots(&graph);
    let columns = graph.depths.last().map_or(1, |depth| depth + 1);
    let (width, height) = (
        columns * COLUMN - (COLUMN - BOX.0) + 2 * MARGIN,
        widest(&graph.depths) * ROW + 2 * MARGIN,
    );
    let mut svg = format!(
        "<svg class=\"tl gr\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         role=\"img\" aria-label=\"二人の客と一つのロックの、すべての状態\">\n"
    );
    let is_danger = |edge: &&Edge| spots[edge.to].seen.is_double();
    // 危ない手は、ほかの線や文字に隠れないように、最後に描く。
    let safe = edges.iter().filter(|edge| !is_danger(edge));
    safe.chain(edges.iter().filter(is_danger)).for_each(|edge| arrow(&mut svg, edge, &spots));
    spots.iter().enumerate().for_each(|(number, spot)| state(&mut svg, number, spot));
    svg.push_str("</svg>\n");
    let words = spots.iter().enumerate().map(|(number, spot)| tell(number, spot, &edges)).collect();
    Ok(Drawing {
        title: "二人の客と一つのロックの、すべての状態".to_owned(), svg, words
    })
}

fn widest(depths: &[usize]) -> usize {
    depths
        .iter()
        .map(|depth| depths.iter().filter(|other| *other == depth).count())
        .max()
        .unwrap_or(0)
}

/// 手数ごとに列を作り、見つけた順に上から並べる。
fn spots(graph: &Graph<LockService, NoResource>) -> Vec<Spot> {
    let tallest = widest(&graph.depths);
    let place = |(number, run): (usize, &crate::Run<LockService, NoResource>)| {
        let depth = graph.depths[number];
        let same = graph.depths.iter().filter(|other| **other == depth).count();
        let above = graph.depths[..number].iter().filter(|other| **other == depth).count();
        let x = MARGIN + depth * COLUMN;
        let y = MARGIN + (tallest - same) * ROW / 2 + above * ROW + (ROW - BOX.1) / 2;
        Spot { x, y, seen: run.world.observe() }
    };
    graph.states.iter().enumerate().map(place).collect()
}

fn believers(seen: &Observation) -> String {
    let names: Vec<String> = seen.believers().map(|client| client.to_string()).collect();
    if names.is_empty() { "なし".to_owned() } else { names.join("と") }
}

fn holder(seen: &Observation) -> String {
    seen.holder.map_or("空き".to_owned(), |holder| format!("{}#{}", holder.client, holder.token))
}

fn state(svg: &mut String, number: usize, spot: &Spot) {
    let Spot { x, y, seen } = spot;
    let (width, height) = BOX;
    let class = if seen.is_double() { "gr-state gr-danger" } else { "gr-state" };
    let _ = writeln!(
        svg,
        "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"4\"/>"
    );
    if seen.is_double() {
        let (x, y) = (x + 4, y + 4);
        let (width, height) = (width - 8, height - 8);
        let _ = writeln!(
            svg,
            "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"2\"/>"
        );
    }
    let middle = x + width / 2;
    let _ = writeln!(
        svg,
        "<text class=\"gr-text\" x=\"{middle}\" y=\"{}\">{number}: {}、時刻 {}</text>\n\
         <text class=\"gr-text\" x=\"{middle}\" y=\"{}\">つもり {}</text>",
        y + 17,
        holder(seen),
        seen.now,
        y + 31,
        believers(seen),
    );
}

/// 手の短い言い方。
fn short(action: Action) -> String {
    match action {
        Acquire(client) => format!("{client} 取得"),
        Release(client) => format!("{client} 解放"),
        Tick(ticks) => format!("+{ticks}"),
        other => format!("{other:?}"),
    }
}

fn arrow(svg: &mut String, edge: &Edge, spots: &[Spot]) {
    let (from, to) = (&spots[edge.from], &spots[edge.to]);
    let (x1, y1) = (from.x + BOX.0, from.y + BOX.1 / 2);
    let (x2, y2) = (to.x, to.y + BOX.1 / 2);
    let danger = to.seen.is_double();
    let class = if danger { "gr-edge gr-danger" } else { "gr-edge" };
    // 危ない手の名は、行き先の近くに書く。
    let share = if danger { 4 } else { 3 };
    let along = |from: usize, to: usize| (from * (6 - share) + to * share) / 6;
    let (lx, ly) = (along(x1, x2), along(y1, y2));
    let _ = writeln!(
        svg,
        "<path class=\"{class}\" d=\"M{x1} {y1}L{x2} {y2}\"/>\n\
         <circle class=\"gr-end\" cx=\"{x2}\" cy=\"{y2}\" r=\"2.5\"/>\n\
         <text class=\"gr-act\" x=\"{lx}\" y=\"{}\">{}</text>",
        ly + 4,
        short(edge.action),
    );
}

fn tell(number: usize, spot: &Spot, edges: &[Edge]) -> String {
    let seen = &spot.seen;
    let double = if seen.is_double() { "二重取得。" } else { "" };
    let next: Vec<String> = edges
        .iter()
        .filter(|edge| edge.from == number)
        .map(|edge| format!("{} で {}", short(edge.action), edge.to))
        .collect();
    let next = if next.is_empty() { "ここで終わる".to_owned() } else { next.join("、") };
    format!(
        "状態 {number}: 時刻 {}、ロックは{}、持っているつもりは{}。{double}次は、{next}。",
        seen.now,
        holder(seen),
        believers(seen)
    )
}
