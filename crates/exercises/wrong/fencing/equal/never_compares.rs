//! 誤答: 比べるのをやめて、何でも書かせる。

use exercises::checks::fencing_equal::{Row, Stored, Table};
use exercises::{Verdict, checks};

fn write(table: &mut Table, row: Row, written: Stored) -> bool {
    table.max = table.max.max(written.token);
    table.rows.insert(row, written);
    true
}

pub fn main() -> Verdict {
    checks::fencing_equal::check(write).into()
}
