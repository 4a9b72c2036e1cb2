//! 次に起こりうる手。並びの順は、同じ長さの反例のうちどれを選ぶかも決める。

use stage::Action::{self, *};
use stage::{Actor, Condition, Lock, Resource};

use crate::arena::Run;
use crate::bounds::Bounds;

/// 客の作法。
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Manners {
    /// 読む前に、トークンを登録する
    pub registers: bool,
    /// 書く前に、自分の時計で期限を確かめる
    pub checks: bool,
}

// ANCHOR: moves
/// 次に起こりうる手を、客の名前の順、届くもの、再起動、時刻の順に `out` へ並べる。
pub fn moves<L: Lock, R: Resource>(
    run: &Run<L, R>,
    manners: Manners,
    bounds: &Bounds,
    out: &mut Vec<Action>,
) {
    let (world, used) = (&run.world, &run.used);
    let running = |actor: &Actor| actor.view().condition == Condition::Running;
    let may_stop = world.clients().all(running);
    for actor in world.clients() {
        let client = actor.view().client;
        if !running(actor) {
            out.extend([Resume(client), Restart(client)]);
            continue;
        }
        if actor.is_valid() {
            out.extend(of_holder(actor, manners, bounds));
        } else if bounds.may_acquire(client, *world.grants, used.met) {
            out.push(Acquire(client));
        }
        out.extend(send(actor, manners, bounds));
        if may_stop && actor.hold_to_write().is_some() {
            out.extend(bounds.pauses.then_some(Pause(client)));
            out.extend(bounds.crashes.then_some(Crash(client)));
        }
    }
    of_others(run, bounds, out);
}
// ANCHOR_END: moves

fn of_holder(actor: &Actor, manners: Manners, bounds: &Bounds) -> impl Iterator<Item = Action> {
    let client = actor.view().client;
    let registers = manners.registers && !actor.has_registered();
    let checks = manners.checks && actor.decided().is_none() && actor.has_read();
    let all = [
        registers.then_some(Register(client)),
        (!registers && !actor.has_read()).then_some(Read(client)),
        checks.then_some(Check(client)),
        bounds.renews.then_some(Renew(client)),
        Some(Release(client)),
        bounds.slow_releases.then_some(SendRelease(client)),
    ];
    all.into_iter().flatten()
}

/// 読んだ値をもとに、次の値を書く。時計を確かめる客は、確かめたあとでだけ書く。
fn send(actor: &Actor, manners: Manners, bounds: &Bounds) -> Option<Action> {
    let decides = !manners.checks || actor.decided().is_some();
    let ready = actor.has_read() && actor.sent() < u64::from(bounds.writes) && decides;
    let hold = actor.hold_to_write().filter(|_| ready)?;
    Some(Send(actor.view().client, bounds.nth(hold.grant, actor.sent())))
}

fn of_others<L: Lock, R: Resource>(run: &Run<L, R>, bounds: &Bounds, out: &mut Vec<Action>) {
    let (world, used) = (&run.world, &run.used);
    let values = || world.transit.packets().map(|packet| packet.value);
    out.extend(values().map(|value| Deliver(value.by, value.nth)));
    if used.copies < bounds.copies {
        out.extend(values().map(|value| DeliverCopy(value.by, value.nth)));
    }
    out.extend(world.transit.release().map(|(client, _)| DeliverRelease(client)));
    if bounds.restarts {
        out.extend([RestartService, RestartResource]);
    }
    if world.lock.now() < bounds.horizon {
        out.push(Tick(1));
    }
}
