//! 組み上がった HTML から、検査に要るものを取り出す。

use std::cell::RefCell;
use std::collections::BTreeSet;

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{
    BufferQueue, Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
};

/// 文字をそのまま見せる要素。この中の `**` は誤りではない。
const VERBATIM: [&str; 5] = ["code", "pre", "script", "style", "textarea"];

/// 一つのページから取り出したもの。
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rendered {
    /// 飛び先になる id
    pub ids: BTreeSet<String>,
    /// `href` と `src`
    pub links: Vec<String>,
    /// コードの外の文
    pub texts: Vec<String>,
    /// `<strong>` の中の `<strong>` にある文。強調の組み合わせが取り違えられた印
    pub doubly_strong: Vec<String>,
    /// `<base>` の指す、リンクの起点
    pub base: Option<String>,
}

/// HTML を読む。
#[must_use]
pub fn read(html: &str) -> Rendered {
    let queue = BufferQueue::default();
    queue.push_back(StrTendril::from(html));
    let tokenizer = Tokenizer::new(Sink::default(), TokenizerOpts::default());
    // スクリプトの要素を特別に扱わないので、途中で止まることはない。
    let _ = tokenizer.feed(&queue);
    tokenizer.end();
    let mut state = tokenizer.sink.state.into_inner();
    state.end_text();
    state.rendered
}

#[derive(Default)]
struct Sink {
    state: RefCell<State>,
}

#[derive(Default)]
struct State {
    rendered: Rendered,
    verbatim: usize,
    strong: usize,
    text: String,
}

impl TokenSink for Sink {
    type Handle = ();

    fn process_token(&self, token: Token, _: u64) -> TokenSinkResult<()> {
        let mut state = self.state.borrow_mut();
        match token {
            Token::TagToken(tag) => state.tag(&tag),
            Token::CharacterTokens(text) => {
                state.text.push_str(&text);
                TokenSinkResult::Continue
            }
            _ => TokenSinkResult::Continue,
        }
    }
}

impl State {
    fn tag(&mut self, tag: &Tag) -> TokenSinkResult<()> {
        self.end_text();
        let name: &str = &tag.name;
        let opens = tag.kind == TagKind::StartTag;
        let step = |count: usize| if opens { count + 1 } else { count.saturating_sub(1) };
        if VERBATIM.contains(&name) {
            self.verbatim = step(self.verbatim);
        }
        if name == "strong" {
            self.strong = step(self.strong);
        }
        if !opens {
            return TokenSinkResult::Continue;
        }
        self.attributes(name, tag);
        match name {
            "script" => TokenSinkResult::RawData(RawKind::ScriptData),
            "style" => TokenSinkResult::RawData(RawKind::Rawtext),
            "title" | "textarea" => TokenSinkResult::RawData(RawKind::Rcdata),
            _ => TokenSinkResult::Continue,
        }
    }

    fn attributes(&mut self, name: &str, tag: &Tag) {
        for attribute in &tag.attrs {
            let value = attribute.value.to_string();
            match (name, &*attribute.name.local) {
                (_, "id") | ("a", "name") => {
                    self.rendered.ids.insert(value);
                }
                ("base", "href") => self.rendered.base = Some(value),
                (_, "href" | "src") => self.rendered.links.push(value),
                _ => {}
            }
        }
    }

    fn end_text(&mut self) {
        let text = std::mem::take(&mut self.text);
        if self.verbatim > 0 || text.trim().is_empty() {
            return;
        }
        if self.strong > 1 {
            self.rendered.doubly_strong.push(text.trim().to_owned());
        }
        self.rendered.texts.push(text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_checks_need_is_extracted() {
        let rendered = read(
            r##"<title>題</title><h1 id="題">題</h1><a href="a.html#%E9%A1%8C">次</a>
            <script>"<a href='x'>**</a>"</script><code>**</code><p>**残り</p>"##,
        );
        assert_eq!(rendered.ids.iter().collect::<Vec<_>>(), ["題"]);
        assert_eq!(rendered.links, ["a.html#%E9%A1%8C"]);
        assert_eq!(rendered.texts, ["題", "題", "次", "**残り"]);
    }

    #[test]
    fn strong_inside_strong_is_found() {
        let rendered = read("<p><strong>「A」<strong>の</strong>「B」</strong></p>");
        assert_eq!(rendered.doubly_strong, ["の"]);
    }
}
