//! 各章の演習。
//!
//! 一つの演習は次のファイルからなり、同じ道筋に置く。
//!
//! - `starters/<章>/<名前>.rs` — 問題。読者の写し `answers/<章>/<名前>.rs` のもとになる
//! - `hints/<章>/<名前>.md` — ヒント。`---` だけの行で二段に分かれる
//! - `checks/<章>/<名前>.rs` — 検査。答えを受け取り、合わなければ理由と時系列を返す
//! - `solutions/<章>/<名前>.rs` — 解答
//! - `wrong/<章>/<名前>/<誤り>.rs` — よくある誤答

pub mod checks;
mod feedback;
mod verdict;

pub use verdict::{Verdict, run};

/// 一つの演習。
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Exercise {
    /// 章。クレートとページの名前でもある
    pub chapter: &'static str,
    /// 章の中での名前
    pub name: &'static str,
}

/// すべての演習。章の順に、章の中ではやさしい順に並べる。
pub const EXERCISES: [Exercise; 18] = [
    Exercise { chapter: "plain-lock", name: "release" },
    Exercise { chapter: "plain-lock", name: "stuck" },
    Exercise { chapter: "lease", name: "expiry" },
    Exercise { chapter: "lease", name: "predict" },
    Exercise { chapter: "lease", name: "renew" },
    Exercise { chapter: "lease", name: "tokens" },
    Exercise { chapter: "lease", name: "heartbeat" },
    Exercise { chapter: "double-acquisition", name: "overlap" },
    Exercise { chapter: "double-acquisition", name: "length" },
    Exercise { chapter: "double-acquisition", name: "deadline" },
    Exercise { chapter: "fencing", name: "compare" },
    Exercise { chapter: "fencing", name: "equal" },
    Exercise { chapter: "fencing", name: "two-rows" },
    Exercise { chapter: "fencing", name: "queue" },
    Exercise { chapter: "fencing", name: "worker" },
    Exercise { chapter: "read-modify-write", name: "takeover" },
    Exercise { chapter: "explore", name: "watcher" },
    Exercise { chapter: "wrong-locks", name: "review" },
];

impl Exercise {
    /// `cargo test -p exercises --test` に渡す名前。
    #[must_use]
    pub fn target(&self) -> String {
        format!("{}-{}", self.chapter, self.name)
    }

    /// `starters/` などの下での、ファイルの道筋。
    #[must_use]
    pub fn path(&self) -> String {
        format!("{}/{}.rs", self.chapter, self.name)
    }
}
