//! 演習: 二重取得の筋書きを書く
//!
//! 二人が同時に持っているつもりになり、古い持ち主の書き込みが新しい値を消す筋書きを書く。
//! リースの長さは 10 刻みで、資源はトークンを比べない。
//! 今の筋書きは、二人が順番に使うだけである。手を足したり並べ替えたりして直す。

use exercises::{Verdict, checks};
use stage::Action::{self, *};
use stage::Client::{A, B};

fn story() -> Vec<Action> {
    vec![
        Acquire(A),
        Write(A, 1),
        Release(A),
        Acquire(B),
        Write(B, 1),
        // 使える手: Pause(A)、Resume(A)、Tick(10)、Renew(A)、Send(A, 1)、Deliver(A, 1) など。
    ]
}

pub fn main() -> Verdict {
    checks::double_acquisition_overlap::check(story).into()
}
