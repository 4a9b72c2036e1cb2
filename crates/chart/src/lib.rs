//! 時系列を、素のデータから文字と図にする。
//!
//! ```text
//! JSON ⇄ Timeline ──▶ 文字(端末とスナップショット)
//!                 ├─▶ 横の図 ／ 縦の図(SVG)
//!                 └─▶ 一手ずつのコマ
//! ```
//!
//! [`Timeline`] は、レーンと、手ごとに変わったことだけを持つ。このクレートは、それが何の記録かを知らない。
//! 記録のしかたを決めるのは、使う側である。
//!
//! ```
//! use chart::{Kind, Lane, State, Step, Timeline};
//!
//! let mut timeline = Timeline::new("一つの灯", "秒", vec![Lane::new("灯", Kind::Service).tone(1)]);
//! timeline.steps[0].change("灯", State::idle("(消灯)"));
//! let mut on = Step::at(3, "灯がついた。");
//! on.change("灯", State::solid("点灯"));
//! timeline.steps.push(on);
//!
//! let json = timeline.to_json()?;
//! let read = Timeline::from_json(&json)?;
//! assert_eq!(read, timeline);
//! assert!(read.rows().contains("1   3   点灯"));
//! # Ok::<(), chart::ReadError>(())
//! ```

mod across;
mod down;
mod drawing;
mod frames;
mod json;
mod layout;
mod model;
mod plain;
mod svg;
mod table;
mod text;

pub use drawing::Drawing;
pub use frames::Frame;
pub use json::{ReadError, VERSION};
pub use layout::{Flight, Layout, Point, Shape, Span};
pub use model::{Arrow, Bar, Kind, Lane, Mark, State, Step, Stop, Timeline, Verdict};
pub use plain::harmless;
pub use table::Table;
