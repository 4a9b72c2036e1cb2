//! 日本語の組版のための、原稿の書き直し。
//!
//! 原稿の改行はブラウザーで空白になる。全角文字の間の改行だけを取り除く。取り除くと、次の行の頭に
//! ある `**` が前の字に付き、強調と読まれなくなることがある。そこで、読めた強調はタグに書き換える。

use std::ops::Range;

use mdbook_markdown::pulldown_cmark::{Event, Parser, Tag, TagEnd};
use mdbook_markdown::{MarkdownOptions, new_cmark_parser};
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use crate::figures::escape;

/// mdBook と同じ読み方をするもの。
pub(crate) fn parser(markdown: &str) -> Parser<'_> {
    let mut options = MarkdownOptions::default();
    // 引用符の書き換えは、字の位置を変えないので、ここでは要らない。
    options.smart_punctuation = false;
    new_cmark_parser(markdown, &options)
}

/// 全角か。端末で二桁を占める字。
pub(crate) fn is_wide(character: char) -> bool {
    character.width() == Some(2)
}

/// 一字でも、前の言葉の終わりになる助詞。ほかの一字(食い違う、桁あふれ)は、言葉の途中である。
const PARTICLES: &str = "はがをにとのもでへや";

/// 行を折ってよい所。バイトの位置。空白と句読点の後ろは、ブラウザーが折るので含めない。
///
/// 平仮名の後ろで、漢字・片仮名・鉤括弧が始まる所が、文節の切れ目になる。
fn folds(text: &str) -> impl Iterator<Item = usize> {
    let is_kana = |character: char| matches!(character, 'ぁ'..='ん');
    let starts = |character: char| {
        matches!(character, '一'..='龠' | '々' | 'ァ'..='ヶ' | '「')
            || character.is_ascii_alphanumeric()
    };
    let mut run: Vec<char> = Vec::new();
    text.char_indices().filter_map(move |(at, character)| {
        let ends = match run.as_slice() {
            [] => false,
            [one] => PARTICLES.contains(*one),
            _ => true,
        };
        let folds = ends && starts(character);
        if is_kana(character) {
            run.push(character)
        } else {
            run.clear()
        }
        folds.then_some(at)
    })
}

/// 文節の切れ目でだけ折れる HTML にする。スタイルシートの `word-break: keep-all` と合わせて使う。
pub(crate) fn breakable(text: &str) -> String {
    let mut out = String::new();
    let mut done = 0;
    for at in folds(text).chain([text.len()]) {
        if done > 0 {
            out.push_str("<wbr>");
        }
        out.push_str(&escape(text.get(done..at).unwrap_or_default()));
        done = at;
    }
    out
}

/// [`breakable`] で折ったときの、いちばん長い行の桁。
pub(crate) fn softened(text: &str) -> usize {
    let cuts: Vec<usize> = [0].into_iter().chain(folds(text)).chain([text.len()]).collect();
    let pieces = cuts.windows(2).filter_map(|cut| text.get(cut[0]..cut[1]));
    let pieces = pieces.flat_map(|piece| piece.split_inclusive([' ', '、']));
    pieces.map(|piece| piece.trim_end().width()).max().unwrap_or(0)
}

/// 全角文字の間の改行を取り除く。見出しは、文節の切れ目でだけ折れるようにする。
#[must_use]
pub fn join_lines(markdown: &str) -> String {
    let mut editor =
        Editor { markdown, last: None, pending: None, in_heading: false, edits: Vec::new() };
    for (event, range) in parser(markdown).into_offset_iter() {
        editor.see(&event, range);
    }
    editor.finish()
}

struct Editor<'a> {
    markdown: &'a str,
    /// この段落で最後に見えた字
    last: Option<char>,
    /// まだ決めていない改行。次のものの始まりまで
    pending: Option<Range<usize>>,
    in_heading: bool,
    edits: Vec<(Range<usize>, &'static str)>,
}

impl Editor<'_> {
    fn see(&mut self, event: &Event<'_>, range: Range<usize>) {
        self.extend_pending(&range);
        match event {
            Event::Text(text) if self.in_heading => self.fold(text, range),
            Event::End(TagEnd::Heading(_)) => self.in_heading = false,
            Event::SoftBreak => self.pending = Some(self.line_end(range.start)..range.start),
            Event::Text(text) | Event::Code(text) => self.text(text),
            Event::Start(tag) => self.start(tag, range),
            Event::End(tag) if is_inline(*tag) => {}
            Event::InlineHtml(html) if !html.starts_with("<br") => {}
            _ => self.forget(),
        }
    }

    /// 改行のあとには、引用の `>` や字下げが続くことがある。次のものの始まりまでを改行とみなす。
    fn extend_pending(&mut self, next: &Range<usize>) {
        match &mut self.pending {
            Some(pending) if next.start < pending.start => self.pending = None,
            Some(pending)
                if !self.markdown.get(pending.clone()).is_some_and(|s| s.contains('\n')) =>
            {
                pending.end = next.start;
            }
            _ => {}
        }
    }

    /// 行末の空白の始まり。
    fn line_end(&self, at: usize) -> usize {
        let before = self.markdown.get(..at).unwrap_or_default();
        before.trim_end_matches([' ', '\t']).len()
    }

    fn text(&mut self, text: &str) {
        let joins = self.last.is_some_and(is_wide) && text.chars().next().is_some_and(is_wide);
        if let Some(range) = self.pending.take().filter(|_| joins) {
            self.edits.push((range, ""));
        }
        self.last = text.chars().last().or(self.last);
    }

    /// 文字参照などで原稿と違う文字になるものは、そのままにする。
    fn fold(&mut self, text: &str, range: Range<usize>) {
        if self.markdown.get(range.clone()) == Some(text) {
            self.edits.extend(folds(text).map(|at| (range.start + at..range.start + at, "<wbr>")));
        }
    }

    fn start(&mut self, tag: &Tag<'_>, range: Range<usize>) {
        match tag {
            Tag::Heading { .. } => {
                self.in_heading = true;
                self.forget();
            }
            Tag::Strong => self.tag(range, 2, "<strong>", "</strong>"),
            Tag::Emphasis => self.tag(range, 1, "<em>", "</em>"),
            tag if is_inline(tag.to_end()) => {}
            _ => self.forget(),
        }
    }

    fn tag(&mut self, range: Range<usize>, mark: usize, open: &'static str, close: &'static str) {
        self.edits.push((range.start..range.start + mark, open));
        self.edits.push((range.end - mark..range.end, close));
    }

    fn forget(&mut self) {
        self.last = None;
        self.pending = None;
    }

    fn finish(mut self) -> String {
        self.edits.sort_by_key(|(range, _)| (range.start, range.end));
        let mut out = String::with_capacity(self.markdown.len());
        let mut done = 0;
        for (range, with) in self.edits {
            out.push_str(self.markdown.get(done..range.start).unwrap_or_default());
            out.push_str(with);
            done = range.end;
        }
        out.push_str(self.markdown.get(done..).unwrap_or_default());
        out
    }
}

fn is_inline(tag: TagEnd) -> bool {
    matches!(tag, TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough | TagEnd::Link)
}

#[cfg(test)]
mod tests {
    use super::{breakable, join_lines, softened};

    #[test]
    fn only_line_breaks_between_wide_characters_are_removed() {
        assert_eq!(join_lines("客は\n止まる"), "客は止まる");
        assert_eq!(join_lines("客は \n止まる"), "客は止まる");
        assert_eq!(join_lines("客 A\nが止まる"), "客 A\nが止まる");
        assert_eq!(join_lines("止まる\nlock"), "止まる\nlock");
        assert_eq!(join_lines("止まる。  \n次"), "止まる。  \n次");
    }

    #[test]
    fn headings_break_between_phrases_only() {
        for (heading, broken) in [
            ("## 境目も桁あふれも試験がある\n", "## 境目も<wbr>桁あふれも<wbr>試験がある\n"),
            ("## 食い違えば、読んで書き戻す\n", "## 食い違えば、読んで<wbr>書き戻す\n"),
            ("## 時計はずれず\n", "## 時計はずれず\n"),
            ("## リースと`リースの`\n", "## リースと`リースの`\n"),
        ] {
            assert_eq!(join_lines(heading), broken);
        }
        assert_eq!(softened("クラッシュから次の取得まで"), 14);
        assert_eq!(breakable("A < B の書き込み"), "A &lt; B の<wbr>書き込み");
    }

    #[test]
    fn quote_and_list_marks_survive() {
        assert_eq!(join_lines("> 客は\n> 止まる"), "> 客は止まる");
        assert_eq!(join_lines("- 客は\n  止まる\n- 次"), "- 客は止まる\n- 次");
        assert_eq!(join_lines("客は\n\n止まる"), "客は\n\n止まる");
    }

    #[test]
    fn code_is_not_touched() {
        assert_eq!(join_lines("```text\n客は\n止まる\n```\n"), "```text\n客は\n止まる\n```\n");
    }

    #[test]
    fn joining_keeps_emphasis() {
        assert_eq!(join_lines("客は\n**「持つ」**\nと思う"), "客は<strong>「持つ」</strong>と思う");
        assert_eq!(join_lines("客は\n[次の章](b.md)へ"), "客は[次の章](b.md)へ");
        assert_eq!(join_lines("***両方***"), "<em><strong>両方</strong></em>");
    }
}
