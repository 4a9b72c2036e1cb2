//! 読者の答え `answers/lease/predict.rs` を動かす。

#[rustfmt::skip] // まだ写していなくても、cargo fmt が通るように。
#[path = "../answers/lease/predict.rs"]
mod answer;

fn main() -> std::process::ExitCode {
    exercises::run(answer::main)
}
