//! 検査: 決まった筋書きの一手ごとの結果を、演じた結果と比べる。

use anyhow::{Result, bail, ensure};
use lease::LockService;
use stage::Action::{self, Acquire, Release, Renew, Tick};
use stage::Client::{A, B};
use stage::{Event, Run, System, Token, World};

use crate::feedback;

/// 一手の結果の予想。
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// まだ予想していない
    Unknown,
    /// 取得が認められ、このトークンが配られる
    Granted(u64),
    /// 延長が認められる
    Renewed,
    /// 解放が認められる
    Released,
    /// 頼みが断られる
    Refused,
    /// 時刻が進む間に、リースが失効する
    Expired,
    /// 時刻が進むだけで、何も起きない
    Nothing,
}

/// 読者が書く予想。手と、その結果の組。
pub type Answer = fn() -> Vec<(Action, Outcome)>;

/// 予想する筋書きと、予想を外した手の理由。間違えた設計が本番でどう見えるかを述べる。
/// リースの長さは 10 刻み。
const STORY: [(Action, &str); 15] = [
    (
        Acquire(A),
        "取得のたびに番号を一つ大きくして配る。番号がなければ、資源は古い書き込みを見分けられない。",
    ),
    (Tick(4), "期限はまだ先である。早く失効させれば、仕事の途中の持ち主がロックを失う。"),
    (
        Acquire(A),
        "持ち主が頼んでも、誰かが持っている間の取得は断られる。認めて番号を大きくすれば、途中にある自分の書き込みが古くなる。",
    ),
    (Renew(A), "延長は、期限の前の持ち主に認められる。断れば、長い仕事は終わらない。"),
    (Tick(9), "期限は、延長した時刻から数え直す。初めの期限から数えれば、早く失効してしまう。"),
    (Acquire(B), "延長された期限までは、ほかの客の取得は断られる。認めれば、二人が同時に持つ。"),
    (
        Tick(1),
        "期限ちょうどには、もう失効している。境目がずれると、持ち主と次の客が同じ時刻を取り合う。",
    ),
    (Renew(A), "失効したあとの延長は、空いていても断られる。認めれば、古い保持が生き返る。"),
    (Acquire(B), "失効のあとの取得は認められ、前より大きい番号が配られる。"),
    (Release(A), "失効した客は、もう持ち主ではない。解放を認めれば、今の持ち主のロックが外れる。"),
    (Tick(3), "持ち主は仕事の途中で、期限はまだ先である。"),
    (Release(B), "今の持ち主の解放は認められる。断れば、次の客が期限まで待たされる。"),
    (
        Acquire(A),
        "前に持っていた客にも、新しい番号が配られる。前の番号を返せば、古い書き込みと見分けられない。",
    ),
    (
        Tick(12),
        "進めた先が期限を越えていれば、途中で失効している。見逃せば、ロックは永久に空かない。",
    ),
    (
        Acquire(B),
        "失効しても、番号は元に戻らない。戻せば、新しい持ち主の書き込みが古いものとして拒否される。",
    ),
];

/// 答えを確かめる。
///
/// # Errors
/// 手が書き換わっているか、予想が一つでも違えば、初めの一つについて理由と、そこまでの時系列を返す。
pub fn check(answer: Answer) -> Result<()> {
    judge(&answer())
}

fn judge(answer: &[(Action, Outcome)]) -> Result<()> {
    let story = STORY.map(|(action, _)| action);
    let asked: Vec<Action> = answer.iter().map(|&(action, _)| action).collect();
    ensure!(
        asked == story,
        "筋書きの手が、問題と違う。手は変えずに、結果だけを書く。問題の手は次のとおりである。\n\n{}",
        story.map(|action| format!("  {action:?}\n")).concat()
    );
    let mut world = World::new(LockService::new(10));
    for (number, (&(action, predicted), (_, reason))) in (1..).zip(answer.iter().zip(STORY)) {
        let event = world.apply(action)?.first().copied();
        if predicted == outcome(event) {
            continue;
        }
        if predicted == Outcome::Unknown {
            bail!("{number} 番目の手 {action:?} の結果を、まだ予想していない。");
        }
        let so_far: Vec<Action> = story.into_iter().take(number).collect();
        let timeline = Run::play("筋書き", World::new(LockService::new(10)), &so_far)?;
        let heading = "ここまでの時系列(> がこの手。何も起きない Tick は現れない)";
        bail!(
            "{number} 番目の手 {action:?} の予想 {predicted:?} が違う。{reason}\n\n{}",
            feedback::point(heading, &timeline, event.map(|_| timeline.steps.len()))
        );
    }
    Ok(())
}

fn outcome(event: Option<Event>) -> Outcome {
    match event {
        Some(Event::Acquired { token: Token(token), .. }) => Outcome::Granted(token),
        Some(Event::Renewed { .. }) => Outcome::Renewed,
        Some(Event::Released { .. }) => Outcome::Released,
        Some(Event::Expired { .. }) => Outcome::Expired,
        Some(_) => Outcome::Refused,
        None => Outcome::Nothing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn right() -> Vec<(Action, Outcome)> {
        let mut world = World::new(LockService::new(10));
        let outcome = |action| outcome(world.apply(action).unwrap().first().copied());
        let story = STORY.map(|(action, _)| action);
        story.into_iter().zip(story.map(outcome)).collect()
    }

    #[test]
    fn only_the_whole_right_answer_passes() {
        let right = right();
        assert!(judge(&right).is_ok());
        assert!(judge(&[]).is_err());
        let others = [Outcome::Granted(1), Outcome::Granted(2), Outcome::Granted(3)];
        let others = others.into_iter().chain([Outcome::Renewed, Outcome::Released]);
        let others: Vec<Outcome> =
            others.chain([Outcome::Refused, Outcome::Expired, Outcome::Nothing]).collect();
        for step in 0..right.len() {
            for &other in others.iter().filter(|&&other| other != right[step].1) {
                let mut wrong = right.clone();
                wrong[step].1 = other;
                assert!(judge(&wrong).is_err(), "{step} {other:?}");
            }
            assert!(judge(&right[..step]).is_err());
        }
    }

    #[test]
    fn every_kind_of_outcome_is_asked_for() {
        let kinds = right().into_iter().map(|(_, outcome)| std::mem::discriminant(&outcome));
        let kinds: std::collections::HashSet<_> = kinds.collect();
        assert_eq!(kinds.len(), 6);
    }
}
