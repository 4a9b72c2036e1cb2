//! 演習: 更新を消さずに引き継ぐ
//!
//! A は値を読んで止まり、そのリースは失効した。B が取得したところである。
//! A はいつ目を覚ますか分からず、その書き込みは、B のどの手の間にも届きうる。
//! どの間に届いても更新が一つも消えないように、B の手の順を決める。
//! B の仕事は、値を読み、それをもとに書くことである。
//!
//! 使える手は `Register(B)`、`Read(B)`、`Write(B, 1)` など。

use exercises::{Verdict, checks};
use stage::Action::{self, *};
use stage::Client::B;

fn takeover() -> Vec<Action> {
    // ここを直す。
    vec![Read(B), Write(B, 1)]
}

pub fn main() -> Verdict {
    checks::read_modify_write_takeover::check(takeover).into()
}
