//! 予想の問い。読者が選ぶと、当たりか外れかと、その理由が開く。
//!
//! 原稿には、次のように書く。
//!
//! ````text
//! ```predict
//! 問い: B が取得できるのはいつか。
//! 選択: 時刻 {{=crash 3 時刻}}
//! もし: crash 5 時刻 = 9
//! 説明: 期限の前なので、まだ断られる。
//! 選択: 時刻 {{=crash 4 時刻}}
//! もし: crash 5 時刻 = 10
//! 説明: 期限ちょうどには、もう失効している。
//! ```
//! ````
//!
//! 「もし」には、その選択が当たりならば筋書きの値がどうなるかを書く。当たりか外れかは、書き手ではなく、
//! 演じた結果が決める。当たりがちょうど一つでなければ、本は組み立てられない。

use anyhow::{Context as _, Result, bail, ensure};

use crate::library::Library;
use crate::numbering::Page;
use crate::values;

const OPEN: &str = "```predict";

/// 一つの選択。
#[derive(Debug, Default)]
struct Choice<'a> {
    words: &'a str,
    claim: &'a str,
    reason: &'a str,
}

/// 原稿の中の予想の囲みを、Markdown と HTML に置き換える。中の値や参照は、あとで置き換わる。
///
/// # Errors
/// 書き方の誤り、知らない筋書き、当たりが一つでない問い。
pub fn expand(markdown: &str, page: &Page, library: &Library) -> Result<String> {
    let mut out = String::with_capacity(markdown.len());
    let mut block: Option<Vec<&str>> = None;
    let mut count = 0;
    for line in markdown.lines() {
        match &mut block {
            None if line == OPEN => block = Some(Vec::new()),
            None => out.extend([line, "\n"]),
            Some(lines) if line != "```" => lines.push(line),
            Some(lines) => {
                count += 1;
                let name = format!("predict-{}-{count}", page.stem);
                out.push_str(&question(lines, &name, page, library).context("予想の囲み")?);
                block = None;
            }
        }
    }
    ensure!(block.is_none(), "予想の囲みが ``` で閉じられていない。");
    Ok(out)
}

fn question(lines: &[&str], name: &str, page: &Page, library: &Library) -> Result<String> {
    let (asked, choices) = parse(lines)?;
    let mut right = 0;
    let mut html = format!("<div class=\"predict\">\n\n{asked}\n\n");
    for choice in &choices {
        let holds = holds(choice.claim, page, library)
            .with_context(|| format!("「もし: {}」を確かめられない", choice.claim))?;
        right += usize::from(holds);
        let verdict = if holds { "そのとおり。" } else { "違う。" };
        let (words, reason) = (choice.words, choice.reason);
        // 同じ name の details は、一つ開くとほかが閉じる。スクリプトはいらない。
        html.push_str(&format!(
            "<details name=\"{name}\"><summary>{words}</summary>\n\n<strong>{verdict}</strong> {reason}\n\n</details>\n\n"
        ));
    }
    ensure!(right == 1, "問い「{asked}」の当たりが {right} 個ある。ちょうど一つにする。");
    Ok(html + "</div>\n")
}

fn parse<'a>(lines: &[&'a str]) -> Result<(&'a str, Vec<Choice<'a>>)> {
    let mut asked = None;
    let mut choices: Vec<Choice<'a>> = Vec::new();
    for line in lines.iter().filter(|line| !line.trim().is_empty()) {
        let (key, words) = line.split_once(": ").with_context(|| unknown(line))?;
        match (key, choices.last_mut()) {
            ("問い", None) => asked = Some(words),
            ("選択", _) => choices.push(Choice { words, ..Choice::default() }),
            ("もし", Some(choice)) => choice.claim = words,
            ("説明", Some(choice)) => choice.reason = words,
            _ => bail!(unknown(line)),
        }
    }
    let asked = asked.context("「問い: …」の行がない。")?;
    ensure!(choices.len() >= 2, "問い「{asked}」の選択が二つに足りない。");
    for choice in &choices {
        let complete = !choice.claim.is_empty() && !choice.reason.is_empty();
        ensure!(complete, "選択「{}」に「もし」か「説明」がない。", choice.words);
    }
    Ok((asked, choices))
}

fn unknown(line: &str) -> String {
    format!("予想の囲みの「{line}」を読めない。問い・選択・もし・説明のどれかで始める。")
}

/// 主張が、演じた結果と一致するか。
fn holds(claim: &str, page: &Page, library: &Library) -> Result<bool> {
    let (target, expected) = claim.split_once(" = ").context("「名前 手 項目 = 値」の形にする")?;
    let (name, place) = target.trim().split_once(' ').context("「名前 手 項目 = 値」の形にする")?;
    Ok(values::look_up(library, &page.key(name), place)? == expected.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page() -> Page {
        Page {
            source: "book/lease.md".into(),
            path: "lease.md".into(),
            stem: "lease".into(),
            number: "2".into(),
        }
    }

    fn try_block(lines: &str) -> Result<String> {
        let library = Library::perform(&crate::chapters()?)?;
        expand(&format!("前\n```predict\n{lines}\n```\n後\n"), &page(), &library)
    }

    const ASKED: &str = "問い: いつか\n選択: 九\nもし: crash 5 時刻 = 9\n説明: 前である\n選択: 十\nもし: crash 5 時刻 = ";

    #[test]
    fn the_run_decides_which_choice_is_right() -> Result<()> {
        let html = try_block(&format!("{ASKED}10\n説明: 期限である"))?;
        assert!(html.starts_with("前\n<div class=\"predict\">\n\nいつか\n"), "{html}");
        assert!(
            html.contains("<summary>九</summary>\n\n<strong>違う。</strong> 前である"),
            "{html}"
        );
        assert!(html.contains("<summary>十</summary>\n\n<strong>そのとおり。</strong> 期限である"));
        assert!(html.contains("<details name=\"predict-lease-1\">"));
        assert!(html.ends_with("</div>\n後\n"));
        Ok(())
    }

    #[test]
    fn a_question_must_have_exactly_one_right_choice() {
        let error = format!("{:#}", try_block(&format!("{ASKED}11\n説明: x")).unwrap_err());
        assert!(
            error.contains("問い「いつか」の当たりが 0 個ある。ちょうど一つにする。"),
            "{error}"
        );
    }

    #[test]
    fn every_mistake_in_writing_is_named() {
        for (lines, expected) in [
            ("選択: 九", "「問い: …」の行がない。"),
            ("問い: いつか\n選択: 九", "問い「いつか」の選択が二つに足りない。"),
            ("問い: いつか\n選択: 九\n選択: 十", "選択「九」に「もし」か「説明」がない。"),
            ("答え: 九", "予想の囲みの「答え: 九」を読めない。"),
            ("説明: 先走り", "予想の囲みの「説明: 先走り」を読めない。"),
        ] {
            let error = format!("{:#}", try_block(lines).unwrap_err());
            assert!(error.contains(expected), "{error}");
        }
        let library = Library::perform(&crate::chapters().unwrap()).unwrap();
        let error = expand("```predict\n問い: x\n", &page(), &library).unwrap_err();
        assert_eq!(error.to_string(), "予想の囲みが ``` で閉じられていない。");
    }

    #[test]
    fn a_claim_about_an_unknown_story_is_an_error() {
        let lines = "問い: x\n選択: a\nもし: nowhere 1 時刻 = 1\n説明: y\n選択: b\nもし: crash 1 時刻 = 0\n説明: z";
        let error = format!("{:#}", try_block(lines).unwrap_err());
        assert!(error.contains("「もし: nowhere 1 時刻 = 1」を確かめられない"), "{error}");
    }
}
