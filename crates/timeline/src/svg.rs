//! SVG の図。[`Layout`] を座標に移すだけで、何を描くかは決めない。
//!
//! 座標はすべて整数にする(浮動小数の誤差がスナップショットに入らない)。色と線の種類は
//! クラスで示し、ページのスタイルシートが明暗の配色ごとに決める。印刷用ページで重複しないように、
//! id は使わない。

use unicode_width::UnicodeWidthChar;

use crate::layout::{Lane, Layout, Mark, Shape};
use crate::play::{Step, Timeline};
use crate::vocabulary::Client;

/// 段の名前を書く左の余白。単位は SVG の座標(以下同じ)。
const LEFT: usize = 64;
/// 始まる前(列 0)の幅。
const FIRST: usize = 88;
/// 列のもっとも狭い幅。
const NARROWEST: usize = 58;
/// 隣り合う言葉の間。
const GAP: usize = 10;
/// 段と段の間。
const PITCH: usize = 66;
/// 客とロックの区間の、線の太さの半分。
const HALF: usize = 6;
/// 資源の箱の、高さの半分。
const BOX: usize = 14;
/// 途中にある書き込みを、客の段からどれだけ下に描くか。
const FLIGHT: usize = 9;
/// 同時に途中にある書き込みの、線と線の間。
const STACK: usize = 6;
/// 判定の言葉のために、少なくとも空けておく幅。
const VERDICT: usize = 90;
/// 手の番号と時刻を書く上の余白。
const HEAD: usize = 44;
/// 二重取得の段の高さ。
const BAND: usize = 20;

pub(crate) fn svg(timeline: &Timeline) -> String {
    Drawing::new(timeline).draw(timeline)
}

struct Drawing {
    layout: Layout,
    /// 列 0 から右端までの、横の位置
    xs: Vec<usize>,
    out: Vec<String>,
}

/// 13 の大きさで書いたときの、言葉の幅の見積もり。
fn measure(text: &str) -> usize {
    text.chars().map(|c| if c.width() == Some(2) { 13 } else { 8 }).sum()
}

/// 列の位置を、そこに置く言葉の幅から決める。
fn positions(layout: &Layout) -> Vec<usize> {
    let mut xs = vec![LEFT, LEFT + FIRST];
    for column in 1..layout.end() {
        let centred = (widest_above(layout, column) + widest_above(layout, column + 1)) / 2;
        let needed = NARROWEST.max(centred + GAP).max(trailing(layout, column) + GAP);
        xs.push(xs[column] + needed);
    }
    xs
}

/// 列の真上に置く言葉と時刻のうち、もっとも広いもの。
fn widest_above(layout: &Layout, column: usize) -> usize {
    let here = layout.marks.iter().filter(|mark| mark.from == column);
    let centred = here.filter(|mark| matches!(mark.shape, Shape::Act | Shape::Note));
    let time = layout.times.get(column - 1).map(u64::to_string).unwrap_or_default();
    centred.map(|mark| measure(&mark.label)).chain([measure(&time)]).max().unwrap_or_default()
}

/// 列から右へ伸びる言葉のうち、もっとも広いもの。
fn trailing(layout: &Layout, column: usize) -> usize {
    let width = |mark: &Mark| match mark.shape {
        // 判定の言葉の長さで列の幅が変わると、資源だけを替えた二つの図を見比べられない。
        Shape::Accepted(_) | Shape::Rejected(_) if mark.to == column => {
            measure(&mark.label).max(VERDICT) + 26
        }
        Shape::Holds(_) if mark.from == column => {
            measure(&mark.label) + note_above(layout, column + 1) / 2
        }
        Shape::Stored if mark.from == column && mark.to == column + 1 => measure(&mark.label),
        _ => 0,
    };
    layout.marks.iter().map(width).max().unwrap_or_default()
}

/// 列の真上にある、ロックの出来事の言葉の幅。
fn note_above(layout: &Layout, column: usize) -> usize {
    let mut marks = layout.marks.iter();
    let note =
        marks.find(|mark| (mark.lane, mark.shape, mark.from) == (Lane::Lock, Shape::Note, column));
    note.map_or(0, |mark| measure(&mark.label))
}

impl Drawing {
    fn new(timeline: &Timeline) -> Drawing {
        let layout = Layout::of(timeline);
        Drawing { xs: positions(&layout), layout, out: Vec::new() }
    }

    fn draw(mut self, timeline: &Timeline) -> String {
        let (width, height) = (self.x(self.layout.end()), self.height());
        self.out.push(format!(
            r#"<svg class="tl" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" xmlns="http://www.w3.org/2000/svg">"#
        ));
        self.out.push(format!("<title>{}</title>", escape(&timeline.title)));
        let told: String = timeline.steps.iter().map(told).collect();
        self.out.push(format!("<desc>{}</desc>", escape(&told)));
        self.band();
        self.columns();
        self.names();
        // 区間の上に矢印を、その上に手の印と言葉を重ねる。
        let marks = self.layout.marks.clone();
        marks.iter().for_each(|mark| self.bar(mark));
        marks.iter().for_each(|mark| self.arrow(mark));
        self.acts();
        self.out.push("</svg>".to_owned());
        self.out.join("\n") + "\n"
    }

    fn x(&self, column: usize) -> usize {
        self.xs[column]
    }

    fn y(&self, lane: Lane) -> usize {
        let mut lanes = self.layout.lanes.iter().filter(|other| **other != Lane::Double);
        let row = lanes.position(|other| *other == lane).unwrap_or_default();
        self.top() + PITCH / 2 + 4 + row * PITCH
    }

    fn has_band(&self) -> bool {
        self.layout.lanes.contains(&Lane::Double)
    }

    fn top(&self) -> usize {
        if self.has_band() { HEAD + BAND } else { HEAD }
    }

    fn bottom(&self) -> usize {
        self.layout.lanes.last().map_or(HEAD, |lane| self.y(*lane)) + BOX
    }

    fn height(&self) -> usize {
        self.bottom() + 10
    }

    fn text(&mut self, class: &str, x: usize, y: usize, text: &str) {
        if text.is_empty() {
            return;
        }
        self.out.push(format!(r#"<text class="{class}" x="{x}" y="{y}">{}</text>"#, escape(text)));
    }

    /// 二重取得の帯。客の段すべてに薄く敷き、上に言葉を置く。
    fn band(&mut self) {
        let marks = self.layout.marks.clone();
        for mark in marks.iter().filter(|mark| mark.shape == Shape::Double) {
            let (x, width) = (self.x(mark.from), self.x(mark.to) - self.x(mark.from));
            let last = self.layout.lanes.iter().rfind(|lane| matches!(lane, Lane::Client(_)));
            let bottom = last.map_or(HEAD, |lane| self.y(*lane)) + PITCH / 2 - 6;
            let height = bottom - HEAD;
            self.out.push(format!(
                r#"<rect class="tl-band" x="{x}" y="{HEAD}" width="{width}" height="{height}"/>"#
            ));
            self.text("tl-band-name", x + 6, HEAD + 14, "二重取得");
        }
    }

    /// 手の番号と時刻。時刻が進む所に縦の線を引く。
    fn columns(&mut self) {
        self.text("tl-name tl-dim", LEFT - 10, 16, "手");
        self.text("tl-name tl-dim", LEFT - 10, 34, "時刻");
        let times = self.layout.times.clone();
        let mut before = None;
        for (index, time) in times.iter().enumerate() {
            let (column, x) = (index + 1, self.x(index + 1));
            self.text("tl-step", x, 16, &column.to_string());
            if before != Some(time) {
                self.text("tl-time", x, 34, &time.to_string());
            }
            if before.is_some_and(|before| before != time) {
                let (x, bottom) = (x.midpoint(self.x(column - 1)), self.bottom());
                self.out.push(format!(r#"<path class="tl-rule" d="M{x} 24V{bottom}"/>"#));
            }
            before = Some(time);
        }
    }

    fn names(&mut self) {
        let end = self.x(self.layout.end());
        for lane in self.layout.lanes.clone() {
            if lane == Lane::Double {
                continue;
            }
            let y = self.y(lane);
            self.text("tl-name", LEFT - 10, y + 4, &lane.to_string());
            self.out.push(format!(r#"<path class="tl-lane" d="M{LEFT} {y}H{end}"/>"#));
        }
    }

    fn bar(&mut self, mark: &Mark) {
        let (y, x, end) = (self.y(mark.lane), self.x(mark.from), self.x(mark.to));
        match mark.shape {
            Shape::Holds(client) => {
                self.span(&format!("tl-holds {}", class(client)), x, y, end);
                self.text("tl-word", x + 2, y - 12, &mark.label);
            }
            Shape::Believes(client) => {
                self.span(&format!("tl-believes {}", class(client)), x, y, end);
            }
            Shape::Paused => {
                self.out.push(format!(r#"<path class="tl-paused" d="M{x} {y}H{end}"/>"#));
            }
            Shape::Down => {
                self.out.push(format!(r#"<path class="tl-down" d="M{x} {y}H{end}"/>"#));
            }
            Shape::Stored => {
                let (top, width, height) = (y - BOX, end - x, BOX * 2);
                self.out.push(format!(
                    r#"<rect class="tl-stored" x="{x}" y="{top}" width="{width}" height="{height}"/>"#
                ));
                self.text("tl-value", x + width / 2, y + 5, &mark.label);
            }
            Shape::Double | Shape::Act | Shape::Note | Shape::Accepted(_) | Shape::Rejected(_) => {}
        }
    }

    fn span(&mut self, class: &str, x: usize, y: usize, end: usize) {
        let (top, width, height) = (y - HALF, end - x, HALF * 2);
        self.out.push(format!(
            r#"<rect class="{class}" x="{x}" y="{top}" width="{width}" height="{height}"/>"#
        ));
    }

    /// 書き込みの矢印。送った列の客の段から、届いた列の資源の箱へ。
    fn arrow(&mut self, mark: &Mark) {
        let (client, kind, sign) = match mark.shape {
            Shape::Accepted(client) => (client, "tl-ok", "✓"),
            Shape::Rejected(client) => (client, "tl-ng", "✗"),
            _ => return,
        };
        let from = self.y(Lane::Client(client)) + HALF;
        let to = self.y(mark.lane) - BOX - 2;
        let (x, end) = (self.x(mark.from), self.x(mark.to));
        // 途中にある間は客の段のすぐ下を進み、届いた列で資源へ下りる。
        let flight = from + FLIGHT + self.level(mark) * STACK;
        let line = format!("M{x} {from}V{flight}H{end}V{}", to - 6);
        self.out.push(format!(r#"<path class="tl-halo" d="{line}"/>"#));
        self.out.push(format!(r#"<path class="tl-arrow {kind}" d="{line}"/>"#));
        self.head(mark.shape, kind, end, to);
        self.text(
            &format!("tl-verdict {kind}"),
            end + 9,
            to - 7,
            &format!("{sign} {}", mark.label),
        );
    }

    /// 同じ客が先に送り、まだ途中にある書き込みの数。重ならないように、その分だけ下に描く。
    fn level(&self, mark: &Mark) -> usize {
        let sender = |mark: &Mark| match mark.shape {
            Shape::Accepted(client) | Shape::Rejected(client) => Some(client),
            _ => None,
        };
        let earlier = self.layout.marks.iter().filter(|other| sender(other) == sender(mark));
        let flying = earlier.filter(|other| other.from < mark.from && mark.from < other.to);
        let mut columns: Vec<usize> = flying.map(|other| other.from).collect();
        columns.dedup();
        columns.len()
    }

    /// 受理は矢じり、拒否は資源の手前の横棒。色だけに意味を持たせない。
    fn head(&mut self, shape: Shape, kind: &str, x: usize, y: usize) {
        let path = match shape {
            Shape::Accepted(_) => format!("M{} {}L{x} {y}L{} {}z", x - 5, y - 9, x + 5, y - 9),
            _ => format!("M{} {}h16v3h-16z", x - 8, y - 6),
        };
        self.out.push(format!(r#"<path class="tl-head {kind}" d="{path}"/>"#));
    }

    /// 手の印と言葉。同じ列に二つあれば、二つ目は段の下に置く。
    fn acts(&mut self) {
        let marks = self.layout.marks.clone();
        let mut last = None;
        for mark in &marks {
            let (x, y) = (self.x(mark.from), self.y(mark.lane));
            match mark.shape {
                Shape::Act => {
                    let below = last == Some((mark.lane, mark.from));
                    last = Some((mark.lane, mark.from));
                    let style =
                        if let Lane::Client(client) = mark.lane { class(client) } else { "" };
                    self.out.push(format!(
                        r#"<circle class="tl-act {style}" cx="{x}" cy="{y}" r="4"/>"#
                    ));
                    self.text("tl-label", x, if below { y + 23 } else { y - 12 }, &mark.label);
                }
                Shape::Note => {
                    let half = if mark.lane == Lane::Resource { BOX } else { 9 };
                    let (top, length) = (y - half, half * 2);
                    self.out.push(format!(r#"<path class="tl-note" d="M{x} {top}v{length}"/>"#));
                    self.text("tl-label", x, top - 3, &mark.label);
                }
                _ => {}
            }
        }
    }
}

fn told(step: &Step) -> String {
    format!("時刻 {}: {}", step.time(), step.sentence())
}

fn class(client: Client) -> &'static str {
    match client {
        Client::A => "tl-a",
        Client::B => "tl-b",
        Client::C => "tl-c",
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
