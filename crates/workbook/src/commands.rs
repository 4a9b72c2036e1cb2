//! 本に載せる命令。その出力は `tests` の試験が実際に動かして保存する。

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use crate::directives::{self, Directive};
use crate::snapshots;

/// 命令の記録の名前に使う文字列。英数字と `_` 以外の並びを `-` 一つにする。
///
/// ```
/// assert_eq!(workbook::commands::slug("cargo test -p lease"), "cargo-test-p-lease");
/// ```
#[must_use]
pub fn slug(line: &str) -> String {
    let mut slug = String::new();
    for character in line.trim().chars() {
        match character {
            kept if kept.is_ascii_alphanumeric() || kept == '_' => slug.push(kept),
            _ if slug.ends_with('-') => {}
            _ => slug.push('-'),
        }
    }
    slug
}

/// 保存された出力。
///
/// # Errors
/// 保存されていないとき。
pub fn output(root: &Path, line: &str) -> Result<String> {
    let path = format!("tests/tests/snapshots/commands__{}.snap", slug(line));
    snapshots::read(&root.join(&path))?.with_context(|| {
        format!(
            "{line} の出力の記録 {path} がない。\
             INSTA_UPDATE=always cargo test -p tests --test commands で動かして保存する。"
        )
    })
}

/// `book/` の原稿に載っている命令。ファイルの名前順、出てくる順で、重なりはない。
///
/// # Errors
/// 原稿を読めないとき、書き方の誤りがあるとき。
pub fn in_book(root: &Path) -> Result<Vec<String>> {
    let mut lines: Vec<String> = Vec::new();
    for path in manuscripts(&root.join("book"))? {
        let text = read(&path)?;
        let found = directives::scan(&text).with_context(|| path.display().to_string())?;
        for one in found {
            let Directive::Command { line } = one.directive else { continue };
            if !lines.iter().any(|known| known == line) {
                lines.push(line.to_owned());
            }
        }
    }
    Ok(lines)
}

fn read(path: &Path) -> Result<String> {
    std::fs::read_to_string(path).with_context(|| format!("{} を読めない", path.display()))
}

fn manuscripts(folder: &Path) -> Result<Vec<PathBuf>> {
    let failed = || format!("{} を読めない", folder.display());
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(folder).with_context(failed)? {
        let path = entry.with_context(failed)?.path();
        if path.is_dir() {
            paths.extend(manuscripts(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_of_symbols_becomes_one_dash() {
        assert_eq!(slug("cargo run -- show fencing::gc_pause"), "cargo-run-show-fencing-gc_pause");
    }

    #[test]
    fn commands_in_the_book_are_listed_once() {
        let root = tempfile::tempdir().unwrap();
        let book = root.path().join("book");
        std::fs::create_dir_all(book.join("sub")).unwrap();
        std::fs::write(book.join("b.md"), "{{#command cargo b}}\n\n{{#command cargo a}}\n")
            .unwrap();
        std::fs::write(book.join("sub/c.md"), "{{#command cargo a}}\n").unwrap();
        std::fs::write(book.join("a.md"), "```\n{{#command cargo x}}\n```\n").unwrap();
        assert_eq!(in_book(root.path()).unwrap(), ["cargo b", "cargo a"]);
    }

    #[test]
    fn a_missing_output_says_how_to_make_it() {
        let root = tempfile::tempdir().unwrap();
        let error = output(root.path(), "cargo test -p lease").unwrap_err().to_string();
        assert_eq!(
            error,
            "cargo test -p lease の出力の記録 tests/tests/snapshots/commands__cargo-test-p-lease.snap \
             がない。INSTA_UPDATE=always cargo test -p tests --test commands で動かして保存する。"
        );
    }
}
