//! 誤答: 行ごとの最大とだけ比べる。まだ新しい持ち主が書いていない行に、古い持ち主が書ける。

use exercises::checks::fencing_equal::{Row, Stored, Table};
use exercises::{Verdict, checks};

fn write(table: &mut Table, row: Row, written: Stored) -> bool {
    if table.rows.get(&row).is_some_and(|stored| written.token < stored.token) {
        return false;
    }
    table.max = table.max.max(written.token);
    table.rows.insert(row, written);
    true
}

pub fn main() -> Verdict {
    checks::fencing_equal::check(write).into()
}
