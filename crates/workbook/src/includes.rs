//! `{{#include ファイル:アンカー}}` のアンカーの検査。
//!
//! mdBook は、ないファイルには警告を出すが、ないアンカーは黙って空にする。ここで先に確かめる。

use std::path::Path;
use std::sync::LazyLock;

use anyhow::{Context as _, Result, bail};
use regex::Regex;

/// 原稿のアンカーがすべてあるかを確かめる。`folder` は原稿のあるフォルダー。
///
/// # Errors
/// アンカーのないファイルを指しているとき。
pub fn check(markdown: &str, folder: &Path) -> Result<()> {
    static PATTERN: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(r"(\\?)\{\{\s*#(?:rustdoc_)?include\s+([^\s}:]+):([^\s}:]+)[^}]*\}\}").ok()
    });
    let pattern = PATTERN.as_ref().context("アンカーを探す正規表現を作れない")?;
    for captures in pattern.captures_iter(markdown) {
        let [escaped, file, anchor] = [1, 2, 3].map(|index| captures.get(index));
        let (Some(file), Some(anchor)) = (file, anchor) else { continue };
        let is_line = anchor.as_str().parse::<usize>().is_ok();
        if is_line || escaped.is_some_and(|mark| !mark.is_empty()) {
            continue;
        }
        // ファイルがないことは、mdBook の警告が知らせる。
        let Ok(text) = std::fs::read_to_string(folder.join(file.as_str())) else { continue };
        check_anchor(&text, file.as_str(), anchor.as_str())?;
    }
    Ok(())
}

fn check_anchor(text: &str, file: &str, anchor: &str) -> Result<()> {
    for mark in ["ANCHOR", "ANCHOR_END"] {
        let is_mark = |line: &str| {
            let rest = line.split_once(&format!("{mark}:")).map(|(_, rest)| rest.trim());
            rest.and_then(|rest| rest.split_whitespace().next()) == Some(anchor)
        };
        if !text.lines().any(is_mark) {
            bail!("{file} に {mark}: {anchor} がない。アンカーの名前を直すか、ファイルに足す。");
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_anchor_is_reported() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(
            folder.path().join("a.rs"),
            "// ANCHOR: one\nfn f() {}\n// ANCHOR_END: one\n",
        )
        .unwrap();
        check("{{#include a.rs:one}} {{#include a.rs:1}} {{#include a.rs}}", folder.path())
            .unwrap();
        let error = check("{{#include a.rs:two}}", folder.path()).unwrap_err().to_string();
        assert_eq!(error, "a.rs に ANCHOR: two がない。アンカーの名前を直すか、ファイルに足す。");
    }

    #[test]
    fn an_unclosed_anchor_is_reported() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.rs"), "// ANCHOR: one\nfn f() {}\n").unwrap();
        let error = check("{{#include a.rs:one}}", folder.path()).unwrap_err().to_string();
        assert!(error.starts_with("a.rs に ANCHOR_END: one がない。"), "{error}");
    }
}
