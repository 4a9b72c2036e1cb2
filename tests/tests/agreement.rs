//! 原稿とコードの一致。載っていない筋書き、持ち主のいない記録、手で書いた出力や数を見つける。

use std::collections::BTreeSet;

use anyhow::{Context as _, Result};
use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};
use regex::Regex;
use tests::{pages, read, root};

/// 本文を Markdown として読む。差し込みの指示は、出力そのものではないので取り除く。
fn prose(text: &str) -> Result<String> {
    Ok(Regex::new(r"\{\{[^}]*\}\}")?.replace_all(text, "").into_owned())
}

fn parse(text: &str) -> Parser<'_> {
    Parser::new_ext(text, Options::ENABLE_TABLES)
}

#[test]
fn every_story_and_table_stands_in_a_page_of_its_own_chapter() -> Result<()> {
    for chapter in workbook::chapters()? {
        let page = read(&format!("book/{}.md", chapter.name))?;
        for story in &chapter.stories {
            let directive = format!("{{{{#timeline {}::{} ", chapter.name, story.name);
            assert!(page.contains(&directive), "筋書き {directive}…}}}} が章のページにない");
        }
        for table in &chapter.tables {
            let directive = format!("{{{{#table {}::{} ", chapter.name, table.name);
            assert!(page.contains(&directive), "表 {directive}…}}}} が章のページにない");
        }
        for drawing in &chapter.drawings {
            let directive = format!("{{{{#drawing {}::{} ", chapter.name, drawing.name);
            assert!(page.contains(&directive), "絵 {directive}…}}}} が章のページにない");
        }
    }
    Ok(())
}

#[test]
fn every_snapshot_belongs_to_a_story_or_a_table() -> Result<()> {
    for chapter in workbook::chapters()? {
        let known: BTreeSet<String> =
            chapter.records()?.into_iter().map(|(name, _)| name).collect();
        let folder = root().join("crates").join(chapter.name).join("tests/snapshots");
        let mut saved = BTreeSet::new();
        for entry in std::fs::read_dir(folder)? {
            let name = entry?.file_name().to_string_lossy().into_owned();
            let name = name.trim_start_matches("stories__").trim_end_matches(".snap").to_owned();
            saved.insert(name);
        }
        assert_eq!(saved, known, "章 {} の記録が余っているか、足りない", chapter.name);
    }
    Ok(())
}

#[test]
fn every_quoted_output_belongs_to_a_command_in_a_page() -> Result<()> {
    let commands = workbook::commands::in_book(&root())?;
    let known: BTreeSet<String> = commands
        .iter()
        .map(|line| format!("commands__{}.snap", workbook::commands::slug(line)))
        .collect();
    let mut saved = BTreeSet::new();
    for entry in std::fs::read_dir(root().join("tests/tests/snapshots"))? {
        saved.insert(entry?.file_name().to_string_lossy().into_owned());
    }
    assert_eq!(saved, known);
    Ok(())
}

/// 本文の囲みは、コードや記録の差し込みか、読者の打つ命令だけ。
#[test]
fn no_code_and_no_output_is_typed_into_a_page() -> Result<()> {
    for (name, text) in pages()? {
        let mut language = None;
        for event in parse(&text) {
            match event {
                Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) => {
                    language = Some(info.to_string());
                }
                Event::Start(Tag::CodeBlock(CodeBlockKind::Indented)) => {
                    panic!("{name}: 字下げのコードは、出どころが分からない。差し込みにする");
                }
                Event::Text(body) if language.is_some() => match language.as_deref() {
                    // 予想の囲みは文章であり、当たり外れは演じた結果が決める。
                    Some("predict") => {}
                    Some("console") => assert!(
                        body.lines().all(is_typed_by_the_reader),
                        "{name}: console の囲みに、命令でない行がある:\n{body}"
                    ),
                    _ => assert!(
                        body.lines().all(|line| line.starts_with("{{#include ")),
                        "{name}: 囲みに、差し込みでない行がある:\n{body}"
                    ),
                },
                Event::End(TagEnd::CodeBlock) => language = None,
                _ => {}
            }
        }
    }
    Ok(())
}

fn is_typed_by_the_reader(line: &str) -> bool {
    line.starts_with("cargo ")
}

/// 数字は、筋書きから引いたものか、同じ段落に出典のあるものか、理由を添えたものだけ。
#[test]
fn every_number_in_the_prose_comes_from_a_run_or_a_source() -> Result<()> {
    for (name, text) in pages()? {
        if name == "references.md" {
            // 全体が出典である。
            continue;
        }
        let bare = bare_numbers(&opened(&prose(&text)?));
        assert!(bare.is_empty(), "{name}: 出どころのない数字がある: {bare:#?}");
    }
    Ok(())
}

/// 予想の囲みを、ふつうの段落に開く。「もし」の行は、組み立てのときに確かめる主張なので除く。
fn opened(text: &str) -> String {
    let mut out = String::new();
    let mut in_predict = false;
    for line in text.lines() {
        match line {
            "```predict" => in_predict = true,
            "```" if in_predict => in_predict = false,
            _ if in_predict && line.starts_with("もし: ") => {}
            _ if in_predict => out.push_str(&format!("{line}\n\n")),
            _ => out.push_str(&format!("{line}\n")),
        }
    }
    out
}

fn bare_numbers(text: &str) -> Vec<String> {
    let mut bare = Vec::new();
    let (mut words, mut sourced, mut excused, mut in_code) = (String::new(), false, false, false);
    for event in parse(text) {
        match event {
            Event::Html(html) if html.starts_with("<!-- 数字:") => excused = true,
            Event::Start(Tag::CodeBlock(_)) => in_code = true,
            Event::End(TagEnd::CodeBlock) => in_code = false,
            Event::Text(text) if !in_code => words.push_str(&text),
            Event::SoftBreak | Event::Code(_) | Event::End(TagEnd::TableCell) => words.push(' '),
            Event::End(TagEnd::TableHead) => words.clear(),
            Event::Start(Tag::Link { dest_url, .. }) => {
                sourced |= dest_url.starts_with("references.md#");
            }
            Event::End(
                TagEnd::Paragraph | TagEnd::Heading(_) | TagEnd::Item | TagEnd::TableRow,
            ) => {
                if !sourced && !excused && has_bare_number(&words) {
                    bare.push(words.clone());
                }
                words.clear();
                (sourced, excused) = (false, false);
            }
            _ => {}
        }
    }
    bare
}

/// 節の名前「30 秒要約」と、`S3` のように英字に続く数字は、数ではない。
fn has_bare_number(words: &str) -> bool {
    let mut before = ' ';
    words.replace("30 秒要約", "").chars().any(|c| {
        let bare = c.is_ascii_digit() && !before.is_ascii_alphanumeric();
        before = c;
        bare
    })
}

#[test]
fn a_bare_number_is_found_and_a_sourced_one_is_not() {
    assert_eq!(bare_numbers("三回は 3 回である。"), ["三回は 3 回である。"]);
    assert!(bare_numbers("上限は 3 分である([X](references.md#x))。").is_empty());
    assert!(bare_numbers("<!-- 数字: 目安 -->\n3 分で読める。").is_empty());
    assert!(bare_numbers("S3 と `x < 1` と B1。\n\n```text\n12\n```").is_empty());
    assert_eq!(bare_numbers("| a | b |\n|---|---|\n| 1 | x |"), ["1 x "]);
}

/// 本文の中のコードの言葉が指すものが、実際にある。
#[test]
fn every_path_package_and_test_named_in_a_page_exists() -> Result<()> {
    let sources = rust_sources()?;
    let test_name = Regex::new(r"^[a-z0-9]+(_[a-z0-9]+){2,}$")?;
    let package = Regex::new(r"(?:-p|--package) ([a-z-]+)(?: --test ([a-z-]+))?")?;
    for (name, text) in pages()? {
        let text = prose(&text)?;
        let mut in_console = false;
        for event in parse(&text) {
            let words = match event {
                Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) => {
                    in_console = &*info == "console";
                    continue;
                }
                Event::End(TagEnd::CodeBlock) => {
                    in_console = false;
                    continue;
                }
                Event::Code(words) => words,
                Event::Text(words) if in_console => words,
                _ => continue,
            };
            if words.starts_with("crates/") && !words.contains(['<', '*', ' ']) {
                let exists = root().join(&*words).exists();
                let readers = ["crates/exercises/answers", "crates/own-lock/answers"];
                let is_the_readers = readers.iter().any(|folder| words.starts_with(folder));
                assert!(exists || is_the_readers, "{name}: {words} がない");
            }
            if test_name.is_match(&words) {
                let declared = format!("fn {words}(");
                assert!(sources.contains(&declared), "{name}: {words} という関数がない");
            }
            let cargo = words.lines().filter(|line| line.starts_with("cargo "));
            for found in cargo.flat_map(|line| package.captures_iter(line)) {
                let folder = match &found[1] {
                    "tests" => root().join("tests"),
                    other => root().join("crates").join(other),
                };
                assert!(
                    folder.join("Cargo.toml").exists(),
                    "{name}: クレート {} がない",
                    &found[1]
                );
                if let Some(test) = found.get(2) {
                    let test = test.as_str();
                    let manifest = std::fs::read_to_string(folder.join("Cargo.toml"))?;
                    let exists = folder.join(format!("tests/{test}.rs")).exists()
                        || manifest.contains(&format!("name = \"{test}\""));
                    assert!(exists, "{name}: 試験 {test} が {} にない", &found[1]);
                }
            }
        }
    }
    Ok(())
}

fn rust_sources() -> Result<String> {
    let mut all = String::new();
    let mut folders = vec![root().join("crates"), root().join("tests")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                all.push_str(&std::fs::read_to_string(&path)?);
            }
        }
    }
    Ok(all)
}

#[test]
fn every_page_of_a_chapter_has_the_parts_of_a_chapter() -> Result<()> {
    let parts =
        ["30 秒要約", "問い: ", "予想", "確かめる", "演習: ", "実例", "簡略化したこと", "参考資料"];
    for chapter in workbook::chapters()? {
        let page = read(&format!("book/{}.md", chapter.name))?;
        let mut rest = page.as_str();
        for part in parts {
            let heading = format!("\n## {part}");
            let at = rest.find(&heading);
            let at =
                at.with_context(|| format!("{}: 「## {part}」が、この順にない", chapter.name))?;
            rest = &rest[at + heading.len()..];
        }
    }
    Ok(())
}

#[test]
fn every_chapter_asks_for_at_least_three_predictions() -> Result<()> {
    for chapter in workbook::chapters()? {
        let page = read(&format!("book/{}.md", chapter.name))?;
        let asked = page.matches("\n```predict\n").count();
        assert!(asked >= 3, "{}: 予想の問いが {asked} 個しかない", chapter.name);
    }
    Ok(())
}

#[test]
fn a_bare_number_in_a_prediction_is_found() {
    let block = "```predict\n問い: 3 回か\nもし: x 1 時刻 = 3\n```\n";
    assert_eq!(bare_numbers(&opened(block)), ["問い: 3 回か"]);
}

#[test]
fn the_readme_begins_with_the_two_commands_that_ci_runs() -> Result<()> {
    let readme = read("README.md")?;
    let first = "# 動かして学ぶ分散ロック\n\n```console\ncargo run\ncargo test --workspace\n```\n";
    assert!(readme.starts_with(first), "README の先頭が二つの命令ではない");
    let ci = read(".ci/run")?;
    let commands = ci.lines().filter(|line| line.contains("cargo "));
    let first = commands.map(str::trim).next().context(".ci/run に cargo の命令がない")?;
    assert_eq!(first, "run cargo test --workspace");
    Ok(())
}
