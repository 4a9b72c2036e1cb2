//! 誤答: 最初のトークンと等しいものだけを受理する。正当な次の持ち主が書けない。

use exercises::{Verdict, checks};
use stage::Token;

fn accepts(max: &mut Token, token: Token) -> bool {
    if *max == Token::NONE {
        *max = token;
    }
    token == *max
}

pub fn main() -> Verdict {
    checks::fencing_compare::check(accepts).into()
}
