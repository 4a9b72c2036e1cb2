//! SVG の規則。正しい XML で、言葉が重ならず、枠からはみ出さないこと。

use std::iter;

use roxmltree::{Document, Node};
use timeline::{Client, Form, Lane, Layout, Mark, Shape};
use unicode_width::UnicodeWidthChar;

use crate::drawing::drawings;
use crate::scene::{Scene, all, hand_over, large_tokens, zombie};

/// 言葉の占める所。
struct Words {
    text: String,
    left: i64,
    right: i64,
    /// 文字の並ぶ線
    baseline: i64,
}

/// 全角を 12、半角を 7 とした、言葉の幅の見積もり。
fn width(text: &str) -> i64 {
    text.chars().map(|c| if c.width() == Some(2) { 12 } else { 7 }).sum()
}

fn number(node: &Node<'_, '_>, name: &str) -> i64 {
    let value = node.attribute(name).unwrap_or_default();
    value.parse().unwrap_or_else(|_| unreachable!("{name}={value:?} は整数のはず"))
}

fn classes<'a>(node: &'a Node<'_, '_>) -> impl Iterator<Item = &'a str> {
    node.attribute("class").unwrap_or_default().split(' ')
}

/// 言葉の置かれる範囲。どこを基準に置くかは、スタイルシートの text-anchor と同じ。
fn words(node: &Node<'_, '_>) -> Words {
    let text = node.text().unwrap_or_default().to_owned();
    let (x, width) = (number(node, "x"), width(&text));
    let left = match classes(node).next() {
        Some("tl-step" | "tl-time" | "tl-label" | "tl-value") => x - width / 2,
        Some("tl-name") => x - width,
        Some("tl-word" | "tl-verdict" | "tl-band-name") => x,
        other => unreachable!("置き方の決まっていない言葉 {other:?}"),
    };
    Words { text, left, right: left + width, baseline: number(node, "y") }
}

/// 道の通る点。使ってよい命令は M L H V h v z だけ。
fn points(path: &str) -> Vec<(i64, i64)> {
    let mut spaced = String::new();
    for c in path.chars() {
        if c.is_ascii_alphabetic() {
            spaced.extend([' ', c, ' ']);
        } else {
            spaced.push(c);
        }
    }
    let mut tokens = spaced.split_whitespace();
    let (mut x, mut y, mut points) = (0, 0, Vec::new());
    while let Some(command) = tokens.next() {
        let mut next = || -> i64 { tokens.next().and_then(|n| n.parse().ok()).unwrap_or(i64::MIN) };
        match command {
            "M" | "L" => (x, y) = (next(), next()),
            "H" => x = next(),
            "V" => y = next(),
            "h" => x += next(),
            "v" => y += next(),
            "z" => {}
            other => unreachable!("道の命令 {other}"),
        }
        points.push((x, y));
    }
    points
}

/// 図形の左上と右下の点。
fn corners(node: &Node<'_, '_>) -> Vec<(i64, i64)> {
    let at = |name| number(node, name);
    match node.tag_name().name() {
        "rect" => {
            let (x, y, width, height) = (at("x"), at("y"), at("width"), at("height"));
            assert!(width > 0 && height > 0, "{node:?}");
            vec![(x, y), (x + width, y + height)]
        }
        "circle" => {
            let (x, y, r) = (at("cx"), at("cy"), at("r"));
            vec![(x - r, y - r), (x + r, y + r)]
        }
        "path" => points(node.attribute("d").unwrap_or_default()),
        "text" => {
            let Words { left, right, baseline, .. } = words(node);
            vec![(left, baseline - 10), (right, baseline + 2)]
        }
        "svg" | "title" | "desc" => Vec::new(),
        other => unreachable!("図の要素 {other}"),
    }
}

/// 図のすべてについて、名前と、読み取った XML を渡す。
fn each(check: impl Fn(&str, Document<'_>)) {
    for drawing in drawings(Form::Svg) {
        let document = Document::parse(&drawing.drawn);
        assert_eq!(document.as_ref().err(), None, "{}", drawing.name);
        document.into_iter().for_each(|document| check(&drawing.name, document));
    }
}

#[test]
fn it_is_well_formed_with_a_title_and_a_description() {
    each(|name, document| {
        let svg = document.root_element();
        assert_eq!((svg.tag_name().name(), svg.attribute("role")), ("svg", Some("img")), "{name}");
        let children: Vec<_> = svg.children().filter(Node::is_element).take(2).collect();
        let names: Vec<_> = children.iter().map(|child| child.tag_name().name()).collect();
        assert_eq!(names, ["title", "desc"], "{name}");
        assert!(children[0].text().is_some_and(|title| !title.is_empty()), "{name}");
    });
}

#[test]
fn it_has_no_ids_and_no_styles_of_its_own() {
    each(|name, document| {
        for node in document.descendants() {
            for attribute in ["id", "style", "fill", "stroke", "href"] {
                assert_eq!(node.attribute(attribute), None, "{name}: {node:?}");
            }
        }
    });
}

#[test]
fn everything_lies_inside_the_view_box() {
    each(|name, document| {
        let svg = document.root_element();
        let (width, height) = (number(&svg, "width"), number(&svg, "height"));
        let view_box = format!("0 0 {width} {height}");
        assert_eq!(svg.attribute("viewBox"), Some(view_box.as_str()), "{name}");
        for node in document.descendants().filter(Node::is_element) {
            for (x, y) in corners(&node) {
                let inside = (0..=width).contains(&x) && (0..=height).contains(&y);
                assert!(inside, "{name}: ({x}, {y}) {node:?}");
            }
        }
    });
}

#[test]
fn no_words_overlap_other_words() {
    each(|name, document| {
        let texts = document.descendants().filter(|node| node.tag_name().name() == "text");
        let texts: Vec<Words> = texts.map(|node| words(&node)).collect();
        for (index, one) in texts.iter().enumerate() {
            for other in &texts[index + 1..] {
                let beside = one.right <= other.left || other.right <= one.left;
                let apart = (one.baseline - other.baseline).abs() >= 12;
                assert!(beside || apart, "{name}: {} と {}", one.text, other.text);
            }
        }
    });
}

#[test]
fn the_title_is_escaped() {
    let title = "1 < 2 && 2 > 1";
    let svg = Scene::new().play(title).svg();
    let document = Document::parse(&svg).unwrap();
    let written = document.root_element().first_element_child();
    assert_eq!(written.and_then(|node| node.text()), Some(title));
    assert!(svg.contains("1 &lt; 2 &amp;&amp; 2 &gt; 1"));
}

#[test]
fn the_description_tells_every_step_with_its_time() {
    let timeline = zombie().play("題");
    let svg = timeline.svg();
    let document = Document::parse(&svg).unwrap();
    let desc = document.descendants().find(|node| node.tag_name().name() == "desc");
    let told: Vec<String> = timeline
        .steps
        .iter()
        .map(|step| format!("時刻 {}: {}", step.time(), step.sentence()))
        .collect();
    assert_eq!(desc.and_then(|node| node.text()), Some(told.concat().as_str()));
}

/// 図を読み取った [`Layout`] と XML。列の横の位置と、段の縦の位置で見比べる。
struct Figure<'d> {
    layout: Layout,
    document: &'d Document<'d>,
}

/// 台本の筋書きのすべてについて、図を読み取って渡す。
fn figures(check: impl Fn(&Figure<'_>)) {
    for timeline in all() {
        let svg = timeline.svg();
        let document = Document::parse(&svg);
        assert_eq!(document.as_ref().err(), None);
        for document in document.iter() {
            check(&Figure { layout: Layout::of(&timeline), document });
        }
    }
}

impl<'d> Figure<'d> {
    /// クラス `class` の要素。
    fn of_class(&self, class: &str) -> Vec<Node<'d, 'd>> {
        let elements = self.document.descendants().filter(Node::is_element);
        elements.filter(|node| classes(node).any(|own| own == class)).collect()
    }

    /// 列の横の位置。列 0 は段の線の左端、最後の列の次は図の右端。
    fn x(&self, column: usize) -> i64 {
        let lanes = self.of_class("tl-lane");
        let left = points(lanes[0].attribute("d").unwrap_or_default())[0].0;
        let steps = self.of_class("tl-step").into_iter().map(|step| number(&step, "x"));
        let right = number(&self.document.root_element(), "width");
        let xs: Vec<i64> = iter::once(left).chain(steps).chain([right]).collect();
        assert_eq!(xs.len(), self.layout.end() + 1);
        assert!(xs.is_sorted_by(|one, next| one < next), "{xs:?}");
        xs[column]
    }

    /// 段の縦の位置。二重取得の段には線がない。
    fn y(&self, lane: Lane) -> i64 {
        let lines = self.of_class("tl-lane");
        let lanes = self.layout.lanes.iter().filter(|lane| **lane != Lane::Double);
        assert_eq!(lanes.clone().count(), lines.len());
        let place = lanes.clone().position(|other| *other == lane).unwrap_or_default();
        points(lines[place].attribute("d").unwrap_or_default())[0].1
    }

    /// `wanted` の種類の、描くもの。
    fn marks(&self, wanted: fn(&Shape) -> bool) -> Vec<&Mark> {
        self.layout.marks.iter().filter(|mark| wanted(&mark.shape)).collect()
    }
}

/// 長方形の左端、右端、縦の中央。
fn extent(rect: &Node<'_, '_>) -> (i64, i64, i64) {
    let (x, y) = (number(rect, "x"), number(rect, "y"));
    (x, x + number(rect, "width"), y + number(rect, "height") / 2)
}

#[test]
fn the_lanes_are_named_and_evenly_spaced_from_top_to_bottom() {
    figures(|figure| {
        let lanes: Vec<Lane> =
            figure.layout.lanes.iter().copied().filter(|lane| *lane != Lane::Double).collect();
        let names = figure.of_class("tl-name").into_iter();
        let names: Vec<Words> = names.map(|name| words(&name)).collect();
        let texts: Vec<&str> = names.iter().map(|name| name.text.as_str()).collect();
        let wanted: Vec<String> = ["手", "時刻"]
            .map(str::to_owned)
            .into_iter()
            .chain(lanes.iter().map(Lane::to_string))
            .collect();
        assert_eq!(texts, wanted);
        for (lane, name) in lanes.iter().zip(&names[2..]) {
            assert!((name.baseline - figure.y(*lane)).abs() <= 6, "{lane} の名前は線の高さ");
            assert!(name.right < figure.x(0), "{lane} の名前は線の左");
        }
        let ys: Vec<i64> = lanes.iter().map(|lane| figure.y(*lane)).collect();
        let pitches: Vec<i64> = ys.windows(2).map(|pair| pair[1] - pair[0]).collect();
        assert!(pitches.iter().all(|pitch| *pitch == pitches[0] && *pitch >= 40), "{ys:?}");
    });
}

#[test]
fn a_time_is_written_and_a_line_drawn_only_where_time_advances() {
    figures(|figure| {
        let times = &figure.layout.times;
        let changed = |index: &usize| *index == 0 || times[*index] != times[*index - 1];
        let columns: Vec<usize> = (0..times.len()).filter(changed).collect();
        let written = figure.of_class("tl-time").into_iter();
        let written: Vec<(i64, &str)> =
            written.map(|time| (number(&time, "x"), time.text().unwrap_or_default())).collect();
        let texts: Vec<String> = columns.iter().map(|index| times[*index].to_string()).collect();
        let wanted = columns.iter().map(|index| figure.x(index + 1));
        assert_eq!(written, wanted.zip(texts.iter().map(String::as_str)).collect::<Vec<_>>());
        let rules = figure.of_class("tl-rule").into_iter();
        let rules: Vec<i64> =
            rules.map(|rule| points(rule.attribute("d").unwrap_or_default())[1].0).collect();
        let between = columns.iter().skip(1);
        let between = between.map(|index| figure.x(*index).midpoint(figure.x(index + 1)));
        assert_eq!(rules, between.collect::<Vec<_>>());
    });
}

#[test]
fn bars_reach_from_column_to_column_on_the_line_of_their_lane() {
    let is_bar = |shape: &Shape| matches!(shape, Shape::Holds(_) | Shape::Believes(_));
    figures(|figure| {
        let wanted: Vec<_> = figure
            .marks(is_bar)
            .into_iter()
            .map(|mark| (figure.x(mark.from), figure.x(mark.to), figure.y(mark.lane)))
            .collect();
        let rects = figure
            .document
            .descendants()
            .filter(|node| classes(node).any(|class| matches!(class, "tl-holds" | "tl-believes")));
        assert_eq!(rects.map(|rect| extent(&rect)).collect::<Vec<_>>(), wanted);
    });
}

#[test]
fn a_bar_shows_by_its_classes_what_it_is_and_whose() {
    figures(|figure| {
        let (holds, believes) = (figure.of_class("tl-holds"), figure.of_class("tl-believes"));
        let mut bars = (holds.iter(), believes.iter());
        for mark in &figure.layout.marks {
            let (bar, client) = match mark.shape {
                Shape::Holds(client) => (bars.0.next(), client),
                Shape::Believes(client) => (bars.1.next(), client),
                _ => continue,
            };
            let whose = format!("tl-{}", client.to_string().to_lowercase());
            assert!(bar.is_some_and(|bar| classes(bar).any(|class| class == whose)), "{mark:?}");
        }
        assert_eq!((bars.0.next(), bars.1.next()), (None, None));
    });
}

#[test]
fn a_pause_and_a_crash_are_lines_on_the_lane() {
    figures(|figure| {
        for (shape, class) in [(Shape::Paused, "tl-paused"), (Shape::Down, "tl-down")] {
            let marks = figure.layout.marks.iter().filter(|mark| mark.shape == shape);
            let wanted: Vec<_> = marks
                .map(|mark| [mark.from, mark.to].map(|at| (figure.x(at), figure.y(mark.lane))))
                .collect();
            let lines = figure.of_class(class).into_iter();
            let lines: Vec<_> =
                lines.map(|line| points(line.attribute("d").unwrap_or_default())).collect();
            assert_eq!(lines, wanted);
        }
    });
}

#[test]
fn the_band_covers_the_lanes_of_the_clients_and_no_other() {
    figures(|figure| {
        let marks = figure.marks(|shape| *shape == Shape::Double);
        let bands = figure.of_class("tl-band");
        assert_eq!(
            (bands.len(), figure.of_class("tl-band-name").len()),
            (marks.len(), marks.len())
        );
        for (mark, band) in marks.iter().zip(&bands) {
            let (left, right, _) = extent(band);
            assert_eq!((left, right), (figure.x(mark.from), figure.x(mark.to)));
            let (top, height) = (number(band, "y"), number(band, "height"));
            let clients = figure.layout.lanes.iter().filter(|lane| matches!(lane, Lane::Client(_)));
            for lane in clients {
                let y = figure.y(*lane);
                assert!(top < y - 20 && y + 20 < top + height, "{lane} は帯の中");
            }
            let lock = figure.y(Lane::Lock);
            assert!(top + height < lock - 20, "ロックの段は帯の外");
        }
    });
}

#[test]
fn acts_and_notes_stand_on_their_lane_in_their_column() {
    figures(|figure| {
        let at = |mark: &&Mark| (figure.x(mark.from), figure.y(mark.lane));
        let acts: Vec<_> = figure.marks(|shape| *shape == Shape::Act).iter().map(at).collect();
        let circles = figure.of_class("tl-act").into_iter();
        let circles: Vec<_> =
            circles.map(|circle| (number(&circle, "cx"), number(&circle, "cy"))).collect();
        assert_eq!(circles, acts);
        let notes: Vec<_> = figure.marks(|shape| *shape == Shape::Note).iter().map(at).collect();
        let ticks = figure.of_class("tl-note").into_iter();
        let ticks: Vec<_> = ticks
            .map(|tick| points(tick.attribute("d").unwrap_or_default()))
            .map(|ends| (ends[0].0, (ends[0].1 + ends[1].1) / 2))
            .collect();
        assert_eq!(ticks, notes);
    });
}

#[test]
fn the_label_of_an_act_is_above_its_lane_and_a_second_one_below() {
    let timeline = hand_over().play("題");
    let svg = timeline.svg();
    let document = Document::parse(&svg).unwrap();
    let figure = Figure { layout: Layout::of(&timeline), document: &document };
    let y = figure.y(Lane::Client(Client::B));
    let baseline = |label: &str| {
        let labels = figure.of_class("tl-label").into_iter().map(|label| words(&label));
        labels.filter(|words| words.text == label).map(|words| words.baseline).next()
    };
    assert!(baseline("取得 #2").is_some_and(|baseline| (y - 20..y - 6).contains(&baseline)));
    assert!(baseline("返事なし").is_some_and(|baseline| (y + 16..y + 30).contains(&baseline)));
    assert!(baseline("クラッシュ").is_some_and(|baseline| (y - 20..y - 6).contains(&baseline)));
}

#[test]
fn the_resource_shows_its_value_in_a_box_from_column_to_column() {
    figures(|figure| {
        let marks = figure.marks(|shape| *shape == Shape::Stored);
        let boxes = figure.of_class("tl-stored");
        let values = figure.of_class("tl-value");
        assert_eq!((boxes.len(), values.len()), (marks.len(), marks.len()));
        for (mark, (stored, value)) in marks.iter().zip(boxes.iter().zip(&values)) {
            let (left, right, middle) = extent(stored);
            assert_eq!((left, right), (figure.x(mark.from), figure.x(mark.to)));
            assert_eq!(middle, figure.y(Lane::Resource));
            let value = words(value);
            assert_eq!(value.text, mark.label);
            assert!(left <= value.left && value.right <= right, "{} は箱の中", value.text);
            assert!((value.baseline - middle - 4).abs() <= 2, "{} は箱の中ほど", value.text);
        }
    });
}

#[test]
fn an_arrow_goes_from_its_client_down_to_the_resource_with_its_verdict() {
    let is_verdict = |shape: &Shape| matches!(shape, Shape::Accepted(_) | Shape::Rejected(_));
    figures(|figure| {
        let marks = figure.marks(is_verdict);
        let arrows = figure.of_class("tl-arrow");
        let halos = figure.of_class("tl-halo");
        let heads = figure.of_class("tl-head");
        let verdicts = figure.of_class("tl-verdict");
        for drawn in [&arrows, &halos, &heads, &verdicts] {
            assert_eq!(drawn.len(), marks.len());
        }
        for (index, mark) in marks.iter().enumerate() {
            let (client, class, sign, ends) = match mark.shape {
                Shape::Accepted(client) => (client, "tl-ok", "✓", 4),
                Shape::Rejected(client) => (client, "tl-ng", "✗", 5),
                _ => continue,
            };
            let path = points(arrows[index].attribute("d").unwrap_or_default());
            assert_eq!(halos[index].attribute("d"), arrows[index].attribute("d"));
            let (first, last) = (path[0], path[path.len() - 1]);
            assert_eq!((first.0, last.0), (figure.x(mark.from), figure.x(mark.to)));
            let (lane, resource) = (figure.y(Lane::Client(client)), figure.y(Lane::Resource));
            assert!((lane + 4..lane + 10).contains(&first.1), "客の段のすぐ下から");
            assert!(path.is_sorted_by_key(|point| point.1), "下へ: {path:?}");
            assert!((resource - 26..resource - 13).contains(&last.1), "資源の箱のすぐ上まで");
            let head = points(heads[index].attribute("d").unwrap_or_default());
            assert_eq!(head.len(), ends, "受理は矢じり、拒否は横棒");
            let (left, right) = (head.iter().map(|p| p.0).min(), head.iter().map(|p| p.0).max());
            assert_eq!(left.zip(right).map(|(left, right)| left + right), Some(2 * last.0));
            let (top, tip) = (head.iter().map(|p| p.1).min(), head.iter().map(|p| p.1).max());
            assert!(tip.is_some_and(|tip| (resource - 20..=resource - 14).contains(&tip)));
            assert!(top < tip && top.is_some_and(|top| top >= last.1 - 4));
            let verdict = words(&verdicts[index]);
            assert_eq!(verdict.text, format!("{sign} {}", mark.label));
            assert!((last.0 + 6..last.0 + 14).contains(&verdict.left), "矢印の右");
            assert!((resource - 28..resource - 14).contains(&verdict.baseline), "箱の上");
            for drawn in [&arrows, &heads, &verdicts] {
                assert!(classes(&drawn[index]).any(|own| own == class));
            }
        }
    });
}

#[test]
fn a_value_that_lasts_one_column_fits_in_its_box() {
    let svg = large_tokens().play("題").svg();
    let document = Document::parse(&svg).unwrap();
    let texts = document.descendants().filter(|node| classes(node).any(|own| own == "tl-value"));
    let texts: Vec<Words> = texts.map(|node| words(&node)).collect();
    let boxes = document.descendants().filter(|node| classes(node).any(|own| own == "tl-stored"));
    for (value, stored) in texts.iter().zip(boxes) {
        let (left, right, _) = extent(&stored);
        assert!(left <= value.left && value.right <= right, "{}", value.text);
    }
    assert_eq!(texts.len(), 3);
}
