//! 断るときの文。何が起きたかと、どう直すかを一つの文で述べる。

use anyhow::Result;

use crate::fixture::Fixture;

#[test]
fn an_unknown_name_comes_with_near_ones() -> Result<()> {
    let book = Fixture::demo()?;
    assert_eq!(
        book.refusal("{{#timeline demo::gc_pouse 図}}\n")?,
        "本を組めない: book/demo.md: demo::gc_pouse という筋書きはない。近い名前は demo::gc_pause \
         である。すべての名前は cargo run -- show で見られる。"
    );
    assert_eq!(
        book.refusal("{{#table demo::gc_pause 表}}\n")?,
        "本を組めない: book/demo.md: demo::gc_pause は表ではなく筋書きである。\
         {{#timeline}} で置く。"
    );
    assert_eq!(
        book.refusal("{{#ref demo::gc_pause}}\n")?,
        "本を組めない: book/demo.md: {{#ref demo::gc_pause}}: demo::gc_pause \
         は本のどこにも置かれていない。どこかに {{#timeline demo::gc_pause キャプション}} を書く。"
    );
    Ok(())
}

#[test]
fn a_figure_twice_away_from_home_names_both_places() -> Result<()> {
    let book = Fixture::demo()?;
    book.write("book/SUMMARY.md", "- [見本](demo.md)\n- [次](other.md)\n- [三](third.md)\n")?;
    book.write("book/other.md", "{{#timeline demo::gc_pause 図}}\n")?;
    book.write("book/third.md", "{{#timeline demo::gc_pause 図}}\n")?;
    assert_eq!(
        book.failure()?,
        "本を組めない: book/third.md: 図 demo::gc_pause が book/other.md と book/third.md \
         の二箇所にある。片方を消して {{#ref demo::gc_pause}} で指す。"
    );
    Ok(())
}

#[test]
fn an_unknown_step_or_field_lists_what_exists() -> Result<()> {
    let book = Fixture::demo()?;
    let told = book.refusal("{{=gc_pause 99 時刻}}\n")?;
    assert!(told.contains("{{=gc_pause 99 時刻}}: 手 99 はない。手は 0 から "), "{told}");
    assert_eq!(
        book.refusal("{{=gc_pause 1 色}}\n")?,
        "本を組めない: book/demo.md: {{=gc_pause 1 色}}: 色 という項目はない。使えるのは \
         時刻、判定、文、つもり、トークン、値、拒否数、持ち主、最大、期限、現在 である"
    );
    let told = book.refusal("{{=gc_pause 1 判定}}\n")?;
    assert!(told.ends_with("手 1 に判定はない。ほかの手か項目を指す"), "{told}");
    Ok(())
}

#[test]
fn a_stale_snapshot_is_reported() -> Result<()> {
    let book = Fixture::demo()?;
    let path = "crates/demo/tests/snapshots/stories__gc_pause.text.snap";
    book.write(path, "---\nsource: a\nexpression: b\n---\n古い図\n")?;
    assert_eq!(
        book.failure()?,
        format!(
            "本を組めない: 筋書き demo::gc_pause の text が、保存された記録 {path} と違う。\
             コードの変更を取り消すか、意図した変更なら INSTA_UPDATE=always cargo test -p demo \
             で保存し、git diff で違いを読む。"
        )
    );
    std::fs::remove_file(book.path(path))?;
    assert_eq!(
        book.failure()?,
        format!(
            "本を組めない: 筋書き demo::gc_pause の text の記録 {path} がない。\
             INSTA_UPDATE=always cargo test -p demo で保存し、git diff で違いを読む。"
        )
    );
    Ok(())
}

#[test]
fn a_missing_output_or_anchor_is_reported() -> Result<()> {
    let book = Fixture::demo()?;
    let told = book.refusal("{{#command cargo test -p x}}\n")?;
    assert!(
        told.contains(
            "cargo test -p x の出力の記録 tests/tests/snapshots/commands__cargo-test-p-x.snap"
        ),
        "{told}"
    );
    assert!(told.contains("INSTA_UPDATE=always cargo test -p tests --test commands"), "{told}");
    book.write("book/a.rs", "fn f() {}\n")?;
    assert_eq!(
        book.refusal("```rust\n{{#include a.rs:one}}\n```\n")?,
        "本を組めない: book/demo.md: a.rs に ANCHOR: one がない。\
         アンカーの名前を直すか、ファイルに足す。"
    );
    Ok(())
}

#[test]
fn a_warning_stops_the_build() -> Result<()> {
    let book = Fixture::demo()?;
    let told = book.refusal("```rust\n{{#include no.rs}}\n```\n")?;
    assert!(told.starts_with("mdBook が警告を出したので、本を組まない。"), "{told}");
    assert!(told.contains("no.rs"), "{told}");
    let told = book.refusal("<div>閉じていない\n")?;
    assert!(told.starts_with("mdBook が警告を出したので、本を組まない。"), "{told}");
    Ok(())
}

#[test]
fn broken_links_and_stray_emphasis_stop_the_build() -> Result<()> {
    let book = Fixture::demo()?;
    let told = book.refusal("[次](other.md#ない見出し)\n")?;
    assert!(
        told.contains("demo.md: リンク「other.html#ない見出し」が切れている。other.md に #ない見出し がないので"),
        "{told}"
    );
    let told = book.refusal("鍵は**「持つ」**ことである。\n")?;
    assert!(
        told.contains("demo.md: 「鍵は**「持つ」**ことである。」に ** が残っている。"),
        "{told}"
    );
    Ok(())
}

#[test]
fn a_wrong_setting_is_reported() -> Result<()> {
    let book = Fixture::demo()?;
    let good = std::fs::read_to_string(book.path("book.toml"))?;
    book.write("book.toml", &good.replace("smart-punctuation", "curly-quotes"))?;
    let told = book.failure()?;
    assert!(told.starts_with("book.toml の [output.html] に誤りがある。"), "{told}");
    assert!(told.contains("curly-quotes"), "{told}");

    book.write("book.toml", &good.replace("target/book", "book"))?;
    let told = book.failure()?;
    assert!(told.contains("build-dir(book)に原稿がある。"), "{told}");
    assert!(book.path("book/demo.md").exists());

    book.write("book.toml", "[book\n")?;
    assert!(book.failure()?.starts_with("book.toml を読めない。"));
    Ok(())
}

#[test]
fn a_chapter_without_a_file_is_reported() -> Result<()> {
    let book = Fixture::demo()?;
    book.write("book/SUMMARY.md", "- [見本](demo.md)\n- [ない](no.md)\n")?;
    let told = book.failure()?;
    assert!(told.starts_with("本を組めない: ") && told.contains("no.md"), "{told}");
    Ok(())
}
