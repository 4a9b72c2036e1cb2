//! ページと知らせに書かれた命令を、二度ずつ打つ。解いた答えは、一字も変わらない。

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, ensure};
use regex::Regex;

use crate::fixture::{BINARY, CARGO, FAILING, Fixture, PASSING, Ran, finish};

/// 本物のリポジトリの根。
fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// 章と名前。
type Key = (String, String);

/// 本物の演習のすべてと、読者の錠の入ったワークスペース。
fn whole() -> Result<(Fixture, Vec<Key>)> {
    let book = Fixture::new()?;
    let starters = repository().join("crates/exercises/starters");
    let mut keys = Vec::new();
    for chapter in names(&starters)? {
        for file in names(&starters.join(&chapter))? {
            let name = file.strip_suffix(".rs").context("Rust のファイルでない")?.to_owned();
            book.add(&chapter, &name, "題")?;
            keys.push((chapter.clone(), name));
        }
    }
    book.write("crates/own-lock/starters/my_lock.rs", FAILING)?;
    book.write("crates/own-lock/readers/my-lock.rs", "#[path = \"../answers/my_lock.rs\"]\n")?;
    Ok((book, keys))
}

fn names(folder: &Path) -> Result<Vec<String>> {
    let entries = std::fs::read_dir(folder)?;
    entries.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned())).collect()
}

/// 読者が読むページ。
fn pages() -> Result<BTreeMap<String, String>> {
    let mut paths = vec![repository().join("README.md")];
    for name in names(&repository().join("book"))? {
        if name.ends_with(".md") {
            paths.push(repository().join("book").join(name));
        }
    }
    let page = |path: PathBuf| {
        let text = std::fs::read_to_string(&path)?;
        Ok((path.display().to_string(), text))
    };
    paths.into_iter().map(page).collect()
}

/// 囲みの中の命令を、囲みごとに。
fn blocks(page: &str) -> Result<Vec<String>> {
    let block = Regex::new(r"(?ms)^```console\n(.*?)^```$")?;
    Ok(block.captures_iter(page).map(|found| found[1].to_owned()).collect())
}

/// 文や知らせの中の、演習と読者の錠の命令。
fn mentioned(text: &str) -> Result<BTreeSet<String>> {
    let command = Regex::new(r"cargo run -- (?:exercise|own-lock)(?: [!-_a-~]+)*")?;
    let found = command.find_iter(text).map(|found| found.as_str());
    // 名前の所に、ある演習の名前を入れて打つ。
    Ok(found.map(|line| line.replace("<名前>", "lease/expiry")).collect())
}

/// シェルで打つ。本の cargo の代わりに、演習と読者の錠の命令だけを動かす。
fn typed(book: &Fixture, script: &str) -> Result<Ran> {
    let cargo = "cargo() {\n\
                 case \"$1 $3\" in\n\
                 'run exercise'|'run own-lock') shift 2; \"$WORKBOOK\" \"$@\";;\n\
                 esac\n\
                 }\n\
                 set -e\n";
    let mut command = Command::new("sh");
    command.args(["-c", &format!("{cargo}{script}")]).current_dir(book.path(""));
    command.env("WORKBOOK", BINARY).env("CARGO", CARGO).stdin(Stdio::null());
    finish(&mut command)
}

/// 答えのフォルダーにある、すべてのファイルの中身。
fn answers(book: &Fixture) -> Result<BTreeMap<PathBuf, Vec<u8>>> {
    let mut found = BTreeMap::new();
    let mut folders = vec!["crates/exercises/answers", "crates/own-lock/answers"]
        .into_iter()
        .map(|folder| book.path(folder))
        .collect::<Vec<_>>();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder)? {
            let path = entry?.path();
            match path.is_dir() {
                true => folders.push(path),
                false => drop(found.insert(path.clone(), std::fs::read(path)?)),
            }
        }
    }
    // 見せたヒントの段階は、命令を打てば変わる。
    found.retain(|path, _| path.extension().is_some_and(|extension| extension == "rs"));
    Ok(found)
}

/// すべて解いてある。
fn solved() -> Result<Fixture> {
    let (book, keys) = whole()?;
    for (chapter, name) in &keys {
        book.answer(&format!("{chapter}/{name}"), &format!("# 解いた\n{PASSING}"))?;
    }
    book.write("crates/own-lock/answers/my_lock.rs", &format!("# 自分の錠\n{PASSING}"))?;
    Ok(book)
}

#[test]
fn no_command_on_a_page_changes_an_answer() -> Result<()> {
    let book = solved()?;
    // 問題を写させてから比べる。題のない演習も、ここで見つかる。
    typed(&book, "cargo run -- exercise\n")?;
    let before = answers(&book)?;
    let mut told = String::new();
    let mut count = 0;
    for (name, page) in pages()? {
        for block in blocks(&page)? {
            for time in ["一度目", "二度目"] {
                let ran = typed(&book, &block)?;
                ensure!(ran.code == Some(0), "{name}: {time}に失敗した\n{block}{ran:?}");
                ensure!(answers(&book)? == before, "{name}: {time}に答えが変わった\n{block}");
                told += &ran.out;
                count += 1;
            }
        }
        told += &page;
    }
    ensure!(count > 0, "命令の囲みが一つもない");
    change_nothing(&book, &told)
}

/// 知らせに書かれた命令を打つと出る知らせの命令まで、すべて打つ。
fn change_nothing(book: &Fixture, told: &str) -> Result<()> {
    let before = answers(book)?;
    let mut waiting = mentioned(told)?;
    let mut done = BTreeSet::new();
    while let Some(line) = waiting.pop_first() {
        for _ in 0..2 {
            let ran = typed(book, &line)?;
            ensure!(answers(book)? == before, "{line}: 答えが変わった\n{ran:?}");
            waiting.extend(mentioned(&format!("{}{}", ran.out, ran.err))?);
        }
        done.insert(line);
        waiting.retain(|line| !done.contains(line));
    }
    ensure!(done.iter().any(|line| line.contains(" reset ")), "戻す命令が見つからない: {done:?}");
    Ok(())
}

/// 一つの演習だけを解きかけた読者も、知らせに従って答えを失わない。
#[test]
fn no_command_that_the_tool_tells_changes_an_answer() -> Result<()> {
    let (book, _) = whole()?;
    let mut told = String::new();
    for line in ["exercise", "exercise next", "exercise lease/expiry", "own-lock"] {
        told += &typed(&book, &format!("cargo run -- {line} || :\n"))?.out;
    }
    book.answer("lease/expiry", &format!("# 解きかけ\n{FAILING}"))?;
    book.write("crates/exercises/starters/lease/expiry.rs", "//! 演習: 新しい問題\n")?;
    told += &typed(&book, "cargo run -- exercise lease/expiry || :\n")?.out;
    // 見張りは、読者が終わらせるまで続く。
    let told = told.replace("cargo run -- exercise --watch", "");
    change_nothing(&book, &told)
}

/// ページの命令は一行で足りる。写していなければ写してから確かめる。
#[test]
fn every_chapter_shows_the_one_command_of_its_exercises() -> Result<()> {
    let (book, keys) = whole()?;
    for (chapter, name) in keys {
        let path = repository().join(format!("book/{chapter}.md"));
        let line = format!("cargo run -- exercise {chapter}/{name}\n");
        ensure!(
            blocks(&std::fs::read_to_string(&path)?)?.contains(&line),
            "{}: 囲み「{line}」がない",
            path.display()
        );
        let ran = typed(&book, &line)?;
        ensure!(ran.code == Some(1) && ran.out.contains("不合格: まだ違う"), "{ran:?}");
        let answer = book.read(&format!("crates/exercises/answers/{chapter}/{name}.rs"))?;
        let starter = book.read(&format!("crates/exercises/starters/{chapter}/{name}.rs"))?;
        assert_eq!(answer, starter);
    }
    Ok(())
}
