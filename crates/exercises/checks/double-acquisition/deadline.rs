//! 検査: 客が、ロックサービスより遅くならずに書くのをやめること。
//! 頼みと返事と今の時刻の組は、小さい範囲ですべて試す。

use anyhow::{Result, bail};
use double_acquisition::UnfencedResource;
use lease::LockService;
use stage::Action::{self, Acquire, Tick, Write};
use stage::Client::{A, B};
use stage::{Event, Events, Impossible, Observation, Run, System, Time, World};

use crate::feedback;

/// 取得に成功した一度のやりとり。時刻はどれも、客の時計で見たもの。
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grant {
    /// 取得の頼みを送った時刻
    pub sent: Time,
    /// 認めるという返事が届いた時刻。ロックサービスが認めたのは、この二つの間のどこかである
    pub received: Time,
    /// 貸されたリースの長さ。単位は刻み。返事には、期限の時刻は入っていない
    pub length: Time,
}

/// 読者が書く判断。返事が届いたあとの時刻 `now` に、書き込みを送ってよいか。
pub type Answer = fn(grant: Grant, now: Time) -> bool;

/// 試す時刻と長さの範囲。
const RANGE: Time = 6;
/// 返事が届いてから、判断を試し続ける長さ。どの期限よりも長い。
const LONG: Time = 20;
/// 時系列で見せるやりとり。
const SHOWN: Grant = Grant { sent: 2, received: 5, length: 10 };

/// 答えを確かめる。客とロックサービスの時計は、同じ速さで進む。
///
/// # Errors
/// 書いてはいけない時刻に書くか、書ける時刻に書かなければ、その理由と時系列を返す。
pub fn check(answer: Answer) -> Result<()> {
    try_grant(answer, SHOWN)?;
    for sent in 0..=RANGE {
        for delay in 0..=RANGE {
            for length in 1..=RANGE {
                try_grant(answer, Grant { sent, received: sent + delay, length })?;
            }
        }
    }
    Ok(())
}

fn try_grant(answer: Answer, grant: Grant) -> Result<()> {
    // もっとも早く認められていれば、リースは送った時刻から始まっている。
    let safe_until = grant.sent + grant.length;
    for waited in 0..=LONG {
        let now = grant.received + waited;
        let may = answer(grant, now);
        if may != (now < safe_until) {
            bail!("{}\n\n{}", symptom(may, grant, now), timelines(answer)?);
        }
    }
    Ok(())
}

fn symptom(may: bool, Grant { sent, received, length }: Grant, now: Time) -> String {
    let grant = format!("送ったのが {sent}、返事が {received}、長さが {length} 刻みのとき");
    if may {
        return format!(
            "{grant}、時刻 {now} にまだ書くと決めた。ロックサービスでは、もう失効しているかもしれない。ふだんは何も起きず、返事の遅い日にだけ、次の持ち主の値が消える。"
        );
    }
    format!(
        "{grant}、時刻 {now} にもう書かないと決めた。リースはまだ確かに有効で、返事の遅い日には仕事が少しも進まない。"
    )
}

/// 客 A の取得の返事だけが遅れて届く舞台。A は、答えの判断で書くのをやめる。
#[derive(Clone)]
struct SlowReply {
    world: World<LockService, UnfencedResource>,
    may_write: Answer,
}

impl SlowReply {
    fn new(may_write: Answer) -> SlowReply {
        let service = LockService::new(SHOWN.length);
        SlowReply { world: World::with_resource(service, UnfencedResource::new()), may_write }
    }

    fn may_write(&self, now: Time) -> bool {
        now >= SHOWN.received && (self.may_write)(SHOWN, now)
    }

    fn now(&self) -> Time {
        self.world.observe().now
    }
}

impl System for SlowReply {
    fn apply(&mut self, action: Action) -> Result<Events, Impossible> {
        let before = self.now();
        match action {
            Write(A, _) if !self.may_write(before) => {
                Ok(Events::from_iter([Event::Withheld { client: A }]))
            }
            Tick(_) => {
                let mut events = self.world.apply(action)?;
                let stops = |now: &Time| self.may_write(now - 1) && !self.may_write(*now);
                if let Some(at) = (before + 1..=self.now()).find(stops) {
                    events.push(Event::DeadlineReached { client: A, at });
                }
                Ok(events)
            }
            _ => self.world.apply(action),
        }
    }

    fn observe(&self) -> Observation {
        let mut seen = self.world.observe();
        let stopped = !self.may_write(seen.now);
        for view in seen.clients.iter_mut().filter(|view| view.client == A && stopped) {
            view.belief = None;
        }
        seen
    }
}

fn timelines(answer: Answer) -> Result<String> {
    let actions = [
        Tick(SHOWN.sent),
        Acquire(A),                        // ロックサービスはここで認めた
        Tick(SHOWN.received - SHOWN.sent), // 返事はここで届いた
        Write(A, 1),
        Tick(6),
        Write(A, 2),
        Tick(1), // ここで A のリースが失効する
        Acquire(B),
        Write(B, 1),
        Tick(1),
        Write(A, 3),
    ];
    let right: Answer = |grant, now| now < grant.sent + grant.length;
    let expected = Run::play("期待", SlowReply::new(right), &actions)?;
    let actual = Run::play("答え", SlowReply::new(answer), &actions)?;
    Ok(format!(
        "時刻 {} に送った取得の返事は、時刻 {} に届いた\n\n{}",
        SHOWN.sent,
        SHOWN.received,
        feedback::compare(&expected, &actual)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_time_of_sending_counts() {
        /// 送った時刻と返事の時刻を、`SENT` 対 `RECEIVED` に混ぜて数え、`EXTRA` だけ延ばす。
        fn mixed<const SENT: u64, const RECEIVED: u64, const EXTRA: u64>(
            grant: Grant,
            now: Time,
        ) -> bool {
            let parts = SENT + RECEIVED;
            let start = SENT * grant.sent + RECEIVED * grant.received;
            parts * now < start + parts * grant.length + EXTRA
        }
        assert!(check(mixed::<1, 0, 0>).is_ok());
        let wrong: [Answer; 6] = [
            mixed::<1, 0, 1>,
            mixed::<9, 1, 0>,
            mixed::<1, 1, 0>,
            mixed::<1, 9, 0>,
            mixed::<0, 1, 0>,
            |grant, now| now + 1 < grant.sent + grant.length,
        ];
        assert!(wrong.into_iter().all(|answer| check(answer).is_err()));
    }

    #[test]
    fn mistakes_at_the_edges_of_the_range_are_found() {
        let right: Answer = |grant, now| now < grant.sent + grant.length;
        assert!(check(right).is_ok());
        let wrong: [Answer; 4] = [
            // 時刻 0 を「まだ送っていない」とみなす。
            |Grant { sent, received, length }, now| {
                now < if sent == 0 { received } else { sent } + length
            },
            // 返事がすぐ届いたら、期限を見ない。
            |Grant { sent, received, length }, now| sent == received || now < sent + length,
            // 時刻 0 に返事が届いたら、期限を見ない。
            |Grant { sent, received, length }, now| received == 0 || now < sent + length,
            // ずっとあとで、また書き始める。
            |Grant { sent, received, length }, now| {
                now < sent + length || now > received + 2 * length
            },
        ];
        assert!(wrong.into_iter().all(|answer| check(answer).is_err()));
    }
}
