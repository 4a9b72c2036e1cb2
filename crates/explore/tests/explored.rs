//! ページに載せる重い表を、探索し直して確かめる。
//!
//! 記録は `explored` フォルダーにあり、クレートはそれを読んでページに載せる。新しい記録を保存したら、
//! もう一度組み立てるまで、ページには前の記録が載る。

use explore::{claims, explore_all, growth, sizes};

fn pin(name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../explored");
    settings.bind(|| insta::assert_snapshot!(name, text));
}

#[test]
fn the_claims_are_what_the_search_finds() {
    let all = explore_all();
    pin("claims", &claims(&all).text());
    pin("sizes", &sizes(&all).text());
}

#[test]
fn the_growth_is_what_the_search_counts() {
    pin("growth", &growth().text());
}
