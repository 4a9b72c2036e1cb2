//! 読者の答え `answers/plain-lock/release.rs` を動かす。

#[rustfmt::skip] // まだ写していなくても、cargo fmt が通るように。
#[path = "../answers/plain-lock/release.rs"]
mod answer;

fn main() -> std::process::ExitCode {
    exercises::run(answer::main)
}
