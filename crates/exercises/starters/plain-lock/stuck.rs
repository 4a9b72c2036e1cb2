//! 演習: 永久に空かないロックを作る
//!
//! 期限のないロックが、そのあと何が続いても空かず、ほかの客が待たされる筋書きを書く。
//! 止まった客は再開することがあり、持っているつもりの客は解放することがある。
//! 今の筋書きでは、B が仕事を終えれば、ロックは空く。

use exercises::{Verdict, checks};
use stage::Action::{self, *};
use stage::Client::{A, B};

fn story() -> Vec<Action> {
    vec![
        Acquire(A),
        Tick(3),
        Release(A),
        Acquire(B),
        // 使える手: Pause(A)、Resume(A)、Crash(A)、Restart(A)、Tick(1000) など。
    ]
}

pub fn main() -> Verdict {
    checks::plain_lock_stuck::check(story).into()
}
