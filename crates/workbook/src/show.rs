//! 筋書きと表を、端末の文字で見せる。

use std::io::ErrorKind;
use std::path::Path;

use anyhow::{Context as _, Result, anyhow, bail};
use chart::{Drawing, Timeline, harmless};
use unicode_width::UnicodeWidthStr as _;

use crate::library::{Item, Library};

/// すべての筋書きと表の一覧。
#[must_use]
pub fn list(library: &Library) -> String {
    let stories =
        library.stories.iter().map(|story| (story.key(), story.content.timeline.title.clone()));
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
        Item::Story(story) => story.content.timeline.text(),
        Item::Table(table) => table.content.text(),
        Item::Drawing(drawing) => {
            let Drawing { title, words, .. } = &drawing.content;
            format!("{title}\n\n{}\n", words.join("\n"))
        }
    })
}

/// 一つの筋書きの、図のデータ。
///
/// # Errors
/// その名前の筋書きがないとき。近い名前を添える。
pub fn json(library: &Library, key: &str) -> Result<String> {
    Ok(library.story(key)?.content.timeline.to_json()?)
}

/// これより大きいファイルは、時系列のデータではないとみなす。
const LARGEST: u64 = 16 * 1024 * 1024;

/// 図のデータのファイルを読んで、文字で見せる。
///
/// # Errors
/// 読めないとき、時系列のデータでないとき、中身が食い違うとき。
pub fn file(path: &Path) -> Result<String> {
    let place = harmless(&path.to_string_lossy());
    let about = std::fs::metadata(path).map_err(|error| anyhow!("{place} {}", why(&error)))?;
    if about.is_dir() {
        bail!("{place} はフォルダーである。中のファイルを渡す。");
    }
    if !about.is_file() {
        bail!(
            "{place} はふつうのファイルではない。パイプや装置の中身は、ファイルに保存してから渡す。"
        );
    }
    if about.len() > LARGEST {
        bail!("{place} は大きすぎる。16 MiB までの、時系列の JSON を渡す。");
    }
    let bytes = std::fs::read(path).map_err(|error| anyhow!("{place} {}", why(&error)))?;
    let text = String::from_utf8(bytes)
        .ok()
        .with_context(|| format!("{place} は UTF-8 の文字ではない。JSON のファイルを渡す"))?;
    let timeline = Timeline::from_json(text.strip_prefix('\u{feff}').unwrap_or(&text))
        .with_context(|| format!("{place} は時系列のデータになっていない"))?;
    Ok(timeline.text())
}

/// ファイルを読めない理由と、どうすればよいか。
fn why(error: &std::io::Error) -> &'static str {
    match error.kind() {
        ErrorKind::NotFound => "というファイルはない。名前を確かめる。",
        ErrorKind::PermissionDenied => "を読む許しがない。ファイルの許可を確かめる。",
        _ => "を読めない。名前と、読めるファイルかを確かめる。",
    }
}
