//! この章で舞台に加わった手の規則。

use read_modify_write::{CompareAndSet, RegisteringResource, Resource};
use stage::Action::*;
use stage::Client::{A, B, C};
use stage::{
    Action, Asked, Event, Impossible, Refusal, Run, StoryError, System, Token, Value, World,
};

fn play<R: Resource>(resource: R, actions: &[Action]) -> Result<Run, StoryError> {
    let world = World::with_resource(lease::LockService::new(10), resource);
    Run::play("規則", world, actions)
}

fn reason(resource: impl Resource, actions: &[Action]) -> Option<Impossible> {
    play(resource, actions).err().map(|error| error.reason)
}

fn last(timeline: &Run) -> Vec<Event> {
    timeline.steps.last().map(|step| step.events.to_vec()).unwrap_or_default()
}

#[test]
fn without_a_token_nobody_reads_registers_or_sends_a_release() {
    for action in [Read(A), Register(A), SendRelease(A)] {
        let reason = reason(RegisteringResource::new(), &[action]);
        assert_eq!(reason, Some(Impossible::NoToken(A)), "{action:?}");
    }
}

#[test]
fn a_paused_or_absent_client_does_nothing() {
    for act in [Read, Register, SendRelease] {
        let paused = [Acquire(A), Pause(A), act(A)];
        let paused = reason(RegisteringResource::new(), &paused);
        assert_eq!(paused, Some(Impossible::Paused(A)));
        let absent = reason(RegisteringResource::new(), &[act(C)]);
        assert_eq!(absent, Some(Impossible::UnknownClient(C)));
    }
}

#[test]
fn a_stage_without_a_resource_has_nothing_to_read_or_restart() {
    for action in [Read(A), Register(A), RestartResource] {
        let mut world = World::new(lease::LockService::new(10));
        assert!(world.apply(Acquire(A)).is_ok());
        let before = world;
        assert_eq!(world.apply(action), Err(Impossible::NoResource), "{action:?}");
        assert!(world == before);
    }
}

#[test]
fn a_resource_without_registration_says_so() {
    let actions = [Acquire(A), Register(A)];
    let refused = reason(CompareAndSet::new(), &actions);
    assert_eq!(refused, Some(Impossible::NotRegistrable));
}

#[test]
fn a_release_is_on_its_way_at_most_once_and_arrives_once() {
    let twice = [Acquire(A), SendRelease(A), Tick(10), Acquire(A), SendRelease(A)];
    let twice = reason(CompareAndSet::new(), &twice);
    assert_eq!(twice, Some(Impossible::ReleaseInFlight(A)));
    let again = [Acquire(A), SendRelease(A), DeliverRelease(A), DeliverRelease(A)];
    let again = reason(CompareAndSet::new(), &again);
    assert_eq!(again, Some(Impossible::NoReleaseInFlight(A)));
    let other = [Acquire(A), SendRelease(A), DeliverRelease(B)];
    let other = reason(CompareAndSet::new(), &other);
    assert_eq!(other, Some(Impossible::NoReleaseInFlight(B)));
}

#[test]
fn sending_a_release_ends_the_belief_at_once_and_the_lock_only_on_arrival() {
    let sent = play(CompareAndSet::new(), &[Acquire(A), SendRelease(A)]);
    let after = sent.map(|timeline| timeline.steps[1].after.clone()).unwrap();
    assert_eq!((after.believers().count(), after.holder.is_some()), (0, true));
    let arrived = [Acquire(A), SendRelease(A), DeliverRelease(A)];
    let after = play(CompareAndSet::new(), &arrived).unwrap().steps[2].after.clone();
    assert_eq!(after.holder, None);
}

#[test]
fn a_copy_arrives_and_the_original_stays_on_its_way() {
    let actions = [Acquire(A), Send(A, 1), DeliverCopy(A, 1), Deliver(A, 1)];
    let timeline = play(RegisteringResource::new(), &actions).unwrap();
    assert!(matches!(last(&timeline)[..], [Event::Accepted { .. }]));
    let unsent = reason(RegisteringResource::new(), &[DeliverCopy(A, 1)]);
    assert_eq!(unsent, Some(Impossible::NotInFlight(Value { by: A, nth: 1 })));
}

#[test]
fn a_refused_read_or_registration_ends_the_belief() {
    for act in [Read, Register] {
        let actions = [Acquire(A), Tick(10), Acquire(B), Register(B), act(A)];
        let timeline = play(RegisteringResource::new(), &actions).unwrap();
        let after = &timeline.steps.last().unwrap().after;
        assert_eq!(after.believers().collect::<Vec<_>>(), [B]);
    }
}

#[test]
fn the_resource_sees_what_was_read_and_the_place_in_the_sequence() {
    let blind = [Acquire(A), Write(A, 1), Read(A), Write(A, 2), Write(A, 3)];
    let timeline = play(CompareAndSet::new(), &blind).unwrap();
    assert_eq!(timeline.lost_updates(), []);
    // 読んだあとに B が書けば、A の知っている値は古い。
    let stale = [Acquire(A), Read(A), Tick(10), Acquire(B), Write(B, 1), Write(A, 1)];
    let timeline = play(CompareAndSet::new(), &stale).unwrap();
    let b1 = Some(Value { by: B, nth: 1 });
    let a1 = Value { by: A, nth: 1 };
    assert_eq!(
        last(&timeline),
        [Event::Rejected {
            asked: Asked::Write(a1),
            token: Token(1),
            reason: Refusal::Changed { base: None, current: b1 }
        }]
    );
}

#[test]
fn a_new_holding_or_a_crash_forgets_what_was_read() {
    for forget in [vec![Release(A)], vec![Crash(A), Restart(A), Tick(10)]] {
        let mut actions = vec![Acquire(A), Read(A)];
        actions.extend(forget);
        actions.extend([Acquire(B), Write(B, 1), Release(B), Acquire(A), Write(A, 1)]);
        let timeline = play(CompareAndSet::new(), &actions).unwrap();
        assert!(matches!(last(&timeline)[..], [Event::Accepted { .. }]), "{actions:?}");
    }
}

#[test]
fn a_service_that_forgets_nothing_survives_a_restart() {
    let actions = [Acquire(A), RestartService, Acquire(B)];
    let timeline = play(CompareAndSet::new(), &actions).unwrap();
    assert_eq!(timeline.steps[1].events[..], [Event::ServiceRestarted { issued: Token(1) }]);
    assert!(matches!(last(&timeline)[..], [Event::Busy { holder: A, .. }]));
}

#[test]
fn a_lost_update_is_a_value_that_nobody_read_before_it_was_overwritten() {
    let a1 = Value { by: A, nth: 1 };
    let first = [Acquire(A), Read(A), Tick(10), Acquire(B), Read(B), Write(A, 1), Write(B, 1)];
    assert_eq!(play(fencing::FencedResource::new(), &first).unwrap().lost_updates(), [a1]);
    // 読まずに書く客の書き込みは、何かをもとにしてはいない。
    let blind: Vec<Action> = first.into_iter().filter(|action| *action != Read(B)).collect();
    assert_eq!(play(fencing::FencedResource::new(), &blind).unwrap().lost_updates(), []);
    // 最後に受理した書き込みの繰り返しは、何も消さない。
    let repeat = [Acquire(A), Read(A), Send(A, 1), DeliverCopy(A, 1), Deliver(A, 1)];
    assert_eq!(play(fencing::FencedResource::new(), &repeat).unwrap().lost_updates(), []);
}

#[test]
fn what_was_read_before_a_crash_or_in_an_earlier_holding_is_no_base() {
    for forget in [vec![Crash(A), Restart(A), Tick(10)], vec![Release(A)]] {
        let mut actions = vec![Acquire(A), Read(A)];
        actions.extend(forget);
        actions.extend([Acquire(B), Write(B, 1), Release(B), Acquire(A), Write(A, 1)]);
        let timeline = play(fencing::FencedResource::new(), &actions).unwrap();
        assert_eq!(timeline.lost_updates(), [], "{actions:?}");
    }
    // 落ちた客の送った書き込みが、あとから届くこともある。もとにした値は、送ったときに決まっている。
    let sent = [Acquire(A), Read(A), Send(A, 1), Crash(A), Tick(10)];
    let mut actions = sent.to_vec();
    actions.extend([Acquire(B), Write(B, 1), Deliver(A, 1)]);
    let timeline = play(Blind(CompareAndSet::new()), &actions).unwrap();
    assert_eq!(timeline.lost_updates(), [Value { by: B, nth: 1 }]);
}

/// 読んだ値を見ずに、すべて受理する資源。
#[derive(Clone, Copy)]
struct Blind(CompareAndSet);

impl Resource for Blind {
    fn write(&mut self, token: Token, value: Value) -> Event {
        self.0.write(token, value)
    }

    fn value(&self) -> Option<Value> {
        self.0.value()
    }

    fn max_token(&self) -> Token {
        self.0.max_token()
    }
}
