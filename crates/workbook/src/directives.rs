//! 原稿の中の書き方。コードブロック・インラインコード・HTML コメントの中では働かない。ただし、一つの値
//! だけを一重の `` ` `` で囲んだものは、コードの体裁の値になる。書き方そのものを見せるときは二重の
//! `` `` `` で囲む。
//!
//! | 書き方 | 置かれるもの |
//! |---|---|
//! | `{{#timeline 章::名前 キャプション}}` | 図。一行に単独で書く |
//! | `{{#demo 章::名前 章::名前 キャプション \| 一文}}` | 無と有を切り替えるデモ。一行に単独で書く |
//! | `{{#table 章::名前 キャプション}}` | 表。一行に単独で書く |
//! | `{{#drawing 章::名前 キャプション}}` | 絵。一行に単独で書く |
//! | `{{#text 章::名前}}` | 文字の図。一行に単独で書く |
//! | `{{#command cargo test -p lease}}` | 命令と、その出力の記録。一行に単独で書く |
//! | `{{#ref 章::名前}}` | 「図 4-1」「表 4-1」というリンク。ページのデモは `{{#ref 章::demo}}` |
//! | `{{=章::名前 手 項目}}` | 筋書きの、その手の値。項目は [`crate::values::FIELDS`] |
//! | `{{=章::名前 行 列}}` | 表のセル。1 から数えた番号か、見出しの言葉で指す |
//!
//! `章::` を省くと、ページと同じ名前の章になる。mdBook 自身の `{{#include}}` などは、この前に
//! mdBook が置き換える。

use std::ops::Range;
use std::sync::LazyLock;

use anyhow::{Context as _, Result, bail};
use mdbook_markdown::pulldown_cmark::{Event, Tag};
use regex::Regex;

use crate::typography;

/// mdBook が自分で置き換える書き方。
const OF_MDBOOK: [&str; 5] = ["include", "rustdoc_include", "playground", "playpen", "title"];

/// 一つの書き方。
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Directive<'a> {
    /// 図
    Timeline {
        /// 筋書きの名前
        name: &'a str,
        /// キャプション
        caption: &'a str,
    },
    /// デモ
    Demo {
        /// フェンシングのない筋書きの名前
        off: &'a str,
        /// フェンシングのある筋書きの名前
        on: &'a str,
        /// キャプション
        caption: &'a str,
        /// デモの下に置く、持ち帰る一文
        takeaway: &'a str,
    },
    /// 表
    Table {
        /// 表の名前
        name: &'a str,
        /// キャプション
        caption: &'a str,
    },
    /// 絵
    Drawing {
        /// 絵の名前
        name: &'a str,
        /// キャプション
        caption: &'a str,
    },
    /// 文字の図
    Text {
        /// 筋書きの名前
        name: &'a str,
    },
    /// 命令
    Command {
        /// 端末に打つ文字列
        line: &'a str,
    },
    /// 図や表へのリンク
    Ref {
        /// 筋書きか表の名前
        name: &'a str,
    },
    /// 文の中の値
    Value {
        /// 筋書きか表の名前
        name: &'a str,
        /// 手と項目、または行と列
        place: &'a str,
    },
}

impl Directive<'_> {
    fn is_block(&self) -> bool {
        !matches!(self, Directive::Ref { .. } | Directive::Value { .. })
    }
}

/// 原稿の中で見つけた書き方。
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found<'a> {
    /// 原稿の中の範囲
    pub range: Range<usize>,
    /// 書かれたままの文字列
    pub text: &'a str,
    /// 意味
    pub directive: Directive<'a>,
    /// インラインコードの中か。そこでは文字参照が効かない
    pub in_code: bool,
}

/// 原稿から、書き方を出てくる順に取り出す。
///
/// # Errors
/// 知らない書き方、足りない引数、行の途中に置かれた図や表。
pub fn scan(markdown: &str) -> Result<Vec<Found<'_>>> {
    static PATTERN: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"\{\{(#|=)[^\n]*?\}\}").ok());
    let pattern = PATTERN.as_ref().context("書き方を探す正規表現を作れない")?;
    let ranges = Ranges::of(markdown);
    let mut found = Vec::new();
    for hit in pattern.find_iter(markdown) {
        if ranges.inert.iter().any(|range| range.contains(&hit.start())) {
            continue;
        }
        let in_code = ranges.values.iter().any(|range| range.contains(&hit.start()));
        let text = hit.as_str();
        let parsed = parse(text).with_context(|| format!("{text} を読めない"))?;
        let Some(directive) = parsed else { continue };
        if directive.is_block() && !stands_alone(markdown, &hit.range()) {
            bail!("{text} が行の途中にある。一行に単独で書く。");
        }
        found.push(Found { range: hit.range(), text, directive, in_code });
    }
    Ok(found)
}

#[derive(Default)]
struct Ranges {
    /// コードとコメント。ここに書かれたものは、書き方の説明とみなして触らない
    inert: Vec<Range<usize>>,
    /// 一つの値だけのインラインコード
    values: Vec<Range<usize>>,
}

impl Ranges {
    fn of(markdown: &str) -> Ranges {
        let mut ranges = Ranges::default();
        for (event, range) in typography::parser(markdown).into_offset_iter() {
            let source = markdown.get(range.clone()).unwrap_or_default();
            match event {
                Event::Code(_) if is_value(source) => ranges.values.push(range),
                Event::Code(_) | Event::Start(Tag::CodeBlock(_)) => ranges.inert.push(range),
                Event::Start(Tag::HtmlBlock) | Event::InlineHtml(_)
                    if source.trim_start().starts_with("<!--") =>
                {
                    ranges.inert.push(range);
                }
                _ => {}
            }
        }
        ranges
    }
}

fn is_value(source: &str) -> bool {
    let inner = source.strip_prefix("`{{=").and_then(|rest| rest.strip_suffix("}}`"));
    inner.is_some_and(|inner| !inner.contains("}}"))
}

fn stands_alone(markdown: &str, range: &Range<usize>) -> bool {
    let before = markdown.get(..range.start).unwrap_or_default();
    let after = markdown.get(range.end..).unwrap_or_default();
    let before = before.rsplit('\n').next().unwrap_or_default();
    let after = after.split('\n').next().unwrap_or_default();
    before.trim().is_empty() && after.trim().is_empty()
}

/// 一つの書き方を読む。mdBook のものなら `None`。
fn parse(text: &str) -> Result<Option<Directive<'_>>> {
    let inner = text.trim_start_matches("{{").trim_end_matches("}}").trim();
    if let Some(value) = inner.strip_prefix('=') {
        let (name, place) = split(value);
        return match name.is_empty() || !place.contains(char::is_whitespace) {
            true => bail!("名前・手・項目の三つを空白で区切って書く"),
            false => Ok(Some(Directive::Value { name, place })),
        };
    }
    let (word, rest) = split(inner.strip_prefix('#').unwrap_or(inner));
    let directive = match word {
        "timeline" => {
            captioned(rest).map(|(name, caption)| Directive::Timeline { name, caption })?
        }
        "demo" => demo(rest)?,
        "table" => captioned(rest).map(|(name, caption)| Directive::Table { name, caption })?,
        "drawing" => captioned(rest).map(|(name, caption)| Directive::Drawing { name, caption })?,
        "text" => Directive::Text { name: single(rest)? },
        "ref" => Directive::Ref { name: single(rest)? },
        "command" if !rest.is_empty() => Directive::Command { line: rest },
        "command" => bail!("命令を書く"),
        word if OF_MDBOOK.contains(&word) => return Ok(None),
        word => bail!(
            "#{word} という書き方はない。使えるのは #timeline、#demo、#table、#drawing、#text、#command、#ref である"
        ),
    };
    Ok(Some(directive))
}

fn split(text: &str) -> (&str, &str) {
    let text = text.trim();
    let (first, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    (first, rest.trim())
}

fn captioned(rest: &str) -> Result<(&str, &str)> {
    let (name, caption) = split(rest);
    match name.is_empty() || caption.is_empty() {
        true => bail!("名前のあとに、何を見る図や表かを述べるキャプションを書く"),
        false => Ok((name, caption)),
    }
}

fn demo(rest: &str) -> Result<Directive<'_>> {
    let (off, rest) = split(rest);
    let (on, rest) = split(rest);
    let (caption, takeaway) = rest.split_once('|').unwrap_or((rest, ""));
    let (caption, takeaway) = (caption.trim(), takeaway.trim());
    match caption.is_empty() || takeaway.is_empty() {
        true => bail!("無と有の二つの名前のあとに、キャプションと持ち帰る一文を | で区切って書く"),
        false => Ok(Directive::Demo { off, on, caption, takeaway }),
    }
}

fn single(rest: &str) -> Result<&str> {
    match split(rest) {
        ("", _) => bail!("名前を書く"),
        (name, "") => Ok(name),
        (_, extra) => bail!("名前のあとの「{extra}」は要らない。消す"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn directives(markdown: &str) -> Vec<Directive<'_>> {
        scan(markdown).unwrap().into_iter().map(|found| found.directive).collect()
    }

    fn refused(markdown: &str) -> String {
        format!("{:#}", scan(markdown).unwrap_err())
    }

    #[test]
    fn every_directive_is_read() {
        let markdown = "{{#timeline fencing::a 題 と説明}}\n\n{{#table fencing::b 表の題}}\n\n{{#drawing fencing::c 絵の題}}\n\n\
                        {{#text fencing::a}}\n\n{{#command cargo test -p fencing}}\n\n\
                        次の{{#ref fencing::a}}は、時刻 {{=a 5 時刻}}である。\n";
        assert_eq!(
            directives(markdown),
            [
                Directive::Timeline { name: "fencing::a", caption: "題 と説明" },
                Directive::Table { name: "fencing::b", caption: "表の題" },
                Directive::Drawing { name: "fencing::c", caption: "絵の題" },
                Directive::Text { name: "fencing::a" },
                Directive::Command { line: "cargo test -p fencing" },
                Directive::Ref { name: "fencing::a" },
                Directive::Value { name: "a", place: "5 時刻" },
            ]
        );
    }

    #[test]
    fn a_demo_names_two_stories_a_caption_and_a_takeaway() {
        assert_eq!(
            directives("{{#demo a::off on 見る 所 | 持ち帰る。}}\n"),
            [Directive::Demo {
                off: "a::off",
                on: "on",
                caption: "見る 所",
                takeaway: "持ち帰る。",
            }]
        );
        for short in ["{{#demo a::off a::on}}", "{{#demo a b c}}", "{{#demo a b | c}}"] {
            let advice =
                "無と有の二つの名前のあとに、キャプションと持ち帰る一文を | で区切って書く";
            assert_eq!(refused(short), format!("{short} を読めない: {advice}"));
        }
        assert!(refused("次は {{#demo a b c | d}}").contains("一行に単独で書く"));
    }

    #[test]
    fn a_value_inside_a_table_cell_is_read() {
        let markdown = "| 列 |\n|---|\n| {{=a 5 時刻}} |\n";
        assert_eq!(directives(markdown), [Directive::Value { name: "a", place: "5 時刻" }]);
    }

    #[test]
    fn code_and_comments_are_left_alone() {
        assert_eq!(directives("```text\n{{#text a::b}}\n```\n"), []);
        assert_eq!(directives("    {{#text a::b}}\n"), []);
        assert_eq!(directives("次の `{{#text a::b}}` と `` {{=a 1 値}} `` の書き方"), []);
        assert_eq!(directives("<!--\n{{#text a::b}}\n-->\n"), []);
        assert_eq!(directives("{{#include a.rs:b}} {{#title 題}}"), []);
    }

    #[test]
    fn code_that_is_only_a_value_is_expanded() {
        let found = scan("値は `{{=a 1 値}}` と {{=a 2 値}}").unwrap();
        assert_eq!(found.iter().map(|one| one.in_code).collect::<Vec<_>>(), [true, false]);
    }

    #[test]
    fn wrong_directives_are_refused() {
        assert_eq!(
            refused("{{#timelin a::b c}}"),
            "{{#timelin a::b c}} を読めない: #timelin という書き方はない。\
             使えるのは #timeline、#demo、#table、#drawing、#text、#command、#ref である"
        );
        assert_eq!(
            refused("{{#timeline a::b}}"),
            "{{#timeline a::b}} を読めない: \
             名前のあとに、何を見る図や表かを述べるキャプションを書く"
        );
        assert_eq!(
            refused("図は {{#text a::b}} である"),
            "{{#text a::b}} が行の途中にある。一行に単独で書く。"
        );
        assert_eq!(
            refused("{{=a 5}}"),
            "{{=a 5}} を読めない: 名前・手・項目の三つを空白で区切って書く"
        );
        assert_eq!(
            refused("{{#ref a::b c}}"),
            "{{#ref a::b c}} を読めない: 名前のあとの「c」は要らない。消す"
        );
        assert_eq!(refused("{{#command}}"), "{{#command}} を読めない: 命令を書く");
    }
}
