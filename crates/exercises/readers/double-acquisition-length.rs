//! 読者の答え `answers/double-acquisition/length.rs` を動かす。

#[rustfmt::skip] // まだ写していなくても、cargo fmt が通るように。
#[path = "../answers/double-acquisition/length.rs"]
mod answer;

fn main() -> std::process::ExitCode {
    exercises::run(answer::main)
}
