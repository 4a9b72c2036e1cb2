//! ページに載せる重い表の記録を、探索し直して確かめる。
//!
//! 記録は `explored` フォルダーの JSON で、クレートはそれを読んで表と絵を作る。`INSTA_UPDATE=always` のときは
//! 新しい記録を保存する。もう一度組み立てるまで、ページには前の記録が載る。

use std::path::Path;

use anyhow::{Context as _, Result};
use explore::{count_all, explore_all};
use serde::Serialize;

/// 一つの項目を一行に書くので、差が読みやすい。
fn lines<T: Serialize>(all: &[T]) -> Result<String> {
    let lines = all.iter().map(serde_json::to_string).collect::<Result<Vec<_>, _>>()?;
    Ok(format!("[\n  {}\n]\n", lines.join(",\n  ")))
}

fn pin(name: &str, found: &str) -> Result<()> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("explored").join(name);
    if std::env::var("INSTA_UPDATE").is_ok_and(|how| how == "always") {
        std::fs::write(&path, found)?;
    }
    let saved = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    assert_eq!(saved.replace('\r', ""), found, "{name} が、探索し直した結果と違う");
    Ok(())
}

#[test]
fn the_claims_are_what_the_search_finds() -> Result<()> {
    pin("claims.json", &lines(&explore_all())?)
}

#[test]
fn the_growth_is_what_the_search_counts() -> Result<()> {
    pin("growth.json", &lines(&count_all())?)
}
