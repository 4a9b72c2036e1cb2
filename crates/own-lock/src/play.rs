//! 手の列を演じて、時系列にする。途中で演じられなくなっても、そこまでを残す。

use stage::{Action, Events, Impossible, Run, Step, System};

use crate::caught::caught;

/// 演じた結果。
pub(crate) struct Played {
    pub(crate) timeline: Run,
    /// 手ごとの出来事。何も起きなかった手は空
    pub(crate) events: Vec<Events>,
    pub(crate) stopped: Option<Stopped>,
}

/// 最後まで演じられなかった理由。
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Stopped {
    Impossible(Impossible),
    Panicked(String),
}

impl Stopped {
    pub(crate) fn sentence(&self) -> String {
        match self {
            Stopped::Impossible(reason) => format!("返事は誤り「{reason}」だった。"),
            Stopped::Panicked(reason) => format!("パニックした。理由は「{reason}」である。"),
        }
    }
}

/// 演じる。始まる前の様子も見られないなら `None`。
///
/// 何も起きない時刻の手は、時系列に出ない。最後の手だけは、起きるはずのことが起きなかったことを見せるために出す。
pub(crate) fn play<S: System>(title: &str, mut system: S, actions: &[Action]) -> Option<Played> {
    let start = caught(|| system.observe()).ok()?;
    let timeline = Run { title: title.to_owned(), start, steps: Vec::new() };
    let mut played = Played { timeline, events: Vec::new(), stopped: None };
    for (number, &action) in (1..).zip(actions) {
        let step = caught(|| system.apply(action).map(|events| (events, system.observe())));
        let step = step.map_err(Stopped::Panicked).and_then(|it| it.map_err(Stopped::Impossible));
        match step {
            Ok((events, after)) => {
                played.events.push(events.clone());
                if !events.is_empty() || number == actions.len() {
                    played.timeline.steps.push(Step { action, events, after });
                }
            }
            Err(stopped) => {
                played.stopped = Some(stopped);
                break;
            }
        }
    }
    Some(played)
}
