//! 検査: 引き継ぎの上限の中で、いちばん多くの停止に耐える長さを選び、残る停止を言い当てること。

use std::collections::BTreeSet;

use anyhow::{Result, bail, ensure};
use double_acquisition::UnfencedResource;
use lease::LockService;
use stage::Action::{self, Acquire, Crash, Pause, Resume, Tick, Write};
use stage::Client::{A, B};
use stage::{Run, StoryError, Time, World};

use crate::feedback;

/// 測った停止の長さ。単位は刻み。
pub const MEASURED: [Time; 8] = [1, 2, 3, 5, 8, 13, 20, 90];
/// クラッシュから次の客の取得までに許される長さ。単位は刻み。
pub const FAILOVER_LIMIT: Time = 20;

/// リースの長さと、それでも残る危険。
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// リースの長さ。単位は刻み
    pub length: Time,
    /// この長さでも資源を壊す停止。測ったもののうちから選ぶ。順序は問わない
    pub breaking: Vec<Time>,
}

/// 読者が書く選択。
pub type Answer = fn() -> Choice;

/// 答えを確かめる。停止は、取得のすぐあとに始まるものとする。
///
/// # Errors
/// 引き継ぎの上限を超えるか、避けられる停止が残るか、残る停止を言い違えていれば、その理由を返す。
pub fn check(answer: Answer) -> Result<()> {
    judge(&answer())
}

fn judge(Choice { length, breaking }: &Choice) -> Result<()> {
    let length = *length;
    let crashed = crashed(length)?;
    ensure!(
        crashed.steps.iter().any(|step| step.after.holder.is_some_and(|holder| holder.client == B)),
        "リースの長さ {length} では、持ち主が落ちてから {FAILOVER_LIMIT} 刻みたっても、次の客が取得できない。一台が落ちるたびに、約束した時間を超えて仕事が止まる。\n\n{}",
        feedback::show(&crashed)
    );
    let really = breaking_among_measured(length)?;
    for pause in &really {
        let Some(longer) = longer_that_survives(*pause)? else { continue };
        bail!(
            "{pause} 刻みの停止は測った中にあり、長さ {length} のリースでは資源が壊れる。上限の中で、もっと長くできる。\n\n{}",
            feedback::compare(&paused(longer, *pause)?, &paused(length, *pause)?)
        );
    }
    let named: BTreeSet<Time> = breaking.iter().copied().collect();
    if let Some(unmeasured) = named.iter().find(|&pause| !MEASURED.contains(pause)) {
        bail!("{unmeasured} 刻みの停止は、測った中にない。測った停止のうちから選ぶ。");
    }
    if let Some(missed) = really.difference(&named).next() {
        bail!(
            "{missed} 刻みの停止が、残る危険に入っていない。これで防げたと報告すると、本番で同じ長さの停止が起きた日に、値が壊れた原因を探せない。\n\n{}",
            feedback::show(&paused(length, *missed)?)
        );
    }
    if let Some(harmless) = named.difference(&really).next() {
        bail!(
            "{harmless} 刻みの停止では、長さ {length} のリースは壊れない。無事な停止まで疑うと、本当の原因を見落とす。\n\n{}",
            feedback::show(&paused(length, *harmless)?)
        );
    }
    Ok(())
}

/// `pause` 刻みの停止に耐え、引き継ぎの上限を守る長さ。
fn longer_that_survives(pause: Time) -> Result<Option<Time>, StoryError> {
    for length in 1..=FAILOVER_LIMIT {
        if !paused(length, pause)?.is_damaged() {
            return Ok(Some(length));
        }
    }
    Ok(None)
}

fn breaking_among_measured(length: Time) -> Result<BTreeSet<Time>, StoryError> {
    let mut breaking = BTreeSet::new();
    for pause in MEASURED {
        if paused(length, pause)?.is_damaged() {
            breaking.insert(pause);
        }
    }
    Ok(breaking)
}

/// 持ち主が取得してすぐ `pause` 刻み止まる。
fn paused(length: Time, pause: Time) -> Result<Run, StoryError> {
    let actions =
        [Acquire(A), Pause(A), Tick(pause), Acquire(B), Write(B, 1), Resume(A), Write(A, 1)];
    play(length, &actions)
}

/// 持ち主が取得してすぐ落ち、上限の時刻に次の客が取得を試みる。
fn crashed(length: Time) -> Result<Run, StoryError> {
    play(length, &[Acquire(A), Crash(A), Tick(FAILOVER_LIMIT), Acquire(B)])
}

fn play(length: Time, actions: &[Action]) -> Result<Run, StoryError> {
    let world = World::with_resource(LockService::new(length), UnfencedResource::new());
    Run::play("答え", world, actions)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn subsets() -> impl Iterator<Item = Vec<Time>> {
        (0..2_usize.pow(MEASURED.len() as u32)).map(|bits| {
            let chosen =
                MEASURED.iter().enumerate().filter(move |(index, _)| bits >> index & 1 == 1);
            chosen.map(|(_, &pause)| pause).collect()
        })
    }

    #[test]
    fn only_the_lengths_that_break_least_within_the_limit_pass() {
        let mut passed = Vec::new();
        for length in [0, 1, 13, 14, 17, 20, 21, 91, Time::MAX] {
            for breaking in subsets() {
                let choice = Choice { length, breaking };
                if judge(&choice).is_ok() {
                    assert_eq!(choice.breaking, [20, 90]);
                    passed.push(length);
                }
            }
        }
        assert_eq!(passed, [14, 17, 20]);
    }

    #[test]
    fn the_order_does_not_matter_and_an_unmeasured_pause_is_refused() {
        assert!(judge(&Choice { length: 15, breaking: vec![90, 20, 90] }).is_ok());
        assert!(judge(&Choice { length: 15, breaking: vec![20, 90, 91] }).is_err());
    }
}
