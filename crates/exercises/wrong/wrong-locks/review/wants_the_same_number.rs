//! 誤答: 資源が、等しい番号だけを受理したままにする。

use exercises::Verdict;
use exercises::checks::wrong_locks_review::{Reviewed, check};
use stage::{Holder, Token};
use wrong_locks::State;

#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
struct Service;

impl Reviewed for Service {
    /// 解放を認めるか。`asked` は、頼んだ客と、その客の番号
    fn may_release(state: &State, asked: Holder) -> bool {
        state.holder() == Some(asked)
    }

    /// 延長を認めるか
    fn may_renew(state: &State, asked: Holder) -> bool {
        state.holder() == Some(asked)
    }

    /// 解放や失効のあとに残す、最後に配った番号
    fn issued_when_free(state: &State) -> Token {
        state.issued
    }

    /// 番号 `token` の書き込みを、資源が拒否するか。`max` は、見たことのある最大
    fn refuses(token: Token, max: Token) -> bool {
        max != Token::NONE && token != max
    }
}

pub fn main() -> Verdict {
    check::<Service>().into()
}
