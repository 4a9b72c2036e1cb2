//! 読者の答え `answers/read-modify-write/takeover.rs` を動かす。

#[rustfmt::skip] // まだ写していなくても、cargo fmt が通るように。
#[path = "../answers/read-modify-write/takeover.rs"]
mod answer;

fn main() -> std::process::ExitCode {
    exercises::run(answer::main)
}
