//! 読者の答え `answers/wrong-locks/review.rs` を動かす。

#[rustfmt::skip] // まだ写していなくても、cargo fmt が通るように。
#[path = "../answers/wrong-locks/review.rs"]
mod answer;

fn main() -> std::process::ExitCode {
    exercises::run(answer::main)
}
