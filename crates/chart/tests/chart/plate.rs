//! 描いた図を読み取る道具。言葉の幅は、描く側とは別に見積もる。

use std::cell::RefCell;

use chart::{Layout, Shape, Timeline};
use roxmltree::{Document, Node};
use unicode_width::UnicodeWidthChar;

use crate::ordinary::everything;

/// SVG の二つの形。
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    Across,
    Down,
}

impl Form {
    pub const BOTH: [Form; 2] = [Form::Across, Form::Down];

    pub fn draw(self, timeline: &Timeline) -> String {
        match self {
            Form::Across => timeline.across(),
            Form::Down => timeline.down(),
        }
    }
}

/// 読み取った一枚。
pub struct Plate<'d> {
    pub name: String,
    pub form: Form,
    pub layout: Layout,
    pub document: &'d Document<'d>,
}

/// 時系列を `form` で描き、読み取って渡す。
pub fn with<T>(timeline: &Timeline, form: Form, check: impl FnOnce(&Plate<'_>) -> T) -> T {
    let svg = form.draw(timeline);
    let name = format!("{}({form:?})", timeline.title);
    let document = Document::parse(&svg).unwrap_or_else(|error| panic!("{name}: {error}"));
    check(&Plate { name, form, layout: Layout::of(timeline), document: &document })
}

/// すべての時系列を `form` で描き、一枚ずつ渡す。
pub fn each_in(form: Form, check: impl Fn(&Plate<'_>)) {
    for (name, timeline) in everything() {
        let svg = form.draw(&timeline);
        let name = format!("{name}({form:?})");
        let document = Document::parse(&svg).unwrap_or_else(|error| panic!("{name}: {error}"));
        check(&Plate { name, form, layout: Layout::of(&timeline), document: &document });
    }
}

/// すべての時系列を両方の形で描き、一枚ずつ渡す。
pub fn each(check: impl Fn(&Plate<'_>)) {
    Form::BOTH.into_iter().for_each(|form| each_in(form, &check));
}

/// すべての図で、規則に合わない所を集める。一つもなければよい。
pub fn no_faults(form: &[Form], find: impl Fn(&Plate<'_>, &mut Vec<String>)) {
    let all = RefCell::new(Vec::new());
    for form in form {
        each_in(*form, |plate| {
            let mut own = Vec::new();
            find(plate, &mut own);
            all.borrow_mut().extend(own.iter().map(|fault| format!("{}: {fault}", plate.name)));
        });
    }
    let all = all.into_inner();
    assert!(all.is_empty(), "{} か所\n{}", all.len(), all.join("\n"));
}

/// 長方形。
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Area {
    pub left: i64,
    pub top: i64,
    pub right: i64,
    pub bottom: i64,
}

impl Area {
    pub fn meets(self, other: Area) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }

    pub fn holds(self, other: Area) -> bool {
        self.left <= other.left
            && other.right <= self.right
            && self.top <= other.top
            && other.bottom <= self.bottom
    }

    pub fn middle(self) -> (i64, i64) {
        (self.left.midpoint(self.right), self.top.midpoint(self.bottom))
    }
}

/// 言葉と、それが占める所。
#[derive(Clone, Debug)]
pub struct Words {
    pub text: String,
    pub classes: Vec<String>,
    pub area: Area,
    /// 文字の並ぶ線
    pub baseline: i64,
    /// 置いた所の横の位置
    pub x: i64,
}

impl Words {
    pub fn is(&self, class: &str) -> bool {
        self.classes.iter().any(|own| own == class)
    }
}

/// 全角を 13、半角を 8 とした、言葉の幅の見積もり。
pub fn width(text: &str) -> i64 {
    text.chars().map(|c| if c.width() == Some(2) { 13 } else { 8 }).sum()
}

pub fn number(node: &Node<'_, '_>, name: &str) -> i64 {
    let value = node.attribute(name).unwrap_or_default();
    value.parse().unwrap_or_else(|_| panic!("{name}={value:?} は整数のはず"))
}

pub fn classes<'a>(node: &'a Node<'_, '_>) -> impl Iterator<Item = &'a str> {
    node.attribute("class").unwrap_or_default().split(' ')
}

pub fn is(node: &Node<'_, '_>, class: &str) -> bool {
    classes(node).any(|own| own == class)
}

/// 言葉の置かれる範囲。どこを基準に置くかは、スタイルシートの text-anchor と同じ。
pub fn words(node: &Node<'_, '_>) -> Words {
    let text = node.text().unwrap_or_default().to_owned();
    let (x, baseline, width) = (number(node, "x"), number(node, "y"), width(&text));
    let classes: Vec<String> = classes(node).map(str::to_owned).collect();
    let left = match classes[0].as_str() {
        "tl-step" | "tl-time" | "tl-label" | "tl-value" | "tl-sign" | "tl-clock" => x - width / 2,
        "tl-name" => x - width,
        "tl-word" | "tl-verdict" | "tl-band-name" | "tl-head-name" | "tl-note-word" => x,
        other => panic!("置き方の決まっていない言葉 {other:?}"),
    };
    let area = Area { left, top: baseline - 10, right: left + width, bottom: baseline + 2 };
    Words { text, classes, area, baseline, x }
}

/// 道の通る点。使ってよい命令は M L H V h v l m z だけ。
pub fn points(path: &str) -> Vec<(i64, i64)> {
    strokes(path).into_iter().flatten().collect()
}

/// 道を、ペンを上げる所で分けたもの。
pub fn strokes(path: &str) -> Vec<Vec<(i64, i64)>> {
    let mut spaced = String::new();
    for c in path.chars() {
        match c {
            c if c.is_ascii_alphabetic() => spaced.extend([' ', c, ' ']),
            // 負の数の前の空白は省ける。
            '-' => spaced.push_str(" -"),
            c => spaced.push(c),
        }
    }
    let mut tokens = spaced.split_whitespace();
    let (mut x, mut y, mut strokes) = (0, 0, Vec::new());
    while let Some(command) = tokens.next() {
        let mut next = || -> i64 {
            let token = tokens.next().unwrap_or_default();
            token.parse().unwrap_or_else(|_| panic!("{path}: {token:?} は整数のはず"))
        };
        match command {
            "M" | "L" => (x, y) = (next(), next()),
            "m" | "l" => (x, y) = (x + next(), y + next()),
            "H" => x = next(),
            "V" => y = next(),
            "h" => x += next(),
            "v" => y += next(),
            "z" => continue,
            other => panic!("{path}: 道の命令 {other}"),
        }
        if matches!(command, "M" | "m") {
            strokes.push(Vec::new());
        }
        strokes.last_mut().unwrap().push((x, y));
    }
    strokes
}

pub fn path(node: &Node<'_, '_>) -> Vec<(i64, i64)> {
    points(node.attribute("d").unwrap_or_default())
}

pub fn rect(node: &Node<'_, '_>) -> Area {
    let (left, top) = (number(node, "x"), number(node, "y"));
    let (right, bottom) = (left + number(node, "width"), top + number(node, "height"));
    assert!(left < right && top < bottom, "{node:?}");
    Area { left, top, right, bottom }
}

/// 道や円の占める所。
pub fn extent(node: &Node<'_, '_>) -> Area {
    match node.tag_name().name() {
        "rect" => rect(node),
        "circle" => {
            let (x, y, r) = (number(node, "cx"), number(node, "cy"), number(node, "r"));
            Area { left: x - r, top: y - r, right: x + r, bottom: y + r }
        }
        "path" => {
            let points = path(node);
            let (xs, ys) = (points.iter().map(|at| at.0), points.iter().map(|at| at.1));
            Area {
                left: xs.clone().min().unwrap(),
                right: xs.max().unwrap(),
                top: ys.clone().min().unwrap(),
                bottom: ys.max().unwrap(),
            }
        }
        "text" => words(node).area,
        other => panic!("図の要素 {other}"),
    }
}

impl<'d> Plate<'d> {
    pub fn root(&self) -> Node<'d, 'd> {
        self.document.root_element()
    }

    pub fn size(&self) -> (i64, i64) {
        (number(&self.root(), "width"), number(&self.root(), "height"))
    }

    /// 描いた要素。カーソルは、置く所を見せる側が決めるので除く。
    pub fn drawn(&self) -> impl Iterator<Item = Node<'d, 'd>> {
        let shapes = self
            .document
            .descendants()
            .filter(|node| matches!(node.tag_name().name(), "rect" | "circle" | "path" | "text"));
        shapes.filter(|node| !node.ancestors().any(|above| is(&above, "pl-cursor")))
    }

    /// クラス `class` の要素。
    pub fn of_class(&self, class: &str) -> Vec<Node<'d, 'd>> {
        self.drawn().filter(|node| is(node, class)).collect()
    }

    pub fn texts(&self) -> Vec<Words> {
        self.drawn().filter(|node| node.has_tag_name("text")).map(|node| words(&node)).collect()
    }

    /// 手 `step` の組にある要素。
    pub fn of_step(&self, step: usize) -> impl Iterator<Item = Node<'d, 'd>> {
        self.drawn().filter(move |node| step_of(node) == Some(step))
    }

    /// 手 `step` の組にあるクラス `class` の要素。
    pub fn of_step_and_class(&self, step: usize, class: &str) -> Vec<Node<'d, 'd>> {
        self.of_step(step).filter(|node| is(node, class)).collect()
    }

    /// カーソルを置く所。手 0 から。
    pub fn stops(&self) -> Vec<i64> {
        let stops = self.root().attribute("data-stops").unwrap_or_default();
        stops.split(' ').map(|stop| stop.parse().unwrap()).collect()
    }

    /// 手 0 からの、印を置く列か行の位置。最後に、終わりの位置を足す。
    ///
    /// 横の図ではカーソルを置く所と同じである。縦の図では、手の番号を書いた高さから分かる。
    pub fn middles(&self) -> Vec<i64> {
        let (width, height) = self.size();
        if self.form == Form::Across {
            return self.stops().into_iter().chain([width]).collect();
        }
        let banded =
            self.layout.spans.iter().any(|span| span.shape == Shape::Band && span.from == 0);
        let first = if banded { 59 } else { 39 };
        let groups = self.root().descendants().filter(|node| is(node, "tl-step"));
        let numbers = groups.filter_map(|group| group.first_element_child());
        let numbers = numbers
            .map(|number| number.attribute("y").and_then(|y| y.parse::<i64>().ok()).unwrap() - 4);
        [first].into_iter().chain(numbers).chain([height - 2]).collect()
    }
}

/// 要素のある組の、手の番号。組になければ `None`。
pub fn step_of(node: &Node<'_, '_>) -> Option<usize> {
    let group = node.ancestors().find(|above| above.has_attribute("data-step"))?;
    group.attribute("data-step")?.parse().ok()
}
