//! ワークスペースの根。

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

/// 根を見つける。今のフォルダーに book.toml があればそこ、なければ組み立てたときのワークスペース。
///
/// # Errors
/// どちらにも book.toml がないとき。
pub fn find() -> Result<PathBuf> {
    let current = std::env::current_dir().unwrap_or_default();
    let built = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    choose(&current, &built)
}

fn choose(current: &Path, built: &Path) -> Result<PathBuf> {
    let has_book = |folder: &&Path| folder.join("book.toml").is_file();
    match [current, built].into_iter().find(has_book) {
        Some(root) => Ok(root.canonicalize().unwrap_or_else(|_| root.to_owned())),
        None => bail!("book.toml が見つからない。本のあるワークスペースの根に移ってから動かす。"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_current_folder_comes_first() {
        let (a, b) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let error = choose(a.path(), b.path()).unwrap_err().to_string();
        assert!(error.starts_with("book.toml が見つからない。"), "{error}");
        std::fs::write(b.path().join("book.toml"), "").unwrap();
        assert_eq!(choose(a.path(), b.path()).unwrap(), b.path().canonicalize().unwrap());
        std::fs::write(a.path().join("book.toml"), "").unwrap();
        assert_eq!(choose(a.path(), b.path()).unwrap(), a.path().canonicalize().unwrap());
    }
}
