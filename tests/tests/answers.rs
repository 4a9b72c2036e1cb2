//! 読者の見る命令が、読者の答えを上書きも消しもしない。
//!
//! 道具は、答えがあれば決して写さない。ページや知らせに `cp` を書くと、二度目に答えを消す。実際に二度
//! 打って確かめるのは、`crates/workbook/tests/exercise/pages.rs` の試験である。

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use regex::Regex;
use tests::{pages, read, root};

/// ファイルを置き換えるか消す命令。どのシェルのものも挙げる。
const DESTROYING: &str = r"(?i)(?:^|[\s`(|;&])(cp|copy|xcopy|robocopy|mv|move|ren|rm|del|erase|rmdir|tee|dd|ln|install|rsync|truncate|sed -i|copy-item|move-item|remove-item|set-content|out-file|new-item|git clean|git stash)\s";

/// 囲みの中の命令。
fn fenced(text: &str) -> Vec<String> {
    let mut commands = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        match line.trim_start().strip_prefix("```") {
            Some(info) => inside = info.trim() == "console",
            None if inside => commands.push(line.to_owned()),
            None => {}
        }
    }
    commands
}

/// 答えを上書きするか消す行の見分け。
struct Destroying {
    answers: Regex,
    redirected: Regex,
    program: Regex,
    anywhere: Regex,
}

impl Destroying {
    fn new() -> Result<Destroying> {
        Ok(Destroying {
            answers: Regex::new(r"answers(?:[/\\`\s'\x22]|$)")?,
            // 矢印やコードの `->` は、書き込みではない。
            redirected: Regex::new(r"(?:^|[^-=>])>{1,2}\s*\S*$")?,
            program: Regex::new(DESTROYING)?,
            anywhere: Regex::new(r"\bgit (clean|stash)\b")?,
        })
    }

    fn is_match(&self, line: &str) -> bool {
        let Some(answers) = self.answers.find(line) else { return self.anywhere.is_match(line) };
        self.redirected.is_match(&line[..answers.start()]) || self.program.is_match(line)
    }
}

#[test]
fn every_way_of_writing_over_an_answer_is_recognised() -> Result<()> {
    let destroying = Destroying::new()?;
    for line in [
        "cp crates/exercises/starters/lease/expiry.rs crates/exercises/answers/lease",
        r"copy crates\exercises\starters\lease\expiry.rs crates\exercises\answers\lease",
        "Copy-Item a.rs crates/exercises/answers/a.rs",
        "mkdir -p a && mv a.rs crates/exercises/answers/a.rs",
        "rm -r crates/exercises/answers",
        "cat a.rs > crates/exercises/answers/lease/a.rs",
        "cat a.rs >crates/own-lock/answers/my_lock.rs",
        "cargo run -- exercise solution lease/expiry --yes >> crates/exercises/answers/a.rs",
        "もう一度 `cp starters/a.rs answers/a.rs` を打つ",
        "git clean -fdx",
    ] {
        assert!(destroying.is_match(line), "{line}");
    }
    for line in [
        "cargo run -- exercise lease/expiry",
        "cargo run -- build > out.txt",
        "問題を `crates/exercises/answers` へ写し、進み具合を見せる。",
        "fn answers() -> Vec<(&'static str, Verdict)> {",
        "const ANSWERS: &str = \"crates/exercises/answers\";",
    ] {
        assert!(!destroying.is_match(line), "{line}");
    }
    Ok(())
}

/// 読者の打つ命令は cargo だけである。どのシェルでも同じように動き、写すのは道具に任せられる。
#[test]
fn the_reader_types_nothing_but_cargo() -> Result<()> {
    let mut texts = pages()?;
    texts.push(("README.md".to_owned(), read("README.md")?));
    let mut count = 0;
    for (name, text) in texts {
        for line in fenced(&text) {
            let mut words = line.split_whitespace();
            assert_eq!(words.next(), Some("cargo"), "{name}: cargo でない命令がある: {line}");
            assert!(
                words.all(|word| !word.contains(['>', '|', ';', '&', '<', '$', '`'])),
                "{name}: シェルの記号がある: {line}"
            );
            count += 1;
        }
    }
    assert!(count > 0, "命令が一つも見つからない");
    Ok(())
}

/// ページ、演習のファイル、道具の知らせのどこにも、答えを上書きする命令がない。
#[test]
fn nothing_that_a_reader_sees_writes_over_an_answer() -> Result<()> {
    let destroying = Destroying::new()?;
    let mut files = vec![root().join("README.md"), root().join("CONTRIBUTING.md")];
    for folder in ["book", "crates", "theme", ".ci", ".github"] {
        collect(&root().join(folder), &mut files)?;
    }
    let mut seen = 0;
    for path in files {
        let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        for line in text.lines() {
            seen += usize::from(line.contains("answers"));
            assert!(!destroying.is_match(line), "{}: 答えを上書きする: {line}", path.display());
        }
    }
    assert!(seen > 0, "答えに触れる行が一つも見つからない");
    Ok(())
}

/// 読者の答えと試験のほかの、文章とコード。
fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    for entry in std::fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let extension = path.extension().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            // 試験は、一時のフォルダーの中で、わざと答えを書き換える。
            if !["answers", "tests", "target"].contains(&name.as_str()) {
                collect(&path, files)?;
            }
        } else if ["", "md", "rs", "js", "html", "hbs", "yml", "sh", "toml"].contains(&&*extension)
        {
            files.push(path);
        }
    }
    Ok(())
}
