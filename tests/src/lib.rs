//! 本とコードの一致を確かめる試験。試験は `tests/` にあり、ここには共通の道具だけを置く。

use std::io;
use std::path::{Path, PathBuf};

/// ワークスペースの根。
#[must_use]
pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// 根からの道筋で指したファイルを読む。
///
/// # Errors
/// 読めないとき。どのファイルかを添える。
pub fn read(path: &str) -> io::Result<String> {
    let error = |error: io::Error| io::Error::new(error.kind(), format!("{path}: {error}"));
    std::fs::read_to_string(root().join(path)).map_err(error)
}

/// 原稿。ファイルの名前の順に、(`lease.md` のような名前, 中身)。
///
/// # Errors
/// 読めないとき。
pub fn pages() -> io::Result<Vec<(String, String)>> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(root().join("book"))? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if Path::new(&name).extension().is_some_and(|extension| extension == "md") {
            names.push(name);
        }
    }
    names.sort();
    let page = |name: String| {
        let text = read(&format!("book/{name}"))?;
        Ok((name, text))
    };
    names.into_iter().map(page).collect()
}

/// スナップショットの、頭書きを除いた中身。
#[must_use]
pub fn body(snapshot: &str) -> &str {
    let parts: Vec<&str> = snapshot.splitn(3, "---\n").collect();
    parts.get(2).map_or("", |body| body.trim())
}
