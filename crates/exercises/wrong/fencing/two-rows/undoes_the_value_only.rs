//! 誤答: 一つ目に書いてから二つ目を比べ、だめなら値だけを戻す。

use exercises::checks::fencing_two_rows::Row;
use exercises::{Verdict, checks};
use stage::{Token, Value};

fn transfer(from: &mut Row, to: &mut Row, token: Token, value: Value) -> bool {
    if token < from.max {
        return false;
    }
    let before = from.value;
    *from = Row { max: token, value: Some(value) };
    if token < to.max {
        from.value = before;
        return false;
    }
    *to = Row { max: token, value: Some(value) };
    true
}

pub fn main() -> Verdict {
    checks::fencing_two_rows::check(transfer).into()
}
