//! 読者の答えについて覚えておくこと。答えの隣に置く。

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};

use super::store;

/// 一つの演習について覚えておくこと。
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Entry {
    /// 写したときの問題のハッシュ。今の問題と違えば、問題が変わったと分かる
    pub(super) starter: String,
    /// 見せたヒントの段階
    pub(super) hints: usize,
}

/// すべての演習について覚えておくこと。
#[derive(Debug)]
pub(super) struct Record {
    path: PathBuf,
    entries: BTreeMap<String, Entry>,
    changed: bool,
    /// 前の記録が壊れていたか
    pub(super) broken: bool,
}

impl Record {
    /// 読む。ないときや壊れているときは、空から始める。
    ///
    /// # Errors
    /// あるのに開けないとき。
    pub(super) fn read(path: PathBuf) -> Result<Record> {
        let found = store::read_if_any(&path)?;
        let entries = found.as_deref().map(serde_json::from_slice);
        let broken = matches!(entries, Some(Err(_)));
        let entries = entries.and_then(Result::ok).unwrap_or_default();
        Ok(Record { path, entries, changed: broken, broken })
    }

    pub(super) fn get(&self, key: &str) -> Option<&Entry> {
        self.entries.get(key)
    }

    pub(super) fn set(&mut self, key: String, entry: Entry) {
        self.changed |= self.entries.get(&key) != Some(&entry);
        self.entries.insert(key, entry);
    }

    /// 変わっていれば書く。
    ///
    /// # Errors
    /// 書けないとき。
    pub(super) fn save(&mut self) -> Result<()> {
        if !self.changed {
            return Ok(());
        }
        let text = serde_json::to_string_pretty(&self.entries).context("記録を文字にできない")?;
        store::replace(&self.path, format!("{text}\n").as_bytes())?;
        self.changed = false;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_survives_and_a_broken_one_starts_over() -> Result<()> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("answers/.record.json");
        let mut record = Record::read(path.clone())?;
        assert!(!record.broken);
        record.save()?;
        assert!(!path.exists(), "覚えることがないのに書いた");
        let entry = Entry { starter: "abc".to_owned(), hints: 1 };
        record.set("lease/expiry".to_owned(), entry.clone());
        record.save()?;
        assert_eq!(Record::read(path.clone())?.get("lease/expiry"), Some(&entry));

        std::fs::write(&path, "{ こわれた")?;
        let mut record = Record::read(path.clone())?;
        assert!(record.broken);
        assert_eq!(record.get("lease/expiry"), None);
        record.save()?;
        assert!(!Record::read(path)?.broken);
        Ok(())
    }
}
