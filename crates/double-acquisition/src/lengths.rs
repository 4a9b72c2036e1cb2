//! リースの長さと停止の長さの組をすべて演じて、表にする。

use lease::LockService;
use stage::Action::{Acquire, Crash, Pause, Resume, Tick, Write};
use stage::Client::{A, B};
use stage::{ChapterError, Event, Run, StoryError, Table, Time, World};

use crate::UnfencedResource;

/// 試すリースの長さ。単位は刻み。
const LENGTHS: [Time; 4] = [5, 10, 20, 40];
/// 試す停止の長さ。単位は刻み。
const PAUSES: [Time; 5] = [3, 8, 15, 30, 60];

// ANCHOR: paused
/// 長さ `length` のリースの持ち主が、取得してすぐ `pause` 刻み止まる。
fn paused(length: Time, pause: Time) -> Result<Run, StoryError> {
    let world = World::with_resource(LockService::new(length), UnfencedResource::new());
    let actions =
        [Acquire(A), Pause(A), Tick(pause), Acquire(B), Write(B, 1), Resume(A), Write(A, 1)];
    Run::play("停止", world, &actions)
}
// ANCHOR_END: paused

/// 資源を壊す、もっとも短い停止。
fn shortest_breaking(length: Time) -> Result<Time, StoryError> {
    let mut pause = 0;
    while !paused(length, pause)?.is_damaged() {
        pause += 1;
    }
    Ok(pause)
}

/// 持ち主が落ちてから、次の客が取得できるまでの長さ。
fn failover(length: Time) -> Result<Time, StoryError> {
    let world = World::with_resource(LockService::new(length), UnfencedResource::new());
    let mut actions = vec![Acquire(A), Crash(A)];
    loop {
        actions.extend([Tick(1), Acquire(B)]);
        let timeline = Run::play("クラッシュ", world, &actions)?;
        let gained = |event: &Event| matches!(event, Event::Acquired { client: B, .. });
        if timeline.events().any(gained) {
            return Ok(timeline.steps.last().map_or(0, |step| step.after.now));
        }
    }
}

/// リースの長さごとに、どの停止で壊れるかと、クラッシュから何刻みで次に渡るか。
pub(crate) fn table() -> Result<Table, ChapterError> {
    let mut header = vec!["リースの長さ".to_owned()];
    header.extend(PAUSES.iter().map(|pause| format!("停止 {pause}")));
    header.extend(["壊れる最短の停止", "クラッシュから次の取得まで"].map(str::to_owned));
    let rows = LENGTHS.iter().map(|&length| row(length)).collect::<Result<_, StoryError>>()?;
    Ok(Table { header, rows })
}

fn row(length: Time) -> Result<Vec<String>, StoryError> {
    let mut cells = vec![length.to_string()];
    for pause in PAUSES {
        let damaged = paused(length, pause)?.is_damaged();
        cells.push(if damaged { "壊れる" } else { "無事" }.to_owned());
    }
    cells.push(shortest_breaking(length)?.to_string());
    cells.push(failover(length)?.to_string());
    Ok(cells)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_lease_length_has_a_pause_that_breaks_it() {
        for length in 1..=100 {
            assert!(paused(length, length).unwrap().is_damaged(), "長さ {length}");
        }
    }

    #[test]
    fn a_pause_shorter_than_the_lease_does_no_harm() {
        for length in 2..=100 {
            let timeline = paused(length, length - 1).unwrap();
            assert!(!timeline.is_damaged() && !timeline.has_double(), "長さ {length}");
        }
    }

    #[test]
    fn a_longer_lease_delays_the_failover_by_as_much() {
        for length in 1..=30 {
            assert_eq!(failover(length).unwrap(), length);
        }
    }
}
