//! 囲みのコードを、色のついた HTML にする。
//!
//! 読むときに色をつけるスクリプトは、ページの残りの全部より重い。組み立てるときに色をつければ、
//! ページは軽く、スクリプトが動かなくても色がつく。字句の切り分けは rustc のものを使う。

use ra_ap_rustc_lexer::{FrontmatterAllowed, LiteralKind, Token, TokenKind, tokenize};

use crate::figures::{escape, widen};

/// Markdown の中の囲みを、すべて HTML に置き換える。
///
/// 横に長い囲みをキーボードで送れるように、どれも `tabindex` を持つ。
#[must_use]
pub fn render(markdown: &str) -> String {
    let mut out = String::with_capacity(markdown.len());
    let mut block: Option<(String, Vec<&str>)> = None;
    for line in markdown.lines() {
        match (&mut block, line.strip_prefix("```")) {
            (None, Some(language)) => block = Some((language.trim().to_owned(), Vec::new())),
            (None, None) => out.extend([line, "\n"]),
            (Some(_), Some("")) => {
                if let Some((language, lines)) = block.take() {
                    out.push_str(&html(&language, &lines));
                    out.push('\n');
                }
            }
            (Some((_, lines)), _) => lines.push(line),
        }
    }
    // 閉じられていない囲みは、書き手の誤りが見えるように、そのまま残す。
    if let Some((language, lines)) = block {
        out.push_str(&format!("```{language}\n{}\n", lines.join("\n")));
    }
    out
}

fn html(language: &str, lines: &[&str]) -> String {
    let code = dedent(lines);
    let language = language.split(',').next().unwrap_or_default();
    let body = match language {
        "rust" => rust(&code),
        _ => widen(&code),
    };
    // 空行で HTML ブロックが終わらないように、改行を文字参照にする。
    let body = body.replace('\n', "&#10;");
    format!(r#"<pre tabindex="0"><code class="language-{language}">{body}</code></pre>"#)
}

/// `impl` の中から切り出したコードの、共通の字下げを取り除く。
fn dedent(lines: &[&str]) -> String {
    let written = lines.iter().filter(|line| !line.trim().is_empty());
    let indent = written.map(|line| line.len() - line.trim_start().len()).min().unwrap_or(0);
    let cut = |line: &&str| line.get(indent..).unwrap_or_default().to_owned();
    lines.iter().map(cut).collect::<Vec<_>>().join("\n")
}

/// Rust のコードに色のクラスをつける。
fn rust(code: &str) -> String {
    let tokens: Vec<(Token, &str)> = pieces(code);
    let mut out = String::new();
    let mut attribute = 0;
    for (index, (token, text)) in tokens.iter().enumerate() {
        let next = tokens.get(index + 1).map(|(token, _)| token.kind);
        if token.kind == TokenKind::Pound && next == Some(TokenKind::OpenBracket) {
            attribute = 1;
        }
        match class(token.kind, text, next, attribute > 0) {
            Some(class) => {
                out.push_str(&format!(r#"<span class="{class}">{}</span>"#, escape(text)))
            }
            None => out.push_str(&escape(text)),
        }
        if token.kind == TokenKind::CloseBracket {
            attribute = 0;
        }
    }
    out
}

fn pieces(code: &str) -> Vec<(Token, &str)> {
    let mut rest = code;
    let mut pieces = Vec::new();
    for token in tokenize(code, FrontmatterAllowed::No) {
        let (text, after) = rest.split_at(token.len as usize);
        pieces.push((token, text));
        rest = after;
    }
    pieces
}

fn class(
    kind: TokenKind,
    text: &str,
    next: Option<TokenKind>,
    in_attribute: bool,
) -> Option<&'static str> {
    match kind {
        TokenKind::Whitespace => None,
        TokenKind::LineComment { .. } | TokenKind::BlockComment { .. } => Some("hl-c"),
        _ if in_attribute => Some("hl-c"),
        TokenKind::Literal {
            kind: LiteralKind::Int { .. } | LiteralKind::Float { .. }, ..
        } => Some("hl-n"),
        TokenKind::Literal { .. } => Some("hl-s"),
        TokenKind::Ident if KEYWORDS.contains(&text) => Some("hl-k"),
        TokenKind::Ident if text.starts_with(char::is_uppercase) => Some("hl-t"),
        TokenKind::Ident if next == Some(TokenKind::OpenParen) => Some("hl-f"),
        _ => None,
    }
}

/// 本に現れうる予約語。
const KEYWORDS: [&str; 34] = [
    "as", "async", "await", "break", "const", "continue", "crate", "else", "enum", "false", "fn",
    "for", "if", "impl", "in", "let", "loop", "match", "mod", "move", "mut", "pub", "ref",
    "return", "self", "static", "struct", "super", "trait", "true", "type", "use", "where",
    "while",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_get_their_classes() {
        let html = rust("#[derive(Copy)]\nfn f(x: Token) -> u8 { g(\"a<b\") + 1 } // 終わり");
        for piece in [
            r#"<span class="hl-c">derive</span>"#,
            r#"<span class="hl-k">fn</span>"#,
            r#"<span class="hl-f">f</span>"#,
            r#"<span class="hl-t">Token</span>"#,
            r#"<span class="hl-s">&quot;a&lt;b&quot;</span>"#,
            r#"<span class="hl-n">1</span>"#,
            r#"<span class="hl-c">// 終わり</span>"#,
        ] {
            assert!(html.contains(piece), "{piece}: {html}");
        }
    }

    #[test]
    fn common_indentation_is_removed_and_blank_lines_stay_inside() {
        let html = render("前\n```rust,ignore\n    let a = 1;\n\n        b();\n```\n後\n");
        assert!(
            html.starts_with("前\n<pre tabindex=\"0\"><code class=\"language-rust\">"),
            "{html}"
        );
        assert!(html.contains(";&#10;&#10;    <span class=\"hl-f\">b</span>"), "{html}");
        assert!(html.ends_with("</code></pre>\n後\n"), "{html}");
    }

    #[test]
    fn wide_characters_in_plain_blocks_are_aligned() {
        let html = render("```text\n手 1 < 2\n```\n");
        let body = r#"<span class="w">手</span> 1 &lt; 2"#;
        assert!(html.contains(body), "{html}");
    }

    #[test]
    fn an_unclosed_block_is_left_as_it_is() {
        assert_eq!(render("```rust\nfn\n"), "```rust\nfn\n");
    }
}
