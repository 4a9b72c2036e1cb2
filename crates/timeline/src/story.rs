//! 章が外に見せるもの。本と試験と `show` は、ここから筋書きと表を引く。

use crate::frames::{self, Frame};
use crate::layout::Layout;
use crate::play::{StoryError, Timeline};
use crate::{svg, text};

/// 一つの章のクレートが持つ、筋書きと表と絵。
#[derive(Clone, Debug)]
pub struct Chapter {
    /// クレートの名前。本のページの名前でもある
    pub name: &'static str,
    /// 筋書き
    pub stories: Vec<Story>,
    /// 表
    pub tables: Vec<TableSource>,
    /// 筋書きの図ではない絵
    pub drawings: Vec<DrawingSource>,
}

/// 名前のついた筋書き。
#[derive(Clone, Copy, Debug)]
pub struct Story {
    /// 名前。`章::名前` の後ろの部分
    pub name: &'static str,
    /// 演じる関数
    pub run: fn() -> Result<Timeline, StoryError>,
}

/// 名前のついた表。
#[derive(Clone, Copy, Debug)]
pub struct TableSource {
    /// 名前。`章::名前` の後ろの部分
    pub name: &'static str,
    /// 筋書きを演じて表を作る関数
    pub make: fn() -> Result<Table, StoryError>,
}

/// 名前のついた絵。
#[derive(Clone, Copy, Debug)]
pub struct DrawingSource {
    /// 名前。`章::名前` の後ろの部分
    pub name: &'static str,
    /// 調べた結果から絵を作る関数
    pub make: fn() -> Result<Drawing, StoryError>,
}

/// 筋書きの図ではない絵。状態のつながりや、数の増えかたを描く。
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawing {
    /// 題
    pub title: String,
    /// ページに置く SVG。色と線は、ページのスタイルシートがクラスで決める
    pub svg: String,
    /// 絵を見なくても同じことが分かる文
    pub words: Vec<String>,
}

impl Drawing {
    /// スナップショットに固定する文字列。
    #[must_use]
    pub fn record(&self) -> String {
        format!("{}\n\n{}\n\n{}", self.title, self.words.join("\n"), self.svg)
    }
}

/// 表。セルは言葉で書く。
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// 見出しの行
    pub header: Vec<String>,
    /// 本体の行。最初のセルはその行の見出し
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// 桁をそろえた文字の表。
    #[must_use]
    pub fn text(&self) -> String {
        let mut all = vec![self.header.clone()];
        all.extend(self.rows.iter().cloned());
        text::align(&all)
    }

    /// 固定した文字の表を読み戻す。[`Table::text`] が同じ文字列を返さないなら `None`。
    ///
    /// 作り直すのに時間のかかる表は、固定した文字列を本に載せ、それが今の結果と同じことを試験が確かめる。
    #[must_use]
    pub fn parse(text: &str) -> Option<Table> {
        let row = |line: &str| -> Vec<String> {
            let cells = line.split("  ").map(str::trim).filter(|cell| !cell.is_empty());
            cells.map(str::to_owned).collect()
        };
        let mut lines = text.lines();
        let table = Table { header: row(lines.next()?), rows: lines.map(row).collect() };
        (table.text() == text).then_some(table)
    }
}

/// スナップショットに固定する形。
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// 文字の図
    Text,
    /// 図の組み立て
    Layout,
    /// SVG
    Svg,
    /// コマ(JSON)
    Frames,
}

impl Form {
    /// すべての形。
    pub const ALL: [Form; 4] = [Form::Text, Form::Layout, Form::Svg, Form::Frames];

    /// スナップショットの名前の、筋書きの名前のあとに付く部分。
    #[must_use]
    pub fn suffix(self) -> &'static str {
        match self {
            Form::Text => "text",
            Form::Layout => "layout",
            Form::Svg => "svg",
            Form::Frames => "frames",
        }
    }
}

/// 記録を作れなかった理由。
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// 筋書きを演じられない
    #[error(transparent)]
    Story(#[from] StoryError),
    /// コマを JSON にできない
    #[error("コマを JSON にできない: {0}")]
    Frames(#[from] serde_json::Error),
}

impl Chapter {
    /// スナップショットに固定する、名前と中身の組。筋書きは四つの形、表は文字の表、絵は言葉と SVG。
    ///
    /// # Errors
    /// 筋書きを演じられないとき、コマを JSON にできないとき。
    pub fn records(&self) -> Result<Vec<(String, String)>, RecordError> {
        let mut records = Vec::new();
        for story in &self.stories {
            let timeline = (story.run)()?;
            for form in Form::ALL {
                records.push((format!("{}.{}", story.name, form.suffix()), timeline.form(form)?));
            }
        }
        for table in &self.tables {
            records.push((format!("{}.table", table.name), (table.make)()?.text()));
        }
        for drawing in &self.drawings {
            records.push((format!("{}.drawing", drawing.name), (drawing.make)()?.record()));
        }
        Ok(records)
    }
}

impl Timeline {
    /// 文字の図。端末に出るものと同じ。
    #[must_use]
    pub fn text(&self) -> String {
        text::text(self)
    }

    /// 文字の図のうち、一手を一行にした表だけ。一行目は見出し、二行目は始まる前。
    #[must_use]
    pub fn rows(&self) -> String {
        text::rows(self)
    }

    /// ページに置く SVG。色と線は、ページのスタイルシートがクラスで決める。
    #[must_use]
    pub fn svg(&self) -> String {
        svg::svg(self)
    }

    /// 手 0 から順に並べたコマ。
    #[must_use]
    pub fn frames(&self) -> Vec<Frame> {
        frames::frames(self)
    }

    /// スナップショットに固定する文字列。
    ///
    /// # Errors
    /// コマを JSON にできないとき。
    pub fn form(&self, form: Form) -> Result<String, serde_json::Error> {
        match form {
            Form::Text => Ok(self.text()),
            Form::Layout => Ok(Layout::of(self).to_string()),
            Form::Svg => Ok(self.svg()),
            Form::Frames => serde_json::to_string_pretty(&self.frames()),
        }
    }
}
