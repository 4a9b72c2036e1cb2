//! 調べる範囲を決めて、その中のすべての順序を、近いほうから調べる。
//!
//! 筋書きは一つの順序しか見せない。ここでは、筋書きと同じ舞台の上で、客の手、届く書き込み、時刻の
//! どれが先に起きるかをすべて試し、性質を破るいちばん短い手の列を見つける。
//!
//! ```
//! use check::{Limits, shortest};
//! use explore::{Arena, Bounds, Manners};
//! use fencing::FencedResource;
//! use lease::LockService;
//! use properties::{Property, Watch};
//! use stage::World;
//!
//! let world = World::with_resource(LockService::new(2), FencedResource::new());
//! let bounds = Bounds { grants: 2, writes: 1, horizon: 3, ..Bounds::PAGE };
//! let arena = Arena { world, manners: Manners::default(), bounds };
//! let found = |property: Property| {
//!     shortest(&arena, &Watch::only(property, 2), Limits::NONE, property as usize)
//! };
//! assert_eq!(found(Property::AcceptedNeverGoBack), None);
//! assert!(found(Property::OneBeliever).is_some());
//! ```

mod arena;
mod bounds;
mod claims;
mod growth;
mod moves;
mod picture;
mod stories;
mod variants;

pub use arena::{Arena, PROPERTIES, Run, Used};
pub use bounds::{BadBounds, Bounds};
pub use claims::{Explored, LENGTHS, Outcome, claims, explore_all, grouped, sizes};
pub use growth::{Growth, count_all, growth};
pub use moves::{Manners, moves};
pub use stories::chapter;
pub use variants::{Hear, VARIANTS, Variant, readable, variant};
