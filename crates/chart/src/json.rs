//! JSON との行き来。読んだものは、描く前に確かめる。

use std::collections::BTreeSet;

use crate::model::{Kind, Lane, State, Step, Timeline};

/// 書き方の版。
pub const VERSION: u32 = 1;

/// レーンの数の上限。これより多い図は読めない。
const MOST_LANES: usize = 40;
/// 手の数の上限。
const MOST_STEPS: usize = 5_000;

/// 読めなかった理由。どこが、どう違うかを述べる。
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// JSON の書き方か、項目の名前や型が違う
    #[error("{place}を読めない({line} 行 {column} 桁)。{reason}")]
    Json {
        /// `steps[3].arrows[0].verdict` のような場所。全体なら「全体」
        place: String,
        /// 行
        line: usize,
        /// 桁
        column: usize,
        /// 読み手の部品が述べる理由
        reason: String,
    },
    /// 版が違う
    #[error(
        "version が {found} である。読めるのは {VERSION} だけなので、書き出した道具と版をそろえる。"
    )]
    Version {
        /// 書かれていた版
        found: u32,
    },
    /// 中身が食い違う
    #[error("{place}: {reason}")]
    Content {
        /// 「手 3 の矢印 1」のような場所
        place: String,
        /// 何が違い、どうすればよいか
        reason: String,
    },
}

impl Timeline {
    /// JSON にする。一つの手を一行に書くので、差が読みやすい。
    ///
    /// # Errors
    /// JSON にできないとき。ふつうの文字と数だけなので、起こらない。
    pub fn to_json(&self) -> Result<String, ReadError> {
        let lines = |items: Vec<String>| format!("[\n    {}\n  ]", items.join(",\n    "));
        let lanes = self.lanes.iter().map(line).collect::<Result<Vec<_>, _>>()?;
        let steps = self.steps.iter().map(line).collect::<Result<Vec<_>, _>>()?;
        Ok(format!(
            "{{\n  \"version\": {},\n  \"title\": {},\n  \"unit\": {},\n  \"lanes\": {},\n  \"steps\": {}\n}}\n",
            self.version,
            line(&self.title)?,
            line(&self.unit)?,
            lines(lanes),
            lines(steps)
        ))
    }

    /// JSON から読み、確かめる。
    ///
    /// # Errors
    /// JSON として読めないとき、版が違うとき、ないレーンを指すなど中身が食い違うとき。
    pub fn from_json(json: &str) -> Result<Timeline, ReadError> {
        let mut reader = serde_json::Deserializer::from_str(json);
        let timeline: Timeline =
            serde_path_to_error::deserialize(&mut reader).map_err(|error| {
                // 名前の途中で終わると、その所は「?」になる。
                let path = error.path().to_string();
                let known = path.trim_end_matches(['?', '.']);
                let place =
                    if known.is_empty() { "全体".to_owned() } else { format!("{known} ") };
                unreadable(place, error.inner())
            })?;
        reader.end().map_err(|error| unreadable("終わり".to_owned(), &error))?;
        timeline.check()?;
        Ok(timeline)
    }

    /// 描けるデータかを確かめる。
    ///
    /// # Errors
    /// 版が違うとき、ないレーンを指すとき、時刻が戻るときなど。場所を添える。
    pub fn check(&self) -> Result<(), ReadError> {
        if self.version != VERSION {
            return Err(ReadError::Version { found: self.version });
        }
        plain("title", &self.title)?;
        plain("unit", &self.unit)?;
        self.check_lanes()?;
        if self.steps.is_empty() {
            return wrong("steps", "空である。始まる前の手 0 を置く。");
        }
        if self.steps.len() > MOST_STEPS + 1 {
            return wrong("steps", &format!("手が多すぎる。{MOST_STEPS} 手までに分ける。"));
        }
        let mut before = 0;
        for (number, step) in self.steps.iter().enumerate() {
            if step.time < before {
                let reason =
                    format!("時刻が {before} から {} に戻る。起きた順に並べる。", step.time);
                return wrong(&format!("手 {number}"), &reason);
            }
            before = step.time;
            self.check_step(number, step)?;
        }
        Ok(())
    }

    fn check_lanes(&self) -> Result<(), ReadError> {
        if self.lanes.is_empty() || self.lanes.len() > MOST_LANES {
            return wrong("lanes", &format!("レーンは 1 本から {MOST_LANES} 本までにする。"));
        }
        let mut names = BTreeSet::new();
        for (index, lane) in self.lanes.iter().enumerate() {
            let place = format!("レーン {}", index + 1);
            plain(&place, &lane.name)?;
            plain(&place, lane.brief())?;
            if lane.name.trim().is_empty() {
                return wrong(&place, "名前が空である。");
            }
            if !names.insert(&lane.name) {
                return wrong(&place, &format!("「{}」という名前が二つある。", lane.name));
            }
            if lane.tone.is_some_and(|tone| tone == 0 || tone > Lane::TONES) {
                return wrong(&place, &format!("色の番号は 1 から {} までである。", Lane::TONES));
            }
        }
        Ok(())
    }

    fn check_step(&self, number: usize, step: &Step) -> Result<(), ReadError> {
        let here = format!("手 {number}");
        plain(&here, &step.words)?;
        plain(&here, &step.action)?;
        if number == 0 && !(step.marks.is_empty() && step.arrows.is_empty()) {
            return wrong(&here, "始まる前には、印も矢印も置けない。");
        }
        for (index, mark) in step.marks.iter().enumerate() {
            let place = format!("{here} の印 {}", index + 1);
            self.known(&place, &mark.lane)?;
            plain(&place, &mark.label)?;
        }
        for (index, arrow) in step.arrows.iter().enumerate() {
            let place = format!("{here} の矢印 {}", index + 1);
            let (from, to) = (self.known(&place, &arrow.from)?, self.known(&place, &arrow.to)?);
            plain(&place, &arrow.label)?;
            if from.kind == Kind::Band || to.kind == Kind::Band || from.name == to.name {
                return wrong(&place, "矢印は、帯でない二つのレーンの間に引く。");
            }
            if arrow.sent == 0 || arrow.sent > number {
                let reason = format!(
                    "手 {} に送ったことになっている。1 から {number} までにする。",
                    arrow.sent
                );
                return wrong(&place, &reason);
            }
        }
        for (lane, state) in &step.changes {
            self.check_state(&format!("{here} の changes「{lane}」"), lane, state)?;
        }
        step.facts.iter().try_for_each(|(name, text)| {
            plain(&here, name)?;
            plain(&here, text)
        })
    }

    fn check_state(&self, place: &str, lane: &str, state: &State) -> Result<(), ReadError> {
        self.known(place, lane)?;
        plain(place, &state.label)?;
        plain(place, &state.note)?;
        if let Some(by) = &state.by {
            self.known(place, by)?;
        }
        Ok(())
    }

    fn known(&self, place: &str, name: &str) -> Result<&Lane, ReadError> {
        let known = self.lanes.iter().find(|lane| lane.name == name);
        known.ok_or_else(|| {
            let names: Vec<&str> = self.lanes.iter().map(|lane| lane.name.as_str()).collect();
            let reason = format!("レーン「{name}」はない。あるのは {} である。", names.join("、"));
            ReadError::Content { place: place.to_owned(), reason }
        })
    }
}

fn line(item: &impl serde::Serialize) -> Result<String, ReadError> {
    serde_json::to_string(item).map_err(|error| unreadable("書き出し".to_owned(), &error))
}

fn unreadable(place: String, error: &serde_json::Error) -> ReadError {
    let (line, column) = (error.line(), error.column());
    ReadError::Json { place, line, column, reason: reason(error) }
}

/// 部品の英文の理由から、場所の言葉を除いたもの。
fn reason(error: &serde_json::Error) -> String {
    let told = error.to_string();
    let told = told.split(" at line ").next().unwrap_or_default();
    match error.classify() {
        serde_json::error::Category::Eof => "途中で終わっている。".to_owned(),
        serde_json::error::Category::Syntax => format!("JSON の書き方が違う({told})。"),
        _ => format!("項目の名前か型が違う({told})。"),
    }
}

fn wrong(place: &str, reason: &str) -> Result<(), ReadError> {
    Err(ReadError::Content { place: place.to_owned(), reason: reason.to_owned() })
}

/// 端末や SVG を乱す文字がないこと。
fn plain(place: &str, text: &str) -> Result<(), ReadError> {
    match text.chars().find(|character| disturbs(*character)) {
        None => Ok(()),
        Some(found) => wrong(place, &format!("文字に制御文字 {:?} がある。除いて書く。", found)),
    }
}

/// 端末や SVG を乱すか。制御文字のほかに、行と並びの向きを変える文字と、XML に書けない文字も乱す。
fn disturbs(character: char) -> bool {
    let unseen = ['\u{2028}'..='\u{202e}', '\u{2066}'..='\u{2069}', '\u{fffe}'..='\u{ffff}'];
    character.is_control() || unseen.iter().any(|range| range.contains(&character))
}
