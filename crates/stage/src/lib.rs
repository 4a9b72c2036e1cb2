//! 舞台。どの章にも要り、どの章でも二度は説明しないもの、筋書きの語彙・客の思い込み・網・停止を持つ。
//!
//! ```text
//! Action 列 --System::apply--> Event 列 + Observation --> Run --> chart::Timeline --> 文字 / SVG / コマ
//! ```
//!
//! 章のクレートは [`Lock`] か [`Resource`] だけを実装し、[`World`] に載せて筋書きを演じる。

#![deny(clippy::wildcard_enum_match_arm)]

mod action;
mod actor;
mod event;
mod fact;
mod impossible;
mod narrate;
mod network;
mod part;
mod run;
mod story;
mod system;
mod vocabulary;
mod world;

pub use action::Action;
pub use actor::{Actor, Hold};
pub use chart::{Drawing, Table};
pub use event::{Asked, Event, Place, RESOURCE, Refusal, Told};
pub use fact::{Clients, Fact};
pub use impossible::Impossible;
pub use network::{Packet, Transit};
pub use part::{Lock, NoResource, Resource};
pub use run::{Run, Step, StoryError};
pub use story::{
    Chapter, ChapterError, DrawingSource, Scene, Setup, Story, TableSource, Trace, pinned,
};
pub use system::{Events, System};
pub use vocabulary::{
    Client, ClientView, Condition, Holder, Observation, ResourceView, Time, Token, Value,
};
pub use world::World;
