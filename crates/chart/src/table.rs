//! 表。セルは言葉で書く。

use crate::text;

/// 表。
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// 見出しの行
    pub header: Vec<String>,
    /// 本体の行。最初のセルはその行の見出し
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// 桁をそろえた文字の表。
    #[must_use]
    pub fn text(&self) -> String {
        let mut all = vec![self.header.clone()];
        all.extend(self.rows.iter().cloned());
        text::align(&all)
    }
}
