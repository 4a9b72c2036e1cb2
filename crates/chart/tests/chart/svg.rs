//! 横と縦の両方の図が守る規則。正しい XML で、言葉が重ならず、枠からはみ出さず、起きたことをすべて含むこと。

use std::collections::BTreeMap;

use chart::{Flight, Kind, Layout, Point, Shape, Span, Verdict};
use roxmltree::Node;

use crate::ordinary::{everything, stories};
use crate::plate::{
    Area, Form, Plate, classes, each, extent, is, no_faults, number, step_of, strokes, with, words,
};
use crate::scene::{nothing, takeover};

#[test]
fn it_is_well_formed_with_a_title_and_a_description() {
    each(|plate| {
        let svg = plate.root();
        assert_eq!((svg.tag_name().name(), svg.attribute("role")), ("svg", Some("img")));
        assert_eq!(svg.tag_name().namespace(), Some("http://www.w3.org/2000/svg"));
        let form = match plate.form {
            Form::Across => "tl tl-across",
            Form::Down => "tl tl-down",
        };
        assert_eq!(svg.attribute("class"), Some(form));
        let children: Vec<_> = svg.children().filter(Node::is_element).take(2).collect();
        let names: Vec<_> = children.iter().map(|child| child.tag_name().name()).collect();
        assert_eq!(names, ["title", "desc"], "{}", plate.name);
        assert!(children[0].text().is_some_and(|title| !title.is_empty()), "{}", plate.name);
    });
}

#[test]
fn the_title_and_every_word_are_escaped() {
    let mut timeline = takeover();
    timeline.title = "1 < 2 && 2 > 1".to_owned();
    timeline.steps[1].words = "<b>&amp;".to_owned();
    for form in Form::BOTH {
        with(&timeline, form, |plate| {
            let told = |tag: &str| {
                let mut found = plate.document.descendants();
                found.find(|node| node.has_tag_name(("http://www.w3.org/2000/svg", tag))).unwrap()
            };
            assert_eq!(told("title").text(), Some("1 < 2 && 2 > 1"));
            assert!(told("desc").text().unwrap().starts_with("時刻 0: <b>&amp;時刻 2: "));
        });
        assert!(form.draw(&timeline).contains("1 &lt; 2 &amp;&amp; 2 &gt; 1"));
    }
}

#[test]
fn the_description_tells_every_step_with_its_time() {
    for (name, timeline) in everything() {
        let steps = timeline.steps.iter().skip(1);
        let told: String =
            steps.map(|step| format!("{} {}: {}", timeline.unit, step.time, step.words)).collect();
        for form in Form::BOTH {
            with(&timeline, form, |plate| {
                let desc = plate.document.descendants().find(|it| it.tag_name().name() == "desc");
                assert_eq!(desc.unwrap().text().unwrap_or_default(), told, "{name}");
            });
        }
    }
}

#[test]
fn it_has_no_ids_and_no_styles_of_its_own() {
    each(|plate| {
        for node in plate.document.descendants() {
            for attribute in ["id", "style", "fill", "stroke", "href"] {
                assert_eq!(node.attribute(attribute), None, "{}: {node:?}", plate.name);
            }
        }
    });
}

#[test]
fn every_coordinate_is_an_integer() {
    each(|plate| {
        for node in plate.document.descendants().filter(Node::is_element) {
            for name in ["x", "y", "width", "height", "cx", "cy", "r"] {
                if node.has_attribute(name) {
                    number(&node, name);
                }
            }
            strokes(node.attribute("d").unwrap_or_default());
        }
    });
}

#[test]
fn everything_lies_inside_the_view_box() {
    no_faults(&Form::BOTH, |plate, faults| {
        let (right, bottom) = plate.size();
        let view_box = format!("0 0 {right} {bottom}");
        assert_eq!(plate.root().attribute("viewBox"), Some(view_box.as_str()), "{}", plate.name);
        let all = Area { left: 0, top: 0, right, bottom };
        for node in plate.drawn().filter(|node| !all.holds(extent(node))) {
            faults.push(format!("{:?} {}", extent(&node), shown(&node)));
        }
    });
}

#[test]
fn no_words_overlap_other_words() {
    no_faults(&Form::BOTH, |plate, faults| {
        let texts = plate.texts();
        for (index, one) in texts.iter().enumerate() {
            for other in texts[index + 1..].iter().filter(|other| one.area.meets(other.area)) {
                faults.push(format!("{} と {}", one.text, other.text));
            }
        }
    });
}

#[test]
fn no_line_of_a_flight_crosses_words() {
    no_faults(&Form::BOTH, |plate, faults| {
        let lines: Vec<Node<'_, '_>> =
            ["tl-arrow", "tl-call"].into_iter().flat_map(|class| plate.of_class(class)).collect();
        let heads = plate.of_class("tl-head");
        // 記号の丸は、線の上に地の色で塗ってから書く。
        for words in plate.texts().into_iter().filter(|words| !words.is("tl-sign")) {
            for line in &lines {
                if pieces(line).any(|piece| piece.meets(words.area)) {
                    faults.push(format!("{} を {} が横切る", words.text, shown(line)));
                }
            }
            for head in heads.iter().filter(|head| extent(head).meets(words.area)) {
                faults.push(format!("{} に {} がかかる", words.text, shown(head)));
            }
        }
    });
}

/// 折れ線の、まっすぐな部分。幅は線の太さ。
fn pieces(line: &Node<'_, '_>) -> impl Iterator<Item = Area> + use<> {
    let strokes = strokes(line.attribute("d").unwrap_or_default());
    strokes.into_iter().flat_map(|stroke| {
        let ends: Vec<_> = stroke.windows(2).map(|ends| (ends[0], ends[1])).collect();
        ends.into_iter().map(|(from, to)| Area {
            left: from.0.min(to.0) - 1,
            right: from.0.max(to.0) + 1,
            top: from.1.min(to.1) - 1,
            bottom: from.1.max(to.1) + 1,
        })
    })
}

/// 要素の書かれかた。
fn shown(node: &Node<'_, '_>) -> String {
    node.document().input_text()[node.range()].to_owned()
}

#[test]
fn the_stops_are_one_growing_number_for_each_step() {
    for (name, timeline) in everything() {
        for form in Form::BOTH {
            with(&timeline, form, |plate| {
                let stops = plate.root().attribute("data-stops").unwrap();
                let stops: Vec<i64> = stops.split(' ').map(|stop| stop.parse().unwrap()).collect();
                assert_eq!(stops.len(), timeline.steps.len(), "{name}");
                assert!(stops.is_sorted_by(|one, next| one < next), "{name}: {stops:?}");
            });
        }
    }
}

#[test]
fn the_layers_lie_in_order_with_the_cursor_above_the_ground() {
    each(|plate| {
        let layers = plate.root().children().filter(|node| node.tag_name().name() == "g");
        let layers: Vec<&str> = layers.filter_map(|layer| layer.attribute("class")).collect();
        let wanted = ["tl-ground", "pl-cursor", "tl-flights", "tl-words", "tl-names"];
        assert_eq!(layers, wanted, "{}", plate.name);
    });
}

#[test]
fn the_cursor_is_a_veil_and_a_line_over_the_whole_figure() {
    each(|plate| {
        let (width, height) = plate.size();
        let cursor = plate.root().children().find(|node| is(node, "pl-cursor")).unwrap();
        let parts: Vec<Node<'_, '_>> = cursor.children().collect();
        assert_eq!(parts.len(), 2);
        assert!(is(&parts[0], "pl-veil") && is(&parts[1], "pl-line"));
        let (top, line) = match plate.form {
            Form::Across => (42, [(0, 22), (0, height)]),
            Form::Down => (0, [(0, 0), (width, 0)]),
        };
        let veil = extent(&parts[0]);
        assert_eq!((veil.left, veil.top), (0, top));
        assert!(veil.right >= width && veil.bottom >= height);
        assert_eq!(crate::plate::path(&parts[1]), line, "{}", plate.name);
    });
}

#[test]
fn everything_but_the_ruled_paper_belongs_to_a_step() {
    let paper =
        ["tl-name", "tl-head-name", "tl-value", "tl-aside", "tl-edge", "tl-lane", "tl-rule"];
    each(|plate| {
        for node in plate.drawn() {
            let of_paper = classes(&node).any(|own| paper.contains(&own));
            let step = step_of(&node);
            assert!(step.is_some() || of_paper, "{}: {node:?}", plate.name);
            assert!(step.is_none_or(|step| step < plate.layout.end()), "{}", plate.name);
        }
    });
}

/// 区間を描く要素のクラス。
fn class_of(span: &Span, layout: &Layout) -> &'static str {
    match span.shape {
        Shape::Band => "tl-band",
        Shape::Hollow => "tl-believes",
        Shape::Solid if layout.lanes[span.lane].kind == Kind::Node => "tl-node",
        Shape::Solid => "tl-holds",
        Shape::Box => "tl-stored",
        Shape::Paused => "tl-paused",
        Shape::Dead => "tl-dead",
    }
}

fn class_of_verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Yes => "tl-ok",
        Verdict::No => "tl-ng",
        Verdict::Lost => "tl-lost",
    }
}

/// 手ごと、クラスごとの、要素の数。
type Counted = BTreeMap<(usize, String), usize>;

fn count(of: impl Iterator<Item = (usize, String)>) -> Counted {
    let mut counted = Counted::new();
    of.for_each(|key| *counted.entry(key).or_default() += 1);
    counted
}

/// `names` の要素を、手ごとに数える。色と判定のクラスも名前に含める。
fn drawn(plate: &Plate<'_>, names: &[&str]) -> Counted {
    let wanted = plate.drawn().filter(|node| classes(node).any(|own| names.contains(&own)));
    count(wanted.map(|node| {
        let step = step_of(&node).unwrap_or_else(|| panic!("{}: {node:?}", plate.name));
        (step, node.attribute("class").unwrap_or_default().to_owned())
    }))
}

#[test]
fn every_span_of_the_layout_is_drawn_once_in_the_step_where_it_begins() {
    let names =
        ["tl-band", "tl-believes", "tl-node", "tl-holds", "tl-stored", "tl-paused", "tl-dead"];
    each(|plate| {
        let wanted = plate.layout.spans.iter().map(|span| {
            let toned =
                !matches!(span.shape, Shape::Band | Shape::Box | Shape::Paused | Shape::Dead);
            let tone = span.tone.filter(|_| toned).map(|tone| format!(" tl-{tone}"));
            let class = format!("{}{}", class_of(span, &plate.layout), tone.unwrap_or_default());
            (span.from, class)
        });
        assert_eq!(drawn(plate, &names), count(wanted), "{}", plate.name);
    });
}

#[test]
fn every_point_of_the_layout_is_drawn_once_in_its_step() {
    each(|plate| {
        let wanted = plate.layout.points.iter().map(|point| {
            let lane = &plate.layout.lanes[point.lane];
            let tone = lane.tone.map(|tone| format!(" tl-{tone}")).unwrap_or_default();
            let class = match lane.kind {
                Kind::Actor => format!("tl-act{tone}"),
                _ => "tl-note".to_owned(),
            };
            (point.step, class)
        });
        assert_eq!(drawn(plate, &["tl-act", "tl-note"]), count(wanted), "{}", plate.name);
    });
}

#[test]
fn every_flight_of_the_layout_is_drawn_once_in_the_step_where_it_arrives() {
    each(|plate| {
        let parts = plate.layout.flights.iter().flat_map(|flight| {
            let class = class_of_verdict(flight.verdict);
            let parts = match plate.layout.lanes[flight.to].kind {
                Kind::Node => vec![
                    "tl-call".to_owned(),
                    "tl-halo".to_owned(),
                    format!("tl-round {class}"),
                    format!("tl-sign {class}"),
                ],
                _ => vec![
                    format!("tl-arrow {class}"),
                    "tl-halo".to_owned(),
                    format!("tl-head {class}"),
                ],
            };
            parts.into_iter().map(|part| (flight.step, part))
        });
        let names = ["tl-call", "tl-halo", "tl-round", "tl-sign", "tl-arrow", "tl-head"];
        assert_eq!(drawn(plate, &names), count(parts), "{}", plate.name);
    });
}

/// 手の組にある言葉を、同じ縦の線にそろうものどうし、上から順に空白でつないだもの。
fn told(plate: &Plate<'_>, step: usize) -> Vec<String> {
    let mut columns: BTreeMap<i64, Vec<(i64, String)>> = BTreeMap::new();
    for node in plate.of_step(step).filter(|node| node.tag_name().name() == "text") {
        let it = words(&node);
        columns.entry(it.x).or_default().push((it.baseline, it.text));
    }
    let join = |mut column: Vec<(i64, String)>| {
        column.sort();
        column.into_iter().map(|(_, text)| text).collect::<Vec<_>>().join(" ")
    };
    columns.into_values().map(join).collect()
}

fn has(plate: &Plate<'_>, step: usize, wanted: &str) -> bool {
    let spaced = wanted.split_whitespace().collect::<Vec<_>>().join(" ");
    told(plate, step).iter().any(|column| column.contains(&spaced))
}

#[test]
fn every_label_is_told_in_its_step() {
    each(|plate| {
        let Plate { name, layout, .. } = plate;
        for span in layout.spans.iter().filter(|span| span.shape != Shape::Band) {
            assert!(has(plate, span.from, &span.label), "{name}: 手 {} の {span:?}", span.from);
        }
        for Point { step, label, verdict, clock, .. } in &layout.points {
            let sign = verdict.map(Verdict::sign).unwrap_or_default();
            assert!(has(plate, *step, &format!("{label} {sign}")), "{name}: {label}");
            let clock = clock.map(|clock| format!("時計 {clock}")).unwrap_or_default();
            assert!(has(plate, *step, &clock), "{name}: {clock}");
        }
        for Flight { step, to, label, verdict, .. } in &layout.flights {
            let told = match (layout.lanes[*to].kind, verdict, plate.form) {
                (Kind::Node, ..) => label.clone(),
                // 消える所に描いた罰点が、記号を兼ねる。
                (_, Verdict::Lost, Form::Across) => label.clone(),
                (_, Verdict::Lost, Form::Down) if label.is_empty() => continue,
                _ => format!("{} {label}", verdict.sign()),
            };
            assert!(has(plate, *step, &told), "{name}: 手 {step} の {told}");
        }
    });
}

#[test]
fn every_band_is_named_in_the_step_where_it_begins() {
    each(|plate| {
        let bands = plate.layout.spans.iter().filter(|span| span.shape == Shape::Band);
        let names = plate.of_class("tl-band-name");
        assert_eq!(names.len(), bands.clone().count(), "{}", plate.name);
        for span in bands {
            let lane = &plate.layout.lanes[span.lane];
            // 縦の図では、収まらなければ短い名前を書く。
            let own = |text: &str| {
                text == lane.name || (plate.form == Form::Down && text == lane.brief())
            };
            let here = names.iter().filter(|node| step_of(node) == Some(span.from));
            assert!(here.filter_map(Node::text).any(own), "{}: {span:?}", plate.name);
        }
    });
}

#[test]
fn every_story_with_a_verdict_shows_its_sign_besides_its_colour() {
    let mut seen = [false; 2];
    for (name, timeline) in stories() {
        for arrow in timeline.steps.iter().flat_map(|step| &step.arrows) {
            seen[usize::from(arrow.verdict == Verdict::Yes)] = true;
            for form in Form::BOTH {
                let signed = form.draw(&timeline).contains(&format!(">{}", arrow.verdict.sign()));
                assert!(signed, "{name}({form:?})");
            }
        }
    }
    assert_eq!(seen, [true, true], "可と否のどちらもある");
    assert_eq!([Verdict::Yes, Verdict::No, Verdict::Lost].map(Verdict::sign), ["✓", "✗", "×"]);
}

#[test]
fn every_lane_but_a_band_is_named_and_so_are_the_rulers() {
    each(|plate| {
        let shown = plate.layout.lanes.iter().filter(|lane| lane.kind != Kind::Band);
        let lanes = shown.map(|lane| match plate.form {
            Form::Across => lane.name.as_str(),
            Form::Down => lane.brief(),
        });
        let wanted: Vec<&str> = ["手", "時刻"].into_iter().chain(lanes).collect();
        let group = plate.root().children().find(|node| is(node, "tl-names")).unwrap();
        let names = group.children().filter(|node| node.tag_name().name() == "text");
        let names: Vec<&str> = names.filter_map(|node| node.text()).collect();
        if plate.layout.times.len() > 1 || plate.form == Form::Across {
            assert_eq!(names, wanted, "{}", plate.name);
        }
    });
}

#[test]
fn every_step_has_its_number_and_the_time_where_time_advances() {
    each(|plate| {
        let times = &plate.layout.times;
        for step in 1..times.len() {
            assert!(has(plate, step, &step.to_string()), "{}: 手 {step}", plate.name);
            let class = match plate.form {
                Form::Across => "tl-time",
                Form::Down => "tl-when",
            };
            let written = plate.of_step_and_class(step, class);
            let written: Vec<&str> = written.iter().filter_map(|node| node.text()).collect();
            let time = times[step].to_string();
            let advances = step == 1 || times[step] != times[step - 1];
            let wanted = if advances { vec![time.as_str()] } else { vec![] };
            assert_eq!(written, wanted, "{}: 手 {step}", plate.name);
        }
    });
}

#[test]
fn a_timeline_without_steps_is_drawn_too() {
    for form in Form::BOTH {
        with(&nothing(), form, |plate| {
            let values = plate.of_class("tl-value");
            assert!(values.iter().any(|value| value.text() == Some("(空) 最大0")));
            assert_eq!(plate.of_class("tl-step").len(), 0);
        });
    }
}
