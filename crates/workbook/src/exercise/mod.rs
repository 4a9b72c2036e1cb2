//! 演習の進行。問題を写し、読者の答えを組み立てて確かめ、次の一手を知らせる。
//!
//! - `catalog` は、どんな演習があるかを知る。
//! - `desk` は、読者の答えを写し、控えを残して戻す。読者のファイルに書くのは、ここだけである。
//! - `build` は答えを cargo で組み立て、`trial` は動かし、`check` は二つをつなぐ。
//! - `progress` は、どこまで解けたかを調べる。速くするための `cache` を使う。
//! - `session` は一回ずつの命令、`watching` は保存するたびの確認、`verify` は演習そのものの検査である。

pub mod args;
mod ask;
pub(crate) mod build;
mod cache;
mod catalog;
mod check;
mod desk;
mod eyes;
mod overview;
mod pages;
mod progress;
mod record;
mod session;
pub(crate) mod store;
pub(crate) mod trial;
mod verify;
mod watching;

use std::future::Future;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context as _, Result};

use args::{Action, Exercise};
use desk::Desk;

use crate::interrupt;

/// 答えを動かす時間の上限(秒)。指定がないとき。
const LIMIT: u64 = 10;

/// 命令を動かす。
///
/// # Errors
/// 演習を読めないとき、その名前の演習がないとき、答えを書けないとき、cargo を動かせないとき。
pub fn run(root: &Path, arguments: Exercise) -> Result<ExitCode> {
    let Exercise { name, watch, poll, limit, action } = arguments;
    let desk = Desk::open(root)?;
    let limit = Duration::from_secs(limit);
    match action {
        None if watch => {
            let watching = watching::run(&desk, name.as_deref(), poll, limit);
            until_stopped(watching, ExitCode::SUCCESS)
        }
        None => match name {
            Some(name) => to_the_end(session::check(&desk, &name, limit)),
            None => to_the_end(session::overview(&desk, limit)),
        },
        Some(Action::Next) => to_the_end(session::next(&desk, limit)),
        Some(Action::Hint { name, more }) => {
            to_the_end(session::hint(&desk, name.as_deref(), more, limit))
        }
        Some(Action::Solution { name, yes }) => session::solution(&desk, &name, yes),
        Some(Action::Reset { name, yes }) => session::reset(&desk, &name, yes),
        Some(Action::Verify) => verify::run(&desk),
    }
}

/// 終わりまで動かす。途中で止められたら、合格と取り違えられないように、失敗とする。
pub(crate) fn to_the_end(work: impl Future<Output = Result<ExitCode>>) -> Result<ExitCode> {
    until_stopped(work, ExitCode::from(interrupt::CODE))
}

/// 終わるか、止められるまで動かす。止められたら、動いている答えも一緒に終わり、`code` を返す。
fn until_stopped(work: impl Future<Output = Result<ExitCode>>, code: ExitCode) -> Result<ExitCode> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.context("演習を始められない")?;
    runtime.block_on(async {
        tokio::select! {
            // 答えを動かし始める前に、知らせを受け取れるようにする。
            biased;
            () = interrupt::stopped() => {
                crate::cli::say("終わる。");
                Ok(code)
            }
            result = work => result,
        }
    })
}
