//! 小さな範囲の、状態のつながりの絵。

use std::fmt::Write as _;

use check::{Limits, graph};
use lease::LockService;
use properties::Watch;
use stage::Action::{Acquire, Release, Tick};
use stage::{Action, ChapterError, Drawing, NoResource, Observation, System as _, World};

use crate::arena::{Arena, PROPERTIES};
use crate::bounds::Bounds;
use crate::moves::Manners;

/// 一手。
type Edge = check::Edge<Action>;

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

/// 状態の箱。一行に一つずつ、番号と時刻、ロック、つもりを書く。
const HEIGHT: usize = 48;
/// 行の間。箱の上端から初めの行までも同じ
const LINE: usize = 14;

/// 広い所での置き方。幅 680 の本文に収まる。
mod across {
    pub(super) const WIDTH: usize = 66;
    pub(super) const COLUMN: usize = 121;
    pub(super) const ROW: usize = super::HEIGHT + 12;
    pub(super) const EDGE: usize = 4;
}

/// 狭い所での置き方。幅 360 の画面の本文に収まる。
mod down {
    pub(super) const WIDTH: usize = 64;
    /// 半列の幅。箱は、半列ずつずらして置ける
    pub(super) const HALF: usize = 42;
    /// 一段に並ぶ箱の数。これより多い手数は、二段に分けて、互い違いに置く
    pub(super) const MOST: usize = 4;
    /// 段の間と、分けた段の間
    pub(super) const GAP: usize = 62;
    pub(super) const INNER: usize = 20;
    pub(super) const EDGE: usize = 4;
}

/// 状態の箱を置く場所。
#[derive(Clone, Copy)]
struct Spot {
    x: usize,
    y: usize,
    /// 手数の同じ箱が占める縦の範囲
    layer: (usize, usize),
}

/// 一つの置き方。
struct Plan {
    class: &'static str,
    size: (usize, usize),
    width: usize,
    spots: Vec<Spot>,
    down: bool,
}

const TITLE: &str = "二人の客と一つのロックの、すべての状態";

/// つながりの絵。広い所と狭い所の、二つの置き方で描く。
pub(crate) fn drawing() -> Result<Drawing, ChapterError> {
    let world = World::<_, NoResource>::new(LockService::new(1));
    let arena = Arena { world, manners: Manners::default(), bounds: SMALL };
    let watch = Watch { asked: PROPERTIES.into_iter().collect(), length: 1 };
    let graph = graph(&arena, &watch, Limits::NONE);
    let edges: Vec<Edge> =
        graph.edges.iter().filter(|edge| edge.from != edge.to).copied().collect();
    let seen: Vec<Observation> = graph.states.iter().map(|(run, _)| run.world.observe()).collect();
    let svg = [across(&graph.depths), down(&graph.depths)].map(|plan| plan.svg(&seen, &edges));
    let words = seen.iter().enumerate().map(|(number, seen)| tell(number, seen, &edges)).collect();
    Ok(Drawing { title: TITLE.to_owned(), svg: svg.concat(), words })
}

/// 同じ手数の状態の数。
fn count(depths: &[usize], depth: usize) -> usize {
    depths.iter().filter(|other| **other == depth).count()
}

/// 同じ手数の状態のうち、何番目か。
fn rank(depths: &[usize], number: usize) -> usize {
    let earlier = depths.iter().take(number);
    earlier.filter(|depth| Some(*depth) == depths.get(number)).count()
}

/// 手数ごとに列を作り、見つけた順に上から並べる。
fn across(depths: &[usize]) -> Plan {
    use across::{COLUMN, EDGE, ROW, WIDTH};
    let tallest = depths.iter().map(|depth| count(depths, *depth)).max().unwrap_or(0);
    let place = |(number, &depth): (usize, &usize)| {
        let above = (tallest - count(depths, depth)) * ROW / 2;
        let y = EDGE + above + rank(depths, number) * ROW;
        Spot { x: EDGE + depth * COLUMN, y, layer: (y, y + HEIGHT) }
    };
    let deepest = depths.last().copied().unwrap_or(0);
    Plan {
        class: "gr-wide",
        size: (deepest * COLUMN + WIDTH + 2 * EDGE, tallest * ROW - (ROW - HEIGHT) + 2 * EDGE),
        width: WIDTH,
        spots: depths.iter().enumerate().map(place).collect(),
        down: false,
    }
}

/// 手数ごとに段を作り、見つけた順に左から並べる。
fn down(depths: &[usize]) -> Plan {
    use down::{EDGE, GAP, HALF, INNER, MOST, WIDTH};
    let deepest = depths.last().copied().unwrap_or(0);
    let is_split = |depth: usize| count(depths, depth) > MOST;
    let mut tops = vec![EDGE];
    for depth in 0..=deepest {
        let split = if is_split(depth) { INNER + HEIGHT } else { 0 };
        tops.push(tops[depth] + HEIGHT + split + GAP);
    }
    let place = |(number, &depth): (usize, &usize)| {
        let rank = rank(depths, number);
        let (column, lower) = match is_split(depth) {
            true => (rank, rank % 2),
            false => (MOST - count(depths, depth) + 2 * rank, 0),
        };
        let y = tops[depth] + lower * (HEIGHT + INNER);
        Spot { x: EDGE + column * HALF, y, layer: (tops[depth], tops[depth + 1] - GAP) }
    };
    Plan {
        class: "gr-narrow",
        size: (2 * (MOST - 1) * HALF + WIDTH + 2 * EDGE, tops[deepest + 1] - GAP + EDGE),
        width: WIDTH,
        spots: depths.iter().enumerate().map(place).collect(),
        down: true,
    }
}

type Point = (usize, usize);

/// 手の線。折れる所と、名を書いてよい区間。
struct Route {
    points: Vec<Point>,
    named: (Point, Point),
    /// 名の左右の端が出てはならない範囲
    room: (usize, usize),
}

impl Plan {
    fn svg(&self, seen: &[Observation], edges: &[Edge]) -> String {
        let Plan { class, size: (width, height), .. } = self;
        let mut svg = format!(
            "<svg class=\"tl gr {class}\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
             height=\"{height}\" role=\"img\" aria-label=\"{TITLE}\">\n"
        );
        let routes: Vec<Route> = edges.iter().map(|edge| self.route(edge, edges)).collect();
        let is_danger = |edge: &Edge| seen[edge.to].is_double();
        // 危ない手は、ほかの線に隠れないように、最後に描く。
        for (class, wanted) in [("gr-edge", false), ("gr-edge gr-danger", true)] {
            let some = edges.iter().zip(&routes).filter(|(edge, _)| is_danger(edge) == wanted);
            lines(&mut svg, class, some.map(|(_, route)| route));
        }
        names(&mut svg, edges, &routes, is_danger);
        for (number, (spot, seen)) in self.spots.iter().zip(seen).enumerate() {
            self.state(&mut svg, number, *spot, seen);
        }
        svg.push_str("</svg>\n");
        svg
    }

    fn state(&self, svg: &mut String, number: usize, Spot { x, y, .. }: Spot, seen: &Observation) {
        let (width, middle) = (self.width, self.width / 2);
        // 二重取得の状態は、枠を二重にする。
        let (class, outer) = match seen.is_double() {
            true => ("gr-state gr-danger", format!("M-3-3h{}v{}h-{0}z", width + 6, HEIGHT + 6)),
            false => ("gr-state", String::new()),
        };
        // どの箱の中も同じ文字の並びにすると、ページがよく縮む。
        let _ = writeln!(
            svg,
            "<g transform=\"translate({x} {y})\">\
             <path class=\"{class}\" d=\"{outer}M0 0h{width}v{HEIGHT}h-{width}z\"/>\
             <text class=\"gr-text\" x=\"{middle}\" y=\"{}\">{number}: 時刻 {}\
             <tspan x=\"{middle}\" y=\"{}\">{}</tspan>\
             <tspan x=\"{middle}\" y=\"{}\">つもり {}</tspan></text></g>",
            LINE,
            seen.now,
            2 * LINE,
            holder(seen),
            3 * LINE,
            believers(seen),
        );
    }

    fn route(&self, edge: &Edge, edges: &[Edge]) -> Route {
        let (from, to) = (self.spots[edge.from], self.spots[edge.to]);
        let (leaves, enters) = (self.port(edge, edges, true), self.port(edge, edges, false));
        if !self.down {
            let (start, end) = ((from.x + self.width, leaves), (to.x, enters));
            return Route { points: vec![start, end], named: (start, end), room: (start.0, end.0) };
        }
        // 二段に分けた箱の間は、まっすぐに通り抜ける。
        let named = ((leaves, from.layer.1), (enters, to.layer.0));
        let mut points = vec![(leaves, from.y + HEIGHT), named.0, named.1, (enters, to.y)];
        points.dedup();
        Route { points, named, room: (0, self.size.0) }
    }

    /// 箱の辺の上で、線の出る所か、入る所。同じ箱の線どうしは、行き先の順に離す。
    fn port(&self, edge: &Edge, edges: &[Edge], leaves: bool) -> usize {
        let ends = |edge: &Edge| if leaves { (edge.from, edge.to) } else { (edge.to, edge.from) };
        let side = |number: usize| {
            let Spot { x, y, .. } = self.spots[number];
            if self.down { x + self.width / 2 } else { y + HEIGHT / 2 }
        };
        let (here, there) = ends(edge);
        let others = edges.iter().map(&ends).filter(|(one, _)| *one == here);
        let mut others: Vec<usize> = others.map(|(_, other)| side(other)).collect();
        others.sort_unstable();
        let rank = others.iter().position(|other| *other == side(there)).unwrap_or(0);
        let step = match self.down {
            true if self.passes(here, leaves) => 8,
            true => 17,
            false => 12,
        };
        (side(here) + step * rank).saturating_sub(step * (others.len() - 1) / 2)
    }

    /// 線が、ほかの箱の間を通り抜けるか。
    fn passes(&self, number: usize, leaves: bool) -> bool {
        let Spot { y, layer: (top, bottom), .. } = self.spots[number];
        if leaves { y + HEIGHT < bottom } else { y > top }
    }
}

fn lines<'a>(svg: &mut String, class: &str, routes: impl Iterator<Item = &'a Route>) {
    let (mut whole, mut ends) = (String::new(), String::new());
    for route in routes {
        let points: Vec<String> = route.points.iter().map(|(x, y)| format!("{x} {y}")).collect();
        let _ = write!(whole, "M{}", points.join("L"));
        if let Some(end) = points.last() {
            let _ = write!(ends, "M{end}h0");
        }
    }
    let _ = writeln!(
        svg,
        "<path class=\"{class}\" d=\"{whole}\"/>\n<path class=\"gr-end\" d=\"{ends}\"/>"
    );
}

/// 手の名を書く。危ない手の名が、先に場所を選ぶ。
fn names(svg: &mut String, edges: &[Edge], routes: &[Route], is_danger: impl Fn(&Edge) -> bool) {
    let mut order: Vec<usize> = (0..edges.len()).collect();
    order.sort_by_key(|number| !is_danger(&edges[*number]));
    let mut taken = Vec::new();
    let mut names = [String::new(), String::new()];
    for number in order {
        let others = routes.iter().enumerate().filter(|(other, _)| *other != number);
        let others: Vec<&Route> = others.map(|(_, route)| route).collect();
        let (x, y) = name_place(&routes[number], &others, &taken);
        taken.push((x, y));
        let name = short(edges[number].action);
        let of = usize::from(is_danger(&edges[number]));
        let _ = write!(names[of], "<tspan x=\"{x}\" y=\"{}\">{name}</tspan>", y + 4);
    }
    let [safe, danger] = names;
    let _ = writeln!(
        svg,
        "<text class=\"gr-act\">{safe}</text>\n<text class=\"gr-act gr-danger\">{danger}</text>"
    );
}

/// 手の名の、中央から左右の端までと、上下の端まで。
const NAME: Point = (17, 7);

/// 線の上の点。`from` から、`parts` 等分した `nth` 番目。
fn along((x1, y1): Point, (x2, y2): Point, nth: usize, parts: usize) -> Point {
    let between = |from: usize, to: usize| (from * (parts - nth) + to * nth) / parts;
    (between(x1, x2), between(y1, y2))
}

/// 手の名を書く所。線の中ほどから、ほかの名とも線とも重ならない所を探す。なければ、線とは重なってよい。
fn name_place(route: &Route, others: &[&Route], taken: &[Point]) -> Point {
    const SHARES: [usize; 13] = [10, 11, 9, 12, 8, 13, 7, 14, 6, 15, 5, 16, 4];
    let near = |(x, y): Point, (ox, oy): Point, (width, height): Point| {
        x.abs_diff(ox) < width && y.abs_diff(oy) < height
    };
    let apart = |at: &Point| taken.iter().all(|other| !near(*at, *other, (2 * NAME.0, 2 * NAME.1)));
    let clear = |at: &Point| {
        let mut dots = others
            .iter()
            .flat_map(|other| (0..=20).map(|nth| along(other.named.0, other.named.1, nth, 20)));
        dots.all(|dot| !near(*at, dot, NAME))
    };
    let fits = |(x, _): &Point| *x >= route.room.0 + NAME.0 && x + NAME.0 <= route.room.1;
    let places = SHARES.map(|share| along(route.named.0, route.named.1, share, 20));
    let places: Vec<Point> = places.into_iter().filter(fits).collect();
    let best = places.iter().find(|at| apart(at) && clear(at));
    let best = best.or_else(|| places.iter().find(|at| apart(at))).copied();
    best.unwrap_or_else(|| along(route.named.0, route.named.1, 1, 2))
}

fn believers(seen: &Observation) -> String {
    let names: Vec<String> = seen.believers().map(|client| client.to_string()).collect();
    if names.is_empty() { "なし".to_owned() } else { names.join("と") }
}

fn holder(seen: &Observation) -> String {
    seen.holder.map_or("空き".to_owned(), |holder| format!("{}#{}", holder.client, holder.token))
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

fn tell(number: usize, seen: &Observation, edges: &[Edge]) -> String {
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
