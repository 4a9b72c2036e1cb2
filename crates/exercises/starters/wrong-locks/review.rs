//! 演習: 四つの決めごとを、レビューして直す
//!
//! 次の四つは、どれもレビューを通りそうに見えて、一つずつ壊れている。
//! 壊れ方は、本文の図鑑で見たものの中にある。四つとも直す。
//! `state.holder()` は今の持ち主(`Option<Holder>`)、`state.issued` は最後に配った番号である。
//! `Holder` は、客 `client` と番号 `token` の組である。

use exercises::Verdict;
use exercises::checks::wrong_locks_review::{Reviewed, check};
use stage::{Holder, Token};
use wrong_locks::State;

#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
struct Service;

impl Reviewed for Service {
    // ここから下を直す。

    /// 解放を認めるか。`asked` は、頼んだ客と、その客の番号
    fn may_release(state: &State, asked: Holder) -> bool {
        state.holder().is_some_and(|holder| holder.client == asked.client)
    }

    /// 延長を認めるか
    fn may_renew(state: &State, asked: Holder) -> bool {
        state.holder().is_none_or(|holder| holder == asked)
    }

    /// 解放や失効のあとに残す、最後に配った番号。呼ばれるときには、`state.lease` はもう空である
    fn issued_when_free(state: &State) -> Token {
        state.lease.map_or(Token::NONE, |lease| lease.holder.token)
    }

    /// 番号 `token` の書き込みを、資源が拒否するか。`max` は、見たことのある最大
    fn refuses(token: Token, max: Token) -> bool {
        max != Token::NONE && token != max
    }
}

pub fn main() -> Verdict {
    check::<Service>().into()
}
