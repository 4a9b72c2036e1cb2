//! 状態一つあたりのメモリーを、stateright と比べる。
//!
//! 一つずつ別のプロセスで調べ、そのプロセスの VmHWM(メモリーのいちばん多かった量)を状態の数で割る。

use std::process::ExitCode;

use comparison::measure::{SMALLER, answer_as_child, is_strict, measure, verdict};
use comparison::steps::Engine;

fn main() -> anyhow::Result<ExitCode> {
    if answer_as_child() {
        return Ok(ExitCode::SUCCESS);
    }
    let mut per_state = Vec::new();
    for engine in [Engine::Stateright, Engine::Check] {
        let Some(bytes) = measure(engine)?.per_state() else {
            println!("VmHWM を読めるのは Linux だけなので、測らない。");
            return Ok(ExitCode::SUCCESS);
        };
        println!("{}: 状態一つあたり {bytes:.1} バイト", engine.name());
        per_state.push(bytes);
    }
    let ratio = per_state[1] / per_state[0];
    let is_kept = ratio <= SMALLER;
    println!("比 {ratio:.3}、約束は {SMALLER} 以下。{}", verdict(is_kept));
    Ok(if is_kept || !is_strict() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
