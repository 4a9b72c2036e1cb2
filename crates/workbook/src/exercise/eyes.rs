//! 答えの変更を見つける。
//!
//! OS の知らせは、見に行くきっかけにだけ使う。何が変わったかは、ファイルの時刻と中身を前と比べて
//! 決める。エディターは、別のファイルに書いて名前を変えたり、一度の保存で何度も書いたりする。

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use anyhow::{Context as _, Result};
use notify::{RecommendedWatcher, RecursiveMode, Watcher as _};
use tokio::sync::mpsc;
use tokio::time::sleep;

/// これだけ静かなら、保存が終わったとみなす。
const QUIET: Duration = Duration::from_millis(50);
/// 知らせを受け取れないとき、見に行く間隔。
const INTERVAL: Duration = Duration::from_millis(300);

/// ファイルのある時点のようす。
type Stamp = Option<(SystemTime, Vec<u8>)>;

/// 見張り。捨てると終わる。
#[derive(Debug)]
pub(super) struct Eyes {
    files: Vec<PathBuf>,
    seen: Vec<Stamp>,
    bell: Option<Bell>,
}

/// OS の知らせ。
#[derive(Debug)]
struct Bell {
    _watcher: RecommendedWatcher,
    rings: mpsc::UnboundedReceiver<()>,
}

impl Eyes {
    /// `files` を見張る。`folder` は、それらの入ったフォルダー。
    pub(super) fn open(folder: &Path, files: Vec<PathBuf>, poll: bool) -> Eyes {
        let bell =
            if poll { None } else { Bell::hang(folder).map_err(|error| explain(&error)).ok() };
        let seen = files.iter().map(|path| stamp(path)).collect();
        Eyes { files, seen, bell }
    }

    /// ファイルが変わるのを待ち、その番号を返す。`first` が変わっていれば、それを先に返す。
    ///
    /// 待つのを途中でやめても、変更は失われない。
    pub(super) async fn changed(&mut self, first: usize) -> usize {
        loop {
            if let Some(found) = self.look(first).await {
                return found;
            }
            self.wait().await;
        }
    }

    /// 前と違うファイルの番号。書いている途中なら、落ち着くのを待つ。
    async fn look(&mut self, first: usize) -> Option<usize> {
        let mut now = self.stamps();
        while now != self.seen {
            sleep(QUIET).await;
            let later = self.stamps();
            if later == now {
                break;
            }
            now = later;
        }
        // なくなったファイルは確かめられない。名前を変えて保存する途中なら、すぐに現れる。
        let differs = |&number: &usize| now[number].is_some() && now[number] != self.seen[number];
        let found = std::iter::once(first).chain(0..now.len()).find(differs);
        self.seen = now;
        found
    }

    async fn wait(&mut self) {
        let Some(bell) = &mut self.bell else { return sleep(INTERVAL).await };
        if bell.rings.recv().await.is_none() {
            self.bell = None;
        }
    }

    fn stamps(&self) -> Vec<Stamp> {
        self.files.iter().map(|path| stamp(path)).collect()
    }
}

impl Bell {
    /// ファイルではなくフォルダーを見張る。名前を変えて保存されると、前のファイルの見張りは切れる。
    fn hang(folder: &Path) -> Result<Bell> {
        let (sender, rings) = mpsc::unbounded_channel();
        let ring = move |event: notify::Result<notify::Event>| {
            // 読まれただけの知らせで見に行くと、自分が読んだ知らせで、いつまでも見に行くことになる。
            if !event.is_ok_and(|event| event.kind.is_access()) {
                // 受け手がいないのは終わるときだけなので、届かなくてよい。
                let _ = sender.send(());
            }
        };
        let mut watcher = notify::recommended_watcher(ring).context("見張りを始められない")?;
        let watching = watcher.watch(folder, RecursiveMode::Recursive);
        watching.with_context(|| format!("{} を見張れない", folder.display()))?;
        Ok(Bell { _watcher: watcher, rings })
    }
}

fn explain(error: &anyhow::Error) {
    crate::cli::note(&format!(
        "変更の知らせを OS から受け取れないので、短い間をおいて見に行く({error:#})。"
    ));
}

fn stamp(path: &Path) -> Stamp {
    let modified = std::fs::metadata(path).and_then(|about| about.modified()).ok()?;
    Some((modified, std::fs::read(path).ok()?))
}

#[cfg(test)]
mod tests {
    use tokio::time::timeout;

    use super::*;

    const PATIENCE: Duration = Duration::from_secs(120);

    /// `save` のあとで見つかったファイルの番号。
    fn found(poll: bool, save: impl FnOnce(&Path)) -> Option<usize> {
        let folder = tempfile::tempdir().unwrap();
        let files = ["a.rs", "b.rs"].map(|name| folder.path().join(name));
        files.iter().for_each(|path| std::fs::write(path, "前").unwrap());
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let mut eyes = Eyes::open(folder.path(), files.to_vec(), poll);
            save(folder.path());
            timeout(PATIENCE, eyes.changed(0)).await.ok()
        })
    }

    #[test]
    fn a_plain_save_is_found() {
        for poll in [false, true] {
            assert_eq!(
                found(poll, |folder| std::fs::write(folder.join("b.rs"), "後").unwrap()),
                Some(1)
            );
        }
    }

    #[test]
    fn a_save_by_rename_is_found() {
        for poll in [false, true] {
            let save = |folder: &Path| {
                std::fs::write(folder.join("a.rs.tmp"), "後").unwrap();
                std::fs::rename(folder.join("a.rs.tmp"), folder.join("a.rs")).unwrap();
            };
            assert_eq!(found(poll, save), Some(0));
        }
    }

    #[test]
    fn the_first_file_goes_before_others() {
        let save = |folder: &Path| {
            std::fs::write(folder.join("a.rs"), "後").unwrap();
            std::fs::write(folder.join("b.rs"), "後").unwrap();
        };
        assert_eq!(found(true, save), Some(0));
    }

    #[test]
    fn other_files_and_lost_files_are_no_change() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.rs");
        std::fs::write(&file, "前").unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let mut eyes = Eyes::open(folder.path(), vec![file.clone()], false);
            std::fs::write(folder.path().join("a.rs.bak"), "").unwrap();
            std::fs::remove_file(&file).unwrap();
            assert!(timeout(Duration::from_millis(600), eyes.changed(0)).await.is_err());
            std::fs::write(&file, "後").unwrap();
            assert_eq!(timeout(PATIENCE, eyes.changed(0)).await, Ok(0));
        });
    }

    #[test]
    fn looking_does_not_ring_the_bell() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.rs");
        std::fs::write(&file, "前").unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let mut eyes = Eyes::open(folder.path(), vec![file.clone()], false);
            assert_eq!(eyes.look(0).await, None);
            sleep(Duration::from_millis(500)).await;
            assert!(eyes.bell.unwrap().rings.is_empty());
        });
    }

    #[test]
    fn without_the_watcher_of_the_system_it_goes_and_looks() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.rs");
        std::fs::write(&file, "前").unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let missing = folder.path().join("missing");
            let mut eyes = Eyes::open(&missing, vec![file.clone()], false);
            assert!(eyes.bell.is_none());
            std::fs::write(&file, "後").unwrap();
            assert_eq!(timeout(PATIENCE, eyes.changed(0)).await, Ok(0));
        });
    }
}
