//! 誤答: 番号が尽きたら、小さい番号に折り返す。

use exercises::checks::lease_tokens::{Change, Tokens};
use exercises::{Verdict, checks};
use stage::Token;

fn number(tokens: &mut Tokens, change: Change) -> Option<Token> {
    match change {
        Change::Acquire => {
            tokens.issued = Token(tokens.issued.0.wrapping_add(1));
            tokens.held = Some(tokens.issued);
        }
        Change::Renew => {}
        Change::Release | Change::Expire => tokens.held = None,
    }
    tokens.held
}

pub fn main() -> Verdict {
    checks::lease_tokens::check(number).into()
}
