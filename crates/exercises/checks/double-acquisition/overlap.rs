//! 検査: 筋書きに二重取得があり、その結果として値が失われること。

use anyhow::{Result, bail, ensure};
use double_acquisition::UnfencedResource;
use lease::LockService;
use stage::World;
use timeline::{Action, Event, Timeline};

use crate::feedback;

/// 読者が書く筋書き。
pub type Answer = fn() -> Vec<Action>;

/// 答えを確かめる。リースの長さは 10 刻みで、資源はトークンを比べない。
///
/// # Errors
/// 起こりえない操作があるか、二重取得がないか、値が失われていなければ、その理由を返す。
pub fn check(answer: Answer) -> Result<()> {
    let actions = answer();
    ensure!(!actions.is_empty(), "筋書きが空である。客 A の取得から始める。");
    let world = World::with_resource(LockService::new(10), UnfencedResource::new());
    let timeline = Timeline::play("答え", world, &actions)?;
    if let Some(missing) = missing(&timeline) {
        bail!("{missing}\n\n{}", feedback::show(&timeline));
    }
    Ok(())
}

fn missing(timeline: &Timeline) -> Option<&'static str> {
    if !timeline.has_double() {
        return Some(
            "二人が同時に持っているつもりの区間がない。一人ずつ順に使っているので、本番でも何も起きない。",
        );
    }
    let written = timeline.events().any(|event| matches!(event, Event::Accepted { .. }));
    if !written {
        return Some(
            "二重取得はあるが、誰も書いていない。値は失われないので、本番では誰も気づかない。",
        );
    }
    if !timeline.is_damaged() {
        return Some(
            "二重取得はあるが、新しい持ち主の値は無事である。古い持ち主の書き込みが、あとから届いていない。",
        );
    }
    None
}
