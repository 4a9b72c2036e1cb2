//! 縦の図。時間は上から下へ進み、レーンは左から右へ並ぶ。狭い欄のための図で、横の図と同じ [`Layout`] から描く。
//!
//! 言葉は、空白で折って列の幅に収める。行の高さは、いちばん多く折った言葉で決まる。

use std::collections::BTreeSet;

use crate::layout::{Flight, Layout, Shape, Span};
use crate::model::{Kind, Lane, Timeline, Verdict};
use crate::svg::{Canvas, Layer, circle, cursor, kind, measure, path, rect, signed, text, tone};

/// 図の幅。狭い画面の欄に、そのままの大きさで収まる。単位は SVG の座標(以下同じ)。
const WIDTH: usize = 324;
/// 手の番号と時刻を書く左の余白の、もっとも狭い幅。
const LEFT: usize = 46;
/// レーンの名前を書く上の余白。
const HEAD: usize = 26;
/// 棒の真ん中より左に空ける幅。
const BEFORE: usize = 12;
/// 棒の真ん中から言葉までの幅。
const BESIDE: usize = 10;
/// 言葉の右と、箱の内側に空ける幅。
const AFTER: usize = 4;
/// 棒の太さの半分。
const HALF: usize = 5;
/// 届いたものの判定を書く丸の半径。
const ROUND: usize = 9;
/// 言葉の一行の高さ。
const LINE: usize = 15;
/// 行の、言葉のほかの高さ。
const GAP: usize = 14;
/// 帯の名前を書く高さ。
const BAND: usize = 20;
/// 途中にあるものを、棒や箱の縁からどれだけ左に描くか。
const FLIGHT: usize = 3;
/// 同時に途中にあるものの、線と線の間。
const STACK: usize = 4;
/// 矢の先の、線より上に出る高さ。
const TIP: usize = 5;
/// 行の印より上に出る、箱の高さ。
const LID: usize = 13;
/// 言葉の間の空白の幅。
const SPACE: usize = 4;
/// 折らない空白。描くときに、ふつうの空白に戻す。
const GLUE: char = '\u{a0}';

impl Timeline {
    /// 時間が上から下へ進む図。色と線は、ページのスタイルシートがクラスで決める。
    #[must_use]
    pub fn down(&self) -> String {
        let layout = Layout::of(self);
        let cells = cells(&layout);
        let left = margin(&layout);
        let places = places(&layout, &cells, left);
        let rows = rows(&layout, &cells, &places);
        Down { timeline: self, layout, left, places, rows, canvas: Canvas::new() }.draw()
    }
}

/// 一つのレーンの、横の位置。
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    left: usize,
    width: usize,
}

impl Place {
    fn right(&self) -> usize {
        self.left + self.width
    }
}

/// 一つの行。
#[derive(Clone, Debug, Default)]
struct Row {
    /// 行の上の端
    top: usize,
    /// 印と矢印の縦の位置
    y: usize,
    /// レーンごとの、折った言葉
    lines: Vec<Vec<Said>>,
}

/// 一つの段落か、それを折った一行。
#[derive(Clone, Debug)]
struct Said {
    words: String,
    verdict: Option<Verdict>,
}

struct Down<'a> {
    timeline: &'a Timeline,
    layout: Layout,
    /// 手の番号と時刻を書く左の余白
    left: usize,
    places: Vec<Place>,
    /// 列 0 からの行と、終わりの行
    rows: Vec<Row>,
    canvas: Canvas,
}

impl Down<'_> {
    /// 時刻の呼び名。左の余白に収まらなければ書かない。
    fn unit(&self) -> &str {
        let unit = self.timeline.unit.as_str();
        if measure(unit) + 14 + 6 <= self.left { unit } else { "" }
    }

    fn draw(mut self) -> String {
        self.heads();
        for span in self.layout.spans.clone() {
            self.span(&span);
        }
        let flights = self.layout.flights.clone();
        flights.iter().for_each(|flight| self.flight(flight));
        // 同じ行に二つ届いても、矢の先が線に隠れないように、線のすべてのあとに描く。
        flights.iter().for_each(|flight| self.head(flight));
        self.words();
        let end = self.layout.end();
        // 線を印の高さに置くと、今の手の言葉に重なる。今の行と次の行の境に置く。
        let stops: Vec<usize> = self.rows[1..=end].iter().map(|row| row.top).collect();
        let size = (self.right() + 1, self.rows[end].y + 2);
        let cursor = cursor(&format!("M0 0H{}", size.0), 0, size);
        self.canvas.finish(self.timeline, "tl-down", size, &stops, &cursor)
    }

    fn right(&self) -> usize {
        self.places.iter().map(Place::right).max().unwrap_or(self.left)
    }

    fn kind(&self, lane: usize) -> Kind {
        self.layout.lanes[lane].kind
    }

    /// 棒の真ん中。箱では箱の真ん中。
    fn x(&self, lane: usize) -> usize {
        let Place { left, width } = self.places[lane];
        if self.kind(lane) == Kind::Store { left + width / 2 } else { left + BEFORE }
    }

    fn y(&self, column: usize) -> usize {
        self.rows[column].y
    }

    /// レーンの名前と線、手の番号と時刻。時刻が進む所に横の線を引く。
    fn heads(&mut self) {
        let bottom = self.y(self.layout.end());
        let mut names = text("tl-head-name tl-dim", 0, 14, "手");
        names.push_str(&text("tl-name tl-dim", self.left - 6, 14, self.unit()));
        for lane in 0..self.layout.lanes.len() {
            let (x, name) = (self.x(lane), self.layout.lanes[lane].brief());
            match self.kind(lane) {
                Kind::Band => {}
                Kind::Store => names.push_str(&text("tl-value tl-strong", x, 14, name)),
                Kind::Actor | Kind::Service | Kind::Node => {
                    names.push_str(&text("tl-head-name", x - HALF, 14, name));
                    self.canvas.under(&path("tl-lane", &format!("M{x} {HEAD}V{bottom}")));
                }
            }
        }
        self.canvas.name(&names);
        let right = self.right();
        for column in 1..self.layout.end() {
            let Row { top, y, .. } = self.rows[column];
            let mut head = text("tl-head-name tl-dim", 0, y + 4, &column.to_string());
            if self.layout.advances(column) {
                let time = self.layout.times[column].to_string();
                head.push_str(&text("tl-name tl-when", self.left - 6, y + 4, &time));
                if column > 1 {
                    self.canvas.under(&path("tl-rule", &format!("M0 {top}H{right}")));
                }
            }
            self.canvas.put(Layer::Words, column, &format!("<g class=\"tl-step\">{head}</g>"));
        }
    }

    fn span(&mut self, span: &Span) {
        let (x, y, end) = (self.x(span.lane), self.y(span.from), self.y(span.to));
        let (height, tone) = (end - y, tone(span.tone));
        let Place { left, width } = self.places[span.lane];
        let node = self.kind(span.lane) == Kind::Node;
        let ground = match span.shape {
            Shape::Band => return self.band(span),
            Shape::Hollow => rect(&format!("tl-believes{tone}"), x - HALF, y, HALF * 2, height),
            Shape::Solid if node => {
                rect(&format!("tl-node{tone}"), x - ROUND, y, ROUND * 2, height)
            }
            Shape::Solid => rect(&format!("tl-holds{tone}"), x - HALF, y, HALF * 2, height),
            Shape::Box => {
                let below = if span.to == self.layout.end() { end } else { end - LID };
                rect("tl-stored", left, y - LID, width, below + LID - y)
            }
            Shape::Paused => path("tl-paused", &format!("M{x} {y}V{end}")),
            Shape::Dead => path("tl-dead", &format!("M{x} {y}V{end}")),
        };
        self.canvas.put(Layer::Ground, span.from, &ground);
    }

    /// 帯。手を打つものの列すべてに敷き、上に名前を書く。
    fn band(&mut self, span: &Span) {
        let actors = (0..self.layout.lanes.len()).filter(|lane| self.kind(*lane) == Kind::Actor);
        let places: Vec<Place> = actors.map(|lane| self.places[lane]).collect();
        let (Some(first), Some(last)) = (places.first(), places.last()) else { return };
        // 下の縁は、終わらせた手の言葉に重ならないように、その手の行の手前に置く。
        let (top, bottom) = (self.rows[span.from].top + 2, self.rows[span.to].top);
        let (x, width) = (first.left, last.right() - first.left);
        let drawn = rect("tl-band", x, top, width, bottom - top);
        self.canvas.put(Layer::Ground, span.from, &drawn);
        let lane = &self.layout.lanes[span.lane];
        let roomy = |name: &str| {
            let mut places = places.iter();
            places.find(|place| measure(name) <= self.room_for_name(place, span.from, last.right()))
        };
        let (place, name) = match roomy(&lane.name) {
            Some(place) => (place, lane.name.as_str()),
            None => (roomy(lane.brief()).unwrap_or(first), lane.brief()),
        };
        let name = text("tl-band-name", place.left + BEFORE + BESIDE, top + 14, name);
        self.canvas.put(Layer::Words, span.from, &name);
    }

    /// 列 `column` で始まる帯の名前を、`place` の棒の右に書ける幅。前から続く棒の手前まで使える。
    fn room_for_name(&self, place: &Place, column: usize, right: usize) -> usize {
        let start = place.left + BEFORE + BESIDE;
        let spans = self.layout.spans.iter();
        let going_on = spans.filter(|span| span.from < column && column <= span.to);
        let bars = going_on.filter(|span| !matches!(span.shape, Shape::Band | Shape::Box));
        let edges = bars.map(|span| self.x(span.lane).saturating_sub(ROUND));
        let edge = edges.filter(|edge| *edge > place.left + BEFORE).chain([right]).min();
        edge.unwrap_or(right).saturating_sub(start)
    }

    /// 送った行のレーンから、届いた行のレーンへ。途中にある間は、送ったレーンのすぐ左を下る。
    fn flight(&mut self, flight: &Flight) {
        let (to, right) = (self.x(flight.to), flight.from < flight.to);
        let (sent, y) = (self.y(flight.sent), self.y(flight.step));
        let class = kind(flight.verdict);
        let (left_edge, right_edge) = self.edges(flight.from);
        let start = if flight.sent == flight.step {
            format!("M{} {y}", if right { right_edge } else { left_edge })
        } else {
            let aside = left_edge.saturating_sub(FLIGHT + flight.level * STACK);
            format!("M{left_edge} {sent}H{aside}V{y}")
        };
        if self.kind(flight.to) == Kind::Node {
            return self.line("tl-call", flight.step, &format!("{start}H{to}"));
        }
        let edge = self.tip(flight);
        let short = if right { edge - 6 } else { edge + 6 };
        self.line(&format!("tl-arrow {class}"), flight.step, &format!("{start}H{short}"));
    }

    /// 矢の先の横の位置。
    fn tip(&self, flight: &Flight) -> usize {
        let right = flight.from < flight.to;
        let (left_edge, right_edge) = self.edges(flight.to);
        match flight.verdict {
            // 届かないものは、送ったレーンを離れた所で消える。
            Verdict::Lost if right => self.places[flight.from].right() - AFTER,
            Verdict::Lost => self.places[flight.from].left.saturating_sub(BEFORE),
            Verdict::Yes | Verdict::No if right => left_edge - 2,
            Verdict::Yes | Verdict::No => right_edge + 2,
        }
    }

    /// 矢の先か、届いたものの判定の丸。
    fn head(&mut self, flight: &Flight) {
        let (to, y, class) = (self.x(flight.to), self.y(flight.step), kind(flight.verdict));
        if self.kind(flight.to) == Kind::Node {
            let round = circle(&format!("tl-round {class}"), to, y, ROUND);
            let sign = text(&format!("tl-sign {class}"), to, y + 5, flight.verdict.sign());
            return self.canvas.put(Layer::Words, flight.step, &(round + &sign));
        }
        let line = head(flight.verdict, self.tip(flight), y, flight.from < flight.to);
        let drawn = path(&format!("tl-head {class}"), &line);
        self.canvas.put(Layer::Flights, flight.step, &drawn);
    }

    /// 棒や箱の、左右の縁。
    fn edges(&self, lane: usize) -> (usize, usize) {
        match self.kind(lane) {
            Kind::Store => (self.places[lane].left, self.places[lane].right()),
            _ => (self.x(lane) - HALF, self.x(lane) + HALF),
        }
    }

    /// 線。下の絵と紛れないように、地の色で縁を取る。
    fn line(&mut self, class: &str, step: usize, line: &str) {
        let drawn = path("tl-halo", line) + &path(class, line);
        self.canvas.put(Layer::Flights, step, &drawn);
    }

    /// 印と言葉。
    fn words(&mut self) {
        for point in self.layout.points.clone() {
            let (x, y) = (self.x(point.lane), self.y(point.step));
            let tone = tone(self.layout.lanes[point.lane].tone);
            let mark = match self.kind(point.lane) {
                Kind::Band => String::new(),
                Kind::Actor => circle(&format!("tl-act{tone}"), x, y, 4),
                Kind::Service | Kind::Node => path("tl-note", &format!("M{} {y}h18", x - 9)),
                Kind::Store => {
                    let Place { left, width } = self.places[point.lane];
                    path("tl-note", &format!("M{left} {}h{width}", y - LID))
                }
            };
            self.canvas.put(Layer::Words, point.step, &mark);
        }
        for column in 0..self.layout.end() {
            for lane in 0..self.layout.lanes.len() {
                let drawn = self.cell(column, lane);
                self.canvas.put(Layer::Words, column, &drawn);
            }
        }
    }

    /// 矢印の出る行では言葉を線の上に、ほかの行では印の横に書く。
    fn cell(&self, column: usize, lane: usize) -> String {
        let Row { y, lines, .. } = &self.rows[column];
        let lines = &lines[lane];
        let store = self.kind(lane) == Kind::Store;
        let first = match (store, self.crossed(column)) {
            (false, true) => {
                y - 6 - lifted(&self.layout, lane, column) - (lines.len().max(1) - 1) * LINE
            }
            (false, false) => y + 4,
            (true, _) => y + 4 + lowered(&self.layout, lane, column),
        };
        let (class, x) = match (store, self.kind(lane)) {
            (true, _) => ("tl-value", self.x(lane)),
            (_, Kind::Node) => ("tl-word", self.x(lane) + ROUND + 3),
            _ => ("tl-word", self.x(lane) + BESIDE),
        };
        let mut drawn = String::new();
        for (index, line) in lines.iter().enumerate() {
            let class = match line.verdict {
                Some(verdict) => format!("{class} tl-judged {}", kind(verdict)),
                None => class.to_owned(),
            };
            drawn.push_str(&text(&class, x, first + index * LINE, &line.words.replace(GLUE, " ")));
        }
        drawn
    }

    fn crossed(&self, column: usize) -> bool {
        crossed(&self.layout, column)
    }
}

/// この行を矢印が横切るか。
fn crossed(layout: &Layout, column: usize) -> bool {
    arriving(layout, column).next().is_some()
}

/// この行に届くもの。
fn arriving(layout: &Layout, column: usize) -> impl Iterator<Item = &Flight> {
    let near = layout.flights.partition_point(|flight| flight.step < column);
    layout.flights[near..].iter().take_while(move |flight| flight.step == column)
}

/// 途中で消えるか。並ぶ働き手に届かないものは、届くはずだった所に丸を描く。
fn is_lost(layout: &Layout, flight: &Flight) -> bool {
    flight.verdict == Verdict::Lost && layout.lanes[flight.to].kind != Kind::Node
}

/// 箱を線が突き抜けるか、箱から線が出る行で、箱の言葉を線の下へ下げる分。
fn lowered(layout: &Layout, lane: usize, column: usize) -> usize {
    let pierced = arriving(layout, column).any(|flight| {
        let (first, last) = (flight.from.min(flight.to), flight.from.max(flight.to));
        flight.from == lane || first < lane && lane < last && !is_lost(layout, flight)
    });
    if pierced { LINE } else { 0 }
}

/// 言葉の下に矢の先が来る行で、言葉を上げる分。
fn lifted(layout: &Layout, lane: usize, column: usize) -> usize {
    let under = arriving(layout, column).any(|flight| match is_lost(layout, flight) {
        true if flight.from < flight.to => flight.from == lane,
        true => flight.from == lane + 1,
        false => flight.to == lane && flight.from > lane,
    });
    if under { TIP } else { 0 }
}

/// 認められたものは矢じり、断られたものは手前の棒、届かないものは途中の罰点。
fn head(verdict: Verdict, x: usize, y: usize, right: bool) -> String {
    match verdict {
        Verdict::Yes => {
            let base = if right { x - 9 } else { x + 9 };
            format!("M{base} {}L{x} {y}L{base} {}z", y - 5, y + 5)
        }
        Verdict::No => format!("M{} {}v16h3v-16z", if right { x - 5 } else { x + 2 }, y - 8),
        Verdict::Lost => format!("M{} {}l10 10m0 -10l-10 10", x - 5, y - 5),
    }
}

/// 手の番号と時刻を書く左の余白。
fn margin(layout: &Layout) -> usize {
    let last = measure(&layout.end().saturating_sub(1).to_string());
    let times = (1..layout.end()).filter(|column| layout.advances(*column));
    let longest = times.map(|column| measure(&layout.times[column].to_string())).max();
    LEFT.max(last + 6 + longest.unwrap_or_default() + 6)
}

/// 列ごと、レーンごとに置く、折る前の言葉。一つが一つの段落になる。
fn cells(layout: &Layout) -> Vec<Vec<Vec<Said>>> {
    let mut cells = vec![vec![Vec::new(); layout.lanes.len()]; layout.end()];
    let mut put = |column: usize, lane: usize, words: String, verdict: Option<Verdict>| {
        if !words.is_empty() {
            cells[column][lane].push(Said { words, verdict });
        }
    };
    for point in &layout.points {
        let sign = point.verdict.map(|verdict| format!("{GLUE}{}", verdict.sign()));
        let label = format!("{}{}", point.label, sign.unwrap_or_default());
        put(point.step, point.lane, label, point.verdict);
        let clock = point.clock.map(|at| format!("時計{GLUE}{at}"));
        put(point.step, point.lane, clock.unwrap_or_default(), None);
    }
    for span in layout.spans.iter().filter(|span| span.shape != Shape::Band) {
        put(span.from, span.lane, span.label.clone(), None);
    }
    for flight in &layout.flights {
        let (lane, label) = match (layout.lanes[flight.to].kind, flight.verdict) {
            (Kind::Node, _) => (flight.to, flight.label.clone()),
            // 届かないものは、送った所に書く。言葉がなければ、消える所の罰点だけにする。
            (_, Verdict::Lost) if flight.label.is_empty() => continue,
            (_, Verdict::Lost) => (flight.from, signed(flight.verdict, &flight.label)),
            (_, Verdict::Yes | Verdict::No) => (flight.to, signed(flight.verdict, &flight.label)),
        };
        // 記号と、続く一語は離さない。
        let label = match layout.lanes[flight.to].kind {
            Kind::Node => label,
            _ => label.replacen(' ', &GLUE.to_string(), 1),
        };
        put(flight.step, lane, label, Some(flight.verdict));
    }
    cells
}

impl Said {
    fn wrap(&self, width: usize) -> Vec<Said> {
        let verdict = self.verdict;
        wrap(&self.words, width).into_iter().map(|words| Said { words, verdict }).collect()
    }
}

/// 空白で折る。行の数を増やさずに、いちばん長い行を短くする。
fn wrap(words: &str, width: usize) -> Vec<String> {
    let lines = fill(words, width);
    let widths = words.split(' ').map(measure).max().unwrap_or_default()..width;
    widths.map(|narrower| fill(words, narrower)).find(|it| it.len() == lines.len()).unwrap_or(lines)
}

/// 幅に収まるだけを一行にする。収まらない一語も、途中では折らない。
fn fill(words: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in words.split(' ').filter(|word| !word.is_empty()) {
        match lines.last_mut() {
            Some(line) if measure(line) + SPACE + measure(word) <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// 言葉のほかに、レーンの列に要る幅。
fn around(lane: &Lane) -> usize {
    match lane.kind {
        Kind::Band => 0,
        Kind::Store => AFTER * 2,
        Kind::Actor | Kind::Service => BEFORE + BESIDE + AFTER,
        Kind::Node => BEFORE + ROUND + 3 + AFTER,
    }
}

/// レーンの横の位置。図の高さを減らすように、余った幅を分ける。
fn places(layout: &Layout, cells: &[Vec<Vec<Said>>], left: usize) -> Vec<Place> {
    let choices: Vec<Vec<Choice>> =
        (0..layout.lanes.len()).map(|lane| choices(layout, cells, lane)).collect();
    let mut chosen = vec![0; choices.len()];
    let width = |chosen: &[usize]| {
        choices.iter().zip(chosen).map(|(lane, at)| lane[*at].width).sum::<usize>() + left
    };
    while let Some((lane, at)) = wider(&choices, &chosen, WIDTH.saturating_sub(width(&chosen))) {
        chosen[lane] = at;
    }
    let shown = layout.lanes.iter().filter(|lane| lane.kind != Kind::Band).count().max(1);
    let even = WIDTH.saturating_sub(width(&chosen)) / shown;
    let mut left = left;
    let mut places = Vec::new();
    for (lane, (choices, at)) in layout.lanes.iter().zip(choices.iter().zip(chosen)) {
        let width = if lane.kind == Kind::Band { 0 } else { choices[at].width + even };
        places.push(Place { left, width });
        left += width;
    }
    places
}

/// 一つのレーンの幅と、そのときの行ごとの、言葉の行の数。
struct Choice {
    width: usize,
    lines: Vec<usize>,
}

/// レーンの幅の選びかた。狭いものから。どこかの言葉の折りかたが変わる幅だけを挙げる。
fn choices(layout: &Layout, cells: &[Vec<Vec<Said>>], index: usize) -> Vec<Choice> {
    let lane = &layout.lanes[index];
    if lane.kind == Kind::Band {
        return vec![Choice { width: 0, lines: vec![0; cells.len()] }];
    }
    let all = || cells.iter().flat_map(|row| &row[index]);
    // 名前は棒の真上から書くので、棒と言葉の間も使える。
    let name = measure(lane.brief());
    let name = name.saturating_sub(if lane.kind == Kind::Store { 0 } else { BESIDE });
    let words = all().flat_map(|said| said.words.split(' ')).map(measure).max();
    let least = words.unwrap_or_default().max(name);
    let rooms: BTreeSet<usize> = all().flat_map(|said| runs(&said.words)).collect();
    let rooms = [least].into_iter().chain(rooms.into_iter().filter(|room| *room > least));
    let lines = |room: usize| {
        let count = |said: &Said| fill(&said.words, room).len();
        cells.iter().map(|row| row[index].iter().map(count).sum()).collect()
    };
    rooms.map(|room| Choice { width: room + around(lane), lines: lines(room) }).collect()
}

/// 続く何語かを一行に書くのに要る幅。
fn runs(words: &str) -> Vec<usize> {
    let widths: Vec<usize> =
        words.split(' ').filter(|word| !word.is_empty()).map(measure).collect();
    let from = (0..widths.len()).flat_map(|from| (from..widths.len()).map(move |to| (from, to)));
    from.map(|(from, to)| widths[from..=to].iter().sum::<usize>() + (to - from) * SPACE).collect()
}

/// 余り `spare` の内で、広げる一画素あたりに減る行のいちばん多い、レーンとその幅。減らせなければ `None`。
fn wider(choices: &[Vec<Choice>], chosen: &[usize], spare: usize) -> Option<(usize, usize)> {
    let height = |chosen: &[usize]| {
        let lanes = || choices.iter().zip(chosen).map(|(lane, at)| &lane[*at].lines);
        let rows = lanes().map(Vec::len).max().unwrap_or_default();
        (0..rows)
            .map(|row| lanes().map(|lines| lines[row]).max().unwrap_or_default())
            .sum::<usize>()
    };
    let now = height(chosen);
    let mut best: Option<(usize, usize, usize, usize)> = None;
    for (lane, own) in choices.iter().enumerate() {
        for at in chosen[lane] + 1..own.len() {
            let cost = own[at].width - own[chosen[lane]].width;
            let mut tried = chosen.to_vec();
            tried[lane] = at;
            let saved = now - height(&tried);
            let better = best.is_none_or(|(_, _, least, most)| saved * least > most * cost);
            if cost <= spare && saved > 0 && better {
                best = Some((lane, at, cost, saved));
            }
        }
    }
    best.map(|(lane, at, ..)| (lane, at))
}

/// 行の縦の位置。最後に、終わりの位置を足す。
fn rows(layout: &Layout, cells: &[Vec<Vec<Said>>], places: &[Place]) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut top = HEAD;
    for (column, cell) in cells.iter().enumerate() {
        let lines: Vec<Vec<Said>> = (0..layout.lanes.len())
            .map(|lane| {
                let room = places[lane].width.saturating_sub(around(&layout.lanes[lane]));
                cell[lane].iter().flat_map(|said| said.wrap(room)).collect()
            })
            .collect();
        let starts = |span: &&Span| span.shape == Shape::Band && span.from == column;
        let lead = if layout.spans.iter().any(|span| starts(&span)) { BAND } else { 0 };
        let tallest = |store: bool| {
            let lanes = layout.lanes.iter().zip(&lines);
            let heights = lanes.filter(|(lane, _)| (lane.kind == Kind::Store) == store);
            heights.map(|(_, lines)| lines.len()).max().unwrap_or_default()
        };
        let lowered = (0..layout.lanes.len()).map(|lane| lowered(layout, lane, column)).max();
        let lifted = (0..layout.lanes.len()).map(|lane| lifted(layout, lane, column)).max();
        let (mut above, mut below) =
            (LID, tallest(true).max(1) * LINE + lowered.unwrap_or_default());
        match crossed(layout, column) {
            true => above = above.max(tallest(false) * LINE + 4 + lifted.unwrap_or_default()),
            false => below = below.max(tallest(false).max(1) * LINE),
        }
        let y = top + lead + above;
        rows.push(Row { top, y, lines });
        top = y + below + GAP - LID;
    }
    rows.push(Row { top, y: top + 4, lines: vec![Vec::new(); layout.lanes.len()] });
    rows
}
