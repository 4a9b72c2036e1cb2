//! ファイルの変更を見張る。

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, Result};
use notify_debouncer_mini::notify::{RecommendedWatcher, RecursiveMode};
use notify_debouncer_mini::{DebounceEventResult, Debouncer, new_debouncer};

/// 続けて起きた変更を一つにまとめる時間。
const QUIET: Duration = Duration::from_millis(150);

/// 変更の種類。
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Change {
    /// 原稿・見た目・記録。組み直せば本に現れる
    Book,
    /// コード。このプロセスには古いコードが入っているので、起動し直さないと現れない
    Code,
}

/// 見張りを始める。返したものを捨てると、見張りも終わる。
///
/// # Errors
/// OS が見張りを断ったとき。
pub fn start(
    root: &Path,
    mut on_change: impl FnMut(Change) + Send + 'static,
) -> Result<Debouncer<RecommendedWatcher>> {
    let base = root.to_owned();
    let handler = move |result: DebounceEventResult| {
        let mut changes: Vec<Change> = result
            .into_iter()
            .flatten()
            .filter_map(|event| classify(event.path.strip_prefix(&base).ok()?))
            .collect();
        changes.sort();
        changes.dedup();
        changes.into_iter().for_each(&mut on_change);
    };
    let mut debouncer = new_debouncer(QUIET, handler).context("ファイルの見張りを始められない")?;
    for (path, mode) in targets(root) {
        let watching = debouncer.watcher().watch(&path, mode);
        watching.with_context(|| format!("{} を見張れない", path.display()))?;
    }
    Ok(debouncer)
}

/// 見張る場所。book.toml は、エディターが別のファイルに置き換えることがあるので、フォルダーごと見張る。
fn targets(root: &Path) -> Vec<(PathBuf, RecursiveMode)> {
    let folders = ["book", "theme", "crates", "tests"].map(|name| root.join(name));
    let folders = folders.into_iter().filter(|path| path.is_dir());
    let below = folders.map(|path| (path, RecursiveMode::Recursive));
    std::iter::once((root.to_owned(), RecursiveMode::NonRecursive)).chain(below).collect()
}

/// 根からの道を、変更の種類に分ける。
fn classify(path: &Path) -> Option<Change> {
    let parts: Vec<&str> = path.iter().map(|part| part.to_str().unwrap_or_default()).collect();
    let file = parts.last()?;
    if file.starts_with('.') || file.ends_with('~') {
        return None;
    }
    match parts.as_slice() {
        ["book.toml"] | ["book" | "theme", _, ..] => Some(Change::Book),
        [.., "snapshots", file] if file.ends_with(".snap") => Some(Change::Book),
        ["crates", _, "src", .., file] if file.ends_with(".rs") => Some(Change::Code),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn 道から変更の種類が決まる() {
        let of = |path: &str| classify(Path::new(path));
        assert_eq!(of("book/lease.md"), Some(Change::Book));
        assert_eq!(of("book.toml"), Some(Change::Book));
        assert_eq!(of("theme/book.css"), Some(Change::Book));
        assert_eq!(of("crates/lease/tests/snapshots/stories__a.text.snap"), Some(Change::Book));
        assert_eq!(of("tests/tests/snapshots/commands__a.snap"), Some(Change::Book));
        assert_eq!(of("crates/lease/src/lib.rs"), Some(Change::Code));
        assert_eq!(of("crates/lease/tests/snapshots/a.snap.new"), None);
        assert_eq!(of("book/.lease.md.swp"), None);
        assert_eq!(of("Cargo.toml"), None);
        assert_eq!(of("book"), None);
    }
}
