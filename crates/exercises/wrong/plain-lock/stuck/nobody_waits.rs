//! 誤答: 持ち主が落ちたあと、誰も取得を試みない。

use exercises::{Verdict, checks};
use stage::Action::{self, *};
use stage::Client::A;

fn story() -> Vec<Action> {
    vec![Acquire(A), Tick(3), Crash(A), Tick(1000)]
}

pub fn main() -> Verdict {
    checks::plain_lock_stuck::check(story).into()
}
