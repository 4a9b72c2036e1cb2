//! 読者の答え `answers/double-acquisition/overlap.rs` を動かす。

#[rustfmt::skip] // まだ写していなくても、cargo fmt が通るように。
#[path = "../answers/double-acquisition/overlap.rs"]
mod answer;

fn main() -> std::process::ExitCode {
    exercises::run(answer::main)
}
