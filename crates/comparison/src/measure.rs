//! 一つの相手を、子のプロセスで測る。前に測った相手が、メモリーや時間に影響しないようにする。

use std::process::Command;
use std::time::Duration;
use std::{env, fs, io};

use cpu_time::ProcessTime;

use crate::steps::{Engine, model};

/// 子に、測る相手の番号を伝える環境変数。
const ENGINE: &str = "COMPARISON_ENGINE";

/// 速さの約束。stateright の何倍の状態を、同じ CPU 時間で調べるか。
pub const FASTER: f64 = 3.5;
/// メモリーの約束。状態一つあたりで、stateright の何倍までか。
pub const SMALLER: f64 = 0.25;

/// 測ったもの。
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured {
    /// 違う状態の数
    pub states: usize,
    /// CPU 時間。利用者とカーネルの和
    pub cpu: Duration,
    /// メモリーのいちばん多かった量。単位はバイト。Linux のほかでは `None`
    pub peak: Option<u64>,
}

impl Measured {
    /// CPU 時間一秒あたりの状態の数。
    #[must_use]
    pub fn per_second(&self) -> f64 {
        self.states as f64 / self.cpu.as_secs_f64()
    }

    /// 状態一つあたりのメモリー。単位はバイト。
    #[must_use]
    pub fn per_state(&self) -> Option<f64> {
        self.peak.map(|peak| peak as f64 / self.states as f64)
    }
}

/// 測れなかったわけ。
#[derive(Debug, thiserror::Error)]
pub enum MeasureError {
    /// 子を動かせない
    #[error("測るプロセスを動かせない: {0}")]
    Child(#[from] io::Error),
    /// 子の答えを読めない
    #[error("測ったプロセスの答えを読めない: {0:?}")]
    Answer(String),
}

/// 子のプロセスで測る。
///
/// # Errors
/// 子を動かせないか、答えを読めないとき。
pub fn measure(engine: Engine) -> Result<Measured, MeasureError> {
    let number = (engine as usize).to_string();
    let output = Command::new(env::current_exe()?).env(ENGINE, number).output()?;
    let answer = String::from_utf8_lossy(&output.stdout).into_owned();
    read(&answer).ok_or(MeasureError::Answer(answer))
}

fn read(answer: &str) -> Option<Measured> {
    let mut words = answer.split_whitespace();
    let (states, cpu) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    let peak = words.next().and_then(|peak| peak.parse().ok());
    Some(Measured { states, cpu: Duration::from_nanos(cpu), peak })
}

/// 子として動いているなら、頼まれた相手を測って答え、`true` を返す。
#[must_use]
pub fn answer_as_child() -> bool {
    let number = env::var(ENGINE).ok().and_then(|number| number.parse::<usize>().ok());
    let Some(engine) = number.and_then(|number| Engine::ALL.get(number)) else { return false };
    let states = engine.states(model());
    let cpu = ProcessTime::now().as_duration().as_nanos();
    let peak = peak().map(|bytes| bytes.to_string()).unwrap_or_default();
    println!("{states} {cpu} {peak}");
    true
}

/// このプロセスのメモリーの、いちばん多かった量。単位はバイト。
fn peak() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(1024 * kibibytes)
}

/// 真ん中の値。一つもなければ `None`。
#[must_use]
pub fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}

/// 約束を守ったかを言う文。
#[must_use]
pub fn verdict(is_kept: bool) -> &'static str {
    if is_kept { "約束を守っている。" } else { "約束を守っていない。" }
}

/// 約束を守らないことを、失敗とするか。環境変数 `STRICT` が 1 のとき。
#[must_use]
pub fn is_strict() -> bool {
    env::var("STRICT").is_ok_and(|strict| strict == "1")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_read_with_or_without_memory() {
        let cpu = Duration::from_nanos(2_000_000_000);
        let with = Measured { states: 10, cpu, peak: Some(4096) };
        assert_eq!(read("10 2000000000 4096\n"), Some(with));
        assert_eq!((with.per_second(), with.per_state()), (5.0, Some(409.6)));
        assert_eq!(read("10 2000000000 \n"), Some(Measured { peak: None, ..with }));
        assert_eq!(read("10\n"), None);
    }

    #[test]
    fn the_median_does_not_depend_on_the_order() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(Vec::new()), None);
    }
}
