//! 読者の錠を確かめる。
//!
//! 渡すのは、錠を作る関数だけである。錠だけを相手にした規則、すべての順序を調べる探索、本の筋書きの順に
//! 確かめ、破れたなら、いちばん短い手の列を時系列にして返す。
//!
//! ```no_run
//! use own_lock::{LockService, examine};
//!
//! let verdict = examine(LockService::new);
//! assert!(verdict.is_unbroken(), "{verdict}");
//! ```

mod caught;
mod coverage;
mod examine;
mod finding;
mod kept;
mod long;
mod orders;
mod play;
mod record;
mod rule;
mod stories;
mod verdict;
mod walk;

pub use coverage::{Coverage, Long, Searched, Walked};
pub use examine::{examine, examine_with};
pub use explore::{Bounds, Manners};
pub use fencing::FencedResource;
pub use finding::{Broke, Finding};
pub use lease::LockService;
pub use properties::Property;
pub use rule::Rule;
pub use stage::{
    Action, Asked, Client, Event, Holder, Impossible, Refusal, Run, Time, Token, Value,
};
pub use stage::{Lock, Packet, Resource};
pub use verdict::{Verdict, run};
