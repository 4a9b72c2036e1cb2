//! 誤答: 解放のとき、使い終わった番号を返す。次の取得が同じ番号になる。

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
        Change::Release => {
            tokens.issued = Token(tokens.issued.0 - 1);
            tokens.held = None;
        }
        Change::Expire => tokens.held = None,
    }
    tokens.held
}

pub fn main() -> Verdict {
    checks::lease_tokens::check(number).into()
}
