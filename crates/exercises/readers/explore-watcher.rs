//! 読者の答え `answers/explore/watcher.rs` を動かす。

#[rustfmt::skip] // まだ写していなくても、cargo fmt が通るように。
#[path = "../answers/explore/watcher.rs"]
mod answer;

fn main() -> std::process::ExitCode {
    exercises::run(answer::main)
}
