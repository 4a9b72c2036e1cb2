//! 検査: 便りが一つ失われても、夜間バッチの途中で失効しないこと。
//! 行の長さの並びと、失われる便りの組は、小さい範囲ですべて試す。

use std::collections::VecDeque;

use anyhow::{Result, bail};
use lease::LockService;
use stage::Action::{self, Acquire, Release, Renew, Tick};
use stage::Client::{A, B};
use stage::{Event, Events, Impossible, Run, System, Time, World};

use crate::feedback;

/// リースの長さ。単位は刻み。
pub const LENGTH: Time = 10;
/// ロックサービスを混ませないために、届いた取得や延長から次の延長まであける長さ。単位は刻み。
pub const GAP: Time = 3;
/// 一つの行にかかる、もっとも長い時間。単位は刻み。
const LONGEST: Time = 2;
/// 試す行の数。
const ROWS: usize = 10;
/// 一晩にできる操作の数。
const CALLS: usize = 200;

/// 読者が書く夜間バッチ。
pub type Answer = fn(&mut Night) -> Result<(), Stop>;

/// 夜間バッチを続けられない理由。
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Stop {
    /// 延長が断られた。もう持ち主ではない
    #[error("延長が断られた")]
    Refused,
    /// 操作が多すぎて、夜が明けた
    #[error("夜が明けた")]
    Dawn,
    /// 起こりえない操作
    #[error(transparent)]
    Impossible(#[from] Impossible),
}

/// まだ処理していない一つの行。
#[derive(Debug, PartialEq, Eq)]
pub struct Row {
    /// 処理にかかる時間。単位は刻み。バッチには、処理し終えるまで分からない
    ticks: Time,
}

/// 夜間バッチから見た外の世界。ロックサービスと、処理を待つ行と、自分の時計。
///
/// もう一台のサーバーが、ロックの空くのを待っている。
#[derive(Debug)]
pub struct Night {
    world: World<LockService>,
    actions: Vec<Action>,
    waiting: VecDeque<Row>,
    unprocessed: usize,
    /// 何番目の延長が途中で失われるか(1 から数える)
    lost: Option<usize>,
    sent: Vec<Time>,
    last_reached: Time,
    calls_left: usize,
    fault: Option<Fault>,
}

/// 見つかった誤り。初めの一つだけを覚える。
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    Lost { at: Time },
    NotHeld { at: Time },
    TooSoon { at: Time },
    AfterTheEnd { at: Time },
}

impl Night {
    fn new(rows: &[Time], lost: Option<usize>) -> Night {
        Night {
            world: World::new(LockService::new(LENGTH)),
            actions: Vec::new(),
            waiting: rows.iter().map(|&ticks| Row { ticks }).collect(),
            unprocessed: rows.len(),
            lost,
            sent: Vec::new(),
            last_reached: 0,
            calls_left: CALLS,
            fault: None,
        }
    }

    /// 自分の時計を見る。単位は刻み。
    #[must_use]
    pub fn now(&self) -> Time {
        self.world.observe().now
    }

    /// ロックを取得する。
    ///
    /// # Errors
    /// 操作が多すぎるとき。
    pub fn acquire(&mut self) -> Result<(), Stop> {
        self.count()?;
        if let Some(Event::Acquired { .. }) = self.act(Acquire(A))?.first() {
            self.last_reached = self.now();
        }
        Ok(())
    }

    /// 次に処理する行。もうなければ `None`。
    ///
    /// # Errors
    /// 操作が多すぎるとき。
    pub fn next_row(&mut self) -> Result<Option<Row>, Stop> {
        self.count()?;
        Ok(self.waiting.pop_front())
    }

    /// 行を処理する。一刻みか二刻みかかり、始めるまでどちらかは分からない。
    ///
    /// # Errors
    /// 操作が多すぎるとき。
    pub fn process(&mut self, row: Row) -> Result<(), Stop> {
        self.count()?;
        for _ in 0..row.ticks {
            if !self.holds() {
                self.blame(Fault::NotHeld { at: self.now() });
            }
            let events = self.act(Tick(1))?;
            if events.iter().any(|event| matches!(event, Event::Expired { client: A, .. })) {
                self.blame(Fault::Lost { at: self.now() });
                self.act(Acquire(B))?;
            }
        }
        self.unprocessed = self.unprocessed.saturating_sub(1);
        Ok(())
    }

    /// 延長を送る。届いて認められれば `true`、途中で失われれば `false`。どちらかは、すぐに分かる。
    ///
    /// # Errors
    /// 延長が断られたとき。操作が多すぎるとき。
    pub fn renew(&mut self) -> Result<bool, Stop> {
        self.count()?;
        let at = self.now();
        if self.unprocessed == 0 {
            self.blame(Fault::AfterTheEnd { at });
        }
        if at < self.last_reached + GAP {
            self.blame(Fault::TooSoon { at });
        }
        self.sent.push(at);
        if Some(self.sent.len()) == self.lost {
            return Ok(false);
        }
        match self.act(Renew(A))?.first() {
            Some(Event::Renewed { .. }) => {
                self.last_reached = at;
                Ok(true)
            }
            _ => Err(Stop::Refused),
        }
    }

    /// ロックを解放する。空けば、待っていたもう一台がすぐに取得する。
    ///
    /// # Errors
    /// 操作が多すぎるとき。
    pub fn release(&mut self) -> Result<(), Stop> {
        self.count()?;
        if let Some(Event::Released { .. }) = self.act(Release(A))?.first() {
            self.act(Acquire(B))?;
        }
        Ok(())
    }

    fn holds(&self) -> bool {
        self.world.observe().holder.is_some_and(|holder| holder.client == A)
    }

    fn act(&mut self, action: Action) -> Result<Events, Stop> {
        self.actions.push(action);
        Ok(self.world.apply(action)?)
    }

    fn count(&mut self) -> Result<(), Stop> {
        self.calls_left = self.calls_left.checked_sub(1).ok_or(Stop::Dawn)?;
        Ok(())
    }

    fn blame(&mut self, fault: Fault) {
        self.fault.get_or_insert(fault);
    }
}

/// 答えを確かめる。
///
/// # Errors
/// 一つでも守られない夜があれば、その理由と時系列を返す。
pub fn check(answer: Answer) -> Result<()> {
    let mut nights = vec![Vec::new()];
    for _ in 0..=ROWS {
        for rows in &nights {
            let sent = try_night(answer, rows, None)?;
            for lost in 1..=sent {
                try_night(answer, rows, Some(lost))?;
            }
        }
        nights = [LONGEST, 1].iter().flat_map(|&row| with_row(&nights, row)).collect();
    }
    Ok(())
}

/// どの夜にも、行を一つ足す。
fn with_row(nights: &[Vec<Time>], row: Time) -> impl Iterator<Item = Vec<Time>> {
    nights.iter().map(move |rows| [&[row], rows.as_slice()].concat())
}

/// 一晩動かして、送った延長の数を返す。
fn try_night(answer: Answer, rows: &[Time], lost: Option<usize>) -> Result<usize> {
    let mut night = Night::new(rows, lost);
    let ended = answer(&mut night);
    if let Some(symptom) = symptom(&night, ended) {
        let timeline = Run::play("答え", World::new(LockService::new(LENGTH)), &night.actions)?;
        bail!("{symptom}\n\n{}\n{}", told(rows, &night), feedback::show(&timeline));
    }
    Ok(night.sent.len())
}

/// 時系列に現れないこと。失われた延長は、ロックサービスに何も起こさない。
fn told(rows: &[Time], night: &Night) -> String {
    let rows: Vec<String> = rows.iter().map(Time::to_string).collect();
    let sent = (1..).zip(&night.sent).map(|(number, at)| {
        let lost = if Some(number) == night.lost { "(途中で失われた)" } else { "" };
        format!("{at}{lost}")
    });
    let sent: Vec<String> = sent.collect();
    let sent = if sent.is_empty() { "なし".to_owned() } else { sent.join("、") };
    format!("行にかかった刻み: {}\n延長を送った時刻: {sent}\n", rows.join("、"))
}

fn symptom(night: &Night, ended: Result<(), Stop>) -> Option<String> {
    let rows = night.unprocessed;
    match (night.fault, ended) {
        (Some(Fault::Lost { at }), _) => {
            let lost = night.lost.filter(|&lost| lost <= night.sent.len());
            let cause = lost
                .map_or("延長は一つも失われていないのに".to_owned(), |lost| {
                    format!("{lost} 番目の延長が途中で失われただけで")
                });
            Some(format!(
                "{cause}、仕事の途中の時刻 {at} に失効した。もう一台が同じ行の処理を始め、朝には二重に処理した行が見つかる。"
            ))
        }
        (Some(Fault::NotHeld { at }), _) => Some(format!(
            "時刻 {at} に、ロックを持たずに行を処理した。もう一台も同じ行を処理しているかもしれない。"
        )),
        (Some(Fault::TooSoon { at }), _) => Some(format!(
            "届いた取得や延長から {GAP} 刻みたたないうちに、時刻 {at} に延長を送った。台数が増えると、延長だけでロックサービスが混み、届かない延長が増える。"
        )),
        (Some(Fault::AfterTheEnd { at }), _) => Some(format!(
            "行を処理し終えた時刻 {at} に、まだ延長を送った。終わったバッチがロックを持ち続け、次のバッチが始まらない。"
        )),
        (None, Err(Stop::Dawn)) => {
            Some("操作が多すぎて、夜が明けてもバッチが終わらない。".to_owned())
        }
        (None, Err(stop)) => Some(format!("バッチが途中でやめた。{stop}。")),
        (None, Ok(())) if rows > 0 => {
            Some(format!("処理していない行が {rows} 行残った。朝の集計に、その行が足りない。"))
        }
        (None, Ok(())) if night.holds() => Some(
            "終わったのに、ロックを解放していない。次のバッチが、失効まで待たされる。".to_owned(),
        ),
        (None, Ok(())) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(answer: Answer) -> String {
        check(answer).unwrap_err().to_string()
    }

    /// 前に送ってから `SINCE` 刻みたったら送る。
    fn every<const SINCE: Time>(night: &mut Night) -> Result<(), Stop> {
        night.acquire()?;
        let mut sent = night.now();
        while let Some(row) = night.next_row()? {
            if night.now() - sent >= SINCE {
                sent = night.now();
                night.renew()?;
            }
            night.process(row)?;
        }
        night.release()
    }

    /// 前に送ってから `SINCE` 刻みたったら送り、失われたら次の行の前に送り直す。
    fn retrying<const SINCE: Time>(night: &mut Night) -> Result<(), Stop> {
        night.acquire()?;
        let mut reached = night.now();
        while let Some(row) = night.next_row()? {
            if night.now() - reached >= SINCE && night.renew()? {
                reached = night.now();
            }
            night.process(row)?;
        }
        night.release()
    }

    /// `COUNT` 行ごとに送る。
    fn every_rows<const COUNT: usize>(night: &mut Night) -> Result<(), Stop> {
        night.acquire()?;
        let mut rows = 0;
        while let Some(row) = night.next_row()? {
            if rows == COUNT {
                rows = 0;
                night.renew()?;
            }
            night.process(row)?;
            rows += 1;
        }
        night.release()
    }

    #[test]
    fn the_interval_must_leave_room_for_one_lost_renewal() {
        assert!(check(every::<3>).is_ok());
        let wrong: [Answer; 5] = [every::<1>, every::<2>, every::<4>, every::<5>, every::<9>];
        assert!(wrong.into_iter().all(|answer| check(answer).is_err()));
    }

    #[test]
    fn a_client_that_resends_may_wait_longer() {
        let right: [Answer; 4] = [retrying::<3>, retrying::<4>, retrying::<5>, retrying::<6>];
        assert!(right.into_iter().all(|answer| check(answer).is_ok()));
        assert!(check(retrying::<2>).is_err());
        assert!(check(retrying::<7>).is_err());
    }

    #[test]
    fn rows_are_no_clock() {
        let wrong: [Answer; 4] =
            [every_rows::<1>, every_rows::<2>, every_rows::<3>, every_rows::<4>];
        assert!(wrong.into_iter().all(|answer| check(answer).is_err()));
    }

    #[test]
    fn every_kind_of_mistake_has_its_own_sentence() {
        assert!(told(|_| Ok(())).starts_with("処理していない行が 1 行残った"));
        assert!(told(|night| night.acquire()).starts_with("終わったのに、ロックを解放していない"));
        let keeps_on: Answer = |night| {
            night.acquire()?;
            loop {
                night.next_row()?;
            }
        };
        assert!(told(keeps_on).starts_with("操作が多すぎて"));
        let without_lock: Answer = |night| {
            while let Some(row) = night.next_row()? {
                night.process(row)?;
            }
            Ok(())
        };
        assert!(told(without_lock).starts_with("時刻 0 に、ロックを持たずに"));
        let takes_it_again: Answer = |night| {
            night.acquire()?;
            while let Some(row) = night.next_row()? {
                night.process(row)?;
                night.release()?;
                night.acquire()?;
            }
            night.release()
        };
        assert!(told(takes_it_again).contains("ロックを持たずに行を処理した"));
        let gives_up: Answer = |night| {
            night.renew()?;
            Ok(())
        };
        assert!(told(gives_up).contains("まだ延長を送った"));
        assert!(told(|_| Err(Stop::Refused)).starts_with("バッチが途中でやめた。延長が断られた。"));
    }
}
