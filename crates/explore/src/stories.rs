//! 探索が見つけた反例の筋書き。手の列は書かれておらず、毎回探して、いちばん短いものを演じる。

use properties::Property;
use stage::{Chapter, ChapterError, DrawingSource, Story, TableSource, Time};

use crate::bounds::Bounds;
use crate::variants::{readable, variant};
use crate::{claims, growth, picture};

/// この章の筋書きと表と絵。
///
/// # Errors
/// 反例が見つからないとき。
pub fn chapter() -> Result<Chapter, ChapterError> {
    Ok(Chapter {
        name: "explore",
        stories: vec![
            double_belief()?,
            released_in_flight()?,
            lost_without_expiry()?,
            lost_within_a_grant()?,
            checked_and_released()?,
            older_token()?,
            freed_early()?,
        ],
        tables: vec![
            TableSource::new("claims", claims::pinned_claims),
            TableSource::new("sizes", claims::pinned_sizes),
            TableSource::new("growth", growth::pinned_growth),
        ],
        drawings: vec![
            DrawingSource { name: "states", make: picture::drawing },
            DrawingSource { name: "widening", make: growth::drawing },
        ],
    })
}

/// 調べるリースの長さ。単位は刻み。
const LENGTH: Time = 2;

// ANCHOR: counterexample
/// `target` の相手が、一度の保持で `writes` 個まで書くとき、`property` を破る、いちばん短い筋書き。
fn counterexample(
    name: &'static str,
    title: &'static str,
    target: &str,
    writes: u8,
    property: Property,
) -> Result<Story, ChapterError> {
    let missing = || ChapterError::NotFound(format!("「{title}」の反例"));
    let variant = variant(target).ok_or_else(missing)?;
    let bounds = Bounds { writes, slow_releases: variant.bounds.slow_releases, ..QUICK };
    let shortest = variant.shortest(LENGTH, bounds, property).ok_or_else(missing)?;
    Ok(Story { name, title, scene: variant.scene(LENGTH), actions: readable(&shortest) })
}
// ANCHOR_END: counterexample

/// 反例に要らない手を除いた範囲。いちばん短い手数は、ページの範囲で調べたものと同じになる。
const QUICK: Bounds = Bounds {
    copies: 0,
    pauses: false,
    crashes: false,
    renews: false,
    restarts: false,
    ..Bounds::PAGE
};

fn double_belief() -> Result<Story, ChapterError> {
    let title = "二重取得までの、いちばん短い手の列";
    counterexample("double_belief", title, "fenced", 1, Property::OneBeliever)
}

fn released_in_flight() -> Result<Story, ChapterError> {
    let title = "失効なしで、古い書き込みが新しい書き込みを消す";
    counterexample("released_in_flight", title, "unfenced", 1, Property::AcceptedNeverGoBack)
}

fn lost_without_expiry() -> Result<Story, ChapterError> {
    let title = "フェンシングがあり、失効もないのに、更新が消える";
    counterexample("lost_without_expiry", title, "fenced", 1, Property::NoLostUpdate)
}

fn lost_within_a_grant() -> Result<Story, ChapterError> {
    let title = "登録しても、同じ保持の中の入れ替わりで更新が消える";
    counterexample("lost_within_a_grant", title, "registering", 2, Property::NoLostUpdate)
}

fn checked_and_released() -> Result<Story, ChapterError> {
    let title = "時計を確かめる客でも、解放したあとに古い書き込みが届く";
    counterexample("checked_and_released", title, "watching", 1, Property::AcceptedNeverGoBack)
}

fn older_token() -> Result<Story, ChapterError> {
    let title = "読んだ値を比べる資源は、古いトークンを受理する";
    counterexample("older_token", title, "compare-and-set", 1, Property::AcceptedNeverGoBack)
}

fn freed_early() -> Result<Story, ChapterError> {
    let title = "遅れた解放が、同じ客の次の保持を外す";
    counterexample("freed_early", title, "late-release", 1, Property::GrantAfterEnd)
}
