//! その場でこしらえた系。描く側に何も足さずに、どの形でも描けること。

use chart::{Kind, Lane, State, Step, Stop, Timeline, Verdict};

use crate::scene::{Telling, still};

/// 厨房。注文を受け、火口を取り合い、皿を運ぶ。
pub fn kitchen() -> Timeline {
    let lanes = vec![
        Lane::new("火口が足りない", Kind::Band).short("不足"),
        Lane::new("給仕", Kind::Actor).tone(1),
        Lane::new("料理長", Kind::Actor).tone(5),
        Lane::new("伝票", Kind::Service),
        Lane::new("左", Kind::Node),
        Lane::new("右", Kind::Node),
        Lane::new("棚", Kind::Store),
    ];
    Telling::new("昼の厨房", lanes)
        .state("伝票", State::idle("(なし)"))
        .state("棚", State::idle("(空)"))
        .fact("待ち客", "2")
        .step(720, "給仕が二皿の注文を伝えた。")
        .mark("給仕", "注文")
        .arrow("給仕", "伝票", Verdict::Yes, "二皿")
        .state("伝票", State::solid("二皿").by("給仕"))
        .step(721, "料理長が左の火口で焼き始めた。")
        .judged("料理長", "焼く", Verdict::Yes)
        .clock(722)
        .arrow("料理長", "左", Verdict::Yes, "")
        .state("料理長", State::solid(""))
        .state("左", State::solid("肉").by("料理長"))
        .state("火口が足りない", State::solid(""))
        .step(724, "右の火口は点かない。")
        .judged("料理長", "焼く", Verdict::No)
        .arrow("料理長", "右", Verdict::No, "湿り")
        .state("右", State::idle("").stopped(Some(Stop::Dead)))
        .state("料理長", still(State::hollow("")).stopped(Some(Stop::Paused)))
        .step(730, "一皿を棚に置いた。")
        .mark("左", "空く")
        .state("左", State::idle(""))
        .state("料理長", still(State::solid("")))
        .late("左", "棚", 2, Verdict::Yes, "肉")
        .state("棚", State::idle("肉"))
        .state("火口が足りない", State::idle(""))
        .step(731, "給仕が一皿を運んだ。")
        .mark("給仕", "運ぶ")
        .arrow("給仕", "棚", Verdict::Yes, "")
        .state("棚", State::idle("(空)"))
        .state("伝票", State::solid("一皿").by("給仕").going_on("残り一皿"))
        .fact("待ち客", "1")
        .done()
}

#[test]
fn a_kitchen_is_drawn_in_every_form_from_data_that_was_read_back() {
    let timeline = Timeline::from_json(&kitchen().to_json().unwrap()).unwrap();
    assert_eq!(timeline, kitchen());
    let text = timeline.text();
    for word in ["注文", "二皿", "焼く", "湿り", "残り一皿", "火口", "720"] {
        assert!(text.contains(word), "{word}: {text}");
    }
    for svg in [timeline.across(), timeline.down()] {
        for word in ["注文", "二皿", "焼く ✗", "時計 722", "湿り", "残り一皿", "不足|足りない"]
        {
            assert!(word.split('|').any(|word| svg.contains(word)), "{word}");
        }
    }
    assert_eq!(timeline.frames()[5].facts["待ち客"], "1");
}

#[test]
fn a_crossing_needs_neither_actors_nor_arrows() {
    let lights = ["北", "東"].map(|name| Lane::new(name, Kind::Node).tone(4)).to_vec();
    let mut timeline = Timeline::new("信号", "秒", lights);
    for (time, (go, stop)) in [(0, ("北", "東")), (30, ("東", "北"))] {
        let mut step = Step::at(time, "替わった。");
        step.change(go, State::solid("青"));
        step.change(stop, State::hollow("赤"));
        timeline.steps.push(step);
    }
    timeline.check().unwrap();
    let rows = "手  秒  北  東\n0   0\n1   0   青  赤\n2   30  赤  青\n";
    assert_eq!(timeline.rows(), rows);
    for svg in [timeline.across(), timeline.down()] {
        assert_eq!(svg.matches(">青</text>").count(), 2);
        assert_eq!(svg.matches(">赤</text>").count(), 2);
    }
}
