//! 誤答: 古くない行にだけ書き、一つでも書けたら済んだと答える。

use exercises::checks::fencing_two_rows::Row;
use exercises::{Verdict, checks};
use stage::{Token, Value};

fn transfer(from: &mut Row, to: &mut Row, token: Token, value: Value) -> bool {
    let mut done = false;
    for row in [from, to] {
        if token >= row.max {
            *row = Row { max: token, value: Some(value) };
            done = true;
        }
    }
    done
}

pub fn main() -> Verdict {
    checks::fencing_two_rows::check(transfer).into()
}
