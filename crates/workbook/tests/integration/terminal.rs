//! バイナリを端末から動かす。

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use anyhow::{Context as _, Result};
use mdbook_driver::MDBook;
use mdbook_preprocessor::PreprocessorContext;
use mdbook_preprocessor::book::Book;

use crate::fixture::Fixture;

/// 試験するバイナリ。
pub const BINARY: &str = env!("CARGO_BIN_EXE_workbook");

fn run(folder: &Path, arguments: &[&str]) -> Result<Output> {
    Ok(Command::new(BINARY).current_dir(folder).args(arguments).output()?)
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn the_book_is_built() -> Result<()> {
    let book = Fixture::whole()?;
    let output = run(book.root(), &["build"])?;
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stdout).starts_with("本を組んだ。"));
    assert!(book.page("index.html")?.contains("小さな本"));
    Ok(())
}

fn build_for(book: &Fixture, site_url: &str) -> Result<Output> {
    let mut command = Command::new(BINARY);
    command.current_dir(book.root()).arg("build").env("MDBOOK_OUTPUT__HTML__SITE_URL", site_url);
    Ok(command.output()?)
}

/// 404 のページはどの番地でも出るので、リンクの起点に、配る場所が要る。
#[test]
fn the_page_for_nowhere_starts_from_where_the_book_is_published() -> Result<()> {
    let book = Fixture::whole()?;
    // 本物の紙面。検索の索引は、本の設定で並べたときにだけある。
    let theme = include_str!("../../../../theme/index.hbs");
    book.write("theme/index.hbs", &theme.replace(r#"{{ resource "target/search-data.js" }}"#, ""))?;
    assert!(run(book.root(), &["build"])?.status.success());
    let other = book.page("demo.html")?;
    assert!(book.page("404.html")?.contains(r#"<base href="/">"#));

    let output = build_for(&book, "/lock/")?;
    assert!(output.status.success(), "{}", text(&output.stderr));
    let nowhere = book.page("404.html")?;
    assert!(nowhere.contains(r#"<base href="/lock/">"#), "{nowhere}");
    assert!(nowhere.contains(r#"href="demo.html""#), "{nowhere}");
    assert_eq!(other, book.page("demo.html")?, "ほかのページは、配る場所を知らない");
    Ok(())
}

#[test]
fn a_place_that_is_not_a_folder_is_refused() -> Result<()> {
    let book = Fixture::whole()?;
    for place in ["", "lock/", "/lock"] {
        let output = build_for(&book, place)?;
        assert_eq!(output.status.code(), Some(1), "{place}");
        let told = text(&output.stderr);
        let expected = format!("誤り: 本を配る場所 site-url({place})は、/ で始め、/ で終える");
        assert!(told.starts_with(&expected), "{told}");
    }
    Ok(())
}

#[test]
fn a_failed_build_is_one_sentence_and_an_exit_code() -> Result<()> {
    let book = Fixture::whole()?;
    book.write("book/demo.md", "{{#text no::story}}\n")?;
    let output = run(book.root(), &["build"])?;
    assert_eq!(output.status.code(), Some(1));
    let told = text(&output.stderr);
    assert!(told.starts_with("誤り: 本を組めない: book/demo.md: {{#text no::story}}: "), "{told}");
    assert!(!told.contains("backtrace"), "{told}");
    Ok(())
}

#[test]
fn stories_are_listed_and_shown() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let list = text(&run(folder.path(), &["show"])?.stdout);
    let line = list.lines().find(|line| line.starts_with("fencing::gc_pause "));
    assert!(line.is_some_and(|line| line.contains("  ")), "{list}");
    let shown = text(&run(folder.path(), &["show", "fencing::gc_pause"])?.stdout);
    assert!(shown.contains("拒否 1 < 2"), "{shown}");
    Ok(())
}

#[test]
fn an_unknown_story_shows_near_names() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let output = run(folder.path(), &["show", "fencing::gc_pouse"])?;
    assert_eq!(output.status.code(), Some(1));
    let told = text(&output.stderr);
    assert!(told.contains("近い名前は fencing::gc_pause"), "{told}");
    assert!(told.contains("cargo run -- show で見られる。"), "{told}");
    Ok(())
}

#[test]
fn an_unknown_command_is_refused() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let output = run(folder.path(), &["bild"])?;
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(
        text(&output.stderr),
        "誤り: bild という命令はない。使い方は cargo run -- --help で見られる。\n"
    );
    Ok(())
}

#[test]
fn supported_renderers_answer_by_exit_code() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let code =
        |renderer| Ok(run(folder.path(), &["preprocess", "supports", renderer])?.status.code());
    assert_eq!(code("html").map_err(|error: anyhow::Error| error)?, Some(0));
    assert_eq!(code("markdown").map_err(|error: anyhow::Error| error)?, Some(1));
    Ok(())
}

#[test]
fn the_preprocessor_takes_and_returns_the_book() -> Result<()> {
    let fixture = Fixture::whole()?;
    fixture.write("book/demo.md", "{{#timeline fencing::gc_pause 図}}\n")?;
    let book = MDBook::load(fixture.root())?;
    let context =
        PreprocessorContext::new(fixture.root().to_owned(), book.config.clone(), "html".to_owned());
    let mut child = Command::new(BINARY)
        .arg("preprocess")
        .current_dir(fixture.root())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let input = serde_json::to_vec(&(&context, &book.book))?;
    child.stdin.take().context("入力がない")?.write_all(&input)?;
    let output = child.wait_with_output()?;
    assert!(output.status.success());
    let replaced: Book = serde_json::from_slice(&output.stdout)?;
    let page = replaced.chapters().next().context("ページがない")?;
    assert!(
        page.content.starts_with(r#"<figure class="timeline" id="fig-fencing-gc_pause-demo">"#)
    );
    Ok(())
}
