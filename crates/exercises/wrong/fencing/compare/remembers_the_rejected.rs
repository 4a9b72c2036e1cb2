//! 誤答: 拒否した書き込みのトークンまで覚える。次のゾンビを通してしまう。

use exercises::{Verdict, checks};
use stage::Token;

fn accepts(max: &mut Token, token: Token) -> bool {
    let is_newer = token >= *max;
    *max = token;
    is_newer
}

pub fn main() -> Verdict {
    checks::fencing_compare::check(accepts).into()
}
