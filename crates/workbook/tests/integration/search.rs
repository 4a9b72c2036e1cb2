//! 検索の索引。

use anyhow::{Context as _, Result};
use serde_json::Value;
use workbook::search::{BEGIN, FILE};

use crate::fixture::Fixture;

fn index(book: &Fixture) -> Result<Value> {
    let script = std::fs::read_to_string(book.path(FILE))?;
    let json = script.strip_prefix(BEGIN).context("書き出しが違う")?;
    Ok(serde_json::from_str(json.trim_end().trim_end_matches(';'))?)
}

/// 索引の id は mdBook の付ける id を写したものなので、組まれたページと突き合わせる。
#[test]
fn every_indexed_heading_exists_in_the_pages() -> Result<()> {
    let book = Fixture::demo()?;
    book.write(
        "book/demo.md",
        "前置き。\n\n# 見本\n\n## `max_token` を、見る!\n\n{{#timeline gc_pause 図}}\n\n\
         ## 問い: A は?\n\n## 問い: A は?\n\n### **太い** 見出し\n\n## 名付けた {#named}\n\n文。\n",
    )?;
    book.build()?;

    let index = index(&book)?;
    let pages = index.as_array().context("並びでない")?;
    assert_eq!(pages.len(), 2);
    let mut ids = Vec::new();
    for page in pages {
        let html = book.page(page[0].as_str().context("道がない")?)?;
        for section in page[2].as_array().context("節がない")? {
            let id = section[0].as_str().context("id がない")?;
            assert!(id.is_empty() || html.contains(&format!(r#" id="{id}""#)), "{id}:\n{html}");
            ids.push(id.to_owned());
        }
    }
    let expected =
        ["", "見本", "max_token-を見る", "問い-a-は", "問い-a-は-1", "太い-見出し", "named", "次"];
    assert_eq!(ids, expected);
    Ok(())
}

#[test]
fn drawings_and_embedded_values_are_not_indexed() -> Result<()> {
    let book = Fixture::demo()?;
    book.write("book/demo.md", "# 見本\n\n{{#timeline gc_pause キャプション}}\n")?;
    book.build()?;
    let index = index(&book)?;
    let text = index[0][2][0][2].as_str().context("文がない")?;
    let html = book.page("demo.html")?;
    assert!(html.contains("<title>") && html.contains("<script type"), "{html}");
    for line in ["図 1-1 キャプション", "図を言葉で読む"] {
        assert!(text.lines().any(|one| one == line), "{text}");
    }
    assert_eq!(text.matches("A がロックを取得した。").count(), 1, "{text}");
    Ok(())
}

/// 書き直せば、見張っている `serve` が、終わりなく組み直しかねない。
#[test]
fn an_unchanged_index_is_not_rewritten() -> Result<()> {
    let book = Fixture::demo()?;
    book.build()?;
    let before = std::fs::metadata(book.path(FILE))?.modified()?;
    std::thread::sleep(std::time::Duration::from_millis(20));
    book.build()?;
    assert_eq!(std::fs::metadata(book.path(FILE))?.modified()?, before);
    book.write("book/other.md", "# 別\n")?;
    book.build()?;
    assert_ne!(std::fs::metadata(book.path(FILE))?.modified()?, before);
    Ok(())
}
