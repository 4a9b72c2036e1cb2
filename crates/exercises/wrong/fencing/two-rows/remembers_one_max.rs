//! 誤答: 最大を、引く行でだけ改める。

use exercises::checks::fencing_two_rows::Row;
use exercises::{Verdict, checks};
use stage::{Token, Value};

fn transfer(from: &mut Row, to: &mut Row, token: Token, value: Value) -> bool {
    if token < from.max || token < to.max {
        return false;
    }
    *from = Row { max: token, value: Some(value) };
    to.value = Some(value);
    true
}

pub fn main() -> Verdict {
    checks::fencing_two_rows::check(transfer).into()
}
