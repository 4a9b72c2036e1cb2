//! 読者の答え `answers/lease/expiry.rs` を動かす。

#[rustfmt::skip] // まだ写していなくても、cargo fmt が通るように。
#[path = "../answers/lease/expiry.rs"]
mod answer;

fn main() -> std::process::ExitCode {
    exercises::run(answer::main)
}
