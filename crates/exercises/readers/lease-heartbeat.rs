//! 読者の答え `answers/lease/heartbeat.rs` を動かす。

#[rustfmt::skip] // まだ写していなくても、cargo fmt が通るように。
#[path = "../answers/lease/heartbeat.rs"]
mod answer;

fn main() -> std::process::ExitCode {
    exercises::run(answer::main)
}
