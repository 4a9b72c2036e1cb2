//! 読者の答え `answers/fencing/equal.rs` を動かす。

#[rustfmt::skip] // まだ写していなくても、cargo fmt が通るように。
#[path = "../answers/fencing/equal.rs"]
mod answer;

fn main() -> std::process::ExitCode {
    exercises::run(answer::main)
}
