//! 演習ごとの検査。名前は `<章>_<名前>` で、`--test` に渡す名前と同じである。

#[path = "../checks/double-acquisition/overlap.rs"]
pub mod double_acquisition_overlap;
#[path = "../checks/fencing/compare.rs"]
pub mod fencing_compare;
#[path = "../checks/lease/expiry.rs"]
pub mod lease_expiry;
#[path = "../checks/plain-lock/release.rs"]
pub mod plain_lock_release;
