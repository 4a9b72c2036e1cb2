//! 読者の答え `answers/fencing/queue.rs` を動かす。

#[rustfmt::skip] // まだ写していなくても、cargo fmt が通るように。
#[path = "../answers/fencing/queue.rs"]
mod answer;

fn main() -> std::process::ExitCode {
    exercises::run(answer::main)
}
