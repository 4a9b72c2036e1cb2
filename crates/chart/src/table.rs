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

    /// 固定した文字の表を読み戻す。[`Table::text`] が同じ文字列を返さないなら `None`。
    ///
    /// 作り直すのに時間のかかる表は、固定した文字列を本に載せ、それが今の結果と同じことを試験が確かめる。
    #[must_use]
    pub fn parse(text: &str) -> Option<Table> {
        let row = |line: &str| -> Vec<String> {
            let cells = line.split("  ").map(str::trim).filter(|cell| !cell.is_empty());
            cells.map(str::to_owned).collect()
        };
        let mut lines = text.lines();
        let table = Table { header: row(lines.next()?), rows: lines.map(row).collect() };
        (table.text() == text).then_some(table)
    }
}
