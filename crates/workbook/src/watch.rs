//! ファイルの変更を見張る。

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, Result};
use notify::{Event, RecommendedWatcher, RecursiveMode, Watcher as _};
use tokio::sync::mpsc;
use tokio::time::timeout;

/// 最後の変更からこれだけ静かなら、ひとまとまりの変更が終わったとみなす。
const QUIET: Duration = Duration::from_millis(150);

/// 変更の種類。
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Change {
    /// 原稿・見た目・記録。組み直せば本に現れる
    Book,
    /// コード。このプロセスには古いコードが入っているので、起動し直さないと現れない
    Code,
}

/// 見張り。捨てると終わる。
#[derive(Debug)]
pub struct Watch {
    _watcher: RecommendedWatcher,
    changes: mpsc::UnboundedReceiver<Change>,
}

impl Watch {
    /// `root` の下の見張りを始める。
    ///
    /// # Errors
    /// OS が見張りを断ったとき。
    pub fn start(root: &Path) -> Result<Watch> {
        let (sender, changes) = mpsc::unbounded_channel();
        let base = root.to_owned();
        let handler = move |event: notify::Result<Event>| {
            for change in event.iter().flat_map(|event| changes_in(event, &base)) {
                // 受け手がいないのは終わるときだけなので、届かなくてよい。
                let _ = sender.send(change);
            }
        };
        let mut watcher =
            notify::recommended_watcher(handler).context("ファイルの見張りを始められない")?;
        for (path, mode) in targets(root) {
            let watching = watcher.watch(&path, mode);
            watching.with_context(|| format!("{} を見張れない", path.display()))?;
        }
        Ok(Watch { _watcher: watcher, changes })
    }

    /// 次のひとまとまりの変更を待つ。同じ種類の変更は一つにする。
    pub async fn next(&mut self) -> Vec<Change> {
        let mut changes = Vec::from_iter(self.changes.recv().await);
        while let Ok(Some(change)) = timeout(QUIET, self.changes.recv()).await {
            changes.push(change);
        }
        changes.sort();
        changes.dedup();
        changes
    }
}

/// 読まれただけの知らせは除く。本を組むと原稿が読まれるので、除かないと、いつまでも組み直すことになる。
fn changes_in<'a>(event: &'a Event, base: &'a Path) -> impl Iterator<Item = Change> + 'a {
    let paths = event.paths.iter().filter(|_| !event.kind.is_access());
    paths.filter_map(move |path| classify(path.strip_prefix(base).ok()?))
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
    fn the_path_decides_the_kind_of_change() {
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
