//! 読者の答え `answers/plain-lock/stuck.rs` を動かす。

#[rustfmt::skip] // まだ写していなくても、cargo fmt が通るように。
#[path = "../answers/plain-lock/stuck.rs"]
mod answer;

fn main() -> std::process::ExitCode {
    exercises::run(answer::main)
}
