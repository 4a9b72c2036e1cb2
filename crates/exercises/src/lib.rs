//! 各章の演習。
//!
//! 一つの演習は四種類のファイルからなり、同じ道筋に置く。
//!
//! - `starters/<章>/<名前>.rs` — 問題。読者はこれを `answers/<章>/<名前>.rs` へ写して直す
//! - `solutions/<章>/<名前>.rs` — 解答
//! - `wrong/<章>/<名前>/<誤り>.rs` — よくある誤答
//! - `checks/<章>/<名前>.rs` — 検査。答えを受け取り、合わなければ理由と時系列を返す

pub mod checks;
mod feedback;
mod verdict;

pub use verdict::Verdict;
