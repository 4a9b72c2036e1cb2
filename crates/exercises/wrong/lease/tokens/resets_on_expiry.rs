//! 誤答: 失効のときだけ、番号の記録を消す。

use exercises::checks::lease_tokens::{Change, Tokens};
use exercises::{Verdict, checks};
use stage::Token;

fn number(tokens: &mut Tokens, change: Change) -> Option<Token> {
    match change {
        Change::Acquire => {
            tokens.issued = tokens.issued.next()?;
            tokens.held = Some(tokens.issued);
        }
        Change::Renew => {}
        Change::Release => tokens.held = None,
        Change::Expire => *tokens = Tokens::default(),
    }
    tokens.held
}

pub fn main() -> Verdict {
    checks::lease_tokens::check(number).into()
}
