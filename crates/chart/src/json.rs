//! JSON との行き来。読んだものは、描く前に確かめる。

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::{Deserializer, Error as _, IgnoredAny, MapAccess, Visitor};

use crate::model::{Kind, Lane, State, Step, Timeline};
use crate::plain::{disturbs, harmless};

/// 書き方の版。
pub const VERSION: u32 = 1;

/// レーンの数の上限。これより多い図は読めない。
const MOST_LANES: usize = 40;
/// 手の数の上限。
const MOST_STEPS: usize = 5_000;
/// 印と矢印の数の上限。合わせて数える。
const MOST_EVENTS: usize = 20_000;
/// 一つの文字列の、文字の数の上限。
const LONGEST: usize = 1_000;

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
        if json.trim().is_empty() {
            return Err(content("全体", "空である。時系列の JSON を書く。"));
        }
        let sound: Result<IgnoredAny, _> = serde_json::from_str(json);
        let mut reader = serde_json::Deserializer::from_str(json);
        let timeline: Timeline =
            serde_path_to_error::deserialize(&mut reader).map_err(|error| {
                // 名前の途中で終わると、その所は「?」になる。
                let path = error.path().to_string();
                let known = path.trim_end_matches(['?', '.']);
                let place = match known {
                    "" => "全体".to_owned(),
                    known => format!("{} ", harmless(known)),
                };
                match &sound {
                    Ok(_) => unreadable(place, json, error.inner(), misfit(error.inner())),
                    Err(broken) => unreadable(place, json, broken, malformed(broken)),
                }
            })?;
        if let Err(broken) = sound {
            let place = "終わり".to_owned();
            return Err(unreadable(place, json, &broken, malformed(&broken)));
        }
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
        let events = self.steps.iter().map(|step| step.marks.len() + step.arrows.len());
        if events.sum::<usize>() > MOST_EVENTS {
            let reason = format!("印と矢印が多すぎる。合わせて {MOST_EVENTS} までに分ける。");
            return wrong("steps", &reason);
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
            for (item, name) in [("name", lane.name.as_str()), ("short", lane.brief())] {
                let place = format!("{place} の {item}");
                plain(&place, name)?;
                if name.is_empty() || name.trim() != name {
                    return wrong(&place, "空か、両端に空白がある。見分けられる名前を書く。");
                }
            }
            if !names.insert(&lane.name) {
                let name = harmless(&lane.name);
                return wrong(&place, &format!("「{name}」という名前が二つある。片方を変える。"));
            }
            if lane.tone.is_some_and(|tone| tone == 0 || tone > Lane::TONES) {
                return wrong(&place, &format!("色の番号は 1 から {} までである。", Lane::TONES));
            }
        }
        Ok(())
    }

    fn check_step(&self, number: usize, step: &Step) -> Result<(), ReadError> {
        let here = format!("手 {number}");
        plain(&format!("{here} の words"), &step.words)?;
        plain(&format!("{here} の action"), &step.action)?;
        if number == 0 && !(step.marks.is_empty() && step.arrows.is_empty()) {
            return wrong(&here, "始まる前には、印も矢印も置けない。手 1 からに置く。");
        }
        for (index, mark) in step.marks.iter().enumerate() {
            let place = format!("{here} の印 {}", index + 1);
            let lane = self.known(&place, &mark.lane)?;
            plain(&place, &mark.label)?;
            if lane.kind == Kind::Band {
                return wrong(&place, "帯には印を置けない。ほかのレーンに置く。");
            }
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
            let place = format!("{here} の changes「{}」", harmless(lane));
            self.check_state(&place, lane, state)?;
        }
        step.facts.iter().try_for_each(|(name, text)| {
            let place = format!("{here} の facts「{}」", harmless(name));
            plain(&place, name)?;
            plain(&place, text)
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
            let names: Vec<String> = self.lanes.iter().map(|lane| harmless(&lane.name)).collect();
            let (name, names) = (harmless(name), names.join("、"));
            content(place, &format!("レーン「{name}」はない。あるのは {names} である。"))
        })
    }
}

fn line(item: &impl serde::Serialize) -> Result<String, ReadError> {
    serde_json::to_string(item)
        .map_err(|error| unreadable("書き出し".to_owned(), "", &error, malformed(&error)))
}

fn unreadable(place: String, json: &str, error: &serde_json::Error, reason: String) -> ReadError {
    let line = error.line();
    // 部品は桁をバイトで数える。
    let text = json.split('\n').nth(line.saturating_sub(1)).unwrap_or_default();
    let column = text.char_indices().take_while(|(at, _)| *at < error.column()).count();
    ReadError::Json { place, line, column, reason }
}

/// JSON として読めない理由。
fn malformed(error: &serde_json::Error) -> String {
    match error.is_eof() {
        true => "途中で終わっている。終わりまで書く。".to_owned(),
        false => "JSON の書き方が違う。カンマ、括弧、引用符、文字の書き方を確かめる。".to_owned(),
    }
}

/// JSON としては読めるが、時系列の項目に合わない理由。部品の英文を読み替える。
fn misfit(error: &serde_json::Error) -> String {
    let told = error.to_string();
    let told = told.rsplit_once(" at line ").map_or(told.as_str(), |(told, _)| told);
    let (told, expected) = told.rsplit_once(", expected ").unwrap_or((told, "a word"));
    let named = |start: &str| {
        let name = told.strip_prefix(start)?.strip_prefix('`')?;
        Some(harmless(name.strip_suffix('`').unwrap_or(name)))
    };
    let choices: Vec<&str> = expected.split('`').skip(1).step_by(2).collect();
    let choices = choices.join("、");
    if let Some(name) = named("unknown field ") {
        return format!("項目「{name}」はない。あるのは {choices} である。");
    }
    if let Some(name) = named("unknown variant ") {
        return format!("「{name}」とは書けない。書けるのは {choices} である。");
    }
    if let Some(name) = named("missing field ") {
        return format!("項目「{name}」がない。書き足す。");
    }
    if let Some(name) = named("duplicate field ") {
        return format!("項目「{name}」が二度ある。一つにする。");
    }
    format!("値の種類が違う。{}を書く。", wanted(expected))
}

/// 書くはずの値の種類。
fn wanted(expected: &str) -> &'static str {
    match expected {
        "a string" => "文字列",
        "a boolean" => "真偽値(true か false)",
        "a sequence" => "配列",
        "u8" => "1 から 5 までの整数",
        "u32" | "u64" | "usize" => "0 以上の、大きすぎない整数",
        "a word" => "決まった言葉の文字列",
        _ => "オブジェクト",
    }
}

/// 同じ名前の二度ない、名前と値の組。あとのもので黙って書き替えない。
pub(crate) fn unique<'de, D, V>(deserializer: D) -> Result<BTreeMap<String, V>, D::Error>
where
    D: Deserializer<'de>,
    V: Deserialize<'de>,
{
    struct Unique<V>(PhantomData<V>);

    impl<'de, V: Deserialize<'de>> Visitor<'de> for Unique<V> {
        type Value = BTreeMap<String, V>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a map")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut all = BTreeMap::new();
            while let Some((name, value)) = map.next_entry::<String, V>()? {
                if all.contains_key(&name) {
                    return Err(A::Error::custom(format_args!("duplicate field `{name}`")));
                }
                all.insert(name, value);
            }
            Ok(all)
        }
    }

    deserializer.deserialize_map(Unique(PhantomData))
}

fn content(place: &str, reason: &str) -> ReadError {
    ReadError::Content { place: place.to_owned(), reason: reason.to_owned() }
}

fn wrong(place: &str, reason: &str) -> Result<(), ReadError> {
    Err(content(place, reason))
}

/// 端末や SVG を乱す文字がなく、長すぎないこと。
fn plain(place: &str, text: &str) -> Result<(), ReadError> {
    if let Some(found) = text.chars().find(|character| disturbs(*character)) {
        let found = harmless(&found.to_string());
        return wrong(place, &format!("文字に、端末や図を乱す {found} がある。除いて書く。"));
    }
    match text.chars().nth(LONGEST) {
        None => Ok(()),
        Some(_) => wrong(place, &format!("長すぎる。{LONGEST} 文字までにする。")),
    }
}
