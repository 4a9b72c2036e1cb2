//! 章の試験が保存した記録と、今の筋書きを比べる。
//!
//! 本は記録を読まず、章のクレートを動かして図を作る。だから、記録と食い違うコードで組まれた本が
//! 公開されないように、組む前に必ず比べる。

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use stage::pinned;

use crate::library::Library;

/// 比べる一つの記録。
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// 「筋書き fencing::gc_pause の text」
    pub what: String,
    /// 章の名前
    pub chapter: &'static str,
    /// 保存された場所。ワークスペースの根からの道
    pub path: PathBuf,
    /// 今のコードから得たもの
    pub now: String,
}

/// すべての筋書きと表の記録。
///
/// # Errors
/// 図のデータが描けるものになっていないとき。
pub fn records(library: &Library) -> Result<Vec<Record>> {
    let mut records = Vec::new();
    for story in &library.stories {
        for (form, now) in pinned(&story.content.timeline)? {
            records.push(Record {
                what: format!("筋書き {} の {form}", story.key()),
                chapter: story.chapter,
                path: path_of(story.chapter, &story.name, form),
                now,
            });
        }
    }
    records.extend(library.tables.iter().map(|table| Record {
        what: format!("表 {}", table.key()),
        chapter: table.chapter,
        path: path_of(table.chapter, &table.name, "table"),
        now: table.content.text(),
    }));
    records.extend(library.drawings.iter().map(|drawing| Record {
        what: format!("絵 {}", drawing.key()),
        chapter: drawing.chapter,
        path: path_of(drawing.chapter, &drawing.name, "drawing"),
        now: drawing.content.record(),
    }));
    Ok(records)
}

fn path_of(chapter: &str, name: &str, suffix: &str) -> PathBuf {
    let folder = Path::new("crates").join(chapter).join("tests/snapshots");
    folder.join(format!("stories__{name}.{suffix}.snap"))
}

/// すべての記録を比べる。
///
/// # Errors
/// 一つでも違うか、保存されていないとき。
pub fn check(root: &Path, library: &Library) -> Result<()> {
    let mut wrong = Vec::new();
    for record in records(library)? {
        let saved = read(&root.join(&record.path))?;
        if saved.as_deref().map(trim) != Some(trim(&record.now)) {
            wrong.push((record, saved.is_some()));
        }
    }
    let Some((first, saved)) = wrong.first() else { return Ok(()) };
    let more = match wrong.len() - 1 {
        0 => String::new(),
        more => format!("同じ食い違いが、ほかに {more} 件ある。"),
    };
    let Record { what, chapter, path, .. } = first;
    let path = crate::numbering::slashed(path);
    let remedy =
        format!("INSTA_UPDATE=always cargo test -p {chapter} で保存し、git diff で違いを読む。");
    match saved {
        true => bail!(
            "{what} が、保存された記録 {path} と違う。{more}\
             コードの変更を取り消すか、意図した変更なら {remedy}"
        ),
        false => bail!("{what} の記録 {path} がない。{more}{remedy}"),
    }
}

/// 保存された中身を読む。なければ `None`。
///
/// # Errors
/// あるのに読めないとき。
pub fn read(path: &Path) -> Result<Option<String>> {
    if !path.exists() {
        return Ok(None);
    }
    let text = std::fs::read_to_string(path)
        .with_context(|| format!("記録 {} を読めない", path.display()))?;
    Ok(Some(content(&text.replace("\r\n", "\n")).to_owned()))
}

/// insta の見出し(`---` で挟まれた部分)を除いた中身。
fn content(text: &str) -> &str {
    let body = text.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---\n"));
    body.map_or(text, |(_, body)| body)
}

/// insta と同じく、前後の改行の違いは見ない。
fn trim(text: &str) -> &str {
    text.trim_start_matches(['\r', '\n']).trim_end()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_is_dropped() {
        assert_eq!(content("---\nsource: a\nexpression: b\n---\n中身\n---\n"), "中身\n---\n");
        assert_eq!(content("中身"), "中身");
    }

    #[test]
    fn a_missing_record_is_not_an_empty_one() {
        assert_eq!(read(Path::new("ない.snap")).unwrap(), None);
    }
}
