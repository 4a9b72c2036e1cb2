//! mdBook の前処理。同じものを、このバイナリの中でも、`mdbook build` の外の命令としても使う。

use std::io::{Read, Write};
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context as _, Result};
use mdbook_preprocessor::book::Book;
use mdbook_preprocessor::{Preprocessor, PreprocessorContext, parse_input};

use crate::directives::{self, Directive, Found};
use crate::library::Library;
use crate::numbering::{Page, Places};
use crate::{
    code, commands, figures, includes, player, predictions, search, snapshots, tables, typography,
    values,
};

/// book.toml の `[preprocessor.workbook]` と同じ名前。同じなら、中で動くほうが外の命令に代わる。
pub const NAME: &str = "workbook";

/// 原稿の書き方を、章のクレートの筋書きで置き換える前処理。
#[derive(Clone, Debug)]
pub struct Workbook {
    library: Arc<Library>,
}

impl Workbook {
    /// 筋書きを渡して作る。
    #[must_use]
    pub fn new(library: Arc<Library>) -> Workbook {
        Workbook { library }
    }
}

impl Preprocessor for Workbook {
    fn name(&self) -> &str {
        NAME
    }

    fn run(&self, context: &PreprocessorContext, mut book: Book) -> Result<Book> {
        snapshots::check(&context.root, &self.library)?;
        let src = &context.config.book.src;
        let pages = book
            .chapters()
            .filter_map(|chapter| Some((Page::of(chapter, src)?, chapter.content.as_str())));
        let pages: Vec<(Page, &str)> = pages.collect();
        for (page, _) in &pages {
            check_includes(&context.root, page)?;
        }
        let places = Places::collect(pages, &self.library)?;
        let expander = Expander { root: &context.root, library: &self.library, places };

        let mut failed = None;
        book.for_each_chapter_mut(|chapter| {
            let Some(page) = Page::of(chapter, src).filter(|_| failed.is_none()) else { return };
            match expander.page(&page, &chapter.content) {
                Ok(content) => chapter.content = content,
                Err(error) => failed = Some(error.context(page.source)),
            }
        });
        if let Some(error) = failed {
            return Err(error);
        }
        search::write(&context.root, &book)?;
        Ok(book)
    }

    fn supports_renderer(&self, renderer: &str) -> Result<bool> {
        Ok(supports(renderer))
    }
}

/// HTML を書かない組版では、図を置けない。
#[must_use]
pub fn supports(renderer: &str) -> bool {
    renderer == "html"
}

/// 前処理の前の原稿を読む。`{{#include}}` は、ここへ来る前に mdBook が置き換えている。
fn check_includes(root: &Path, page: &Page) -> Result<()> {
    let path = root.join(&page.source);
    let Ok(markdown) = std::fs::read_to_string(&path) else { return Ok(()) };
    let folder = path.parent().unwrap_or(root);
    includes::check(&markdown, folder).with_context(|| page.source.clone())
}

/// 書き方を置き換えるもの。
#[derive(Clone, Debug)]
pub struct Expander<'a> {
    /// 命令の記録を探す、ワークスペースの根
    pub root: &'a Path,
    /// 筋書きと表
    pub library: &'a Library,
    /// 図と表の番号
    pub places: Places,
}

impl Expander<'_> {
    /// 一つのページを置き換える。
    ///
    /// # Errors
    /// 知らない名前や項目、ない記録があるとき。
    pub fn page(&self, page: &Page, markdown: &str) -> Result<String> {
        let markdown = predictions::expand(markdown, page, self.library)?;
        let mut out = String::with_capacity(markdown.len());
        let mut done = 0;
        for found in directives::scan(&markdown)? {
            let with = self.one(page, &found).with_context(|| found.text.to_owned())?;
            out.push_str(markdown.get(done..found.range.start).unwrap_or_default());
            out.push_str(&with);
            done = found.range.end;
        }
        out.push_str(markdown.get(done..).unwrap_or_default());
        Ok(code::render(&tables::render(&typography::join_lines(&out))))
    }

    fn one(&self, page: &Page, found: &Found<'_>) -> Result<String> {
        match found.directive {
            Directive::Timeline { name, caption } => {
                let story = self.library.story(&page.key(name))?;
                let place = self.places.get(&story.key(), page, self.library)?;
                Ok(block(figures::timeline(story, place, caption)))
            }
            Directive::Demo { off, on, caption, takeaway } => {
                let off = self.library.story(&page.key(off))?;
                let on = self.library.story(&page.key(on))?;
                let place = self.places.get(&page.key("demo"), page, self.library)?;
                Ok(block(player::demo(off, on, place, caption, takeaway)?))
            }
            Directive::Table { name, caption } => {
                let table = self.library.table(&page.key(name))?;
                let place = self.places.get(&table.key(), page, self.library)?;
                Ok(block(figures::table(table, place, caption)))
            }
            Directive::Drawing { name, caption } => {
                let drawing = self.library.drawing(&page.key(name))?;
                let place = self.places.get(&drawing.key(), page, self.library)?;
                Ok(block(figures::drawing(drawing, place, caption)))
            }
            Directive::Text { name } => {
                let story = self.library.story(&page.key(name))?;
                Ok(block(figures::text(&story.content.timeline.text())))
            }
            Directive::Command { line } => {
                Ok(block(figures::command(line, &commands::output(self.root, line)?)))
            }
            Directive::Ref { name } => {
                Ok(self.places.get(&page.key(name), page, self.library)?.link_from(page))
            }
            Directive::Value { name, place } => {
                let value = values::look_up(self.library, &page.key(name), place)?;
                Ok(if found.in_code { value } else { values::escape(&value) })
            }
        }
    }
}

/// 次の行の原稿が HTML の続きと読まれないように、空行を足す。
fn block(html: String) -> String {
    html + "\n"
}

/// 外の命令としての前処理。`input` から本を読み、置き換えて `output` に書く。
///
/// # Errors
/// 読めないとき、置き換えられないとき。
pub fn pipe(library: Arc<Library>, input: impl Read, mut output: impl Write) -> Result<()> {
    let (context, book) = parse_input(input)
        .context("mdBook から本を受け取れない。この命令は mdbook build が呼ぶ")?;
    let book = Workbook::new(library).run(&context, book)?;
    serde_json::to_writer(&mut output, &book).context("mdBook に本を返せない")?;
    output.flush().context("mdBook に本を返せない")
}
