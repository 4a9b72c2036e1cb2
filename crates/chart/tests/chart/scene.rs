//! 試験に使う時系列。素のデータで書く。言葉は何でもよく、描く側はその意味を知らない。

use chart::{Arrow, Kind, Lane, Mark, State, Step, Stop, Timeline, Verdict};

/// 書きかけの時系列。
pub struct Telling(Timeline);

impl Telling {
    pub fn new(title: &str, lanes: Vec<Lane>) -> Telling {
        Telling(Timeline::new(title, "時刻", lanes))
    }

    /// 次の手に移る。
    pub fn step(mut self, time: u64, words: &str) -> Telling {
        self.0.steps.push(Step::at(time, words));
        self
    }

    fn now(&mut self) -> &mut Step {
        self.0.steps.last_mut().unwrap()
    }

    pub fn mark(mut self, lane: &str, label: &str) -> Telling {
        self.now().mark(lane, label);
        self
    }

    /// 判定のついた印。
    pub fn judged(mut self, lane: &str, label: &str, verdict: Verdict) -> Telling {
        let (lane, label) = (lane.to_owned(), label.to_owned());
        self.now().marks.push(Mark { lane, label, verdict: Some(verdict), clock: None });
        self
    }

    /// 直前の印に、レーンの時計を添える。
    pub fn clock(mut self, clock: u64) -> Telling {
        self.now().marks.last_mut().unwrap().clock = Some(clock);
        self
    }

    /// この手で送られ、この手で届くもの。
    pub fn arrow(self, from: &str, to: &str, verdict: Verdict, label: &str) -> Telling {
        let sent = self.0.len();
        self.late(from, to, sent, verdict, label)
    }

    /// 手 `sent` で送られ、この手で届くもの。
    pub fn late(
        mut self,
        from: &str,
        to: &str,
        sent: usize,
        verdict: Verdict,
        label: &str,
    ) -> Telling {
        let (from, to, label) = (from.to_owned(), to.to_owned(), label.to_owned());
        self.now().arrows.push(Arrow { from, to, sent, verdict, label });
        self
    }

    pub fn state(mut self, lane: &str, state: State) -> Telling {
        self.now().change(lane, state);
        self
    }

    pub fn fact(mut self, name: &str, text: &str) -> Telling {
        self.now().fact(name, text);
        self
    }

    /// 描けるデータであることを確かめ、終える。
    pub fn done(self) -> Timeline {
        self.0.check().unwrap();
        self.0
    }
}

/// 前の棒の続き。
pub fn still(state: State) -> State {
    State { continues: true, ..state }
}

fn paused(state: State) -> State {
    state.stopped(Some(Stop::Paused))
}

fn dead(state: State) -> State {
    state.stopped(Some(Stop::Dead))
}

/// 帯、二人か三人、働き手、値。
fn desk(actors: &[&str], has_row: bool) -> Vec<Lane> {
    let mut lanes = vec![Lane::new("二重取得", Kind::Band).short("二重")];
    let toned = actors.iter().zip(1..);
    lanes.extend(toned.map(|(name, tone)| Lane::new(name, Kind::Actor).tone(tone)));
    lanes.push(Lane::new("ロック", Kind::Service));
    if has_row {
        lanes.push(Lane::new("row-42", Kind::Store));
    }
    lanes
}

/// 停止、棒の内側の終わり、帯、可と否。
pub fn takeover() -> Timeline {
    Telling::new("古い持ち主が目を覚ます", desk(&["A", "B"], true))
        .state("ロック", State::idle("(空き)"))
        .state("row-42", State::idle("(空) 最大0"))
        .step(0, "A がロックを取得した。")
        .mark("A", "取得 #1")
        .state("A", State::solid(""))
        .state("ロック", State::solid("A #1 ~10").by("A"))
        .step(2, "A が止まった。")
        .mark("A", "停止")
        .state("A", paused(still(State::solid(""))))
        .step(10, "A のリースが失効した。")
        .mark("ロック", "失効")
        .state("A", paused(still(State::hollow(""))))
        .state("ロック", State::idle("(空き)"))
        .step(10, "B がロックを取得した。")
        .mark("B", "取得 #2")
        .state("B", State::solid(""))
        .state("ロック", State::solid("B #2 ~20").by("B"))
        .state("二重取得", State::solid(""))
        .step(10, "B1 が受理された。")
        .mark("B", "書込 B1")
        .arrow("B", "row-42", Verdict::Yes, "受理 2 >= 0")
        .state("row-42", State::idle("B1 最大2"))
        .step(12, "A が再開した。")
        .mark("A", "再開")
        .state("A", still(State::hollow("")))
        .step(12, "A1 が拒否された。")
        .mark("A", "書込 A1")
        .arrow("A", "row-42", Verdict::No, "拒否 1 < 2")
        .state("A", State::idle(""))
        .state("二重取得", State::idle(""))
        .done()
}

/// 棒の途中の言葉、一つの手の二つの印、落ちて戻ること。値のない時系列。
pub fn hand_over() -> Timeline {
    Telling::new("順に渡す", desk(&["A", "B"], false))
        .state("ロック", State::idle("(空き)"))
        .step(0, "A がロックを取得した。")
        .mark("A", "取得 #1")
        .state("A", State::solid(""))
        .state("ロック", State::solid("A #1 ~10").by("A"))
        .step(6, "A がリースを延長した。")
        .mark("A", "延長")
        .state("ロック", State::solid("A #1 ~16").by("A").going_on("~16"))
        .step(6, "A がロックを解放した。")
        .mark("A", "解放")
        .state("A", State::idle(""))
        .state("ロック", State::idle("(空き)"))
        .step(6, "B の取得の返事が失われた。")
        .mark("B", "取得 #2")
        .mark("B", "返事なし")
        .state("ロック", State::solid("B #2 ~16").by("B"))
        .step(6, "B が落ちた。")
        .mark("B", "クラッシュ")
        .state("B", dead(State::idle("")))
        .step(6, "B が動き出した。")
        .mark("B", "再起動")
        .state("B", State::idle(""))
        .step(16, "B のリースが失効した。")
        .mark("ロック", "失効")
        .state("ロック", State::idle("(空き)"))
        .done()
}

/// 途中で遅れて届くもの。
pub fn late_packet() -> Timeline {
    Telling::new("書き込みが遅れる", desk(&["A", "B"], true))
        .state("ロック", State::idle("(空き)"))
        .state("row-42", State::idle("(空) 最大0"))
        .step(0, "A がロックを取得した。")
        .mark("A", "取得 #1")
        .state("A", State::solid(""))
        .state("ロック", State::solid("A #1 ~10").by("A"))
        .step(0, "A が A1 を送り出した。")
        .mark("A", "送信 A1")
        .step(10, "A のリースが失効した。")
        .mark("ロック", "失効")
        .state("A", still(State::hollow("")))
        .state("ロック", State::idle("(空き)"))
        .step(10, "B がロックを取得した。")
        .mark("B", "取得 #2")
        .state("B", State::solid(""))
        .state("ロック", State::solid("B #2 ~20").by("B"))
        .state("二重取得", State::solid(""))
        .step(10, "B1 が受理された。")
        .mark("B", "書込 B1")
        .arrow("B", "row-42", Verdict::Yes, "受理")
        .state("row-42", State::idle("B1 最大2"))
        .step(10, "A1 が受理された。")
        .late("A", "row-42", 2, Verdict::Yes, "受理")
        .state("row-42", State::idle("A1 最大2"))
        .done()
}

/// 番号も期限もなく、時刻が大きい。
pub fn far_ahead() -> Timeline {
    Telling::new("期限のないロック", desk(&["A", "B"], false))
        .state("ロック", State::idle("(空き)"))
        .step(0, "A がロックを取得した。")
        .mark("A", "取得")
        .state("A", State::solid(""))
        .state("ロック", State::solid("A").by("A"))
        .step(3, "A が落ちた。")
        .mark("A", "クラッシュ")
        .state("A", dead(State::idle("")))
        .step(1_000_002, "B の取得は断られた。")
        .mark("B", "取得 断")
        .done()
}

/// 三人が順に働き、100 桁に収まらない。
pub fn crowd() -> Timeline {
    let mut telling = Telling::new("三人が順に持つ", desk(&["A", "B", "C"], true))
        .state("ロック", State::idle("(空き)"))
        .state("row-42", State::idle("(空) 最大0"));
    for (turn, name) in ["A", "B", "C"].into_iter().enumerate() {
        let (turn, start) = (turn + 1, 10 * turn as u64);
        let until = start + 10;
        telling = telling
            .step(start, "ロックを取得した。")
            .mark(name, &format!("取得 #{turn}"))
            .state(name, State::solid(""))
            .state("ロック", State::solid(&format!("{name} #{turn} ~{until}")).by(name));
        if turn == 2 {
            telling = telling.state("二重取得", State::solid(""));
        }
        telling = telling
            .step(start, "書き込みが受理された。")
            .mark(name, &format!("書込 {name}1"))
            .arrow(name, "row-42", Verdict::Yes, &format!("受理 {turn} >= {}", turn - 1))
            .state("row-42", State::idle(&format!("{name}1 最大{turn}")))
            .step(until, "リースが失効した。")
            .mark("ロック", "失効")
            .state(name, still(State::hollow("")))
            .state("ロック", State::idle("(空き)"));
    }
    telling
        .step(30, "A2 が拒否された。")
        .mark("A", "書込 A2")
        .arrow("A", "row-42", Verdict::No, "拒否 1 < 3")
        .state("A", State::idle(""))
        .step(30, "B2 が拒否された。")
        .mark("B", "書込 B2")
        .arrow("B", "row-42", Verdict::No, "拒否 2 < 3")
        .state("B", State::idle(""))
        .state("二重取得", State::idle(""))
        .done()
}

/// 箱の言葉が、箱の上の判定より長い。
pub fn large_numbers() -> Timeline {
    let stored = |nth: u8| State::idle(&format!("A{nth} 最大1000000000000"));
    Telling::new("大きな番号", desk(&["A"], true))
        .state("row-42", State::idle("(空) 最大0"))
        .step(0, "書いた。")
        .mark("A", "書込 A1")
        .arrow("A", "row-42", Verdict::Yes, "受理")
        .state("row-42", stored(1))
        .step(0, "書いた。")
        .mark("A", "書込 A2")
        .arrow("A", "row-42", Verdict::Yes, "受理")
        .state("row-42", stored(2))
        .done()
}

/// 手のない時系列。
pub fn nothing() -> Timeline {
    Telling::new("何もしない", desk(&[], true))
        .state("ロック", State::idle("(空き)"))
        .state("row-42", State::idle("(空) 最大0"))
        .done()
}

fn five_nodes() -> Vec<Lane> {
    let mut lanes = vec![Lane::new("二重取得", Kind::Band).short("二重")];
    lanes.extend([("A", 1), ("B", 2)].map(|(name, tone)| Lane::new(name, Kind::Actor).tone(tone)));
    lanes.extend((1..=5).map(|node| Lane::new(&format!("N{node}"), Kind::Node)));
    lanes
}

/// 五つの働き手に一度に頼み、多数で決める。届かないものと、落ちて忘れた働き手。
pub fn nodes() -> Timeline {
    let (yes, no, lost) = (Verdict::Yes, Verdict::No, Verdict::Lost);
    let mut telling = Telling::new("五台に頼む", five_nodes())
        .step(0, "A が三台から承諾を得た。")
        .judged("A", "取得 3/5", yes)
        .state("A", State::solid(""));
    for (node, verdict) in [("N1", yes), ("N2", yes), ("N3", yes), ("N4", lost), ("N5", lost)] {
        telling = telling.arrow("A", node, verdict, "");
        if verdict == yes {
            telling = telling.state(node, State::solid("A ~10").by("A"));
        }
    }
    telling = telling
        .step(2, "N3 が落ちた。")
        .mark("N3", "落ちた")
        .state("A", still(State::hollow("")))
        .state("N3", dead(State::idle("")))
        .step(3, "N3 が、何も覚えずに動き出した。")
        .mark("N3", "再起動")
        .state("N3", State::idle(""))
        .step(4, "B も三台から承諾を得た。")
        .judged("B", "取得 3/5", yes)
        .state("B", State::solid(""))
        .state("二重取得", State::solid(""));
    for (node, verdict) in [("N1", no), ("N2", no), ("N3", yes), ("N4", yes), ("N5", yes)] {
        telling = telling.arrow("B", node, verdict, "");
        if verdict == yes {
            telling = telling.state(node, State::solid("B ~14").by("B"));
        }
    }
    telling = telling
        .step(10, "N1 と N2 で失効した。")
        .mark("N1", "失効")
        .mark("N2", "失効")
        .state("N1", State::idle(""))
        .state("N2", State::idle(""))
        .step(10, "A は延長できなかった。")
        .judged("A", "延長 0/5", no)
        .state("A", State::idle(""))
        .state("二重取得", State::idle(""));
    for node in ["N1", "N2", "N3", "N4", "N5"] {
        telling = telling.arrow("A", node, no, "");
    }
    telling.done()
}

/// レーンごとに進みかたの違う時計。
pub fn clocks() -> Timeline {
    Telling::new("時計のずれる二人", desk(&["A", "B"], false))
        .state("ロック", State::idle("(空き)"))
        .step(0, "A がロックを取得した。")
        .mark("A", "取得 #1")
        .clock(0)
        .state("A", State::solid(""))
        .state("ロック", State::solid("A #1 ~10").by("A"))
        .step(5, "B の取得は断られた。")
        .mark("B", "取得 断")
        .clock(8)
        .step(10, "A のリースが失効した。")
        .mark("ロック", "失効")
        .clock(10)
        .state("A", still(State::hollow("")))
        .state("ロック", State::idle("(空き)"))
        .step(12, "A の時計はまだ期限の前を指す。")
        .mark("A", "時計 前")
        .clock(7)
        .mark("A", "書くと決めた")
        .clock(7)
        .done()
}

/// 行きに失われる頼みと、帰りに失われる返事。
pub fn lost_on_the_way() -> Timeline {
    Telling::new("途中で失われる", desk(&["A"], true))
        .state("ロック", State::idle("(空き)"))
        .state("row-42", State::idle("(空)"))
        .step(0, "A の頼みは届かなかった。")
        .mark("A", "頼む")
        .arrow("A", "ロック", Verdict::Lost, "頼み")
        .step(1, "頼みは届いた。")
        .mark("A", "また頼む")
        .arrow("A", "ロック", Verdict::Yes, "認める")
        .state("ロック", State::solid("A #1").by("A"))
        .step(2, "返事は届かなかった。")
        .late("ロック", "A", 2, Verdict::Lost, "返事")
        .step(3, "もう一度の返事は届いた。")
        .late("ロック", "A", 2, Verdict::Yes, "返事")
        .state("A", State::solid(""))
        .step(4, "書き込みは届かなかった。")
        .mark("A", "書込 A1")
        .arrow("A", "row-42", Verdict::Lost, "")
        .step(6, "二度目の書き込みは断られた。")
        .late("A", "row-42", 5, Verdict::No, "満杯")
        .done()
}

/// 二つの帯と、止まった人と落ちた人。
pub fn alarms() -> Timeline {
    let lanes = vec![
        Lane::new("重なり", Kind::Band),
        Lane::new("人手不足", Kind::Band).short("不足"),
        Lane::new("A", Kind::Actor).tone(1),
        Lane::new("B", Kind::Actor).tone(2),
        Lane::new("使われない帯", Kind::Band),
    ];
    Telling::new("二つの注意", lanes)
        .step(0, "A が始めた。")
        .mark("A", "開始")
        .state("A", State::solid(""))
        .step(1, "B も始めた。")
        .mark("B", "開始")
        .state("B", State::hollow(""))
        .state("重なり", State::solid(""))
        .step(2, "A が止まった。")
        .mark("A", "停止")
        .state("A", paused(still(State::solid(""))))
        .state("人手不足", State::solid(""))
        .step(4, "B が落ちた。")
        .mark("B", "落ちる")
        .state("B", dead(State::idle("")))
        .state("重なり", State::idle(""))
        .step(5, "A が再開した。")
        .mark("A", "再開")
        .state("A", still(State::solid("")))
        .state("人手不足", State::idle(""))
        .done()
}

/// 働き手から働き手へ渡し、役目が移る。
pub fn failover() -> Timeline {
    let lanes = vec![
        Lane::new("A", Kind::Actor).tone(1),
        Lane::new("甲", Kind::Node).tone(3),
        Lane::new("乙", Kind::Node).tone(4),
        Lane::new("row-42", Kind::Store),
    ];
    Telling::new("役目が移る", lanes)
        .state("甲", State::solid("主"))
        .state("乙", State::hollow("副"))
        .state("row-42", State::idle("(空)"))
        .step(0, "A の頼みを甲が受けた。")
        .mark("A", "頼む")
        .arrow("A", "甲", Verdict::Yes, "x=1")
        .step(1, "甲は乙に写そうとしたが、届かなかった。")
        .arrow("甲", "乙", Verdict::Lost, "x=1")
        .step(2, "甲が落ちた。")
        .mark("甲", "停電")
        .state("甲", dead(State::idle("")))
        .step(3, "乙が主になった。")
        .state("乙", still(State::solid("主")).going_on("昇格"))
        .step(4, "乙の書き込みが受理された。")
        .arrow("乙", "row-42", Verdict::Yes, "x=0")
        .state("row-42", State::idle("x=0"))
        .step(6, "戻った甲の書き込みは拒否された。")
        .mark("甲", "復帰")
        .state("甲", State::hollow("副"))
        .arrow("甲", "row-42", Verdict::No, "古い")
        .step(7, "乙から甲へ写した。")
        .arrow("乙", "甲", Verdict::Yes, "x=0")
        .done()
}

/// 一つの所に、いくつもの言葉と矢印が重なる。
pub fn tangled() -> Timeline {
    let (yes, no, lost) = (Verdict::Yes, Verdict::No, Verdict::Lost);
    let lanes = vec![
        Lane::new("帯", Kind::Band),
        Lane::new("店主", Kind::Actor).tone(1),
        Lane::new("帳場", Kind::Service).tone(4),
        Lane::new("表の棚", Kind::Store),
        Lane::new("甲", Kind::Node).tone(3),
        Lane::new("奥の棚", Kind::Store),
        Lane::new("客人", Kind::Actor).tone(2),
    ];
    Telling::new("入り組んだ一日", lanes)
        .state("表の棚", State::idle("林檎を三つ"))
        .state("奥の棚", State::idle("蜜柑を五つ"))
        .step(8, "店を開けた。")
        .mark("店主", "開ける")
        .mark("店主", "灯をともす")
        .clock(8)
        .mark("店主", "札を返す")
        .state("店主", State::solid(""))
        .step(9, "二人が一度に頼んだ。")
        .mark("帳場", "受ける")
        .clock(9)
        .state("帳場", State::solid("店主の番").by("店主"))
        .arrow("店主", "帳場", yes, "一つ目")
        .arrow("客人", "帳場", no, "二つ目")
        .step(10, "店主が奥の棚から取った。")
        .mark("店主", "取る")
        .mark("店主", "数える")
        .mark("表の棚", "見るだけ")
        .mark("奥の棚", "減る")
        .arrow("店主", "奥の棚", yes, "一つ")
        .state("奥の棚", State::idle("蜜柑を四つ"))
        .step(11, "帳場からの知らせが三つ出た。")
        .mark("甲", "鳴る")
        .clock(10)
        .state("甲", State::solid("鈴"))
        .state("帯", State::solid(""))
        .step(12, "知らせの一つは失われた。")
        .late("帳場", "店主", 4, lost, "知らせ")
        .late("帳場", "客人", 4, lost, "")
        .mark("帳場", "待つ")
        .step(13, "甲と客人から、帳場へ届いた。")
        .arrow("甲", "帳場", yes, "鳴った")
        .late("客人", "表の棚", 3, no, "閉じている")
        .late("店主", "甲", 4, no, "静かに")
        .state("甲", State::hollow("余韻").going_on("止む"))
        .step(14, "客人が表の棚に返した。")
        .mark("客人", "返す")
        .arrow("客人", "表の棚", yes, "返した")
        .late("店主", "奥の棚", 5, lost, "荷")
        .late("店主", "奥の棚", 6, yes, "荷")
        .state("表の棚", State::idle("林檎を四つ"))
        .state("帯", State::idle(""))
        .step(15, "棚から客人と店主へ渡った。")
        .arrow("奥の棚", "客人", yes, "蜜柑")
        .late("奥の棚", "店主", 5, no, "売り切れ")
        .state("奥の棚", State::idle("蜜柑を三つ"))
        .done()
}

/// 小さな形を一つずつ見せるもの。
pub fn shapes() -> Vec<(&'static str, Timeline)> {
    vec![
        ("nodes", nodes()),
        ("clocks", clocks()),
        ("lost_on_the_way", lost_on_the_way()),
        ("alarms", alarms()),
        ("failover", failover()),
    ]
}

/// すべての時系列。
pub fn all() -> Vec<Timeline> {
    let ordinary = [
        takeover(),
        hand_over(),
        late_packet(),
        far_ahead(),
        crowd(),
        large_numbers(),
        nothing(),
        tangled(),
        crate::invented::kitchen(),
    ];
    ordinary.into_iter().chain(shapes().into_iter().map(|(_, timeline)| timeline)).collect()
}
