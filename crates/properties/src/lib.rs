//! 守られるはずの性質。どれも、起きたことの列だけから判定する。
//!
//! 探索、壊れた錠の図鑑、読者の錠の検査、演習、実物の記録が、同じものを使う。探索では、覚えていることが状態の
//! 一部になるので、先の判定に効かないことは忘れる。

mod property;
mod watch;

pub use property::{Properties, Property};
pub use watch::{Notes, Watch};
