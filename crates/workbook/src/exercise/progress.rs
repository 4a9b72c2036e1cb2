//! どこまで解けたか。答えを動かして知る。

use std::time::Duration;

use anyhow::Result;

use super::build::{self, Voice};
use super::cache::{Cache, Finding};
use super::catalog::{Exercise, FOLDER, PACKAGE};
use super::desk::Desk;
use super::store;
use super::trial::{self, ANSWER, Outcome};

/// 一つの演習のようす。
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// 問題のまま
    Untouched,
    /// 手をつけたが、まだ合格しない
    Open(Outcome),
    /// 合格した
    Solved,
}

impl From<Outcome> for State {
    fn from(outcome: Outcome) -> State {
        match outcome {
            Outcome::Passed => State::Solved,
            other => State::Open(other),
        }
    }
}

/// すべての演習のようす。解く順に並ぶ。
#[derive(Debug)]
pub(super) struct Progress<'a> {
    pub(super) states: Vec<(&'a Exercise, State)>,
}

impl<'a> Progress<'a> {
    /// 次に解く演習。
    pub(super) fn next(&self) -> Option<&'a Exercise> {
        let open = |(_, state): &&(&Exercise, State)| *state != State::Solved;
        self.states.iter().find(open).map(|(one, _)| *one)
    }

    /// 解けた数。
    pub(super) fn solved(&self) -> usize {
        self.states.iter().filter(|(_, state)| *state == State::Solved).count()
    }

    pub(super) fn state(&self, wanted: &Exercise) -> Option<State> {
        self.states.iter().find(|(one, _)| *one == wanted).map(|(_, state)| *state)
    }
}

/// 調べる。前に確かめてから何も変わっていない答えは、動かさない。
///
/// # Errors
/// 答えを読めないとき、cargo を動かせないとき。
pub(super) async fn survey(desk: &Desk, limit: Duration) -> Result<Progress<'_>> {
    let cache = Cache::open(&desk.root, limit)?;
    let mut states = Vec::new();
    let mut unknown = Vec::new();
    for one in &desk.catalog.exercises {
        let answer = store::read_if_any(&desk.answer(one))?.unwrap_or_default();
        let state = known(desk, &cache, one, &answer)?;
        states.push((one, state.unwrap_or(State::Untouched)));
        if state.is_none() {
            unknown.push((one, answer));
        }
    }
    let findings = try_all(desk, unknown, limit).await?;
    for finding in &findings {
        let own = states.iter_mut().find(|(one, _)| *one == finding.exercise);
        own.into_iter().for_each(|(_, state)| *state = finding.outcome.into());
    }
    if !findings.is_empty() {
        cache.learn(desk, findings)?;
    }
    Ok(Progress { states })
}

/// 動かさなくても分かるようす。
fn known(desk: &Desk, cache: &Cache, one: &Exercise, answer: &[u8]) -> Result<Option<State>> {
    if desk.is_untouched(one, answer)? {
        return Ok(Some(State::Untouched));
    }
    Ok(cache.get(&one.key(), answer).map(State::from))
}

/// まとめて組み立て、一つずつ動かす。並べて動かすと、重い答えがほかの答えの時間を奪う。
async fn try_all<'a>(
    desk: &Desk,
    unknown: Vec<(&'a Exercise, Vec<u8>)>,
    limit: Duration,
) -> Result<Vec<Finding<'a>>> {
    if unknown.is_empty() {
        return Ok(Vec::new());
    }
    crate::cli::note(&format!("{} 題の答えを確かめている。", unknown.len()));
    let targets: Vec<String> = unknown.iter().map(|(one, _)| one.target()).collect();
    let programs = build::build(&desk.root, PACKAGE, &targets, Voice::Quiet).await?;
    let folder = desk.root.join(FOLDER);
    let mut findings = Vec::new();
    for (exercise, answer) in unknown {
        let outcome = match programs.get(&exercise.target()) {
            Some(program) => trial::run(program, &folder, limit, ANSWER).await?.outcome,
            None => Outcome::Uncompilable,
        };
        findings.push(Finding { exercise, answer, outcome });
    }
    Ok(findings)
}
