//! 図・表・文字の図・命令を HTML にする。
//!
//! Markdown の HTML ブロックは空行で終わるので、どれも一行に書く。図の中に id は置かない。

use chart::{Drawing, Frame, Table, Timeline};

use crate::library::{Entry, Performed};
use crate::numbering::Place;
use crate::player;
use crate::tables::Grid;
use crate::typography::is_wide;

/// HTML の文字として読まれるように書き換える。
#[must_use]
pub fn escape(text: &str) -> String {
    text.chars().fold(String::with_capacity(text.len()), |mut out, character| {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            other => out.push(other),
        }
        out
    })
}

/// 図。番号・キャプション・言葉での説明と、一手ずつ見せるコマが付く。
///
/// HTML では、キャプションは図の最初か最後にしか置けない。言葉での説明より上に見せるのは、
/// スタイルシートの役目である。
#[must_use]
pub fn timeline(story: &Entry<Performed>, place: &Place, caption: &str) -> String {
    let id = &place.id;
    let timeline = &story.content.timeline;
    let drawing = forms(timeline, &timeline.title, "");
    let player = player::of_figure(timeline);
    let caption = figcaption(place, caption);
    let steps: String = timeline.frames().iter().skip(1).map(|one| step(timeline, one)).collect();
    format!(
        r#"<figure class="timeline" id="{id}">{drawing}{player}<div class="tl-tools"><details><summary>図を言葉で読む</summary><ol>{steps}</ol></details></div>{caption}</figure>"#
    )
}

/// この幅までの横の図は、本文の欄に収まる。単位は CSS の px。
const COLUMN: usize = 680;

/// この幅までの横の図は、幅 1280 の画面で、左右の余白まで使えば収まる。単位は CSS の px。
const SHEET: usize = 976;

/// 横の図と縦の図。どちらを見せるかは、図を置く欄の幅から、スタイルシートが決める。
///
/// 縦の図のほうは、狭い欄でだけ見せる。`hidden` は空か、` hidden`。
pub(crate) fn forms(timeline: &Timeline, label: &str, hidden: &str) -> String {
    let (label, width) = (escape(label), timeline.width_across());
    let across = one_line(&timeline.across());
    let down = one_line(&timeline.down());
    let class = match width {
        _ if width <= COLUMN => "",
        _ if width <= SHEET => " tl-long",
        _ => " tl-vast",
    };
    format!(
        r#"<div class="tl-forms{class}" style="--w:{width}px"{hidden}><div class="tl-scroll" tabindex="0" role="group" aria-label="{label}">{across}</div>{down}</div>"#
    )
}

/// 絵。番号・キャプション・言葉での説明が付く。
///
/// SVG は、広い所と狭い所のものが並ぶ。スタイルシートが、置かれた場所の幅で一つだけを見せる。
#[must_use]
pub fn drawing(drawing: &Entry<Drawing>, place: &Place, caption: &str) -> String {
    let id = &place.id;
    let svg = one_line(&drawing.content.svg);
    let caption = figcaption(place, caption);
    let words = drawing.content.words.iter().map(|line| format!("<li>{}</li>", escape(line)));
    let words: String = words.collect();
    format!(
        r#"<figure class="timeline drawing" id="{id}"><div class="sheet">{svg}</div><div class="tl-tools"><details><summary>図を言葉で読む</summary><ul>{words}</ul></details></div>{caption}</figure>"#
    )
}

fn step(timeline: &Timeline, frame: &Frame) -> String {
    let (unit, words) = (escape(&timeline.unit), escape(&frame.words));
    format!(r#"<li><span class="t">{unit} {}</span> {words}</li>"#, frame.time)
}

pub(crate) fn figcaption(place: &Place, caption: &str) -> String {
    let (Place { id, label, .. }, caption) = (place, escape(caption));
    format!(r##"<figcaption><a class="fig-no" href="#{id}">{label}</a> {caption}</figcaption>"##)
}

/// SVG の行は要素の切れ目にあるので、空白でつないでも絵は変わらない。
pub(crate) fn one_line(svg: &str) -> String {
    svg.lines().map(str::trim).collect::<Vec<_>>().join(" ").trim().to_owned()
}

/// 表。番号とキャプションが付く。
#[must_use]
pub fn table(table: &Entry<Table>, place: &Place, caption: &str) -> String {
    let id = &place.id;
    let caption = figcaption(place, caption);
    let grid = Grid::of_data(&table.content.header, &table.content.rows).html();
    format!(r#"<figure class="data" id="{id}">{caption}{grid}</figure>"#)
}

/// 文字の図。
#[must_use]
pub fn text(text: &str) -> String {
    pre("tl-text", text)
}

/// 命令と、その出力。
#[must_use]
pub fn command(line: &str, output: &str) -> String {
    pre("command", &format!("$ {line}\n{output}"))
}

/// 改行を文字参照にして、空行で HTML ブロックが終わるのを避ける。
fn pre(class: &str, text: &str) -> String {
    let body = widen(text.trim_end()).replace('\n', "&#10;");
    format!(r#"<pre class="{class}" tabindex="0"><code>{body}</code></pre>"#)
}

/// 全角文字の並びを `<span class="w">` で包む。スタイルシートが、全角を半角二つの幅にそろえる。
pub(crate) fn widen(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let wide = is_wide(first);
        let end = rest.find(|character| is_wide(character) != wide).unwrap_or(rest.len());
        let (run, after) = rest.split_at(end);
        match wide {
            true => out.push_str(&format!(r#"<span class="w">{}</span>"#, escape(run))),
            false => out.push_str(&escape(run)),
        }
        rest = after;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_wide_runs_are_wrapped() {
        assert_eq!(widen("A 取得 #1"), r#"A <span class="w">取得</span> #1"#);
        assert_eq!(widen("1 < 2"), "1 &lt; 2");
        assert_eq!(widen("全角"), r#"<span class="w">全角</span>"#);
    }

    #[test]
    fn a_command_begins_with_a_prompt_and_has_no_blank_line() {
        let html = command("cargo test", "ok\n\nend\n");
        assert_eq!(
            html,
            r#"<pre class="command" tabindex="0"><code>$ cargo test&#10;ok&#10;&#10;end</code></pre>"#
        );
    }

    #[test]
    fn table_headings_name_rows_and_columns() {
        let content = Table {
            header: vec!["方法".into(), "結果".into()],
            rows: vec![vec!["A & B".into(), "<拒否>".into()]],
        };
        let place = Place {
            source: "book/fencing.md".into(),
            path: "fencing.md".into(),
            at_home: true,
            id: "tbl-fencing-ways".into(),
            label: "表 4-1".into(),
        };
        let html = table(
            &Entry { chapter: "fencing", name: "ways".to_owned(), content },
            &place,
            "比べる",
        );
        assert!(html.starts_with(r#"<figure class="data" id="tbl-fencing-ways"><figcaption>"#));
        assert!(html.contains(r#"<th scope="col">方法</th><th scope="col">結果</th>"#));
        assert!(html.contains(r#"<th scope="row">A &amp; B</th><td>&lt;拒否&gt;</td>"#));
        assert!(!html.contains('\n'));
    }
}
