//! 表と、時系列ではない絵の規則。

use chart::{Drawing, Table};

fn cells(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

fn table(rows: &[&[&str]]) -> Table {
    let mut all = rows.iter().map(|row| cells(row));
    Table { header: all.next().unwrap_or_default(), rows: all.collect() }
}

#[test]
fn the_columns_of_a_table_line_up_two_cells_apart() {
    let table = table(&[&["しかた", "結果"], &["リース", "時刻 10 に取得する"], &["a", "b"]]);
    assert_eq!(table.text(), "しかた  結果\nリース  時刻 10 に取得する\na       b\n");
}

#[test]
fn a_row_of_a_table_may_be_shorter_or_longer_than_the_header() {
    let table = table(&[&["あ", "い"], &["x"], &["", "y", "zz"]]);
    assert_eq!(table.text(), "あ  い\nx\n    y   zz\n");
}

#[test]
fn an_empty_table_is_one_empty_line() {
    assert_eq!(table(&[]).text(), "\n");
}

#[test]
fn a_drawing_is_recorded_with_its_title_its_words_and_its_picture() {
    let words = cells(&["一つ目。", "二つ目。"]);
    let drawing = Drawing { title: "題".to_owned(), svg: "<svg/>".to_owned(), words };
    assert_eq!(drawing.record(), "題\n\n一つ目。\n二つ目。\n\n<svg/>");
}
