//! 探索が見つけた反例の筋書き。手の列は書かれておらず、毎回探して、いちばん短いものを演じる。

use timeline::{
    Chapter, DrawingSource, Impossible, Story, StoryError, TableSource, Time, Timeline,
};

use crate::bounds::Bounds;
use crate::property::Property;
use crate::variants::variant;
use crate::{claims, growth, picture};

/// この章の筋書きと表と絵。
#[must_use]
pub fn chapter() -> Chapter {
    Chapter {
        name: "explore",
        stories: vec![
            Story { name: "double_belief", run: double_belief },
            Story { name: "released_in_flight", run: released_in_flight },
            Story { name: "lost_without_expiry", run: lost_without_expiry },
            Story { name: "lost_within_a_grant", run: lost_within_a_grant },
            Story { name: "checked_and_released", run: checked_and_released },
            Story { name: "older_token", run: older_token },
            Story { name: "freed_early", run: freed_early },
        ],
        tables: vec![
            TableSource { name: "claims", make: claims::pinned_claims },
            TableSource { name: "sizes", make: claims::pinned_sizes },
            TableSource { name: "growth", make: growth::pinned_growth },
        ],
        drawings: vec![
            DrawingSource { name: "states", make: picture::drawing },
            DrawingSource { name: "widening", make: growth::drawing },
        ],
    }
}

/// 調べるリースの長さ。単位は刻み。
const LENGTH: Time = 2;

// ANCHOR: counterexample
/// `name` の相手が、一度の保持で `writes` 個まで書くとき、`property` を破る、いちばん短い筋書き。
fn counterexample(
    title: &str,
    name: &str,
    writes: u8,
    property: Property,
) -> Result<Timeline, StoryError> {
    let Some(variant) = variant(name) else { return Err(nothing_found()) };
    let bounds = Bounds { writes, slow_releases: variant.bounds.slow_releases, ..QUICK };
    let actions = variant.shortest(LENGTH, bounds, property).ok_or_else(nothing_found)?;
    variant.play(LENGTH, title, &actions)
}
// ANCHOR_END: counterexample

/// 反例が見つからないこと。筋書きとしては、演じる手がない。
fn nothing_found() -> StoryError {
    StoryError { number: 0, action: timeline::Action::Tick(0), reason: Impossible::NoResource }
}

/// 反例に要らない手を除いた範囲。いちばん短い手数は、ページの範囲で調べたものと同じになる。
const QUICK: Bounds = Bounds {
    copies: 0,
    pauses: false,
    crashes: false,
    renews: false,
    restarts: false,
    ..Bounds::PAGE
};

fn double_belief() -> Result<Timeline, StoryError> {
    let title = "二重取得までの、いちばん短い手の列";
    counterexample(title, "fenced", 1, Property::OneBeliever)
}

fn released_in_flight() -> Result<Timeline, StoryError> {
    let title = "失効なしで、古い書き込みが新しい書き込みを消す";
    counterexample(title, "unfenced", 1, Property::AcceptedNeverGoBack)
}

fn lost_without_expiry() -> Result<Timeline, StoryError> {
    let title = "フェンシングがあり、失効もないのに、更新が消える";
    counterexample(title, "fenced", 1, Property::NoLostUpdate)
}

fn lost_within_a_grant() -> Result<Timeline, StoryError> {
    let title = "登録しても、同じ保持の中の入れ替わりで更新が消える";
    counterexample(title, "registering", 2, Property::NoLostUpdate)
}

fn checked_and_released() -> Result<Timeline, StoryError> {
    let title = "時計を確かめる客でも、解放したあとに古い書き込みが届く";
    counterexample(title, "watching", 1, Property::AcceptedNeverGoBack)
}

fn older_token() -> Result<Timeline, StoryError> {
    let title = "読んだ値を比べる資源は、古いトークンを受理する";
    counterexample(title, "compare-and-set", 1, Property::AcceptedNeverGoBack)
}

fn freed_early() -> Result<Timeline, StoryError> {
    let title = "遅れた解放が、同じ客の次の保持を外す";
    counterexample(title, "late-release", 1, Property::GrantAfterEnd)
}
