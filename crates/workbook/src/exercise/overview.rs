//! 読者に見せる文。

use std::fmt::Write as _;

use anyhow::Result;
use unicode_width::UnicodeWidthStr as _;

use super::catalog::Exercise;
use super::desk::{ANSWERS, Desk, Prepared};
use super::pages::{self, Page};
use super::progress::{Progress, State};
use super::trial::Outcome;

/// 問題を写したこと。
pub(super) fn copied(prepared: &Prepared) -> String {
    let (count, made) = (prepared.made.len(), prepared.made.join("、"));
    match (count, prepared.kept) {
        (0, _) => String::new(),
        (_, 0) => {
            format!("問題 {count} 題を {ANSWERS} に写した。そこにあるファイルを直していく。\n")
        }
        _ => format!("まだなかった {count} 題の問題を {ANSWERS} に写した: {made}。\n"),
    }
}

/// 写したあとで変わったこと。
pub(super) fn changed(prepared: &Prepared) -> String {
    let mut text = String::new();
    if prepared.forgot {
        text.push_str(
            "どの問題を写したかの記録が壊れていたので、作り直した。答えには触れていない。\
             これより前に問題が変わっていても、知らせられない。\n",
        );
    }
    if !prepared.changed.is_empty() {
        let _ = writeln!(
            text,
            "写したあとで問題が変わった: {}。答えには触れていない。今の問題からやり直すなら \
             cargo run -- exercise reset <名前> を打つ(今の答えは控えに残る)。",
            prepared.changed.join("、")
        );
    }
    text
}

/// 章ごとの一覧。
///
/// # Errors
/// 問題を読めないとき。
pub(super) fn table(desk: &Desk, progress: &Progress<'_>) -> Result<String> {
    let (all, solved) = (progress.states.len(), progress.solved());
    let mut text = format!("演習は {all} 題あり、{solved} 題を解いた。\n");
    let titles = pages::chapters(&desk.root);
    let widest = progress.states.iter().map(|(one, _)| one.key().width()).max();
    for chapter in progress.states.chunk_by(|(a, _), (b, _)| a.chapter == b.chapter) {
        text.push_str(&heading(chapter, &titles));
        for (one, state) in chapter {
            text.push_str(&row(desk, one, *state, widest.unwrap_or_default())?);
        }
    }
    Ok(text)
}

fn heading(chapter: &[(&Exercise, State)], titles: &[Page]) -> String {
    let name = chapter.first().map(|(one, _)| one.chapter.as_str()).unwrap_or_default();
    let title = titles.iter().find(|page| page.chapter == name);
    let title = title.map_or(name, |page| page.title.as_str());
    let solved = chapter.iter().filter(|(_, state)| *state == State::Solved).count();
    format!("\n{title} ({solved}/{})\n", chapter.len())
}

fn row(desk: &Desk, one: &Exercise, state: State, widest: usize) -> Result<String> {
    let title = pages::title(&desk.starter(one)?).unwrap_or_default();
    let (key, mark) = (one.key(), mark(state));
    let pad = " ".repeat(6_usize.saturating_sub(mark.width()));
    let why = match state {
        State::Open(outcome) => format!("({})", why(outcome)),
        _ => String::new(),
    };
    Ok(format!("  {mark}{pad}  {key:widest$}  {title}{why}\n"))
}

fn mark(state: State) -> &'static str {
    match state {
        State::Untouched => "未着手",
        State::Open(_) => "途中",
        State::Solved => "解けた",
    }
}

fn why(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Passed => "合格",
        Outcome::Failed => "不合格",
        Outcome::Uncompilable => "組み立てられない",
        Outcome::Panicked => "パニックする",
        Outcome::Endless => "終わらない",
        Outcome::Broken => "途中で終わる",
    }
}

/// 次の一手。
///
/// # Errors
/// 問題を読めないとき。
pub(super) fn next_step(desk: &Desk, next: Option<&Exercise>) -> Result<String> {
    let Some(one) = next else { return Ok(FINISHED.to_owned()) };
    let (heading, file, key) = (desk.heading(one)?, Desk::answer_name(one), one.key());
    Ok(format!(
        "次は {heading}\n\
         {file} を直し、cargo run -- exercise {key} で確かめる。\n\
         保存するたびに確かめるなら cargo run -- exercise --watch を打つ。\n"
    ))
}

/// すべて解いたとき。
pub(super) const FINISHED: &str = "すべての演習を解いた。\n";

/// 問題の文と、直すファイル。
///
/// # Errors
/// 問題を読めないとき。
pub(super) fn introduction(desk: &Desk, one: &Exercise) -> Result<String> {
    let statement = pages::statement(&desk.starter(one)?);
    let (file, page, key) = (Desk::answer_name(one), &one.chapter, one.key());
    Ok(format!(
        "{key}\n\n{statement}\n\n\
         直すファイル  {file}\n\
         本のページ    book/{page}.md\n\
         確かめる      cargo run -- exercise {key}\n\
         ヒント        cargo run -- exercise hint {key}\n"
    ))
}
