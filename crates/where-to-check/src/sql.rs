//! SQL の一つの文に、比較と書き込みを両方させる。

use rusqlite::{Connection, OptionalExtension as _, Result};

/// 値と、見たことのある最大のトークンを、同じ行に置く。
pub const CREATE: &str = "CREATE TABLE items (
    id INTEGER PRIMARY KEY,
    value TEXT,
    token INTEGER NOT NULL DEFAULT 0
)";

// ANCHOR: update
const UPDATE: &str = "UPDATE items SET value = ?1, token = ?2 WHERE id = ?3 AND token <= ?2";

/// 書き換えた行の数を返す。0 なら、拒否されたか、行がない。
pub fn write(db: &Connection, id: i64, token: i64, value: &str) -> Result<usize> {
    db.execute(UPDATE, (value, token, id))
}
// ANCHOR_END: update

/// 行の値とトークン。行がなければ `None`。
///
/// # Errors
/// SQLite の失敗。
pub fn read(db: &Connection, id: i64) -> Result<Option<(Option<String>, i64)>> {
    let select = "SELECT value, token FROM items WHERE id = ?1";
    db.query_row(select, [id], |row| Ok((row.get(0)?, row.get(1)?))).optional()
}

/// 誤り。比べたあとの書き込みだけをする。比較は客が [`read`] の返事で済ませた、とみなす。
///
/// # Errors
/// SQLite の失敗。
pub fn write_after_comparing_elsewhere(
    db: &Connection,
    id: i64,
    token: i64,
    value: &str,
) -> Result<usize> {
    db.execute("UPDATE items SET value = ?1, token = ?2 WHERE id = ?3", (value, token, id))
}
