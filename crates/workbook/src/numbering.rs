//! 図と表の番号。本のどこに何が置かれたかを、先に全ページから集める。

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use mdbook_preprocessor::book::Chapter;

use crate::directives::{self, Directive};
use crate::library::{Item, Library};

/// 一つのページ。
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// 知らせに使う原稿の場所(例: `book/lease.md`)
    pub source: String,
    /// 原稿のフォルダーからの道。リンクを作るのに使う
    pub path: PathBuf,
    /// 省かれた章の名前になる、ファイルの名前
    pub stem: String,
    /// 章の番号(例: `4`)。番号のない章では 0
    pub number: String,
}

impl Page {
    /// mdBook の章から作る。原稿のない章では `None`。
    #[must_use]
    pub fn of(chapter: &Chapter, src: &Path) -> Option<Page> {
        let path = chapter.path.clone()?;
        let written = chapter.source_path.as_ref().unwrap_or(&path);
        let numbers: Vec<String> =
            chapter.number.iter().flat_map(|number| number.iter()).map(u32::to_string).collect();
        Some(Page {
            source: slashed(&src.join(written)),
            stem: written.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
            number: if numbers.is_empty() { "0".to_owned() } else { numbers.join(".") },
            path,
        })
    }

    /// 章を省いた名前を補う。
    #[must_use]
    pub fn key(&self, name: &str) -> String {
        if name.contains("::") { name.to_owned() } else { format!("{}::{name}", self.stem) }
    }
}

/// 図や表の置かれた場所。
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// 置いたページの原稿
    pub source: String,
    /// 置いたページの道
    pub path: PathBuf,
    /// 筋書きの章のページに置いたか
    pub at_home: bool,
    /// 図や表の id。本の中で重ならない
    pub id: String,
    /// 「図 4-1」
    pub label: String,
}

/// すべての図と表の場所。
///
/// 図は、その章のページのほかに、導入のような別のページにも置ける。指す先は、章のページを選ぶ。
#[derive(Clone, Debug, Default)]
pub struct Places {
    by_key: BTreeMap<String, Vec<Place>>,
    counts: BTreeMap<(&'static str, String), usize>,
}

impl Places {
    /// ページの並びから集める。
    ///
    /// # Errors
    /// 同じ図や表が二箇所にあるとき、知らない名前があるとき。
    pub fn collect<'a>(
        pages: impl IntoIterator<Item = (Page, &'a str)>,
        library: &Library,
    ) -> Result<Places> {
        let mut places = Places::default();
        for (page, markdown) in pages {
            places.add_page(&page, markdown, library).with_context(|| page.source.clone())?;
        }
        Ok(places)
    }

    fn add_page(&mut self, page: &Page, markdown: &str, library: &Library) -> Result<()> {
        for found in directives::scan(markdown)? {
            match found.directive {
                Directive::Timeline { name, .. } => {
                    let story = library.story(&page.key(name))?;
                    self.add(page, "図", story.key(), story.figure_id())?;
                }
                Directive::Demo { off, on, .. } => {
                    library.story(&page.key(off))?;
                    library.story(&page.key(on))?;
                    self.add(page, "図", page.key("demo"), format!("demo-{}", page.stem))?;
                }
                Directive::Table { name, .. } => {
                    let table = library.table(&page.key(name))?;
                    self.add(page, "表", table.key(), table.table_id())?;
                }
                Directive::Drawing { name, .. } => {
                    let drawing = library.drawing(&page.key(name))?;
                    self.add(page, "図", drawing.key(), drawing.drawing_id())?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn add(&mut self, page: &Page, kind: &'static str, key: String, id: String) -> Result<()> {
        let at_home = key.starts_with(&format!("{}::", page.stem));
        let known = self.by_key.entry(key.clone()).or_default();
        // 章のページと、ほかの一つのページまで。同じ側に二つあれば、読者はどちらを指すか迷う。
        if let Some(first) = known.iter().find(|place| place.at_home == at_home) {
            let (before, after) = (&first.source, &page.source);
            bail!(
                "{kind} {key} が {before} と {after} の二箇所にある。片方を消して {{{{#ref {key}}}}} で指す。"
            );
        }
        let id = if at_home { id } else { format!("{id}-{}", page.stem) };
        let count = self.counts.entry((kind, page.number.clone())).or_default();
        *count += 1;
        let label = format!("{kind} {}-{count}", page.number);
        let (source, path) = (page.source.clone(), page.path.clone());
        known.push(Place { source, path, at_home, id, label });
        Ok(())
    }

    /// `page` に置かれた場所。そこになければ、章のページ、ほかのページの順に選ぶ。
    ///
    /// # Errors
    /// 本のどこにも置かれていないとき。
    pub fn get(&self, key: &str, page: &Page, library: &Library) -> Result<&Place> {
        let known = self.by_key.get(key).map_or(&[][..], Vec::as_slice);
        let here = known.iter().find(|place| place.path == page.path);
        let home = known.iter().find(|place| place.at_home);
        if let Some(place) = here.or(home).or(known.first()) {
            return Ok(place);
        }
        let word = match library.find(key)? {
            Item::Story(_) => "timeline",
            Item::Table(_) => "table",
            Item::Drawing(_) => "drawing",
        };
        bail!(
            "{key} は本のどこにも置かれていない。どこかに {{{{#{word} {key} キャプション}}}} を書く。"
        )
    }
}

impl Place {
    /// `from` のページからこの図や表を指す Markdown のリンク。
    #[must_use]
    pub fn link_from(&self, from: &Page) -> String {
        let page = match self.path == from.path {
            true => String::new(),
            false => relative(&from.path, &self.path),
        };
        format!("[{}]({page}#{})", self.label, self.id)
    }
}

/// `from` のあるフォルダーから `to` への道。
fn relative(from: &Path, to: &Path) -> String {
    let folder: Vec<Component<'_>> = from.parent().unwrap_or(Path::new("")).components().collect();
    let target: Vec<Component<'_>> = to.components().collect();
    let shared = folder.iter().zip(&target).take_while(|(a, b)| a == b).count();
    let mut path: PathBuf = folder.iter().skip(shared).map(|_| "..").collect();
    path.extend(target.iter().skip(shared));
    slashed(&path)
}

/// どの OS でも同じ知らせになるように、区切りを `/` にする。
pub(crate) fn slashed(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_across_folders() {
        assert_eq!(relative(Path::new("a.md"), Path::new("b.md")), "b.md");
        assert_eq!(relative(Path::new("x/a.md"), Path::new("b.md")), "../b.md");
        assert_eq!(relative(Path::new("x/a.md"), Path::new("x/y/b.md")), "y/b.md");
    }
}
