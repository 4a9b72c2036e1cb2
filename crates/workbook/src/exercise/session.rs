//! 一回ずつの命令。

use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};

use super::catalog::Exercise;
use super::desk::{Desk, Prepared, part};
use super::trial::Outcome;
use super::{ask, check, overview, pages, progress};
use crate::cli::{print, say};

/// 一覧と次の一手を見せる。
///
/// # Errors
/// 演習を読めないとき、答えを写せないとき、cargo を動かせないとき。
pub(super) async fn overview(desk: &Desk, limit: Duration) -> Result<ExitCode> {
    let prepared = prepare(desk)?;
    let progress = progress::survey(desk, limit).await?;
    print(&overview::table(desk, &progress)?);
    say("");
    print(&overview::changed(&prepared));
    print(&overview::next_step(desk, progress.next())?);
    Ok(ExitCode::SUCCESS)
}

/// まだない答えを写し、写したならそう言う。
///
/// # Errors
/// 写せないとき。
pub(super) fn prepare(desk: &Desk) -> Result<Prepared> {
    let prepared = desk.prepare()?;
    let told = overview::copied(&prepared);
    if !told.is_empty() {
        say(&told);
    }
    Ok(prepared)
}

/// 一つを確かめる。
///
/// # Errors
/// その名前の演習がないとき、答えを写せないとき、cargo や答えを動かせないとき。
pub(super) async fn check(desk: &Desk, name: &str, limit: Duration) -> Result<ExitCode> {
    let one = desk.catalog.find(name)?;
    let mut prepared = prepare(desk)?;
    prepared.changed.retain(|key| *key == one.key());
    print(&overview::changed(&prepared));
    say(&desk.heading(one)?);
    let trial = check::build(desk, one, limit).await?.run().await?;
    print(&trial.shown);
    say("");
    let key = one.key();
    if trial.outcome != Outcome::Passed {
        say(&format!("直したら、もう一度 cargo run -- exercise {key} で確かめる。"));
        say(&format!("ヒントは cargo run -- exercise hint {key} で見られる。"));
        return Ok(ExitCode::FAILURE);
    }
    say(&format!("解答と比べるなら cargo run -- exercise solution {key} を打つ。"));
    let progress = progress::survey(desk, limit).await?;
    print(&overview::next_step(desk, progress.next())?);
    Ok(ExitCode::SUCCESS)
}

/// 次に解く演習の問題を見せる。
///
/// # Errors
/// 演習を読めないとき、答えを写せないとき、cargo を動かせないとき。
pub(super) async fn next(desk: &Desk, limit: Duration) -> Result<ExitCode> {
    prepare(desk)?;
    match progress::survey(desk, limit).await?.next() {
        Some(one) => print(&overview::introduction(desk, one)?),
        None => print(overview::FINISHED),
    }
    Ok(ExitCode::SUCCESS)
}

/// ヒントを見せる。
///
/// # Errors
/// その名前の演習がないとき、ヒントを読めないとき、見せたことを覚えられないとき。
pub(super) async fn hint(
    desk: &Desk,
    name: Option<&str>,
    more: bool,
    limit: Duration,
) -> Result<ExitCode> {
    prepare(desk)?;
    let one = match name {
        Some(name) => desk.catalog.find(name)?,
        None => progress::survey(desk, limit)
            .await?
            .next()
            .context("すべての演習を解いたので、見せるヒントを選べない。演習の名前をつける。")?,
    };
    say(&desk.heading(one)?);
    print(&hint_text(desk, one, more)?);
    Ok(ExitCode::SUCCESS)
}

/// 前に見せた次の段階まで。見せた段階を覚える。
///
/// # Errors
/// ヒントを読めないとき、覚えられないとき。
pub(super) fn hint_text(desk: &Desk, one: &Exercise, more: bool) -> Result<String> {
    let name = part("hints", one, "md");
    let stages = pages::stages(&desk.read(&name)?);
    let empty = stages.iter().any(String::is_empty);
    ensure!(!empty, "{name} に空の段階がある。文を書くか、--- の行を消す。");
    let mut record = desk.record()?;
    let mut entry = record.get(&one.key()).cloned().unwrap_or_default();
    entry.hints = if more { stages.len() } else { stages.len().min(entry.hints + 1) };
    let mut text = String::new();
    for (number, stage) in (1..).zip(&stages[..entry.hints]) {
        text.push_str(&format!("\nヒント {number}\n\n{stage}\n"));
    }
    if entry.hints < stages.len() {
        text.push_str("\nもう一度打つと、次の段階も見せる。\n");
    }
    record.set(one.key(), entry);
    record.save()?;
    Ok(text)
}

/// 解答を見せる。
///
/// # Errors
/// その名前の演習がないとき、尋ねられないとき、解答を読めないとき。
pub(super) fn solution(desk: &Desk, name: &str, yes: bool) -> Result<ExitCode> {
    let one = desk.catalog.find(name)?;
    let solution = desk.read(&part("solutions", one, "rs"))?;
    match ask::confirm(&format!("{} の解答を見せてよいか", one.key()), yes)? {
        true => print(&solution),
        false => say("解答は見せなかった。"),
    }
    Ok(ExitCode::SUCCESS)
}

/// 答えを問題に戻す。
///
/// # Errors
/// その名前の演習がないとき、尋ねられないとき、読み書きできないとき。
pub(super) fn reset(desk: &Desk, name: &str, yes: bool) -> Result<ExitCode> {
    let one = desk.catalog.find(name)?;
    let file = Desk::answer_name(one);
    if !ask::confirm(&format!("今の答えを控えに残し、{file} を問題に戻してよいか"), yes)?
    {
        say("答えは戻さなかった。");
        return Ok(ExitCode::SUCCESS);
    }
    match desk.reset(one)? {
        Some(backup) => say(&format!("{file} を問題に戻した。前の答えは {backup} に残した。")),
        None => say(&format!("{file} は問題のままである。")),
    }
    Ok(ExitCode::SUCCESS)
}
