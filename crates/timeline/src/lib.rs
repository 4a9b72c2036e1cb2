//! 筋書きの語彙と、時系列の描画。
//!
//! ```text
//! Action 列 --System::apply--> Event 列 + Observation --> Timeline --> 文字 / SVG / コマ
//! ```
//!
//! このクレートはロックの規則を知らない。規則は、章のクレートが [`System`] の中身として持つ。

mod frames;
mod layout;
mod play;
mod story;
mod svg;
mod text;
mod vocabulary;
pub mod words;

pub use frames::Frame;
pub use layout::{Lane, Layout, Mark, Shape};
pub use play::{Step, StoryError, Timeline};
pub use story::{Chapter, Drawing, DrawingSource, Form, RecordError, Story, Table, TableSource};
pub use vocabulary::{
    Action, Client, ClientView, Condition, Event, Events, Holder, Impossible, Observation,
    ResourceView, System, Time, Token, Value,
};
