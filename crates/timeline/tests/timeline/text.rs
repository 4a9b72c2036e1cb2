//! 文字の図の規則。端末で桁がそろうこと。

use timeline::Client::{A, B};
use timeline::{Form, Lane, Layout, Mark, Shape, Table, Timeline};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::drawing::drawings;
use crate::scene::{Scene, all, crowd, hand_over, late_packet, plain, zombie};

/// レーンの図。100 桁に収まらなければ `None`。
fn lanes(timeline: &Timeline) -> Option<String> {
    let text = timeline.text();
    let blocks: Vec<&str> = text.split("\n\n").collect();
    blocks.iter().find(|block| block.starts_with("時刻")).map(|block| block.to_string())
}

/// `line` の、`column` 桁目から後ろ。全角の途中なら `None`。
fn from_column(line: &str, column: usize) -> Option<&str> {
    let mut width = 0;
    for (index, c) in line.char_indices() {
        if width >= column {
            return (width == column).then_some(&line[index..]);
        }
        width += c.width().unwrap_or_default();
    }
    Some("")
}

/// `column` 列目の `lane` に置かれる言葉。
fn label(layout: &Layout, lane: Lane, column: usize) -> String {
    let here = |mark: &&Mark| match mark.shape {
        Shape::Accepted(_) | Shape::Rejected(_) => mark.lane == lane && mark.to == column,
        _ => mark.lane == lane && mark.from == column,
    };
    let words = layout.marks.iter().filter(here).map(|mark| mark.label.as_str());
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

#[test]
fn no_character_is_one_cell_in_one_terminal_and_two_in_another() {
    for drawing in drawings(Form::Text) {
        for c in drawing.drawn.chars().filter(|c| *c != '\n') {
            assert_eq!(c.width(), c.width_cjk(), "{}: {c:?}", drawing.name);
            let cells = if c.is_ascii() { 1 } else { 2 };
            assert_eq!(c.width(), Some(cells), "{}: {c:?}", drawing.name);
        }
    }
}

#[test]
fn no_line_ends_in_a_space() {
    for drawing in drawings(Form::Text) {
        for line in drawing.drawn.lines() {
            assert_eq!(line, line.trim_end(), "{}", drawing.name);
        }
    }
}

#[test]
fn the_lanes_are_shown_only_where_they_fit_a_hundred_columns() {
    for drawing in drawings(Form::Text) {
        let shown = drawing.drawn.contains("\n\n時刻 ");
        for line in drawing.drawn.lines().filter(|_| shown) {
            assert!(line.width() <= 100, "{}: {line}", drawing.name);
        }
    }
    assert_eq!(lanes(&crowd().play("題")), None);
}

/// 停止と再開を `acts` 回ずつ繰り返し、最後に `digits` 桁の時刻へ進む筋書き。
fn as_wide_as(acts: usize, digits: u32) -> Timeline {
    let pause = |scene: Scene, _| scene.pause(A).resume(A);
    let paused = (0..acts).fold(Scene::without_resource(), pause);
    paused.quiet(10_u64.pow(digits - 1)).pause(A).play("題")
}

#[test]
fn a_hundred_columns_fit_and_one_more_does_not() {
    // 名前 8 桁、列 0 が 2 桁、停止と再開が 5 桁ずつ。残りを最後の時刻で埋める。
    let widest = |timeline: &Timeline| {
        lanes(timeline).map(|lanes| lanes.lines().map(UnicodeWidthStr::width).max())
    };
    assert_eq!(widest(&as_wide_as(8, 9)), Some(Some(100)));
    assert_eq!(widest(&as_wide_as(8, 10)), None);
}

#[test]
fn every_label_starts_where_its_step_number_starts() {
    for timeline in all() {
        let Some(lanes) = lanes(&timeline) else { continue };
        let lines: Vec<&str> = lanes.lines().collect();
        let layout = Layout::of(&timeline);
        let mut start = 8;
        for column in 0..layout.end() {
            let numbers = from_column(lines[1], start).unwrap_or_default();
            let number = column.to_string();
            assert!(numbers.starts_with(&number), "{}: {column}", timeline.title);
            for (line, &lane) in lines[2..].iter().zip(&layout.lanes) {
                let cell = from_column(line, start);
                let label = label(&layout, lane, column);
                assert!(cell.is_some_and(|cell| cell.starts_with(&label)), "{lane} {label}");
            }
            let next = numbers[number.len()..].find(|c| c != ' ').unwrap_or_default();
            start += number.len() + next;
        }
    }
}

#[test]
fn the_lanes_show_holding_belief_pause_and_the_band() {
    let expected = "\
時刻               0        2    10                                 12
手      0          1        2    3    4        5                    6    7
二重                                  !!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!
A                  取得 #1==停止....................................再開-書込 A1
B                                     取得 #2==書込 B1==============================
ロック             A #1 ~10======失効 B #2 ~20======================================
row-42  (空) 最大0                             B1 最大2 受理 2 >= 0      拒否 1 < 2";
    assert_eq!(lanes(&zombie().play("題")).as_deref(), Some(expected));
}

#[test]
fn the_lanes_show_a_crash_a_renewal_and_an_unheard_grant() {
    let expected = "\
時刻      0        6                                            16
手      0 1        2    3    4                5          6      7
A         取得 #1==延長=解放
B                            取得 #2 返事なし クラッシュx再起動
ロック    A #1 ~10=~16==     B #2 ~16===========================失効";
    assert_eq!(lanes(&hand_over().play("題")).as_deref(), Some(expected));
}

#[test]
fn the_lanes_show_a_late_packet_where_it_arrives() {
    let expected = "\
時刻               0                10
手      0          1        2       3    4        5             6
二重                                     !!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!
A                  取得 #1==送信 A1=------------------------------------------
B                                        取得 #2==書込 B1=====================
ロック             A #1 ~10=========失効 B #2 ~20=============================
row-42  (空) 最大0                                B1 最大2 受理 A1 最大2 受理";
    assert_eq!(lanes(&late_packet().play("題")).as_deref(), Some(expected));
}

#[test]
fn the_lanes_of_a_lock_without_numbers_show_only_the_holder() {
    let expected = "\
時刻      0    3          1000002
手      0 1    2          3
A         取得=クラッシュxxxxxxxxx
B                         取得 断
ロック    A=======================";
    assert_eq!(lanes(&plain().play("題")).as_deref(), Some(expected));
}

#[test]
fn the_rows_show_each_step_in_a_line() {
    let expected = "\
手  時刻  二重  A         B         ロック       row-42
0   0                               (空き)       (空) 最大0
1   0           |取得 #1            A #1 ~10     (空) 最大0
2   2           :停止               A #1 ~10     (空) 最大0
3   10          :                   失効 (空き)  (空) 最大0
4   10    !!    :         |取得 #2  B #2 ~20     (空) 最大0
5   10    !!    :         |書込 B1  B #2 ~20     B1 最大2  受理 2 >= 0
6   12    !!    |再開     |         B #2 ~20     B1 最大2
7   12           書込 A1  |         B #2 ~20     B1 最大2  拒否 1 < 2
";
    assert_eq!(zombie().play("題").rows(), expected);
}

#[test]
fn the_rows_show_who_is_down_and_who_did_not_hear() {
    let expected = "\
手  時刻  二重  A         B                  ロック
0   0                                        (空き)
1   0           |取得 #1                     A #1 ~10
2   6           |延長                        A #1 ~16
3   6            解放                        (空き)
4   6                      取得 #2 返事なし  B #2 ~16
5   6                     xクラッシュ        B #2 ~16
6   6                      再起動            B #2 ~16
7   16                                       失効 (空き)
";
    assert_eq!(hand_over().play("題").rows(), expected);
}

#[test]
fn the_text_begins_with_the_title_and_ends_with_the_sentences() {
    let timeline = Scene::without_resource().acquire(A, 1, Some(10)).quiet(3).release(A).play("題");
    let expected = "\
題

時刻      0        3
手      0 1        2
A         取得 #1==解放
ロック    A #1 ~10=

手  時刻  二重  A         ロック
0   0                     (空き)
1   0           |取得 #1  A #1 ~10
2   3            解放     (空き)

 1. 時刻 0: A がロックを取得した。トークンは 1、期限は時刻 10。
 2. 時刻 3: A がロックを解放した。
";
    assert_eq!(timeline.text(), expected);
    assert_eq!(timeline.form(Form::Text).unwrap(), expected);
}

#[test]
fn a_story_without_steps_shows_only_the_start() {
    let expected = "\
題

時刻
手      0
ロック
row-42  (空) 最大0

手  時刻  二重  ロック  row-42
0   0           (空き)  (空) 最大0

";
    assert_eq!(Scene::new().play("題").text(), expected);
}

#[test]
fn the_sentences_are_numbered_with_the_numbers_aligned() {
    let timeline = crowd().play("題");
    let text = timeline.text();
    let numbered: Vec<&str> = text.lines().filter(|line| line.contains(". 時刻")).collect();
    assert_eq!(numbered.len(), 11);
    assert!(numbered[0].starts_with(" 1. 時刻 0: A がロックを取得した。"));
    assert!(numbered[9].starts_with("10. 時刻 30: row-42 に A2 が"));
}

#[test]
fn the_text_holds_the_rows_whether_or_not_the_lanes_fit() {
    for timeline in all() {
        assert!(timeline.text().contains(&format!("\n\n{}\n", timeline.rows())));
    }
}

fn table(rows: &[&[&str]]) -> Table {
    let cells = |row: &&[&str]| row.iter().map(|cell| (*cell).to_owned()).collect();
    let mut all = rows.iter().map(cells);
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
fn both_clients_of_the_band_stand_in_their_own_lanes() {
    let layout = Layout::of(&zombie().play("題"));
    assert_eq!(label(&layout, Lane::Client(A), 4), "");
    assert_eq!(label(&layout, Lane::Client(B), 4), "取得 #2");
}
