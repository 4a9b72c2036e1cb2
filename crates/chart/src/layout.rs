//! 図の組み立て。どのレーンの、どの列からどの列まで、何を描くかを決める。
//!
//! 文字の図も、横の図も、縦の図も、この [`Layout`] から描く。列 0 は始まる前、列 n は手 n。
//! ここは変化を区間に束ねるだけで、座標も、データの意味も知らない。

use crate::model::{Arrow, Bar, Kind, Lane, State, Stop, Timeline, Verdict};

/// 区間の描きかた。
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// 注意の帯
    Band,
    /// 枠だけの棒。塗った棒の下にも敷く
    Hollow,
    /// 塗った棒
    Solid,
    /// 値の箱
    Box,
    /// 止まっている
    Paused,
    /// 落ちている
    Dead,
}

/// 一つのレーンの、ある列からある列の手前までの区間。
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// レーンの番号
    pub lane: usize,
    /// 描きかた
    pub shape: Shape,
    /// 始まりの列
    pub from: usize,
    /// 終わりの列。右端まで続くものは、最後の列の次
    pub to: usize,
    /// 色の番号
    pub tone: Option<u8>,
    /// 添える言葉
    pub label: String,
}

/// 一つの列に置く印。
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Point {
    /// レーンの番号
    pub lane: usize,
    /// 列
    pub step: usize,
    /// 添える言葉
    pub label: String,
    /// よいか悪いか
    pub verdict: Option<Verdict>,
    /// レーンの時計
    pub clock: Option<u64>,
}

/// レーンからレーンへ渡ったもの。
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flight {
    /// 送ったレーンの番号
    pub from: usize,
    /// 届いたレーンの番号
    pub to: usize,
    /// 送った列
    pub sent: usize,
    /// 届いた列
    pub step: usize,
    /// 届いてどうなったか
    pub verdict: Verdict,
    /// 添える言葉
    pub label: String,
    /// 同じレーンから先に出て、まだ途中にあるものの数。重ならないように、その分だけずらす
    pub level: usize,
}

/// 図の組み立て。
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// レーン。使われない帯は除く
    pub lanes: Vec<Lane>,
    /// 列 0 からの時刻
    pub times: Vec<u64>,
    /// 区間。下に敷くものが先
    pub spans: Vec<Span>,
    /// 印。手の順
    pub points: Vec<Point>,
    /// 渡ったもの。手の順
    pub flights: Vec<Flight>,
}

impl Layout {
    /// 時系列から図を組み立てる。
    #[must_use]
    pub fn of(timeline: &Timeline) -> Layout {
        let shown: Vec<usize> = shown(timeline);
        let mut layout = Layout {
            lanes: shown.iter().filter_map(|&lane| timeline.lanes.get(lane)).cloned().collect(),
            times: timeline.steps.iter().map(|step| step.time).collect(),
            spans: Vec::new(),
            points: Vec::new(),
            flights: Vec::new(),
        };
        for lane in 0..layout.lanes.len() {
            layout.add_spans(timeline, lane);
        }
        for number in 0..timeline.steps.len() {
            layout.add_points(timeline, number);
        }
        layout.raise();
        layout
    }

    /// 右端の位置。最後の列の次。
    #[must_use]
    pub fn end(&self) -> usize {
        self.times.len()
    }

    /// その列で、前の列から時刻が進んだか。
    #[must_use]
    pub fn advances(&self, column: usize) -> bool {
        let before = column.checked_sub(1).and_then(|column| self.times.get(column));
        column <= 1 || self.times.get(column) != before
    }

    /// 名前の指すレーンの番号。
    pub(crate) fn lane(&self, name: &str) -> Option<usize> {
        self.lanes.iter().position(|lane| lane.name == name)
    }

    fn tone(&self, lane: usize, state: &State) -> Option<u8> {
        let by = state.by.as_ref().and_then(|name| self.lane(name)).unwrap_or(lane);
        self.lanes.get(by).and_then(|lane| lane.tone)
    }

    fn add_spans(&mut self, timeline: &Timeline, lane: usize) {
        let Some(Lane { name, kind, .. }) = self.lanes.get(lane).cloned() else { return };
        let changes = || {
            let steps = timeline.steps.iter().enumerate();
            steps.filter_map(|(at, step)| step.changes.get(&name).map(|state| (at, state)))
        };
        let end = self.end();
        let mut bars = Open::new(lane, end);
        let mut fills = Open::new(lane, end);
        let mut stops = Open::new(lane, end);
        for (at, state) in changes() {
            let tone = self.tone(lane, state);
            let label = &state.label;
            let (outer, fill) = match (kind, state.bar) {
                (Kind::Band, bar) => (bar.map(|_| Shape::Band), None),
                (Kind::Store, _) => (Some(Shape::Box), None),
                (_, None) => (None, None),
                (Kind::Actor, Some(Bar::Hollow)) => (Some(Shape::Hollow), None),
                (Kind::Actor, Some(Bar::Solid)) => (Some(Shape::Hollow), Some(Shape::Solid)),
                (Kind::Service | Kind::Node, Some(Bar::Hollow)) => (Some(Shape::Hollow), None),
                (Kind::Service | Kind::Node, Some(Bar::Solid)) => (Some(Shape::Solid), None),
            };
            bars.turn(at, outer, tone, label, state.continues);
            fills.turn(at, fill, tone, "", state.continues);
            let stop = state.stop.map(|stop| match stop {
                Stop::Paused => Shape::Paused,
                Stop::Dead => Shape::Dead,
            });
            stops.turn(at, stop, None, "", true);
            if !state.note.is_empty() {
                self.points.push(Point {
                    lane,
                    step: at,
                    label: state.note.clone(),
                    verdict: None,
                    clock: None,
                });
            }
        }
        for open in [bars, fills, stops] {
            self.spans.extend(open.spans);
        }
    }

    fn add_points(&mut self, timeline: &Timeline, number: usize) {
        let Some(step) = timeline.steps.get(number) else { return };
        for mark in &step.marks {
            let Some(lane) = self.lane(&mark.lane) else { continue };
            let (label, verdict, clock) = (mark.label.clone(), mark.verdict, mark.clock);
            self.points.push(Point { lane, step: number, label, verdict, clock });
        }
        for Arrow { from, to, sent, verdict, label } in &step.arrows {
            let (Some(from), Some(to)) = (self.lane(from), self.lane(to)) else { continue };
            let (sent, verdict, label) = (*sent, *verdict, label.clone());
            self.flights.push(Flight { from, to, sent, step: number, verdict, label, level: 0 });
        }
    }

    /// 途中にある間が重なるものを、ずらす。
    fn raise(&mut self) {
        let flights = self.flights.clone();
        for flight in &mut self.flights {
            let earlier = flights.iter().filter(|other| other.from == flight.from);
            let flying =
                earlier.filter(|other| other.sent < flight.sent && flight.sent < other.step);
            let mut sent: Vec<usize> = flying.map(|other| other.sent).collect();
            sent.sort_unstable();
            sent.dedup();
            flight.level = sent.len();
        }
        // 印は、棒の途中の言葉が先に置かれている。手の順に並べ直し、同じ手の中では先に置いたほうを先にする。
        self.points.sort_by_key(|point| point.step);
    }
}

/// 図に出すレーンの番号。一度も敷かれない帯は出さない。
fn shown(timeline: &Timeline) -> Vec<usize> {
    let laid = |name: &str| {
        let mut states = timeline.steps.iter().filter_map(|step| step.changes.get(name));
        states.any(|state| state.bar.is_some())
    };
    let lanes = timeline.lanes.iter().enumerate();
    let kept = lanes.filter(|(_, lane)| lane.kind != Kind::Band || laid(&lane.name));
    kept.map(|(index, _)| index).collect()
}

/// 開いている区間。様子が変わるたびに閉じる。
struct Open {
    lane: usize,
    end: usize,
    spans: Vec<Span>,
}

impl Open {
    fn new(lane: usize, end: usize) -> Open {
        Open { lane, end, spans: Vec::new() }
    }

    /// 列 `at` から描きかたが `shape` になる。続きで、描きかたも色も同じなら、区間は続く。
    fn turn(
        &mut self,
        at: usize,
        shape: Option<Shape>,
        tone: Option<u8>,
        label: &str,
        goes_on: bool,
    ) {
        let end = self.end;
        let last = self.spans.last_mut().filter(|span| span.to == end);
        if let Some(last) = last {
            if goes_on && shape == Some(last.shape) && tone == last.tone {
                return;
            }
            last.to = at;
        }
        if let Some(shape) = shape {
            let (lane, label) = (self.lane, label.to_owned());
            self.spans.push(Span { lane, shape, from: at, to: end, tone, label });
        }
    }
}
