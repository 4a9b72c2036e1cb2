//! 読者の答え `answers/wrong-locks/review.rs` を動かす。

// 前の版で写した答えは、語彙の置き場をこの名前で指している。
extern crate stage as timeline;

#[rustfmt::skip] // まだ写していなくても、cargo fmt が通るように。
#[path = "../answers/wrong-locks/review.rs"]
mod answer;

fn main() -> std::process::ExitCode {
    exercises::run(answer::main)
}
