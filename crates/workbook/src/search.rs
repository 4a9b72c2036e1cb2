//! 検索の索引。読者の見る文字だけを、見出しごとに集める。
//!
//! mdBook の索引は、日本語の語を見つけられない。図の SVG の文字も拾い、要素の切れ目と語の切れ目を
//! 区別しない。そこで前処理が自分で作り、[`FILE`] に置く。book.toml の `additional-js` がそれを指すので、
//! `mdbook build` が本に写す。`file://` でも読めるように、JSON ではなくスクリプトにする。
//!
//! 探す側は theme/search.js にある。どこで文が切れるかは、二つの間でそろえる。

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::Path;

use anyhow::{Context as _, Result};
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{
    BufferQueue, Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
};
use mdbook_markdown::pulldown_cmark::html::push_html;
use mdbook_preprocessor::book::{Book, Chapter};
use serde_json::{Value, json};

use crate::numbering::slashed;
use crate::typography;

/// 索引の置き場。組むたびに作り直すので、Git の管理の外に置く。
pub const FILE: &str = "target/search-data.js";
/// スクリプトの初め。この後ろは JSON である。
pub const BEGIN: &str = "window.searchData = ";

/// 文の切れ目になる要素。
const BLOCKS: [&str; 28] = [
    "blockquote",
    "br",
    "dd",
    "details",
    "div",
    "dl",
    "dt",
    "figcaption",
    "figure",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "hr",
    "li",
    "ol",
    "p",
    "pre",
    "section",
    "summary",
    "table",
    "tbody",
    "tfoot",
    "thead",
    "tr",
    "ul",
];
const HEADINGS: [&str; 6] = ["h1", "h2", "h3", "h4", "h5", "h6"];
/// 中の文字を探さない要素。図の中の文字は、キャプションと言葉での説明にもある。ほかの要素は、
/// `data-unsearched` で外せる。
const SKIPPED: [&str; 5] = ["button", "script", "style", "svg", "template"];
/// 終わりのタグのない要素。
const EMPTY: [&str; 4] = ["br", "hr", "img", "input"];

/// `book` の索引を、`root` の下に置く。
///
/// # Errors
/// 書けないとき。
pub fn write(root: &Path, book: &Book) -> Result<()> {
    let path = root.join(FILE);
    let pages: Vec<Value> = book.chapters().filter_map(page).collect();
    let script = format!("{BEGIN}{};\n", Value::from(pages));
    let written = || -> Result<()> {
        // 書き直すと、見張っている道具が組み直す。同時に組んでいるものに、途中を読ませもしない。
        if std::fs::read_to_string(&path).is_ok_and(|old| old == script) {
            return Ok(());
        }
        let folder = path.parent().context("親のフォルダーがない")?;
        std::fs::create_dir_all(folder)?;
        let mut fresh = tempfile::NamedTempFile::new_in(folder)?;
        fresh.write_all(script.as_bytes())?;
        fresh.persist(&path)?;
        Ok(())
    };
    written().with_context(|| format!("検索の索引 {} を書けない", path.display()))
}

fn page(chapter: &Chapter) -> Option<Value> {
    let path = slashed(&chapter.path.as_ref()?.with_extension("html"));
    let number = chapter.number.as_ref().map(|number| format!("{number} ")).unwrap_or_default();
    let sections: Vec<Value> = sections(&chapter.content)
        .iter()
        .map(|section| json!([section.id, section.heading, section.text]))
        .collect();
    Some(json!([path, format!("{number}{}", chapter.name), sections]))
}

/// 一つの見出しと、次の見出しまでの文。
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Section {
    /// 見出しの id。最初の見出しより前では空
    pub id: String,
    /// 見出しの文字
    pub heading: String,
    /// 文。段落・項目・行・コードの行の切れ目は改行、表のセルの切れ目はタブ
    pub text: String,
}

/// Markdown を、見出しごとに分ける。
#[must_use]
pub fn sections(markdown: &str) -> Vec<Section> {
    let mut html = String::new();
    push_html(&mut html, typography::parser(markdown));
    let queue = BufferQueue::default();
    queue.push_back(StrTendril::from(html));
    let tokenizer = Tokenizer::new(Sink::default(), TokenizerOpts::default());
    let _ = tokenizer.feed(&queue);
    tokenizer.end();
    tokenizer.sink.0.into_inner().finish()
}

#[derive(Default)]
struct Sink(RefCell<State>);

#[derive(Default)]
struct State {
    sections: Vec<Section>,
    now: Section,
    /// 見出しの中にいるか
    in_heading: bool,
    /// コードの中にいるか
    in_pre: bool,
    /// 読み飛ばしている要素の名前と、その深さ
    skipped: Option<(String, usize)>,
    /// 見出しに付けた id
    used: BTreeSet<String>,
}

impl TokenSink for Sink {
    type Handle = ();

    fn process_token(&self, token: Token, _: u64) -> TokenSinkResult<()> {
        let mut state = self.0.borrow_mut();
        match token {
            Token::TagToken(tag) => return state.tag(&tag),
            Token::CharacterTokens(text) => state.text(&text),
            _ => {}
        }
        TokenSinkResult::Continue
    }
}

impl State {
    fn tag(&mut self, tag: &Tag) -> TokenSinkResult<()> {
        let name: &str = &tag.name;
        let opens = tag.kind == TagKind::StartTag;
        if self.skips(tag, opens) {
            return match name {
                "script" if opens => TokenSinkResult::RawData(RawKind::ScriptData),
                "style" if opens => TokenSinkResult::RawData(RawKind::Rawtext),
                _ => TokenSinkResult::Continue,
            };
        }
        if name == "pre" {
            self.in_pre = opens;
        }
        match name {
            _ if HEADINGS.contains(&name) => self.heading(tag, opens),
            _ if BLOCKS.contains(&name) => self.cut('\n'),
            "td" | "th" => self.cut('\t'),
            _ => {}
        }
        TokenSinkResult::Continue
    }

    /// 読み飛ばす要素の始まりか、その中か、終わりか。
    fn skips(&mut self, tag: &Tag, opens: bool) -> bool {
        let name: &str = &tag.name;
        let Some((skipped, depth)) = &mut self.skipped else {
            let marked = attribute(tag, "hidden").or_else(|| attribute(tag, "data-unsearched"));
            let skips = opens && (SKIPPED.contains(&name) || marked.is_some());
            if skips && !tag.self_closing && !EMPTY.contains(&name) {
                self.skipped = Some((name.to_owned(), 1));
            }
            return skips;
        };
        if skipped == name && !tag.self_closing {
            *depth = if opens { *depth + 1 } else { *depth - 1 };
        }
        if *depth == 0 {
            self.skipped = None;
        }
        true
    }

    fn heading(&mut self, tag: &Tag, opens: bool) {
        self.in_heading = opens;
        if opens {
            let id = attribute(tag, "id").unwrap_or_default();
            let before = std::mem::replace(&mut self.now, Section { id, ..Section::default() });
            self.sections.push(before);
        } else if self.now.id.is_empty() {
            let heading = std::mem::take(&mut self.now.heading);
            self.now.id = self.unique(&heading);
            self.now.heading = heading;
        }
    }

    fn text(&mut self, text: &str) {
        if self.skipped.is_some() {
            return;
        }
        if self.in_heading {
            self.now.heading.push_str(text);
        } else if self.in_pre {
            for line in text.split_inclusive('\n') {
                append(&mut self.now.text, line);
                if line.ends_with('\n') {
                    self.cut('\n');
                }
            }
        } else {
            append(&mut self.now.text, text);
        }
    }

    /// 文を切る。
    fn cut(&mut self, with: char) {
        let text = &mut self.now.text;
        let end = text.trim_end_matches(' ').len();
        text.truncate(end);
        match text.pop() {
            None => {}
            // 切れ目が続いたら、強いほうを残す。
            Some(last @ ('\n' | '\t')) => text.push(last.max(with)),
            Some(last) => text.extend([last, with]),
        }
    }

    /// mdBook と同じ決め方の id。
    fn unique(&mut self, text: &str) -> String {
        let letters = text.trim().to_lowercase();
        let letters = letters.chars().filter_map(|character| match character {
            c if c.is_alphanumeric() || c == '_' || c == '-' => Some(c),
            c if c.is_whitespace() => Some('-'),
            _ => None,
        });
        let id: String = letters.collect();
        let numbered = (1..).map(|number| format!("{id}-{number}"));
        let mut candidates = std::iter::once(id.clone()).chain(numbered);
        candidates.find(|candidate| self.used.insert(candidate.clone())).unwrap_or(id)
    }

    fn finish(mut self) -> Vec<Section> {
        self.sections.push(self.now);
        for section in &mut self.sections {
            let heading = std::mem::take(&mut section.heading);
            append(&mut section.heading, heading.trim());
            section.text.truncate(section.text.trim_end().len());
        }
        self.sections.retain(|section| !section.heading.is_empty() || !section.text.is_empty());
        self.sections
    }
}

/// 空白の並びを一つにして足す。
fn append(to: &mut String, text: &str) {
    for character in text.chars() {
        if !character.is_whitespace() {
            to.push(character);
        } else if !to.is_empty() && !to.ends_with([' ', '\n', '\t']) {
            to.push(' ');
        }
    }
}

fn attribute(tag: &Tag, name: &str) -> Option<String> {
    let found = tag.attrs.iter().find(|attribute| &*attribute.name.local == name)?;
    Some(found.value.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(markdown: &str) -> Vec<String> {
        sections(markdown).into_iter().map(|section| section.text).collect()
    }

    #[test]
    fn sections_get_the_ids_of_mdbook() {
        let of = |markdown: &str| -> Vec<(String, String)> {
            let pair = |section: Section| (section.id, section.heading);
            sections(markdown).into_iter().map(pair).collect()
        };
        let pair = |id: &str, heading: &str| (id.to_owned(), heading.to_owned());
        assert_eq!(
            of("前\n\n# `maxToken` を、見る\n\n## 題\n\n## 題\n\n## 別 {#b}\n"),
            [
                pair("", ""),
                pair("maxtoken-を見る", "maxToken を、見る"),
                pair("題", "題"),
                pair("題-1", "題"),
                pair("b", "別"),
            ]
        );
    }

    #[test]
    fn blocks_separate_words_and_inline_elements_do_not() {
        assert_eq!(
            texts("**二重**取得の`x`を見る。\n次の行\n\n次"),
            ["二重取得のxを見る。 次の行\n次"]
        );
        assert_eq!(texts("- 失効\n- 再開\n  - 中\n"), ["失効\n再開\n中"]);
        assert_eq!(texts("|有|無|\n|-|-|\n|1|2|\n"), ["有\t無\n1\t2"]);
    }

    #[test]
    fn no_space_is_added_between_tokens_of_code() {
        let code = r#"<pre><code><span class="hl-t">Token</span>::<span class="hl-f">new</span>(&lt;)&#10;&#10;    x   y</code></pre>"#;
        assert_eq!(texts(code), ["Token::new(<)\nx y"]);
    }

    #[test]
    fn drawings_scripts_and_hidden_text_are_left_out() {
        let figure = r#"<figure><svg><title>題</title><desc>説明</desc><g><text>絵</text></g></svg><script type="application/json">{"a":"<b>"}</script><input hidden><p hidden>隠</p><div data-unsearched><div>二度目</div></div><figcaption><a href="x">図 1</a> 言葉</figcaption></figure>"#;
        assert_eq!(texts(figure), ["図 1 言葉"]);
    }
}
