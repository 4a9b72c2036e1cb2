//! 横の図。時間は左から右へ進み、レーンは上から下へ並ぶ。[`Layout`] を座標に移すだけで、何を描くかは決めない。
//!
//! 言葉は段の上か下に積む。縦の線が通る所では、線の右へずらす。段の高さは、積んだ言葉の数で決まる。

use std::collections::{BTreeMap, BTreeSet};

use crate::layout::{Flight, Layout, Point, Shape, Span};
use crate::model::{Kind, Lane, Timeline, Verdict};
use crate::svg::{Canvas, Layer, circle, cursor, kind, measure, path, rect, signed, text, tone};

/// 段の名前を書く左の余白の、もっとも狭い幅。単位は SVG の座標(以下同じ)。
const LEFT: usize = 64;
/// 段の名前の左右の余白。
const BESIDE_NAME: usize = 16;
/// 始まる前(列 0)の、もっとも狭い幅。
const FIRST: usize = 88;
/// 列のもっとも狭い幅。
const NARROWEST: usize = 58;
/// 隣り合う言葉の間。
const GAP: usize = 10;
/// 段の真ん中から上の、もっとも低い高さ。
const UPPER: usize = 37;
/// 段の真ん中から下の、もっとも低い高さ。
const LOWER: usize = 29;
/// 低い段の、真ん中から上と下の高さ。
const LOW: usize = 24;
/// 棒の太さの半分。
const HALF: usize = 6;
/// 箱の高さの半分。
const BOX: usize = 14;
/// 届いたものの判定を書く丸の半径。
const ROUND: usize = 11;
/// 途中にあるものを、送った段からどれだけ離して描くか。
const FLIGHT: usize = 9;
/// 同時に途中にあるものの、線と線の間。
const STACK: usize = 6;
/// 言葉の一行の高さ。
const LINE: usize = 15;
/// 文字の高さ。
const LETTER: usize = 11;
/// 縦の線から、その右に書く言葉まで。
const BESIDE: usize = 9;
/// 判定の言葉のために、少なくとも空けておく幅。
const VERDICT: usize = 90;
/// 手の番号と時刻を書く上の余白。
const HEAD: usize = 44;
/// 帯の名前を書く高さ。
const BAND: usize = 20;

impl Timeline {
    /// 時間が左から右へ進む図。色と線は、ページのスタイルシートがクラスで決める。
    #[must_use]
    pub fn across(&self) -> String {
        Across::new(self).draw()
    }

    /// 横の図の幅。単位は SVG の座標で、そのまま表示すれば CSS の px と同じ。
    #[must_use]
    pub fn width_across(&self) -> usize {
        Across::new(self).right()
    }
}

/// 段のどこに書くか。
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Side {
    Above,
    Below,
    /// 低い段の、棒の中
    Inside,
}

impl Side {
    /// 段から離れる向きに進めた縦の位置。
    fn away(self, y: usize, by: usize) -> usize {
        match self {
            Side::Above => y.saturating_sub(by),
            Side::Below => y + by,
            Side::Inside => y,
        }
    }

    fn other(self) -> Side {
        match self {
            Side::Above => Side::Below,
            Side::Below => Side::Above,
            Side::Inside => Side::Inside,
        }
    }
}

/// 言葉を列のどこに置くか。
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Anchor {
    /// 列の真上
    Middle,
    /// 列から右へ、この幅だけ離れた所から
    From(usize),
}

/// 段のそばに書く一行。
#[derive(Clone, Debug)]
struct Note {
    lane: usize,
    step: usize,
    side: Side,
    /// 段に近いほうから何行目か
    row: usize,
    anchor: Anchor,
    class: String,
    words: String,
}

struct Across<'a> {
    timeline: &'a Timeline,
    layout: Layout,
    notes: Vec<Note>,
    /// 列 0 から右端までの、横の位置
    xs: Vec<usize>,
    /// 段ごとの、縦の位置。帯では、重ねる段の上の端
    ys: Vec<usize>,
    /// 段ごとの、次の段との境
    feet: Vec<usize>,
    /// 描くものの下の端
    bottom: usize,
    canvas: Canvas,
}

impl Across<'_> {
    fn new(timeline: &Timeline) -> Across<'_> {
        let layout = Layout::of(timeline);
        let notes = notes(&layout);
        let xs = columns(&layout, &notes, &timeline.unit);
        let (ys, feet) = rows(&layout, &notes);
        let bottom = bottom(&layout, &notes, &ys, &feet);
        Across { timeline, layout, notes, xs, ys, feet, bottom, canvas: Canvas::new() }
    }

    fn draw(mut self) -> String {
        self.heads();
        self.names();
        for span in self.layout.spans.clone() {
            self.span(&span);
        }
        let flights = self.layout.flights.clone();
        flights.iter().for_each(|flight| self.flight(flight));
        // 同じ列に二つ届いても、矢の先が線に隠れないように、線のすべてのあとに描く。
        flights.iter().for_each(|flight| self.head(flight));
        for point in self.layout.points.clone() {
            self.point(&point);
        }
        for note in std::mem::take(&mut self.notes) {
            let drawn = self.note(&note);
            self.canvas.put(Layer::Words, note.step, &drawn);
        }
        let size = (self.right(), self.bottom + 10);
        let stops = self.xs[..self.layout.end()].to_vec();
        let cursor = cursor(&format!("M0 22V{}", size.1), 42, size);
        self.canvas.finish(self.timeline, "tl-across", size, &stops, &cursor)
    }

    fn right(&self) -> usize {
        self.xs.last().copied().unwrap_or(LEFT)
    }

    fn kind(&self, lane: usize) -> Kind {
        self.layout.lanes[lane].kind
    }

    /// 手の番号と時刻。時刻が進む所に縦の線を引く。
    fn heads(&mut self) {
        for (y, name) in [(16, "手"), (34, self.timeline.unit.as_str())] {
            let name = text("tl-name tl-dim", self.xs[0] - GAP, y, name);
            self.canvas.name(&name);
        }
        for column in 1..self.layout.end() {
            let x = self.xs[column];
            self.canvas.put(Layer::Words, column, &text("tl-step", x, 16, &column.to_string()));
            if !self.layout.advances(column) {
                continue;
            }
            let time = self.layout.times[column].to_string();
            self.canvas.put(Layer::Words, column, &text("tl-time", x, 34, &time));
            if column > 1 {
                let (x, bottom) = (x.midpoint(self.xs[column - 1]), self.bottom);
                self.canvas.under(&path("tl-rule", &format!("M{x} 24V{bottom}")));
            }
        }
    }

    /// 段の名前。横に送っても左に残るように、地を敷いて上に重ねる。
    fn names(&mut self) {
        let (left, right, bottom) = (self.xs[0], self.right(), self.bottom);
        let edge = left - 4;
        let mut names = rect("tl-aside", 0, 0, edge, bottom + 10);
        names.push_str(&path("tl-edge", &format!("M{edge} 0V{}", bottom + 10)));
        for (lane, y) in self.layout.lanes.iter().zip(&self.ys) {
            if lane.kind != Kind::Band {
                names.push_str(&text("tl-name", left - GAP, y + 4, &lane.name));
                self.canvas.under(&path("tl-lane", &format!("M{left} {y}H{right}")));
            }
        }
        self.canvas.name(&names);
    }

    fn span(&mut self, span: &Span) {
        let (y, x, end) = (self.ys[span.lane], self.xs[span.from], self.xs[span.to]);
        let (width, tone) = (end - x, tone(span.tone));
        let half = reach(self.kind(span.lane));
        let ground = match span.shape {
            Shape::Band => {
                let foot = foot(&self.layout, &self.feet).unwrap_or(self.bottom);
                rect("tl-band", x, y, width, foot - y)
            }
            Shape::Hollow => rect(&format!("tl-believes{tone}"), x, y - half, width, half * 2),
            Shape::Solid if self.kind(span.lane) == Kind::Node => {
                rect(&format!("tl-node{tone}"), x, y - half, width, half * 2)
            }
            Shape::Solid => rect(&format!("tl-holds{tone}"), x, y - half, width, half * 2),
            Shape::Box => rect("tl-stored", x, y - BOX, width, BOX * 2),
            Shape::Paused => path("tl-paused", &format!("M{x} {y}H{end}")),
            Shape::Dead => path("tl-dead", &format!("M{x} {y}H{end}")),
        };
        self.canvas.put(Layer::Ground, span.from, &ground);
        let words = match span.shape {
            Shape::Band => text("tl-band-name", x + 6, y + 14, &self.layout.lanes[span.lane].name),
            Shape::Box if is_pierced(&self.layout, span) => {
                text("tl-word", x + BESIDE, y + 5, &span.label)
            }
            Shape::Box => text("tl-value", x + width / 2, y + 5, &span.label),
            _ => return,
        };
        self.canvas.put(Layer::Words, span.from, &words);
    }

    /// 送った列の段から、届いた列の段へ。途中にある間は、送った段のすぐそばを進む。
    fn flight(&mut self, flight: &Flight) {
        let (x, end) = (self.xs[flight.sent], self.xs[flight.step]);
        let (start, along) = self.departs(flight);
        if self.kind(flight.to) == Kind::Node {
            let line = format!("M{x} {start}V{along}H{end}V{}", self.ys[flight.to]);
            return self.line("tl-call", flight.step, &line);
        }
        let reached = leaves(flight).other().away(self.tip(flight), 6);
        let line = format!("M{x} {start}V{along}H{end}V{reached}");
        self.line(&format!("tl-arrow {}", kind(flight.verdict)), flight.step, &line);
    }

    /// 送った段の縁と、途中にある間の縦の位置。
    fn departs(&self, flight: &Flight) -> (usize, usize) {
        let side = leaves(flight);
        let start = side.away(self.ys[flight.from], reach(self.kind(flight.from)));
        (start, side.away(start, FLIGHT + flight.level * STACK))
    }

    /// 矢の先の縦の位置。
    fn tip(&self, flight: &Flight) -> usize {
        let side = leaves(flight);
        match flight.verdict {
            // 届かないものは、送った段を離れた所で消える。
            Verdict::Lost => {
                self.vanishes(flight).unwrap_or(side.away(self.departs(flight).1, LINE))
            }
            Verdict::Yes | Verdict::No => {
                side.other().away(self.ys[flight.to], reach(self.kind(flight.to)) + 2)
            }
        }
    }

    /// 矢の先か、届いたものの判定の丸。
    fn head(&mut self, flight: &Flight) {
        let (x, to, class) = (self.xs[flight.step], self.ys[flight.to], kind(flight.verdict));
        if self.kind(flight.to) == Kind::Node {
            let round = circle(&format!("tl-round {class}"), x, to, ROUND);
            let sign = text(&format!("tl-sign {class}"), x, to + 5, flight.verdict.sign());
            return self.canvas.put(Layer::Words, flight.step, &(round + &sign));
        }
        let line = head(flight.verdict, x, self.tip(flight), leaves(flight));
        let drawn = path(&format!("tl-head {class}"), &line);
        self.canvas.put(Layer::Flights, flight.step, &drawn);
    }

    /// 線。下の絵と紛れないように、地の色で縁を取る。
    fn line(&mut self, class: &str, step: usize, line: &str) {
        let drawn = path("tl-halo", line) + &path(class, line);
        self.canvas.put(Layer::Flights, step, &drawn);
    }

    fn point(&mut self, point: &Point) {
        let (x, y) = (self.xs[point.step], self.ys[point.lane]);
        let drawn = match self.kind(point.lane) {
            Kind::Actor => {
                let tone = tone(self.layout.lanes[point.lane].tone);
                circle(&format!("tl-act{tone}"), x, y, 4)
            }
            Kind::Service => path("tl-note", &format!("M{x} {}v18", y - 9)),
            kind => {
                let half = reach(kind);
                path("tl-note", &format!("M{x} {}v{}", y - half, half * 2))
            }
        };
        self.canvas.put(Layer::Words, point.step, &drawn);
    }

    fn note(&self, note: &Note) -> String {
        let x = match note.anchor {
            Anchor::Middle => self.xs[note.step],
            Anchor::From(beside) => self.xs[note.step] + beside,
        };
        text(&note.class, x, self.baseline(note), &note.words)
    }

    /// 言葉の並ぶ線。
    fn baseline(&self, note: &Note) -> usize {
        let y = self.ys[note.lane];
        match note.side {
            Side::Inside => y + 5,
            side => side.away(y, away(&self.layout, note)),
        }
    }

    /// 届かないものの消える所。添える言葉があれば、その左。
    fn vanishes(&self, flight: &Flight) -> Option<usize> {
        let place = (flight.from, flight.step, leaves(flight));
        let mut here = self.notes.iter().filter(|it| (it.lane, it.step, it.side) == place);
        let note = here.find(|it| it.words == flight.label)?;
        Some(self.baseline(note) - 5)
    }
}

/// 送った段を、どちらの側へ離れるか。
fn leaves(flight: &Flight) -> Side {
    if flight.from < flight.to { Side::Below } else { Side::Above }
}

/// 列 `step` で、段 `lane` の `side` の側を縦の線が通るか。
fn is_crossed(layout: &Layout, lane: usize, step: usize, side: Side) -> bool {
    let near = layout.flights.partition_point(|flight| flight.step < step);
    let mut here = layout.flights[near..].iter().take_while(|flight| flight.step == step);
    here.any(|flight| {
        let (top, bottom) = (flight.from.min(flight.to), flight.from.max(flight.to));
        match side {
            _ if is_lost(layout, flight) => flight.from == lane && leaves(flight) == side,
            Side::Above => top < lane && lane <= bottom,
            Side::Below => top <= lane && lane < bottom,
            Side::Inside => false,
        }
    })
}

/// 途中で消えるか。並ぶ働き手に届かないものは、届くはずだった所に丸を描く。
fn is_lost(layout: &Layout, flight: &Flight) -> bool {
    flight.verdict == Verdict::Lost && layout.lanes[flight.to].kind != Kind::Node
}

/// 箱の途中を、縦の線が突き抜けるか。
fn is_pierced(layout: &Layout, span: &Span) -> bool {
    let mut inside = span.from + 1..span.to;
    inside.any(|step| {
        let sides = [Side::Above, Side::Below];
        sides.into_iter().all(|side| is_crossed(layout, span.lane, step, side))
    })
}

/// 列 `step` で、段 `lane` を出て `side` の側の途中にあるもののうち、段からもっとも離れた線まで。
fn flying(layout: &Layout, lane: usize, step: usize, side: Side) -> Option<usize> {
    let near = layout.flights.partition_point(|flight| flight.step < step);
    let later = layout.flights[near..].iter().filter(|flight| flight.from == lane);
    let here = later.filter(|flight| flight.sent <= step && flight.sent < flight.step);
    here.filter(|flight| leaves(flight) == side).map(|it| FLIGHT + it.level * STACK).max()
}

/// 段のそばに書く言葉のすべて。
fn notes(layout: &Layout) -> Vec<Note> {
    let mut pile = Pile { layout, notes: Vec::new(), used: BTreeMap::new() };
    let states = layout.spans.iter().filter(|it| !matches!(it.shape, Shape::Band | Shape::Box));
    // 様子の言葉は、棒にもっとも近い所に書く。低い段では、起きたことを書いてから、そのあとの様子を書く。
    let (nodes, others): (Vec<&Span>, Vec<&Span>) = states.partition(|it| pile.is_node(it.lane));
    others.into_iter().for_each(|span| pile.state(span));
    for flight in &layout.flights {
        pile.verdict(flight);
    }
    let mut last = None;
    for point in &layout.points {
        let here = (point.lane, point.step);
        pile.point(point, last == Some(here));
        last = Some(here);
    }
    nodes.into_iter().for_each(|span| pile.state(span));
    pile.notes
}

struct Pile<'a> {
    layout: &'a Layout,
    notes: Vec<Note>,
    /// 段、列、側ごとの、もう使った行と、右へ伸びた幅
    used: BTreeMap<(usize, usize, Side), (BTreeSet<usize>, usize)>,
}

impl Pile<'_> {
    fn is_node(&self, lane: usize) -> bool {
        self.layout.lanes[lane].kind == Kind::Node
    }

    /// 段から見て、`least` 行目からあとの、まだ空いている行に置く。
    fn put(&mut self, place: Place, anchor: Anchor, class: &str, words: String) {
        let Place { lane, step, side, least } = place;
        if words.is_empty() {
            return;
        }
        let crossed = is_crossed(self.layout, lane, step, side);
        let anchor = match anchor {
            Anchor::Middle if crossed => Anchor::From(BESIDE),
            Anchor::From(beside) if crossed => Anchor::From(beside.max(BESIDE)),
            anchor => anchor,
        };
        // 列の真上に置けない言葉は、左端をそろえる。
        let class = match anchor {
            Anchor::Middle => class.to_owned(),
            Anchor::From(_) => beside(class),
        };
        let (taken, _) = self.used.entry((lane, step, side)).or_default();
        let row = (least..).find(|row| !taken.contains(row)).unwrap_or(least);
        taken.insert(row);
        self.notes.push(Note { lane, step, side, row, anchor, class, words });
    }

    /// 低い段では、棒の中に左から並べる。
    fn inside(&mut self, (lane, step): (usize, usize), class: &str, words: String) {
        if words.is_empty() {
            return;
        }
        let side = Side::Inside;
        let first = if is_reached(self.layout, lane, step) { ROUND + 5 } else { 8 };
        let (_, used) = self.used.entry((lane, step, side)).or_default();
        let beside = first.max(*used);
        *used = beside + measure(&words) + 8;
        let (anchor, class) = (Anchor::From(beside), class.to_owned());
        self.notes.push(Note { lane, step, side, row: 0, anchor, class, words });
    }

    fn state(&mut self, span: &Span) {
        let (lane, step) = (span.lane, span.from);
        match self.is_node(lane) {
            true => self.inside((lane, step), "tl-word", span.label.clone()),
            false => {
                let place = Place { lane, step, side: Side::Above, least: 0 };
                self.put(place, Anchor::From(2), "tl-word", span.label.clone());
            }
        }
    }

    /// 届いたものの判定。届かないものは、送った段のそばに書く。
    fn verdict(&mut self, flight: &Flight) {
        let (class, step) = (kind(flight.verdict), flight.step);
        if self.is_node(flight.to) {
            let class = format!("tl-word tl-judged {class}");
            return self.inside((flight.to, step), &class, flight.label.clone());
        }
        let side = leaves(flight);
        let (lane, side, least) = match self.layout.lanes[flight.to].kind {
            _ if is_lost(self.layout, flight) => (flight.from, side, 1),
            Kind::Store => (flight.to, side.other(), 0),
            _ => (flight.to, Side::Below, 0),
        };
        let place = Place { lane, step, side, least };
        let words = match flight.verdict {
            // 消える所の罰点が、記号を兼ねる。
            Verdict::Lost => flight.label.clone(),
            Verdict::Yes | Verdict::No => signed(flight.verdict, &flight.label),
        };
        self.put(place, Anchor::From(BESIDE), &format!("tl-verdict {class}"), words);
    }

    /// 印の言葉。同じ所に二つあれば、二つ目からは段の下に置く。
    fn point(&mut self, point: &Point, again: bool) {
        let (lane, step) = (point.lane, point.step);
        let (label, class) = judged(point);
        let clock = point.clock.map(|clock| format!("時計 {clock}")).unwrap_or_default();
        if self.is_node(lane) {
            self.inside((lane, step), &beside(&class), label);
            return self.inside((lane, step), &beside("tl-clock"), clock);
        }
        let side = if again { Side::Below } else { Side::Above };
        let place = Place { lane, step, side, least: 0 };
        self.put(place, Anchor::Middle, &class, label);
        self.put(place, Anchor::Middle, "tl-clock", clock);
    }
}

/// 言葉を置く所。
#[derive(Clone, Copy)]
struct Place {
    lane: usize,
    step: usize,
    side: Side,
    /// 段から何行は空けておくか
    least: usize,
}

/// 列の真上に置く言葉のクラスを、左端をそろえる言葉のクラスに替える。
fn beside(class: &str) -> String {
    class.replace("tl-label", "tl-word").replace("tl-clock", "tl-word tl-dim")
}

/// 印の言葉と、そのクラス。
fn judged(point: &Point) -> (String, String) {
    match point.verdict {
        Some(verdict) => {
            let label = format!("{} {}", point.label, verdict.sign());
            (label, format!("tl-label tl-judged {}", kind(verdict)))
        }
        None => (point.label.clone(), "tl-label".to_owned()),
    }
}

/// 段の真ん中から、描くものの端まで。
fn reach(kind: Kind) -> usize {
    match kind {
        Kind::Band => 0,
        Kind::Actor | Kind::Service => HALF,
        Kind::Store => BOX,
        Kind::Node => BOX + 1,
    }
}

/// 段の真ん中から、言葉の並ぶ線まで。
fn away(layout: &Layout, note: &Note) -> usize {
    let kind = layout.lanes[note.lane].kind;
    let clear = match (kind, flying(layout, note.lane, note.step, note.side)) {
        (Kind::Store, None) => 9,
        (_, None) => 6,
        (_, Some(line)) => line + 5,
    };
    let letter = if note.side == Side::Below { LETTER - 1 } else { 0 };
    reach(kind) + clear + letter + note.row * LINE
}

/// 段の真ん中から、`side` の側に書いた言葉と線の、いちばん遠い所まで。
fn lowest(layout: &Layout, notes: &[Note], lane: usize, side: Side) -> usize {
    let own = notes.iter().filter(|note| (note.lane, note.side) == (lane, side));
    let letter = if side == Side::Above { LETTER } else { 3 };
    let words = own.map(|note| away(layout, note) + letter);
    let flights = layout.flights.iter().filter(|it| it.from == lane && it.sent < it.step);
    let flights = flights.filter(|flight| leaves(flight) == side);
    let reach = reach(layout.lanes[lane].kind);
    let lines = flights.map(|flight| reach + FLIGHT + flight.level * STACK + 3);
    words.chain(lines).max().unwrap_or_default()
}

/// 認められたものは矢じり、断られたものは手前の横棒、届かないものは途中の罰点。
fn head(verdict: Verdict, x: usize, y: usize, side: Side) -> String {
    match verdict {
        Verdict::Yes => {
            let base = side.other().away(y, 9);
            format!("M{} {base}L{x} {y}L{} {base}z", x - 5, x + 5)
        }
        Verdict::No => {
            let top = if side == Side::Below { y - 6 } else { y + 3 };
            format!("M{} {top}h16v3h-16z", x - 8)
        }
        Verdict::Lost => format!("M{} {}l10 10m0 -10l-10 10", x - 5, y - 5),
    }
}

/// 段の縦の位置と、次の段との境。帯の位置は、重ねる段の上の端。
fn rows(layout: &Layout, notes: &[Note]) -> (Vec<usize>, Vec<usize>) {
    let mut top = HEAD;
    let (mut ys, mut feet) = (Vec::new(), Vec::new());
    for (lane, Lane { kind, .. }) in layout.lanes.iter().enumerate() {
        let (upper, lower) = match kind {
            Kind::Band => (0, BAND),
            Kind::Node => (LOW, LOW),
            Kind::Actor | Kind::Service | Kind::Store => (UPPER, LOWER),
        };
        let y = top + upper.max(lowest(layout, notes, lane, Side::Above));
        top = y + lower.max(lowest(layout, notes, lane, Side::Below));
        ys.push(y);
        feet.push(top);
    }
    (ys, feet)
}

/// 描くものの下の端。
fn bottom(layout: &Layout, notes: &[Note], ys: &[usize], feet: &[usize]) -> usize {
    let lanes = layout.lanes.iter().zip(ys).enumerate();
    let drawn = lanes.map(|(index, (lane, y))| {
        y + reach(lane.kind).max(BOX).max(lowest(layout, notes, index, Side::Below))
    });
    let has_band = layout.spans.iter().any(|span| span.shape == Shape::Band);
    drawn.chain(foot(layout, feet).filter(|_| has_band)).max().unwrap_or(HEAD)
}

/// 帯の下の端。手を打つものの段すべてにかかる。
fn foot(layout: &Layout, feet: &[usize]) -> Option<usize> {
    let lanes = layout.lanes.iter().zip(feet);
    lanes.filter(|(lane, _)| lane.kind == Kind::Actor).map(|(_, foot)| foot - 2).max()
}

/// 列の位置を、そこに置く言葉の幅から決める。
fn columns(layout: &Layout, notes: &[Note], unit: &str) -> Vec<usize> {
    let names = layout.lanes.iter().filter(|lane| lane.kind != Kind::Band);
    let names = names.map(|lane| measure(&lane.name)).chain([measure(unit)]);
    let left = LEFT.max(names.max().unwrap_or_default() + BESIDE_NAME);
    let (centred, trailing) = (centred(layout, notes), trailing(layout, notes));
    let mut xs = vec![left];
    for column in 0..layout.end() {
        let next = centred.get(column + 1).copied().unwrap_or_default();
        let narrowest = if column == 0 { FIRST } else { NARROWEST };
        let between = if column == 0 { next / 2 } else { (centred[column] + next) / 2 };
        let needed = narrowest.max(between + GAP).max(trailing[column] + GAP);
        xs.push(xs[column] + needed);
    }
    xs
}

/// 列の真上に置く言葉と時刻のうち、もっとも広いもの。
fn centred(layout: &Layout, notes: &[Note]) -> Vec<usize> {
    let time = |time: &u64| measure(&time.to_string());
    let mut widths: Vec<usize> = layout.times.iter().map(time).collect();
    for note in notes.iter().filter(|note| note.anchor == Anchor::Middle) {
        widths[note.step] = widths[note.step].max(measure(&note.words));
    }
    widths
}

/// 列から右へ伸びる言葉のうち、もっとも広いもの。
fn trailing(layout: &Layout, notes: &[Note]) -> Vec<usize> {
    // 次の列の真上にある、同じ段の同じ側の言葉の、左半分。
    let mut halves: BTreeMap<(usize, usize, Side), usize> = BTreeMap::new();
    for note in notes.iter().filter(|note| note.anchor == Anchor::Middle) {
        let half = halves.entry((note.step, note.lane, note.side)).or_default();
        *half = measure(&note.words).div_ceil(2).max(*half);
    }
    for flight in layout.flights.iter().filter(|it| layout.lanes[it.to].kind == Kind::Node) {
        halves.insert((flight.step, flight.to, Side::Inside), ROUND);
    }
    let mut widths = vec![0; layout.end()];
    let mut need = |column: usize, width: usize| widths[column] = width.max(widths[column]);
    for note in notes {
        let Anchor::From(beside) = note.anchor else { continue };
        // 判定の言葉の長さで列の幅が変わると、届く先だけを替えた二つの図を見比べられない。
        let least = if note.class.starts_with("tl-verdict") { VERDICT + 17 } else { 0 };
        let next = halves.get(&(note.step + 1, note.lane, note.side));
        let width = measure(&note.words).max(least);
        need(note.step, beside + width + next.copied().unwrap_or_default());
    }
    for span in layout.spans.iter().filter(|span| span.shape == Shape::Box) {
        match is_pierced(layout, span) {
            true => need(span.from, BESIDE + measure(&span.label)),
            false => {
                let shared = measure(&span.label).div_ceil(span.to - span.from);
                (span.from..span.to).for_each(|column| need(column, shared));
            }
        }
    }
    widths
}

/// 列 `step` で、段 `lane` に何か届くか。
fn is_reached(layout: &Layout, lane: usize, step: usize) -> bool {
    let near = layout.flights.partition_point(|flight| flight.step < step);
    let mut here = layout.flights[near..].iter().take_while(|flight| flight.step == step);
    here.any(|flight| flight.to == lane)
}
