//! 巻末のページ。どの問いと症状も図につながり、どの仕組みの行も出典と日付を持つ。

use std::collections::BTreeSet;

use anyhow::{Context as _, Result, bail, ensure};
use regex::Regex;
use tests::read;
use workbook::directives::{self, Directive};

/// 仕組みの表の欄の数。
const CELLS: usize = 5;

/// 本にある筋書きと表の名前。
fn keys() -> Result<BTreeSet<String>> {
    let chapters = workbook::chapters()?;
    let of_chapter = |chapter: &stage::Chapter| {
        let stories = chapter.stories.iter().map(|story| story.name);
        let tables = chapter.tables.iter().map(|table| table.name.as_str());
        let drawings = chapter.drawings.iter().map(|drawing| drawing.name);
        stories
            .chain(tables)
            .chain(drawings)
            .map(|name| format!("{}::{name}", chapter.name))
            .collect::<Vec<_>>()
    };
    Ok(chapters.iter().flat_map(of_chapter).collect())
}

/// 問いや症状が、本にある図か表を一つは指していること。
fn points_to_a_story(text: &str, keys: &BTreeSet<String>) -> Result<()> {
    let found = directives::scan(text)?;
    let mut names = found.iter().filter_map(|found| match found.directive {
        Directive::Ref { name } => Some(name),
        _ => None,
    });
    ensure!(
        names.any(|name| keys.contains(name)),
        "図を指していない。何が起きるかを演じた図を選び、{{{{#ref 章::名前}}}} を書く"
    );
    Ok(())
}

/// チェックリストの問い。
fn questions(page: &str) -> Vec<&str> {
    page.lines().filter_map(|line| line.strip_prefix("- ")).collect()
}

fn check_question(question: &str, keys: &BTreeSet<String>) -> Result<()> {
    let asked = question.split("({{").next().unwrap_or_default();
    ensure!(asked.ends_with('か'), "問いになっていない。「〜か」で終え、図を括弧に入れて続ける");
    points_to_a_story(question, keys)
}

#[test]
fn every_line_of_the_checklist_asks_and_points_to_a_figure() -> Result<()> {
    let page = read("book/checklist.md")?;
    let keys = keys()?;
    let questions = questions(&page);
    assert!(!questions.is_empty(), "checklist.md に問いがない。「- 」で始まる行に書く");
    for question in questions {
        check_question(question, &keys).with_context(|| format!("checklist.md: {question}"))?;
    }
    Ok(())
}

/// 症状の見出しと、次の見出しまでの本文。
fn symptoms(page: &str) -> Vec<(&str, &str)> {
    let sections = page.split("\n### ").skip(1);
    sections
        .map(|section| {
            let section = section.split("\n## ").next().unwrap_or_default();
            section.split_once('\n').unwrap_or((section, ""))
        })
        .collect()
}

fn check_symptom(heading: &str, body: &str, keys: &BTreeSet<String>) -> Result<()> {
    ensure!(
        heading.starts_with('「') && heading.ends_with('」'),
        "見出しが症状の言葉ではない。障害の連絡に書かれる言葉を「」で囲む"
    );
    points_to_a_story(body, keys)?;
    ensure!(
        body.lines().any(|line| line.starts_with("最初に、")),
        "何から見るかがない。「最初に、」で始まる段落に、見るログや時刻を書く"
    );
    Ok(())
}

#[test]
fn every_symptom_points_to_a_figure_and_says_what_to_look_at_first() -> Result<()> {
    let page = read("book/symptoms.md")?;
    let keys = keys()?;
    let symptoms = symptoms(&page);
    let count = symptoms.len();
    assert!(count >= 15, "symptoms.md の症状が {count} 個しかない。「### 「症状」」の形で足す");
    for (heading, body) in symptoms {
        check_symptom(heading, body, &keys).with_context(|| format!("symptoms.md: {heading}"))?;
    }
    Ok(())
}

/// 見出しの行を除いた、表の行。
fn rows(page: &str) -> Vec<&str> {
    let mut rows = Vec::new();
    let mut in_body = false;
    for line in page.lines() {
        match line.starts_with('|') {
            true if line.starts_with("|---") => in_body = true,
            true if in_body => rows.push(line),
            true => {}
            false => in_body = false,
        }
    }
    rows
}

fn check_row(row: &str) -> Result<()> {
    let inner = row.strip_prefix('|').and_then(|row| row.strip_suffix('|'));
    let Some(inner) = inner else {
        bail!("行が | で終わっていない。行の両端に | を置く")
    };
    let cells: Vec<&str> = inner.split('|').map(str::trim).collect();
    let count = cells.len();
    ensure!(
        count == CELLS,
        "欄が {count} 個ある。見出しと同じ {CELLS} 個にする。コードの中の | は言葉に直す"
    );
    ensure!(
        cells.iter().all(|cell| !cell.is_empty()),
        "空の欄がある。分からなければ「確かめられていない」と書く"
    );
    let source = cells[CELLS - 1];
    ensure!(
        source.contains("](references.md#"),
        "出典がない。references.md に足し、最後の欄から references.md#名前 で指す"
    );
    ensure!(
        Regex::new(r"<time>\d{4}-\d{2}-\d{2}</time>$")?.is_match(source),
        "確かめた日がない。最後の欄の終わりに、<time>年-月-日</time> と書く"
    );
    Ok(())
}

#[test]
fn every_row_of_the_systems_has_all_cells_a_source_and_a_date() -> Result<()> {
    let page = read("book/systems.md")?;
    let rows = rows(&page);
    let count = rows.len();
    assert!(count >= 15, "systems.md の表が {count} 行しかない。表に行を足す");
    for row in rows {
        check_row(row).with_context(|| format!("systems.md: {row}"))?;
    }
    Ok(())
}

#[test]
fn every_table_of_the_systems_has_the_same_columns() -> Result<()> {
    let page = read("book/systems.md")?;
    let heads: BTreeSet<&str> =
        page.lines().filter(|line| line.starts_with("| 仕組み |")).collect();
    let tables = page.lines().filter(|line| line.starts_with("|---")).count();
    let with_this_head = page.lines().filter(|line| heads.contains(line)).count();
    assert_eq!(heads.len(), 1, "systems.md の表の見出しが違う。同じ言葉にそろえる: {heads:?}");
    assert_eq!(with_this_head, tables, "systems.md に「| 仕組み |」で始まらない表がある");
    Ok(())
}

fn refused(result: Result<()>) -> String {
    result.map_or_else(|error| error.to_string(), |()| "なし".to_owned())
}

#[test]
fn a_line_without_a_figure_is_found() {
    let keys = BTreeSet::from(["a::b".to_owned()]);
    assert_eq!(refused(check_question("守るか({{#ref a::b}})", &keys)), "なし");
    assert!(refused(check_question("守るか", &keys)).starts_with("図を指していない"));
    assert!(
        refused(check_question("守るか({{#ref a::c}})", &keys)).starts_with("図を指していない")
    );
    assert!(
        refused(check_question("守る({{#ref a::b}})", &keys)).starts_with("問いになっていない")
    );
    assert_eq!(questions("# 題\n\n- 守るか\n- 空くか\n"), ["守るか", "空くか"]);
}

#[test]
fn a_symptom_without_a_part_is_found() {
    let keys = BTreeSet::from(["a::b".to_owned()]);
    let whole = "\n原因({{#ref a::b}})。\n\n最初に、ログを見る。\n";
    assert_eq!(refused(check_symptom("「消えた」", whole, &keys)), "なし");
    assert!(refused(check_symptom("消えた", whole, &keys)).starts_with("見出しが症状"));
    assert!(
        refused(check_symptom("「消えた」", "最初に、見る。", &keys)).starts_with("図を指して")
    );
    let unclear = "原因({{#ref a::b}})。";
    assert!(refused(check_symptom("「消えた」", unclear, &keys)).starts_with("何から見るか"));
    let page = "# 題\n\n## 群\n\n### 「甲」\n\n甲の話\n\n## 次\n\n前置き\n\n### 「乙」\n";
    assert_eq!(symptoms(page), [("「甲」", "\n甲の話\n"), ("「乙」", "")]);
}

#[test]
fn a_row_without_a_part_is_found() {
    let source = "[X](references.md#x) <time>2026-11-29</time>";
    assert_eq!(refused(check_row(&format!("| a | b | c | d | {source} |"))), "なし");
    assert!(refused(check_row(&format!("| a | b | c | {source} |"))).starts_with("欄が 4 個"));
    assert!(refused(check_row(&format!("| a |  | c | d | {source} |"))).starts_with("空の欄"));
    assert!(
        refused(check_row("| a | b | c | d | <time>2026-11-29</time> |")).starts_with("出典がない")
    );
    let undated = "| a | b | c | d | [X](references.md#x) |";
    assert!(refused(check_row(undated)).starts_with("確かめた日がない"));
    assert!(refused(check_row("| a | b")).starts_with("行が | で"));
    assert_eq!(rows("| a |\n|---|\n| b |\n\n| c |\n|---|\n| d |\n"), ["| b |", "| d |"]);
}
