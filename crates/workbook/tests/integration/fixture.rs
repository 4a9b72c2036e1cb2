//! 試験のための小さな本。記録は、その場で動かした結果から作る。

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, Result};
use stage::{Chapter, ChapterError, Table, TableSource};
use tempfile::{NamedTempFile, TempDir};
use workbook::build::Builder;
use workbook::library::Library;
use workbook::snapshots;

const BOOK_TOML: &str = r#"
[book]
title = "小さな本"
language = "ja"
src = "book"

[build]
build-dir = "target/book"
create-missing = false

[output.html]
smart-punctuation = false

[output.html.search]
enable = false
"#;

/// 一時のフォルダーにある本。
pub struct Fixture {
    folder: TempDir,
    library: Arc<Library>,
}

impl Fixture {
    /// 章 `demo` だけを持つ本。ページは `book/demo.md` と `book/other.md`。
    pub fn demo() -> Result<Fixture> {
        Fixture::new(&[demo()?])
    }

    /// バイナリと同じ章を持つ本。
    pub fn whole() -> Result<Fixture> {
        Fixture::new(&workbook::chapters()?)
    }

    fn new(chapters: &[Chapter]) -> Result<Fixture> {
        let library = Arc::new(Library::perform(chapters)?);
        let fixture = Fixture { folder: tempfile::tempdir()?, library };
        fixture.write("book.toml", BOOK_TOML)?;
        fixture.write("book/SUMMARY.md", "# 目次\n\n- [見本](demo.md)\n- [次](other.md)\n")?;
        fixture.write("book/demo.md", "# 見本\n\n本文。\n")?;
        fixture.write("book/other.md", "# 次\n\n本文。\n")?;
        for record in snapshots::records(&fixture.library)? {
            let path = record.path.to_str().context("道が文字でない")?;
            fixture
                .write(path, &format!("---\nsource: a\nexpression: b\n---\n{}\n", record.now))?;
        }
        Ok(fixture)
    }

    /// 本の根。
    pub fn root(&self) -> &Path {
        self.folder.path()
    }

    /// 根からの道で指す。
    pub fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    /// ファイルを書く。
    ///
    /// よそに書いてから、一度に置く。書いている途中が見えると、見張りは、空のファイルで一度組み直す。
    pub fn write(&self, path: &str, text: &str) -> Result<()> {
        let path = self.path(path);
        std::fs::create_dir_all(path.parent().context("親がない")?)?;
        let mut file = NamedTempFile::new()?;
        file.write_all(text.as_bytes())?;
        file.persist(path)?;
        Ok(())
    }

    /// 組まれたページを読む。
    pub fn page(&self, name: &str) -> Result<String> {
        Ok(std::fs::read_to_string(self.path("target/book").join(name))?)
    }

    /// 組む。
    pub fn build(&self) -> Result<()> {
        let builder = Builder::new(self.root().to_owned(), Arc::clone(&self.library));
        builder.build().map(drop)
    }

    /// `demo.md` を `markdown` にして組み、断られた理由を返す。
    pub fn refusal(&self, markdown: &str) -> Result<String> {
        self.write("book/demo.md", markdown)?;
        self.failure()
    }

    /// 組んで、断られた理由を返す。
    pub fn failure(&self) -> Result<String> {
        Ok(format!("{:#}", self.build().err().context("組めてしまった")?))
    }
}

/// 章 `demo`。筋書きは本物の章から借りる。
fn demo() -> Result<Chapter> {
    let fencing = fencing::chapter();
    let story = fencing.stories.iter().find(|story| story.name == "gc_pause");
    let story = story.context("fencing::gc_pause がない")?.clone();
    let again = story.clone().renamed("again", story.title);
    Ok(Chapter {
        name: "demo",
        stories: vec![story, again],
        tables: vec![TableSource::new("ways", ways)],
        drawings: Vec::new(),
    })
}

fn ways() -> Result<Table, ChapterError> {
    let row = |cells: [&str; 2]| cells.map(str::to_owned).to_vec();
    Ok(Table {
        header: row(["方法", "結果"]),
        rows: vec![row(["フェンシング 有", "1 < 2 で拒否"]), row(["フェンシング 無", "受理"])],
    })
}
