//! ファイルの読み書き。

use std::io::Write as _;
use std::path::Path;

use anyhow::{Context as _, Result};
use sha2::{Digest as _, Sha256};
use tempfile::NamedTempFile;

/// 読む。ないときは `None`。
///
/// # Errors
/// あるのに読めないとき。
pub(super) fn read_if_any(path: &Path) -> Result<Option<Vec<u8>>> {
    match std::fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("{} を読めない", path.display())),
    }
}

/// 置き換える。途中で止まっても、前の内容か新しい内容のどちらかが残る。
///
/// # Errors
/// 書けないとき。
pub(super) fn replace(path: &Path, bytes: &[u8]) -> Result<()> {
    let failed = || format!("{} に書けない", path.display());
    let file = beside(path, bytes).with_context(failed)?;
    file.persist(path).map(drop).with_context(failed)
}

/// 新しく作る。すでにあれば何もせず、`false` を返す。
///
/// # Errors
/// 書けないとき。
pub(crate) fn create(path: &Path, bytes: &[u8]) -> Result<bool> {
    let failed = || format!("{} を作れない", path.display());
    let file = beside(path, bytes).with_context(failed)?;
    match file.persist_noclobber(path) {
        Ok(_) => Ok(true),
        Err(error) if error.error.kind() == std::io::ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(error).with_context(failed),
    }
}

/// 同じフォルダーに書いておく。名前を変えるだけで置けるようにするためである。
fn beside(path: &Path, bytes: &[u8]) -> std::io::Result<NamedTempFile> {
    let folder = path.parent().unwrap_or_else(|| Path::new("."));
    std::fs::create_dir_all(folder)?;
    let mut builder = tempfile::Builder::new();
    builder.prefix(".exercise-");
    // 一時ファイルは持ち主しか読めない。置いたあとは、ふつうのファイルと同じにする。
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(bytes)?;
    Ok(file)
}

/// 内容のハッシュ。
pub(super) fn hash(bytes: &[u8]) -> String {
    hex(Sha256::digest(bytes).as_slice())
}

/// ハッシュを文字にする。
pub(super) fn hex(digest: &[u8]) -> String {
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn creating_never_overwrites_and_replacing_does() -> Result<()> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("new/file");
        assert_eq!(read_if_any(&path)?, None);
        assert!(create(&path, b"one")?);
        assert!(!create(&path, b"two")?);
        assert_eq!(std::fs::read(&path)?, b"one");
        replace(&path, b"three")?;
        assert_eq!(std::fs::read(&path)?, b"three");
        assert_eq!(std::fs::read_dir(folder.path().join("new"))?.count(), 1);
        Ok(())
    }

    #[cfg(unix)]
    #[test]
    fn files_get_ordinary_permissions() -> Result<()> {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir()?;
        let (made, plain) = (folder.path().join("made"), folder.path().join("plain"));
        create(&made, b"")?;
        std::fs::write(&plain, b"")?;
        let mode = |path: &Path| Ok(std::fs::metadata(path)?.permissions().mode());
        assert_eq!(mode(&made)?, mode(&plain).map_err(|error: std::io::Error| error)?);
        Ok(())
    }
}
