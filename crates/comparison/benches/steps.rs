//! 素朴な探索から本の探索まで、段ごとの速さとメモリーを測る。
//!
//! 一つずつ別のプロセスで調べる。混みぐあいの移り変わりが一つの段だけに効かないように、全部を一巡りずつ測る。
//! `cargo bench -p comparison --bench steps -- --record` は、結果を `measured.txt` に書く。

use std::fmt::Write as _;
use std::process::{Command, ExitCode};
use std::{env, fs};

use anyhow::Context as _;
use comparison::measure::{
    FASTER, Measured, SMALLER, answer_as_child, is_strict, measure, median, verdict,
};
use comparison::steps::Engine;

const ROUNDS: usize = 7;
const RECORD: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/measured.txt");

/// 一つの相手を、巡りごとに測ったもの。
type Rounds = Vec<Measured>;

fn main() -> anyhow::Result<ExitCode> {
    if answer_as_child() {
        return Ok(ExitCode::SUCCESS);
    }
    let all = rounds()?;
    let (table, is_kept) = table(&all)?;
    println!("{table}");
    if env::args().any(|argument| argument == "--record") {
        fs::write(RECORD, format!("{}{table}", heading()?))?;
    }
    Ok(if is_kept || !is_strict() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn rounds() -> anyhow::Result<Vec<Rounds>> {
    let mut all = vec![Rounds::new(); Engine::ALL.len()];
    for _ in 0..ROUNDS {
        for (rounds, engine) in all.iter_mut().zip(Engine::ALL) {
            rounds.push(measure(engine)?);
        }
    }
    Ok(all)
}

/// 段ごとの行と、約束を守ったか。比は、同じ巡りの stateright との比の、真ん中の値。
fn table(all: &[Rounds]) -> anyhow::Result<(String, bool)> {
    let states = all[0][0].states;
    let mut text = format!("状態 {states} 個。{ROUNDS} 巡りの真ん中の値\n\n");
    let (mut faster, mut smaller) = (0.0, None);
    for (rounds, engine) in all.iter().zip(Engine::ALL) {
        anyhow::ensure!(rounds.iter().all(|round| round.states == states), "状態の数が違う");
        let cpu = rounds.iter().map(|round| round.cpu.as_secs_f64()).collect();
        let cpu = median(cpu).context("一巡りも測っていない")?;
        faster = compared(rounds, &all[0], |round| Some(round.per_second())).unwrap_or_default();
        smaller = compared(rounds, &all[0], Measured::per_state);
        let bytes = median(rounds.iter().filter_map(Measured::per_state).collect());
        let memory = bytes.zip(smaller).map_or("測れない".to_owned(), |(bytes, ratio)| {
            format!("一つあたり {bytes:.0} バイト({ratio:.2} 倍)")
        });
        writeln!(text, "{}: {cpu:.2} 秒(速さ {faster:.2} 倍)、{memory}", engine.name())?;
    }
    let is_kept = faster >= FASTER && smaller.is_none_or(|smaller| smaller <= SMALLER);
    let promise = format!("約束は、速さ {FASTER} 倍以上、メモリー {SMALLER} 倍以下。");
    writeln!(text, "\n{promise}{}", verdict(is_kept))?;
    Ok((text, is_kept))
}

fn compared(ours: &Rounds, theirs: &Rounds, of: impl Fn(&Measured) -> Option<f64>) -> Option<f64> {
    let pairs = ours.iter().zip(theirs);
    median(pairs.filter_map(|(ours, theirs)| Some(of(ours)? / of(theirs)?)).collect())
}

/// 測った日と、計算機と、命令。
fn heading() -> anyhow::Result<String> {
    let date = output("date", &["+%Y-%m-%d"])?;
    let rustc = output("rustc", &["--version"])?;
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info.lines().find_map(|line| line.strip_prefix("model name"));
    let model = model.map_or("不明", |model| model.trim_start_matches(['\t', ' ', ':']));
    let command = "cargo bench -p comparison --bench steps -- --record";
    Ok(format!("測った日: {date}\nCPU: {model}\nコンパイラー: {rustc}\n命令: {command}\n\n"))
}

fn output(program: &str, arguments: &[&str]) -> anyhow::Result<String> {
    let output = Command::new(program).args(arguments).output();
    let output = output.with_context(|| format!("{program} を動かせない"))?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
