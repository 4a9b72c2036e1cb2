//! 本を組む。

use anyhow::Result;

use crate::fixture::Fixture;

#[test]
fn every_directive_becomes_a_page() -> Result<()> {
    let book = Fixture::demo()?;
    book.write(
        "tests/tests/snapshots/commands__cargo-test-p-demo.snap",
        "---\nsource: a\nexpression: b\n---\n試験 1 件\n\nok\n",
    )?;
    book.write(
        "book/demo.md",
        "# 見本\n\n\
         {{#timeline demo::gc_pause A の \"書き込み\" は 1 < 2 で拒否}}\n\n\
         {{#timeline again 二つ目の図}}\n\n\
         {{#table ways 方法を比べる}}\n\n\
         {{#text gc_pause}}\n\n\
         {{#command cargo test -p demo}}\n\n\
         時刻 {{=gc_pause 3 時刻}} に失効し、判定は「{{=demo::gc_pause 7 判定}}」、\n\
         値は `{{=gc_pause 7 値}}` である。\n\n\
         | 結果 |\n|---|\n| {{=ways フェンシング 有 結果}} |\n| {{=ways 2 2}} |\n",
    )?;
    book.write("book/other.md", "# 次\n\n{{#ref demo::again}}と{{#ref demo::ways}}を見る。\n")?;
    book.build()?;

    let page = book.page("demo.html")?;
    for expected in [
        r#"<figure class="timeline" id="fig-demo-gc_pause">"#,
        r#"<div class="tl-scroll" tabindex="0" role="group" aria-label="#,
        r##"<a class="fig-no" href="#fig-demo-gc_pause">図 1-1</a> A の "書き込み" は 1 &lt; 2 で拒否</figcaption>"##,
        "<summary>図を言葉で読む</summary>",
        r#"<li><span class="t">時刻 0</span> A がロックを取得した。"#,
        r##"<a class="fig-no" href="#fig-demo-again">図 1-2</a> 二つ目の図"##,
        r##"<a class="fig-no" href="#tbl-demo-ways">表 1-1</a> 方法を比べる"##,
        r#"<th scope="row">フェンシング 有</th><td>1 &lt; 2 で拒否</td>"#,
        r#"<pre class="tl-text" tabindex="0"><code><span class="w">"#,
        "<pre class=\"command\" tabindex=\"0\"><code>$ cargo test -p demo\n<span class=\"w\">試験</span> 1 <span class=\"w\">件</span>\n\nok</code></pre>",
        "時刻 10 に失効し、判定は「拒否 1 &lt; 2」、値は <code>B1</code> である。",
        "<td>1 &lt; 2 で拒否</td>",
        "<td>受理</td>",
    ] {
        assert!(page.contains(expected), "{expected} がない:\n{page}");
    }
    let other = book.page("other.html")?;
    let links = r#"<a href="demo.html#fig-demo-again">図 1-2</a>と<a href="demo.html#tbl-demo-ways">表 1-1</a>を見る。"#;
    assert!(other.contains(links), "{other}");
    Ok(())
}

#[test]
fn a_figure_may_stand_at_home_and_on_one_other_page() -> Result<()> {
    let book = Fixture::demo()?;
    book.write("book/demo.md", "{{#timeline gc_pause 図}}\n")?;
    book.write("book/other.md", "{{#timeline demo::gc_pause 図}}\n\n{{#ref demo::gc_pause}}\n")?;
    book.build()?;
    assert!(book.page("demo.html")?.contains(r#"id="fig-demo-gc_pause""#));
    let other = book.page("other.html")?;
    assert!(other.contains(r#"id="fig-demo-gc_pause-other""#), "{other}");
    assert!(other.contains(r##"<a href="#fig-demo-gc_pause-other">図 2-1</a>"##), "{other}");
    Ok(())
}

#[test]
fn the_same_sources_give_the_same_book() -> Result<()> {
    let book = Fixture::demo()?;
    book.write("book/demo.md", "# 見本\n\n{{#timeline gc_pause 図}}\n")?;
    book.build()?;
    let first = book.page("print.html")?;
    book.build()?;
    assert_eq!(first, book.page("print.html")?);
    assert!(!first.contains("__workbook"), "再読み込みのスクリプトが本に入っている");
    Ok(())
}

#[test]
fn a_failed_build_keeps_the_last_book() -> Result<()> {
    let book = Fixture::demo()?;
    book.build()?;
    let good = book.page("demo.html")?;
    // 原稿を読む前・組む途中・組んだあとの検査で失敗させる。
    for broken in ["{{#timeline demo::nothing 図}}\n", "{{#include no.rs}}\n", "[x](no.md)\n"] {
        book.refusal(broken)?;
        assert_eq!(good, book.page("demo.html")?);
        let mut beside: Vec<_> = std::fs::read_dir(book.path("target"))?
            .map(|entry| Ok(entry?.file_name()))
            .collect::<Result<_>>()?;
        beside.sort();
        assert_eq!(beside, ["book", "search-data.js"], "組みかけの本が残っている");
    }
    book.write("book/demo.md", "# 直した\n")?;
    book.build()?;
    assert!(book.page("demo.html")?.contains("直した"));
    Ok(())
}
