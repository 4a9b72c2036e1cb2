//! 舞台。どの章にも要り、どの章でも二度は説明しないもの、客の思い込み・網・停止を持つ。
//!
//! 章のクレートは [`Lock`] か [`Resource`] だけを実装し、[`World`] に載せて筋書きを演じる。

mod actor;
mod network;
mod part;
mod world;

pub use actor::Actor;
pub use network::{Packet, Transit};
pub use part::{Lock, NoResource, Resource};
pub use world::World;
