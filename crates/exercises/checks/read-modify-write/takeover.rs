//! 検査: 新しい持ち主が、更新を消さずに引き継ぐ手の順。古い持ち主の書き込みは、どの間にも届ける。

use anyhow::{Result, bail, ensure};
use lease::LockService;
use read_modify_write::RegisteringResource;
use stage::Action::{Acquire, Read, Resume, Write};
use stage::Client::{A, B};
use stage::{Action, Event, Run, World};

use crate::feedback;

/// 読者が書く、取得のあとの B の手。
pub type Answer = fn() -> Vec<Action>;

/// 答えを確かめる。A は値を読んで止まっていて、そのリースは失効している。
///
/// # Errors
/// B の手に無関係な手があるか、読んで書いていないか、更新が消える順序があれば、その理由を返す。
pub fn check(answer: Answer) -> Result<()> {
    let actions = answer();
    for action in &actions {
        let is_bs = action.client() == Some(B) && *action != Acquire(B);
        ensure!(is_bs, "{action:?} は、取得のあとの B の手ではない。B の手だけを並べる。");
    }
    let at = |wanted: fn(&Action) -> bool| actions.iter().position(wanted);
    let read = at(|action| matches!(action, Read(_)));
    let write = at(|action| matches!(action, Write(..) | Action::Send(..)));
    ensure!(
        read.is_some() && write.is_some() && read < write,
        "B の仕事は、値を読み、それをもとに書くことである。読む手が、はじめの書く手より前にない。\
         読まずに書けば、そこにあった値は誰にも読まれずに消える。"
    );
    for arrival in 0..=actions.len() {
        let timeline = play(&actions, arrival)?;
        if let Some(symptom) = symptom(&timeline) {
            bail!("{symptom}\n\n{}", feedback::show(&timeline));
        }
    }
    Ok(())
}

/// B の手のうち `arrival` 個のあとで、目を覚ました A の書き込みが届く。
fn play(actions: &[Action], arrival: usize) -> Result<Run> {
    let mut story = vec![Acquire(A), Read(A), Action::Pause(A), Action::Tick(10), Acquire(B)];
    let (before, after) = actions.split_at(arrival);
    story.extend_from_slice(before);
    story.extend([Resume(A), Write(A, 1)]);
    story.extend_from_slice(after);
    let world = World::with_resource(LockService::new(10), RegisteringResource::new());
    Ok(Run::play("引き継ぎ", world, &story)?)
}

fn symptom(timeline: &Run) -> Option<String> {
    let lost = timeline.lost_updates();
    if let Some(value) = lost.first() {
        return Some(format!(
            "{value} の更新が、誰にも読まれないまま消える。残高なら、入金が一つなかったことになる。"
        ));
    }
    let wrote = timeline
        .events()
        .any(|event| matches!(event, Event::Accepted { value, .. } if value.by == B));
    (!wrote)
        .then(|| "B の書き込みが受理されない。引き継いだ仕事が、いつまでも終わらない。".to_owned())
}
