//! 解答: 持ち主が解放する前に落ちる。再起動しても、持っていた記憶は戻らない。

use exercises::{Verdict, checks};
use stage::Action::{self, *};
use stage::Client::{A, B};

fn story() -> Vec<Action> {
    vec![Acquire(A), Tick(3), Crash(A), Tick(1000), Acquire(B)]
}

pub fn main() -> Verdict {
    checks::plain_lock_stuck::check(story).into()
}
