//! 読者の答え `answers/fencing/worker.rs` を動かす。

#[rustfmt::skip] // まだ写していなくても、cargo fmt が通るように。
#[path = "../answers/fencing/worker.rs"]
mod answer;

fn main() -> std::process::ExitCode {
    exercises::run(answer::main)
}
