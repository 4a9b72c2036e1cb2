//! 筋書きと表を、端末の文字で見せる。

use anyhow::Result;
use timeline::Drawing;
use unicode_width::UnicodeWidthStr as _;

use crate::library::{Item, Library};

/// すべての筋書きと表の一覧。
#[must_use]
pub fn list(library: &Library) -> String {
    let stories = library.stories.iter().map(|story| (story.key(), story.content.title.clone()));
    let tables = library
        .tables
        .iter()
        .map(|table| (table.key(), format!("(表) {}", table.content.header.join("、"))));
    let drawings = library
        .drawings
        .iter()
        .map(|drawing| (drawing.key(), format!("(絵) {}", drawing.content.title)));
    let rows: Vec<(String, String)> = stories.chain(tables).chain(drawings).collect();
    let widest = rows.iter().map(|(key, _)| key.width()).max().unwrap_or_default();
    rows.iter().map(|(key, title)| format!("{key:widest$}  {title}\n")).collect()
}

/// 一つの筋書きか表。
///
/// # Errors
/// その名前のものがないとき。近い名前を添える。
pub fn one(library: &Library, key: &str) -> Result<String> {
    Ok(match library.find(key)? {
        Item::Story(story) => story.content.text(),
        Item::Table(table) => table.content.text(),
        Item::Drawing(drawing) => {
            let Drawing { title, words, .. } = &drawing.content;
            format!("{title}\n\n{}\n", words.join("\n"))
        }
    })
}
