//! 長い一本道。取得と解放を繰り返し、番号の桁が足りなくなる所まで行く。

use stage::Action::{Acquire, Release};
use stage::{Client, Event, Lock, Time};

use crate::caught::caught;
use crate::coverage::Long;
use crate::record::{Breach, Record, Request, Sight};
use crate::rule::Rule;
use crate::walk::{panicked, perform};

/// 繰り返す回数。16 ビットの番号を使い切る。
const ROUNDS: u32 = 66_000;

/// 破れた規則と、そこまでに済んだ繰り返しの数。
pub(crate) type Found = (Breach, u32);

/// 繰り返す。リースの長さは `length`。
pub(crate) fn walk<L: Lock>(mut lock: L, length: Time) -> Result<Long, Found> {
    let mut record = Record::new(length);
    let sight = Sight::of(&lock);
    for done in 0..ROUNDS {
        let mut token = None;
        for action in [Acquire(Client::A), Release(Client::A)] {
            let request = Request { action, token };
            let reply = caught(|| perform(&mut lock, request));
            let reply = reply.map_err(|reason| (panicked(&reason), done))?;
            // 番号が尽きて誤りを返すのは、折り返すより正しい。
            if reply.is_err() && action == Acquire(Client::A) {
                return Ok(Long { rounds: done, exhausted: true });
            }
            let next = record.heard(request, &reply, &sight);
            record = next.map_err(|breach| (wrapped(breach), done))?;
            if let Ok(Some(Event::Acquired { token: new, .. })) = reply {
                token = Some(new);
            }
        }
    }
    Ok(Long { rounds: ROUNDS, exhausted: false })
}

/// 短い列では大きくなっていた番号が小さくなったのなら、折り返したのである。
fn wrapped(breach: Breach) -> Breach {
    match breach.rule {
        Rule::TokensGrow => Breach { rule: Rule::NothingWraps, ..breach },
        _ => breach,
    }
}
