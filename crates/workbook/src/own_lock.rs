//! 読者の錠を確かめる。ひな型を写し、組み立て、時間を限って動かす。
//!
//! 組み立てと実行は、演習のものを使う。確かめる中身は、クレート `own-lock` にある。

use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context as _, Result};
use clap::Args;

use crate::cli::{print, say};
use crate::exercise::build::{self, Package, Voice};
use crate::exercise::store;
use crate::exercise::to_the_end;
use crate::exercise::trial::{self, Outcome, Trial};

/// 読者の錠。Git の管理の外にある。
const FILE: &str = "crates/own-lock/answers/my_lock.rs";
/// ひな型。
const STARTER: &str = "crates/own-lock/starters/my_lock.rs";
/// 読者の錠を動かす試験。
const TARGET: &str = "my-lock";
/// 読者の錠を組み立てるクレート。
const PACKAGE: Package = Package { folder: "crates/own-lock", library: "own_lock" };
/// 錠を動かす時間の上限(秒)。指定がないとき。
const LIMIT: u64 = 60;
/// 読者の書いたものの呼び名。
const LOCK: &str = "錠";

/// `cargo run -- own-lock` のあとに書くもの。
#[derive(Args, Debug)]
pub struct OwnLock {
    /// 錠を動かす時間の上限(省けば 60 秒)
    #[arg(
        long,
        value_name = "秒",
        default_value_t = LIMIT,
        hide_default_value = true,
        value_parser = clap::value_parser!(u64).range(1..)
    )]
    pub limit: u64,
}

/// 命令を動かす。
///
/// # Errors
/// ひな型を読めないとき、写せないとき、cargo や錠を動かせないとき。
pub fn run(root: &Path, arguments: &OwnLock) -> Result<ExitCode> {
    let limit = Duration::from_secs(arguments.limit);
    to_the_end(check(root, limit))
}

async fn check(root: &Path, limit: Duration) -> Result<ExitCode> {
    if prepare(root)? {
        say(&format!("{FILE} にひな型を写した。このファイルを自分の錠に書き替える。\n"));
    }
    let targets = [TARGET.to_owned()];
    let programs = build::build(root, PACKAGE, &targets, Voice::Loud).await?;
    let trial = match programs.get(TARGET) {
        Some(program) => trial::run(program, &root.join(PACKAGE.folder), limit, LOCK).await?,
        None => Trial::uncompilable(LOCK),
    };
    print(&trial.shown);
    if trial.outcome == Outcome::Passed {
        return Ok(ExitCode::SUCCESS);
    }
    say(&format!("\n{FILE} を直し、もう一度 cargo run -- own-lock で確かめる。"));
    Ok(ExitCode::FAILURE)
}

/// まだなければ、ひな型を写す。写したら `true`。読者のファイルがあれば、決して触らない。
fn prepare(root: &Path) -> Result<bool> {
    let starter = std::fs::read(root.join(STARTER));
    let starter = starter.with_context(|| {
        format!("{STARTER} を読めない。消えているなら git restore {STARTER} で戻す")
    })?;
    store::create(&root.join(FILE), &starter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_starter_is_copied_once_and_the_lock_of_the_reader_stays() -> Result<()> {
        let folder = tempfile::tempdir()?;
        let error = prepare(folder.path()).unwrap_err().to_string();
        assert!(error.starts_with("crates/own-lock/starters/my_lock.rs を読めない。"), "{error}");
        store::create(&folder.path().join(STARTER), b"starter")?;
        assert!(prepare(folder.path())?);
        assert_eq!(std::fs::read(folder.path().join(FILE))?, b"starter");
        std::fs::write(folder.path().join(FILE), "mine")?;
        assert!(!prepare(folder.path())?);
        assert_eq!(std::fs::read(folder.path().join(FILE))?, b"mine");
        Ok(())
    }
}
