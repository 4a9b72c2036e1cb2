//! 調べる範囲を決めて、その中のすべての順序を、近いほうから調べる。
//!
//! 筋書きは一つの順序しか見せない。ここでは、筋書きと同じ舞台の上で、客の手、届く書き込み、時刻の
//! どれが先に起きるかをすべて試し、性質を破るいちばん短い手の列を見つける。
//! 出典: 状態を部品に分けて覚えるのは、モデル検査器 SPIN の COLLAPSE。Laarman ほか 2011 の説明による。
//!
//! ```
//! use std::ops::ControlFlow;
//!
//! use explore::{Bounds, Manners, Property, explore};
//! use fencing::FencedResource;
//! use lease::LockService;
//! use stage::World;
//!
//! let world = World::with_resource(LockService::new(2), FencedResource::new());
//! let bounds = Bounds { grants: 2, writes: 1, horizon: 3, ..Bounds::PAGE };
//! let report = explore(world, Manners::default(), bounds, |_| ControlFlow::Continue(()));
//! assert_eq!(report.finding(Property::AcceptedNeverGoBack).shortest, None);
//! assert!(report.finding(Property::OneBeliever).shortest.is_some());
//! ```

mod bounds;
mod claims;
mod graph;
mod growth;
mod ledger;
mod moves;
mod picture;
mod property;
mod run;
mod search;
mod seen;
mod shelves;
mod stories;
mod variants;

pub use bounds::{BadBounds, Bounds};
pub use claims::{Explored, LENGTHS, Outcome, claims, explore_all, grouped, sizes};
pub use graph::{Edge, Graph, graph};
pub use growth::{Growth, count_all, growth};
pub use ledger::{Context, Ledger, Progress};
pub use moves::{Manners, moves};
pub use property::{Property, Violations};
pub use run::Run;
pub use search::{End, Finding, Report, Tally, explore};
pub use shelves::TooMany;
pub use stories::chapter;
pub use variants::{VARIANTS, Variant, Watch, readable, variant};
