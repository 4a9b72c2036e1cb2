//! 誤答: 等しいトークンを拒否する。

use exercises::{Verdict, checks};
use stage::Token;

fn accepts(max: &mut Token, token: Token) -> bool {
    if token <= *max {
        return false;
    }
    *max = token;
    true
}

pub fn main() -> Verdict {
    checks::fencing_compare::check(accepts).into()
}
