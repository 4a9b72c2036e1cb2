//! 文字の図の規則。端末で桁がそろうこと。

use chart::{Kind, Lane, Layout, Shape, State, Step, Stop, Timeline, Verdict};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::ordinary::everything;
use crate::scene::{
    Telling, alarms, all, clocks, crowd, failover, far_ahead, hand_over, late_packet,
    lost_on_the_way, nothing, takeover,
};

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

#[test]
fn no_character_is_one_cell_in_one_terminal_and_two_in_another() {
    for (name, timeline) in everything() {
        for c in timeline.text().chars().filter(|c| *c != '\n') {
            assert_eq!(c.width(), c.width_cjk(), "{name}: {c:?}");
            let cells = if c.is_ascii() { 1 } else { 2 };
            assert_eq!(c.width(), Some(cells), "{name}: {c:?}");
        }
    }
}

#[test]
fn no_line_ends_in_a_space() {
    for (name, timeline) in everything() {
        for line in timeline.text().lines() {
            assert_eq!(line, line.trim_end(), "{name}");
        }
    }
}

#[test]
fn the_lanes_are_shown_only_where_they_fit_a_hundred_columns() {
    for (name, timeline) in everything() {
        let text = timeline.text();
        let shown = text.contains("\n\n時刻 ");
        for line in text.lines().filter(|line| shown && !line.contains(". 時刻 ")) {
            assert!(line.width() <= 100, "{name}: {line}");
        }
    }
    assert_eq!(lanes(&crowd()), None);
}

/// 停止と再開を `acts` 回ずつ繰り返し、最後に `digits` 桁の時刻へ進むもの。
fn as_wide_as(acts: usize, digits: u32) -> Timeline {
    let mut telling = Telling::new("題", vec![Lane::new("A", Kind::Actor)]);
    for _ in 0..acts {
        telling = telling.step(0, "").mark("A", "停止").step(0, "").mark("A", "再開");
    }
    telling.step(10_u64.pow(digits - 1), "").state("A", State::solid("停止")).done()
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
            for span in layout.spans.iter().filter(|span| span.from == column) {
                let mut here = layout.points.iter().filter(|point| point.step == column);
                let alone = here.all(|point| point.lane != span.lane);
                if span.shape != Shape::Band && alone {
                    let cell = from_column(lines[2 + span.lane], start);
                    let begins = cell.is_some_and(|cell| cell.starts_with(&span.label));
                    assert!(begins, "{}: {span:?}", timeline.title);
                }
            }
            let next = numbers[number.len()..].find(|c| c != ' ').unwrap_or_default();
            start += number.len() + next;
        }
    }
}

#[test]
fn the_lanes_show_bars_pauses_and_the_band() {
    let expected = "\
時刻               0        2    10                                 12
手      0          1        2    3    4        5                    6    7
二重                                  !!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!
A                  取得 #1==停止....................................再開-書込 A1
B                                     取得 #2==書込 B1==============================
ロック             A #1 ~10======失効 B #2 ~20======================================
row-42  (空) 最大0                             B1 最大2 受理 2 >= 0      拒否 1 < 2";
    assert_eq!(lanes(&takeover()).as_deref(), Some(expected));
}

#[test]
fn the_lanes_show_what_is_dead_a_note_within_a_bar_and_two_notes_in_a_cell() {
    let expected = "\
時刻      0        6                                            16
手      0 1        2    3    4                5          6      7
A         取得 #1==延長=解放
B                            取得 #2 返事なし クラッシュx再起動
ロック    A #1 ~10=~16==     B #2 ~16===========================失効";
    assert_eq!(lanes(&hand_over()).as_deref(), Some(expected));
}

#[test]
fn the_lanes_show_what_is_late_where_it_arrives() {
    let expected = "\
時刻               0                10
手      0          1        2       3    4        5             6
二重                                     !!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!
A                  取得 #1==送信 A1=------------------------------------------
B                                        取得 #2==書込 B1=====================
ロック             A #1 ~10=========失効 B #2 ~20=============================
row-42  (空) 最大0                                B1 最大2 受理 A1 最大2 受理";
    assert_eq!(lanes(&late_packet()).as_deref(), Some(expected));
}

#[test]
fn a_large_time_takes_the_room_it_needs() {
    let expected = "\
時刻      0    3          1000002
手      0 1    2          3
A         取得=クラッシュxxxxxxxxx
B                         取得 断
ロック    A=======================";
    assert_eq!(lanes(&far_ahead()).as_deref(), Some(expected));
}

#[test]
fn the_lanes_of_nodes_are_filled_like_bars() {
    insta::assert_snapshot!(lanes(&failover()).unwrap(), @r"
    時刻         0    1        2    3       4       6       7
    手      0    1    2        3    4       5       6       7
    A            頼む
    甲      主===x=1===========停電xxxxxxxxxxxxxxxxx復帰 副-x=0-
    乙      副--------x=1 不着------昇格 主=====================
    row-42  (空)                            x=0 x=0 古い
    ");
}

#[test]
fn what_is_lost_says_so_with_or_without_a_label() {
    insta::assert_snapshot!(lanes(&lost_on_the_way()).unwrap(), @r"
    時刻         0         1           2         3    4       6
    手      0    1         2           3         4    5       6
    A            頼む      また頼む    返事 不着 返事=書込 A1======
    ロック       頼み 不着 A #1 認める=============================
    row-42  (空)                                      不着    満杯
    ");
}

#[test]
fn the_clock_of_a_lane_stands_in_brackets() {
    insta::assert_snapshot!(lanes(&clocks()).unwrap(), @r"
    時刻      0           5           10        12
    手      0 1           2           3         4
    A         取得 #1 [0]=============----------時計 前 [7] 書くと決めた [7]-
    B                     取得 断 [8]
    ロック    A #1 ~10================失効 [10]
    ");
}

#[test]
fn two_bands_are_two_lanes_and_an_unused_one_is_none() {
    insta::assert_snapshot!(lanes(&alarms()).unwrap(), @r"
    時刻      0    1    2    4      5
    手      0 1    2    3    4      5
    重なり         !!!!!!!!!!
    不足                !!!!!!!!!!!!
    A         開始======停止........再開=
    B              開始------落ちるxxxxxx
    ");
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
    assert_eq!(takeover().rows(), expected);
}

#[test]
fn the_rows_show_what_is_dead_and_two_notes_in_a_cell() {
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
    assert_eq!(hand_over().rows(), expected);
}

/// 印と矢印を一つずつ置いた、一手だけの行。
fn row(tell: impl FnOnce(Telling) -> Telling) -> String {
    let lanes = vec![
        Lane::new("A", Kind::Actor),
        Lane::new("係", Kind::Service),
        Lane::new("棚", Kind::Store).short("た"),
    ];
    let timeline = tell(Telling::new("題", lanes).step(1, "")).done();
    timeline.rows().lines().nth(2).unwrap().to_owned()
}

#[test]
fn an_arrow_without_a_label_says_how_it_ended() {
    let told = |verdict, label: &str| row(|it| it.arrow("A", "係", verdict, label));
    assert_eq!(told(Verdict::Yes, ""), "1   1        可");
    assert_eq!(told(Verdict::No, ""), "1   1        否");
    assert_eq!(told(Verdict::Lost, ""), "1   1        不着");
    assert_eq!(told(Verdict::Yes, "満席"), "1   1        満席");
    assert_eq!(told(Verdict::No, "満席"), "1   1        満席");
    assert_eq!(told(Verdict::Lost, "満席"), "1   1        満席 不着");
}

#[test]
fn what_arrives_at_an_actor_stands_beside_its_marks() {
    let told = row(|it| it.mark("A", "待つ").arrow("係", "A", Verdict::Yes, "返事"));
    assert_eq!(told, "1   1      待つ 返事");
}

#[test]
fn a_mark_tells_its_verdict_and_its_clock_too() {
    let judged = |verdict| row(|it| it.judged("A", "3/5", verdict).clock(7));
    assert_eq!(judged(Verdict::Yes), "1   1      3/5 可 [7]");
    assert_eq!(judged(Verdict::No), "1   1      3/5 否 [7]");
    assert_eq!(row(|it| it.mark("係", "失効").clock(9)), "1   1        失効 [9]");
    assert_eq!(row(|it| it.judged("A", "", Verdict::Yes)), "1   1      可");
}

#[test]
fn a_paused_or_dead_lane_has_its_sign_with_or_without_a_bar() {
    let signed = |state: State| row(|it| it.state("A", state));
    for bar in [State::idle(""), State::solid(""), State::hollow("")] {
        assert_eq!(signed(bar.clone().stopped(Some(Stop::Paused))), "1   1     :");
        assert_eq!(signed(bar.stopped(Some(Stop::Dead))), "1   1     x");
    }
    assert_eq!(signed(State::solid("")), "1   1     |");
    assert_eq!(signed(State::hollow("")), "1   1     |");
    assert_eq!(signed(State::idle("")), "1   1");
}

#[test]
fn the_text_begins_with_the_title_and_ends_with_the_sentences() {
    let timeline = Telling::new(
        "題",
        vec![Lane::new("二重取得", Kind::Band).short("二重"), Lane::new("A", Kind::Actor)],
    )
    .step(0, "A が取得した。")
    .mark("A", "取得")
    .state("A", State::solid(""))
    .step(3, "A が解放した。")
    .mark("A", "解放")
    .state("A", State::idle(""))
    .done();
    let expected = "\
題

時刻      0    3
手      0 1    2
A         取得=解放

手  時刻  二重  A
0   0
1   0           |取得
2   3            解放

 1. 時刻 0: A が取得した。
 2. 時刻 3: A が解放した。
";
    assert_eq!(timeline.text(), expected);
}

#[test]
fn a_timeline_without_steps_shows_only_the_start() {
    let expected = "\
何もしない

時刻
手      0
ロック
row-42  (空) 最大0

手  時刻  二重  ロック  row-42
0   0           (空き)  (空) 最大0

";
    assert_eq!(nothing().text(), expected);
}

#[test]
fn the_sentences_are_numbered_with_the_numbers_aligned() {
    let text = crowd().text();
    let numbered: Vec<&str> = text.lines().filter(|line| line.contains(". 時刻")).collect();
    assert_eq!(numbered.len(), 11);
    assert_eq!(numbered[0], " 1. 時刻 0: ロックを取得した。");
    assert_eq!(numbered[9], "10. 時刻 30: A2 が拒否された。");
}

#[test]
fn the_text_holds_the_rows_whether_or_not_the_lanes_fit() {
    for (name, timeline) in everything() {
        assert!(timeline.text().contains(&format!("\n\n{}\n", timeline.rows())), "{name}");
    }
}

#[test]
fn the_unit_of_time_is_named_in_every_place() {
    let mut timeline = Timeline::new("題", "ミリ秒", vec![Lane::new("A", Kind::Actor)]);
    timeline.steps.push(Step::at(7, "動いた。"));
    let expected = "題\n\nミリ秒    7\n手      0 1\nA\n\n手  ミリ秒  A\n0   0\n1   7\n\n 1. ミリ秒 7: 動いた。\n";
    assert_eq!(timeline.text(), expected);
}

#[test]
fn one_long_cell_does_not_widen_every_row() {
    let mut timeline = Timeline::new("題", "秒", vec![Lane::new("棚", Kind::Store)]);
    for time in 1..=100 {
        timeline.steps.push(Step::at(time, ""));
    }
    for (length, widens) in [(200, true), (201, false)] {
        timeline.steps[0].change("棚", State::idle(&"x".repeat(length)));
        timeline.steps[1].change("棚", State::idle("y"));
        timeline.steps[1].mark("棚", "z");
        let rows = timeline.rows();
        assert!(rows.contains(&"x".repeat(length)), "切らない");
        assert!(rows.len() < 3_000, "行の終わりの空白は、書かない");
        let mut two = timeline.clone();
        two.lanes.push(Lane::new("箱", Kind::Store));
        two.steps[0].change("箱", State::idle("w"));
        assert_eq!(two.rows().len() > 20_000, widens, "{length}");
    }
}
