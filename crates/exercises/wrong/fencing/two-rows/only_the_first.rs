//! 誤答: 引く行だけを比べる。

use exercises::checks::fencing_two_rows::Row;
use exercises::{Verdict, checks};
use stage::{Token, Value};

fn transfer(from: &mut Row, to: &mut Row, token: Token, value: Value) -> bool {
    if token < from.max {
        return false;
    }
    for row in [from, to] {
        *row = Row { max: token, value: Some(value) };
    }
    true
}

pub fn main() -> Verdict {
    checks::fencing_two_rows::check(transfer).into()
}
