//! 読者の答え `answers/lease/renew.rs` を動かす。

#[rustfmt::skip] // まだ写していなくても、cargo fmt が通るように。
#[path = "../answers/lease/renew.rs"]
mod answer;

fn main() -> std::process::ExitCode {
    exercises::run(answer::main)
}
