//! 筋書き。題と、舞台と、手の列からなるデータである。

use std::rc::Rc;

use chart::{Drawing, ReadError, Table, Timeline};

use crate::action::Action;
use crate::impossible::Impossible;
use crate::run::{Run, StoryError};
use crate::system::Events;

/// 一つの章のクレートが持つ、筋書きと表と絵。
#[derive(Clone)]
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

/// 舞台の顔ぶれ。
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setup {
    /// 客の数。名前の順に A から
    pub clients: usize,
    /// 客が自分の時計で期限を見るか
    pub watches_clocks: bool,
    /// 資源があるか
    pub has_resource: bool,
}

/// 筋書きを演じる舞台。何度でも、始まる前から演じられる。
pub trait Scene {
    /// 舞台の顔ぶれ。
    fn setup(&self) -> Setup;

    /// 始まる前から、手の列を演じる。
    ///
    /// # Errors
    /// 起こりえない手があるとき。
    fn play(&self, title: &str, actions: &[Action]) -> Result<Run, StoryError>;

    /// 始まる前から演じたときに、一手ごとに起きること。起こりえない手は、飛ばして続ける。
    fn trace(&self, actions: &[Action]) -> Trace;
}

/// 一手ごとに起きたこと。起こりえない手なら、その理由。
pub type Trace = Vec<Result<Events, Impossible>>;

/// 名前のついた筋書き。
#[derive(Clone)]
pub struct Story {
    /// 名前。`章::名前` の後ろの部分
    pub name: &'static str,
    /// 図の題
    pub title: &'static str,
    /// 演じる舞台
    pub scene: Rc<dyn Scene>,
    /// 手の列
    pub actions: Vec<Action>,
}

impl Story {
    /// 舞台 `scene` の上の、手の列 `actions`。
    pub fn new(
        name: &'static str,
        title: &'static str,
        scene: impl Scene + 'static,
        actions: &[Action],
    ) -> Story {
        Story { name, title, scene: Rc::new(scene), actions: actions.to_vec() }
    }

    /// 名前と題を替える。同じ筋書きを別の部品で演じると、起きることが変わるからである。
    #[must_use]
    pub fn renamed(self, name: &'static str, title: &'static str) -> Story {
        Story { name, title, ..self }
    }

    /// 演じる。
    ///
    /// # Errors
    /// 起こりえない手があるとき。
    pub fn run(&self) -> Result<Run, StoryError> {
        self.scene.play(self.title, &self.actions)
    }
}

/// 名前のついた表。
#[derive(Clone)]
pub struct TableSource {
    /// 名前。`章::名前` の後ろの部分
    pub name: String,
    /// 筋書きを演じて表を作る関数
    pub make: Rc<dyn Fn() -> Result<Table, ChapterError>>,
}

impl TableSource {
    /// `make` が作る、名前 `name` の表。
    pub fn new(
        name: &str,
        make: impl Fn() -> Result<Table, ChapterError> + 'static,
    ) -> TableSource {
        TableSource { name: name.to_owned(), make: Rc::new(make) }
    }
}

/// 名前のついた絵。
#[derive(Clone, Copy)]
pub struct DrawingSource {
    /// 名前。`章::名前` の後ろの部分
    pub name: &'static str,
    /// 調べた結果から絵を作る関数
    pub make: fn() -> Result<Drawing, ChapterError>,
}

/// 章の中身を作れなかった理由。
#[derive(Debug, thiserror::Error)]
pub enum ChapterError {
    /// 筋書きを演じられない
    #[error(transparent)]
    Story(#[from] StoryError),
    /// 図のデータが描けるものになっていない
    #[error(transparent)]
    Chart(#[from] ReadError),
    /// 探したものが見つからない
    #[error("{0}が見つからない。調べる範囲か、相手の部品を見直す。")]
    NotFound(String),
    /// 固定した記録を読めない
    #[error("{path} を読み戻せない。{remedy}")]
    Record {
        /// 記録の場所
        path: &'static str,
        /// 直しかた
        remedy: &'static str,
    },
}

/// 図のデータの、固定する二つの形。(名前の後ろの部分, 中身)
///
/// 図はどれも、ここに固定した JSON から読み戻したデータで描く。
///
/// # Errors
/// 描けるデータになっていないとき。
pub fn pinned(timeline: &Timeline) -> Result<[(&'static str, String); 2], ReadError> {
    timeline.check()?;
    Ok([("text", timeline.text()), ("timeline", timeline.to_json()?)])
}

impl Chapter {
    /// スナップショットに固定する、名前と中身の組。筋書きは文字とデータ、表は文字の表、絵は言葉と SVG。
    ///
    /// # Errors
    /// 筋書きを演じられないとき、図のデータが描けるものになっていないとき、表や絵を作れないとき。
    pub fn records(&self) -> Result<Vec<(String, String)>, ChapterError> {
        let mut records = Vec::new();
        for story in &self.stories {
            for (form, text) in pinned(&story.run()?.timeline())? {
                records.push((format!("{}.{form}", story.name), text));
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
