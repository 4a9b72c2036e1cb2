//! 確かめた結果の控え。速くするためだけのもので、消しても壊れても困らない。
//!
//! 鍵は、結果を左右するものすべての内容から作る。答え、検査、章のクレート、依存の版、この道具、
//! 時間の上限のどれが変わっても鍵が変わるので、古い結果が見えることはない。

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::catalog::Exercise;
use super::desk::Desk;
use super::store;
use super::trial::Outcome;

/// 答えの合否に関わらないフォルダー。ほかはすべて鍵に入れる。
const IRRELEVANT: [&str; 8] =
    ["answers", "starters", "solutions", "wrong", "hints", "tests", "workbook", "target"];

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Known {
    key: String,
    outcome: Outcome,
}

/// 一つの答えを確かめた結果。
#[derive(Debug)]
pub(super) struct Finding<'a> {
    pub(super) exercise: &'a Exercise,
    /// 確かめ始めたときの答え
    pub(super) answer: Vec<u8>,
    pub(super) outcome: Outcome,
}

/// 確かめた結果の控え。
#[derive(Debug)]
pub(super) struct Cache {
    path: PathBuf,
    ground: Sha256,
    limit: Duration,
    known: BTreeMap<String, Known>,
}

impl Cache {
    /// 読む。読めない控えは、ないものとして扱う。
    ///
    /// # Errors
    /// 鍵になるファイルを読めないとき。
    pub(super) fn open(root: &Path, limit: Duration) -> Result<Cache> {
        let path = root.join("target/exercise.json");
        let found = std::fs::read(&path).unwrap_or_default();
        let known = serde_json::from_slice(&found).unwrap_or_default();
        Ok(Cache { path, ground: ground(root, limit)?, limit, known })
    }

    /// `answer` を確かめたことがあれば、その結果。
    pub(super) fn get(&self, name: &str, answer: &[u8]) -> Option<Outcome> {
        let known = self.known.get(name)?;
        (known.key == self.key(answer)).then_some(known.outcome)
    }

    /// 確かめた結果を残す。
    ///
    /// 確かめる間に答えや検査が変わっていれば、何の結果か分からないので残さない。
    ///
    /// # Errors
    /// 鍵になるファイルや答えを読めないとき。
    pub(super) fn learn(self, desk: &Desk, findings: Vec<Finding<'_>>) -> Result<()> {
        let mut now = Cache::open(&desk.root, self.limit)?;
        if now.key(b"") != self.key(b"") {
            return Ok(());
        }
        for Finding { exercise, answer, outcome } in findings {
            // 答えのせいではなく、ディスクやメモリーが足りなかっただけのこともある。
            if matches!(outcome, Outcome::Uncompilable | Outcome::Broken) {
                continue;
            }
            if store::read_if_any(&desk.answer(exercise))?.as_ref() == Some(&answer) {
                now.put(exercise.key(), &answer, outcome);
            }
        }
        now.save();
        Ok(())
    }

    fn put(&mut self, name: String, answer: &[u8], outcome: Outcome) {
        self.known.insert(name, Known { key: self.key(answer), outcome });
    }

    /// 書く。書けなくても、次に確かめ直すだけである。
    fn save(&self) {
        if let Ok(text) = serde_json::to_vec_pretty(&self.known) {
            let _ = store::replace(&self.path, &text);
        }
    }

    fn key(&self, answer: &[u8]) -> String {
        store::hex(self.ground.clone().chain_update(answer).finalize().as_slice())
    }
}

/// 答えのほかに、結果を左右するもの。
fn ground(root: &Path, limit: Duration) -> Result<Sha256> {
    let mut files = vec![root.join("Cargo.toml"), root.join("Cargo.lock")];
    collect(&root.join("crates"), &mut files)?;
    files.sort();
    let mut hash = Sha256::new();
    for path in files {
        // 区切りがないと、二つのファイルの境が動いたのに気づかない。
        let bytes = store::read_if_any(&path)?.unwrap_or_default();
        hash.update(path.as_os_str().as_encoded_bytes());
        hash.update(bytes.len().to_le_bytes());
        hash.update(bytes);
    }
    hash.update(tool());
    hash.update(limit.as_nanos().to_le_bytes());
    Ok(hash)
}

/// この道具の大きさと時刻。コンパイラーや設定が変わると組み立て直されるので、それらの代わりになる。
fn tool() -> Vec<u8> {
    let about = std::env::current_exe().and_then(std::fs::metadata);
    let modified = about.as_ref().ok().and_then(|about| about.modified().ok());
    let age = modified.and_then(|time| time.duration_since(UNIX_EPOCH).ok()).unwrap_or_default();
    let size = about.map(|about| about.len()).unwrap_or_default();
    format!("{size} {}", age.as_nanos()).into_bytes()
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    let failed = || format!("{} を読めない", folder.display());
    for entry in std::fs::read_dir(folder).with_context(failed)? {
        let entry = entry.with_context(failed)?;
        let name = entry.file_name();
        if IRRELEVANT.iter().any(|skipped| name == **skipped) {
            continue;
        }
        match entry.path() {
            path if path.is_dir() => collect(&path, files)?,
            path => files.push(path),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: Duration = Duration::from_secs(10);

    fn root() -> Result<tempfile::TempDir> {
        let root = tempfile::tempdir()?;
        for path in ["Cargo.toml", "crates/lease/src/lib.rs", "crates/exercises/checks/a.rs"] {
            store::create(&root.path().join(path), path.as_bytes())?;
        }
        Ok(root)
    }

    fn known(root: &Path, answer: &[u8]) -> Result<Option<Outcome>> {
        Ok(Cache::open(root, LIMIT)?.get("a", answer))
    }

    fn remember(root: &Path) -> Result<()> {
        let mut cache = Cache::open(root, LIMIT)?;
        cache.put("a".to_owned(), b"answer", Outcome::Passed);
        cache.save();
        assert_eq!(known(root, b"answer")?, Some(Outcome::Passed));
        Ok(())
    }

    #[test]
    fn whatever_changes_the_result_changes_the_key() -> Result<()> {
        let root = root()?;
        let root = root.path();
        remember(root)?;
        assert_eq!(known(root, b"other")?, None);
        assert_eq!(Cache::open(root, LIMIT * 2)?.get("a", b"answer"), None);
        for path in
            ["Cargo.toml", "Cargo.lock", "crates/lease/src/lib.rs", "crates/exercises/checks/a.rs"]
        {
            std::fs::write(root.join(path), "changed")?;
            assert_eq!(known(root, b"answer")?, None, "{path}");
            remember(root)?;
        }
        store::create(&root.join("crates/lease/src/new.rs"), b"")?;
        assert_eq!(known(root, b"answer")?, None);
        Ok(())
    }

    #[test]
    fn other_answers_and_the_book_do_not() -> Result<()> {
        let root = root()?;
        let root = root.path();
        remember(root)?;
        for path in ["crates/exercises/answers/b.rs", "crates/exercises/hints/b.md", "book/a.md"] {
            store::create(&root.join(path), b"")?;
        }
        assert_eq!(known(root, b"answer")?, Some(Outcome::Passed));
        Ok(())
    }

    #[test]
    fn a_broken_cache_is_no_cache() -> Result<()> {
        let root = root()?;
        let root = root.path();
        remember(root)?;
        std::fs::write(root.join("target/exercise.json"), "{")?;
        assert_eq!(known(root, b"answer")?, None);
        remember(root)
    }
}
