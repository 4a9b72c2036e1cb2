//! 読者の錠 `answers/my_lock.rs` を動かす。

#[rustfmt::skip] // まだ写していなくても、cargo fmt が通るように。
#[path = "../answers/my_lock.rs"]
mod answer;

fn main() -> std::process::ExitCode {
    own_lock::run(answer::main)
}
