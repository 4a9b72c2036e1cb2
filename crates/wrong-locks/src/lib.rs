//! 公開された不具合から作った、壊れた錠、客、資源の図鑑。
//!
//! どれも、正しいものの決めごとか、客の作法を一つだけ替える。性質を破るいちばん短い手の列は、探索が見つける。
//!
//! ```
//! use wrong_locks::{Lock, LockRules, Service, State};
//! use stage::{Client, Event, Holder};
//!
//! #[derive(Clone, Copy, Default)]
//! struct AnyRelease;
//!
//! impl LockRules for AnyRelease {
//!     fn may_release(&self, state: &State, _asked: Holder) -> bool {
//!         state.lease.is_some()
//!     }
//! }
//!
//! let mut service: Service<AnyRelease> = Service::new(10);
//! service.acquire(Client::A)?;
//! assert_eq!(service.release(Client::B), Event::Released { client: Client::B });
//! # Ok::<(), stage::Impossible>(())
//! ```

mod bank;
mod queue;
mod row;
mod service;
mod stories;
mod wrong;

pub use bank::{BANK, Cast, Entry, Kind, LENGTH, Setup};
pub use lease::Lock;
pub use queue::{Queue, QueueRules};
pub use row::{Row, RowRules};
pub use service::{Lease, LockRules, Right, Service, State};
pub use stories::chapter;
pub use wrong::*;
