//! 一つの答えを組み立てて動かす。

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Result;

use super::build::{self, Voice};
use super::cache::{Cache, Finding};
use super::catalog::{Exercise, FOLDER, PACKAGE};
use super::desk::Desk;
use super::store;
use super::trial::{self, ANSWER, Trial};

/// 組み立てたばかりの答え。
#[derive(Debug)]
pub(super) struct Built<'a> {
    desk: &'a Desk,
    exercise: &'a Exercise,
    answer: Vec<u8>,
    cache: Cache,
    program: Option<PathBuf>,
    limit: Duration,
}

/// 組み立てる。知らせは cargo がそのまま端末に出す。
///
/// # Errors
/// 答えを読めないとき、cargo を動かせないとき。
pub(super) async fn build<'a>(
    desk: &'a Desk,
    exercise: &'a Exercise,
    limit: Duration,
) -> Result<Built<'a>> {
    let cache = Cache::open(&desk.root, limit)?;
    let answer = store::read_if_any(&desk.answer(exercise))?.unwrap_or_default();
    let targets = [exercise.target()];
    let mut programs = build::build(&desk.root, PACKAGE, &targets, Voice::Loud).await?;
    let program = programs.remove(&exercise.target());
    Ok(Built { desk, exercise, answer, cache, program, limit })
}

impl Built<'_> {
    /// 動かし、結果を控える。控えを見て済ませることはない。
    ///
    /// # Errors
    /// 動かせないとき、控えの鍵を作れないとき。
    pub(super) async fn run(self) -> Result<Trial> {
        let Built { desk, exercise, answer, cache, program, limit } = self;
        let trial = match program {
            // `cargo test` と同じフォルダーで動かす。
            Some(program) => trial::run(&program, &desk.root.join(FOLDER), limit, ANSWER).await?,
            None => Trial::uncompilable(ANSWER),
        };
        cache.learn(desk, vec![Finding { exercise, answer, outcome: trial.outcome }])?;
        Ok(trial)
    }
}
