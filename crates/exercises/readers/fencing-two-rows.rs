//! 読者の答え `answers/fencing/two-rows.rs` を動かす。

#[rustfmt::skip] // まだ写していなくても、cargo fmt が通るように。
#[path = "../answers/fencing/two-rows.rs"]
mod answer;

fn main() -> std::process::ExitCode {
    exercises::run(answer::main)
}
