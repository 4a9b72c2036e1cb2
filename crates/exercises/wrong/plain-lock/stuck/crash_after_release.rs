//! 誤答: 解放したあとで落ちる。ロックはもう空いている。

use exercises::{Verdict, checks};
use stage::Action::{self, *};
use stage::Client::A;

fn story() -> Vec<Action> {
    vec![Acquire(A), Tick(3), Release(A), Crash(A)]
}

pub fn main() -> Verdict {
    checks::plain_lock_stuck::check(story).into()
}
