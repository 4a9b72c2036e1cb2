//! SVG を書く部品。
//!
//! 座標はすべて整数にする(浮動小数の誤差がスナップショットに入らない)。色と線の種類は
//! クラスで示し、ページのスタイルシートが明暗の配色ごとに決める。印刷用ページで重複しないように、
//! id は使わない。
//!
//! 描いたものは、起きた手の番号 `data-step` の付いた組に分ける。一手ずつ見せる側は、その番号だけを見て、
//! 座標を読まない。カーソルを置く座標は、`data-stops` に手 0 から並べて渡す。

use std::collections::BTreeMap;

use unicode_width::UnicodeWidthChar;

use crate::model::{Timeline, Verdict};

/// 重ねる順。
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Layer {
    /// 帯と棒と箱。カーソルの幕は、この上にかかる
    Ground,
    /// 矢印
    Flights,
    /// 印と言葉
    Words,
}

/// 組み立て中の SVG。
pub(crate) struct Canvas {
    /// 手によらず、いちばん下に敷くもの
    under: String,
    /// 横に送っても左に残す、レーンの名前
    names: String,
    parts: BTreeMap<(Layer, usize), String>,
}

impl Canvas {
    pub(crate) fn new() -> Canvas {
        Canvas { under: String::new(), names: String::new(), parts: BTreeMap::new() }
    }

    /// 手によらずに見せるもの。いちばん下に敷く。
    pub(crate) fn under(&mut self, element: &str) {
        self.under.push_str(element);
    }

    /// レーンの名前。いちばん上に重ねる。
    pub(crate) fn name(&mut self, element: &str) {
        self.names.push_str(element);
    }

    /// 手 `step` で起きたもの。
    pub(crate) fn put(&mut self, layer: Layer, step: usize, element: &str) {
        self.parts.entry((layer, step)).or_default().push_str(element);
    }

    /// 一つの要素にする。`stops` は、手 0 からの、カーソルを置く座標。
    pub(crate) fn finish(
        self,
        timeline: &Timeline,
        class: &str,
        (width, height): (usize, usize),
        stops: &[usize],
        cursor: &str,
    ) -> String {
        let stops: Vec<String> = stops.iter().map(usize::to_string).collect();
        let mut out = format!(
            "<svg class=\"tl {class}\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" data-stops=\"{}\" role=\"img\" xmlns=\"http://www.w3.org/2000/svg\">\n",
            stops.join(" ")
        );
        let told: String = timeline.steps.iter().skip(1).fold(String::new(), |all, step| {
            format!("{all}{} {}: {}", timeline.unit, step.time, step.words)
        });
        out.push_str(&format!("<title>{}</title>\n", escape(&timeline.title)));
        out.push_str(&format!("<desc>{}</desc>\n", escape(&told)));
        out.push_str(&self.under);
        out.push('\n');
        for layer in [Layer::Ground, Layer::Flights, Layer::Words] {
            let name = match layer {
                Layer::Ground => "tl-ground",
                Layer::Flights => "tl-flights",
                Layer::Words => "tl-words",
            };
            out.push_str(&format!("<g class=\"{name}\">\n"));
            for ((_, step), part) in self.parts.range((layer, 0)..=(layer, usize::MAX)) {
                out.push_str(&format!("<g data-step=\"{step}\">{part}</g>\n"));
            }
            out.push_str("</g>\n");
            if layer == Layer::Ground {
                out.push_str(cursor);
            }
        }
        out.push_str(&format!("<g class=\"tl-names\">{}</g>\n</svg>\n", self.names));
        out
    }
}

/// 今の手を指す線と、まだ起きていないことにかける幕。置く所は、一手ずつ見せる側が `data-stops` から選ぶ。
///
/// 幕は、上の端 `top` から図の全体を覆う。
pub(crate) fn cursor(line: &str, top: usize, (width, height): (usize, usize)) -> String {
    let veil = rect("pl-veil", 0, top, width, height);
    format!("<g class=\"pl-cursor\">{veil}{}</g>\n", path("pl-line", line))
}

/// 13 の大きさで書いたときの、言葉の幅の見積もり。
pub(crate) fn measure(text: &str) -> usize {
    text.chars().map(|c| if c.width() == Some(2) { 13 } else { 8 }).sum()
}

/// 文字。空なら何も書かない。
pub(crate) fn text(class: &str, x: usize, y: usize, text: &str) -> String {
    if text.is_empty() {
        return String::new();
    }
    format!("<text class=\"{class}\" x=\"{x}\" y=\"{y}\">{}</text>", escape(text))
}

pub(crate) fn rect(class: &str, x: usize, y: usize, width: usize, height: usize) -> String {
    format!("<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"/>")
}

pub(crate) fn path(class: &str, line: &str) -> String {
    format!("<path class=\"{class}\" d=\"{line}\"/>")
}

pub(crate) fn circle(class: &str, x: usize, y: usize, radius: usize) -> String {
    format!("<circle class=\"{class}\" cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"/>")
}

/// 色のクラス。
pub(crate) fn tone(tone: Option<u8>) -> String {
    tone.map(|tone| format!(" tl-{tone}")).unwrap_or_default()
}

/// 判定のクラス。
pub(crate) fn kind(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Yes => "tl-ok",
        Verdict::No => "tl-ng",
        Verdict::Lost => "tl-lost",
    }
}

/// 記号のついた言葉。
pub(crate) fn signed(verdict: Verdict, label: &str) -> String {
    format!("{} {label}", verdict.sign()).trim_end().to_owned()
}

pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
