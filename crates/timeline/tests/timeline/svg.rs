//! SVG の規則。正しい XML で、言葉が重ならず、枠からはみ出さないこと。

use roxmltree::{Document, Node};
use timeline::Form;
use unicode_width::UnicodeWidthChar;

use crate::drawing::drawings;
use crate::scene::{Scene, zombie};

/// 見積もりの上で、隣の言葉に重なってよい幅。ロックの段の持ち主と、次の列の失効や期限だけが
/// この幅まで重なる。半角を 7 とするのは広めの見積もりで、描いたときには重ならない。
const SLACK: i64 = 4;

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
                let beside = one.right <= other.left + SLACK || other.right <= one.left + SLACK;
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
