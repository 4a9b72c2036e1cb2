//! 舞台の規則。客の思い込み、網、起こりえない手。一つの規則に一つの試験。
//!
//! 章のクレートは舞台に依存するので、ここでは使わない。代わりに小さな錠と資源を置く。

use stage::Action::{self, *};
use stage::Client::{A, B, C};
use stage::{
    Asked, Client, ClientView, Condition, Event, Events, Fact, Hold, Holder, Impossible, Lock,
    Observation, Refusal, Resource, ResourceView, Run, StoryError, System, Time, Token, Value,
    World,
};

/// 取得から 10 刻みで失効し、取得のたびに番号を配る錠。
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct TenTicks {
    now: Time,
    lease: Option<(Holder, Time)>,
    issued: Token,
}

impl Lock for TenTicks {
    fn acquire(&mut self, client: Client) -> Result<Event, Impossible> {
        if let Some((holder, expiry)) = self.lease {
            return Ok(Event::Busy { client, holder: holder.client, expiry: Some(expiry) });
        }
        let expiry = self.now.checked_add(10).ok_or(Impossible::TimeOverflow)?;
        let token = self.issued.next().ok_or(Impossible::TokenOverflow)?;
        self.issued = token;
        self.lease = Some((Holder { client, token }, expiry));
        Ok(Event::Acquired { client, token, expiry: Some(expiry) })
    }

    fn renew(&mut self, client: Client) -> Result<Event, Impossible> {
        let Some((holder, _)) = self.lease.filter(|(holder, _)| holder.client == client) else {
            return Ok(Event::RenewRefused { client });
        };
        let expiry = self.now.checked_add(10).ok_or(Impossible::TimeOverflow)?;
        self.lease = Some((holder, expiry));
        Ok(Event::Renewed { client, token: holder.token, expiry: Some(expiry) })
    }

    fn release(&mut self, client: Client) -> Event {
        if self.holder().is_none_or(|holder| holder.client != client) {
            return Event::ReleaseRefused { client };
        }
        self.lease = None;
        Event::Released { client }
    }

    fn tick(&mut self, ticks: Time) -> Result<Option<Event>, Impossible> {
        self.now = self.now.checked_add(ticks).ok_or(Impossible::TimeOverflow)?;
        let expired = self.lease.take_if(|(_, expiry)| *expiry <= self.now);
        Ok(expired.map(|(holder, at)| Event::Expired { client: holder.client, at }))
    }

    fn now(&self) -> Time {
        self.now
    }

    fn holder(&self) -> Option<Holder> {
        self.lease.map(|(holder, _)| holder)
    }

    fn expiry(&self) -> Option<Time> {
        self.lease.map(|(_, expiry)| expiry)
    }

    fn issued(&self) -> Token {
        self.issued
    }
}

/// 決して渡らない錠。持ち主も期限も番号もなく、[`Lock`] の既定のままでいる。
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Never;

impl Lock for Never {
    fn acquire(&mut self, client: Client) -> Result<Event, Impossible> {
        Ok(Event::Busy { client, holder: client, expiry: None })
    }

    fn release(&mut self, client: Client) -> Event {
        Event::ReleaseRefused { client }
    }

    fn tick(&mut self, _: Time) -> Result<Option<Event>, Impossible> {
        Ok(None)
    }

    fn now(&self) -> Time {
        0
    }

    fn holder(&self) -> Option<Holder> {
        None
    }
}

/// 前より小さいトークンを拒否する資源。
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Row {
    value: Option<Value>,
    max: Token,
}

impl Resource for Row {
    fn write(&mut self, token: Token, value: Value) -> Event {
        let max = self.max;
        if token < max {
            return Event::Rejected {
                asked: Asked::Write(value),
                token,
                reason: Refusal::Older { max },
            };
        }
        (self.value, self.max) = (Some(value), token);
        Event::Accepted { value, token, compared: Some(max) }
    }

    fn value(&self) -> Option<Value> {
        self.value
    }

    fn max_token(&self) -> Token {
        self.max
    }
}

type Stage = World<TenTicks, Row>;

const A1: Value = Value { by: A, nth: 1 };
const A2: Value = Value { by: A, nth: 2 };
const B1: Value = Value { by: B, nth: 1 };
const B2: Value = Value { by: B, nth: 2 };

fn stage() -> Stage {
    World::with_resource(TenTicks::default(), Row::default())
}

/// 手を順に演じて、最後の手で起きたことを返す。
fn last(system: &mut impl System, actions: &[Action]) -> Vec<Event> {
    let mut events = Events::new();
    for &action in actions {
        let outcome = system.apply(action);
        assert_eq!(outcome.as_ref().err(), None, "{action:?}");
        events = outcome.unwrap_or_default();
    }
    events.to_vec()
}

/// `actions` を演じ終えた舞台。
fn after<S: System>(mut system: S, actions: &[Action]) -> S {
    last(&mut system, actions);
    system
}

/// 持っているつもりなら、そのトークンの番号。
fn belief(system: &impl System, client: Client) -> Option<u64> {
    let observation = system.observe();
    observation.client(client).and_then(|view| view.belief).map(|token| token.0)
}

/// `actions` のあとの、客 A の思い込み。
fn belief_after(actions: &[Action]) -> Option<u64> {
    belief(&after(stage(), actions), A)
}

// 持っているつもりの始まり

#[test]
fn belief_begins_when_the_grant_reaches_the_client() {
    assert_eq!(belief_after(&[]), None);
    assert_eq!(belief_after(&[Acquire(A)]), Some(1));
}

#[test]
fn a_lost_reply_gives_no_belief_though_the_lock_is_held() {
    let mut world = stage();
    let events = last(&mut world, &[AcquireReplyLost(A)]);
    let granted = Event::Acquired { client: A, token: Token(1), expiry: Some(10) };
    assert_eq!(events, [granted, Event::ReplyLost { client: A }]);
    assert_eq!(belief(&world, A), None);
    assert_eq!(world.observe().holder, Some(Holder { client: A, token: Token(1) }));
}

#[test]
fn a_lost_refusal_is_lost_too() {
    let mut world = after(stage(), &[Acquire(B)]);
    let refused = Event::Busy { client: A, holder: B, expiry: Some(10) };
    let events = last(&mut world, &[AcquireReplyLost(A)]);
    assert_eq!(events, [refused, Event::ReplyLost { client: A }]);
}

#[test]
fn a_refused_acquire_neither_begins_nor_ends_a_belief() {
    let world = after(stage(), &[Acquire(A), Acquire(B), Acquire(A)]);
    assert_eq!((belief(&world, A), belief(&world, B)), (Some(1), None));
}

#[test]
fn a_new_grant_replaces_the_belief() {
    assert_eq!(belief_after(&[Acquire(A), Tick(10), Acquire(A)]), Some(2));
}

// 持っているつもりの続く間

#[test]
fn belief_goes_on_through_a_pause() {
    let mut world = after(stage(), &[Acquire(A), Pause(A)]);
    assert_eq!(belief(&world, A), Some(1));
    last(&mut world, &[Resume(A)]);
    assert_eq!(belief(&world, A), Some(1));
}

#[test]
fn belief_goes_on_past_the_expiry() {
    let mut world = stage();
    let events = last(&mut world, &[Acquire(A), Tick(25)]);
    assert_eq!(events, [Event::Expired { client: A, at: 10 }]);
    assert_eq!((world.observe().holder, belief(&world, A)), (None, Some(1)));
}

#[test]
fn belief_goes_on_while_renewed() {
    assert_eq!(belief_after(&[Acquire(A), Tick(6), Renew(A)]), Some(1));
}

#[test]
fn belief_goes_on_after_an_accepted_write_and_a_passed_check() {
    assert_eq!(belief_after(&[Acquire(A), Check(A), Write(A, 1), Write(A, 2)]), Some(1));
}

#[test]
fn nothing_that_another_client_does_changes_a_belief() {
    let others = [Renew(B), Release(B), Write(B, 1), Pause(B), Crash(B), Restart(B)];
    let world = after(stage(), &[Acquire(A)]);
    for action in others {
        // B の手は、B が停止か再起動できる所から一手ずつ試す。
        let mut world = if action == Restart(B) { after(world, &[Crash(B)]) } else { world };
        last(&mut world, &[action]);
        assert_eq!(belief(&world, A), Some(1), "{action:?}");
    }
}

// 持っているつもりの終わり

#[test]
fn release_ends_the_belief() {
    let mut world = stage();
    assert_eq!(last(&mut world, &[Acquire(A), Release(A)]), [Event::Released { client: A }]);
    assert_eq!(belief(&world, A), None);
}

#[test]
fn a_refused_release_ends_the_belief() {
    let mut world = stage();
    let events = last(&mut world, &[Acquire(A), Tick(10), Release(A)]);
    assert_eq!(events, [Event::ReleaseRefused { client: A }]);
    assert_eq!(belief(&world, A), None);
}

#[test]
fn a_refused_renew_ends_the_belief() {
    let mut world = stage();
    let events = last(&mut world, &[Acquire(A), Tick(10), Renew(A)]);
    assert_eq!(events, [Event::RenewRefused { client: A }]);
    assert_eq!(belief(&world, A), None);
}

#[test]
fn a_rejected_write_ends_the_belief() {
    let mut world = stage();
    let events = last(&mut world, &[Acquire(A), Tick(10), Acquire(B), Write(B, 1), Write(A, 1)]);
    assert_eq!(
        events,
        [Event::Rejected {
            asked: Asked::Write(A1),
            token: Token(1),
            reason: Refusal::Older { max: Token(2) }
        }]
    );
    assert_eq!((belief(&world, A), belief(&world, B)), (None, Some(2)));
}

#[test]
fn the_rejection_of_an_older_own_write_does_not_end_the_newer_belief() {
    let mut world = stage();
    let actions =
        [Acquire(A), Send(A, 1), Tick(10), Acquire(A), Write(A, 2), Deliver(A, 1), Write(A, 3)];
    let rejected = Event::Rejected {
        asked: Asked::Write(A1),
        token: Token(1),
        reason: Refusal::Older { max: Token(2) },
    };
    assert_eq!(last(&mut world, &actions[..6]), [rejected]);
    assert_eq!(belief(&world, A), Some(2));
}

#[test]
fn a_crash_ends_the_belief_and_a_restart_does_not_bring_it_back() {
    let mut world = after(stage(), &[Acquire(A), Crash(A)]);
    assert_eq!(belief(&world, A), None);
    last(&mut world, &[Restart(A)]);
    assert_eq!(belief(&world, A), None);
    assert_eq!(world.observe().holder, Some(Holder { client: A, token: Token(1) }));
}

#[test]
fn a_check_passes_until_just_before_the_deadline() {
    let mut world = stage();
    let events = last(&mut world, &[Acquire(A), Tick(9), Check(A)]);
    assert_eq!(events, [Event::CheckPassed { client: A, at: 9, deadline: 10 }]);
    assert_eq!(belief(&world, A), Some(1));
}

#[test]
fn a_check_at_the_deadline_fails_and_ends_the_belief() {
    let mut world = stage();
    let events = last(&mut world, &[Acquire(A), Tick(10), Check(A)]);
    assert_eq!(events, [Event::CheckFailed { client: A, at: 10, deadline: 10 }]);
    assert_eq!(belief(&world, A), None);
}

#[test]
fn a_check_compares_with_the_renewed_deadline() {
    let mut world = stage();
    let events = last(&mut world, &[Acquire(A), Tick(6), Renew(A), Tick(6), Check(A)]);
    assert_eq!(events, [Event::CheckPassed { client: A, at: 12, deadline: 16 }]);
}

// 自分の時計で期限を見る客

#[test]
fn a_client_that_watches_its_clock_stops_believing_at_its_own_deadline() {
    let mut world = stage().watching_clocks();
    assert_eq!(last(&mut world, &[Acquire(A), Tick(9)]), []);
    assert_eq!(belief(&world, A), Some(1));
    let events = last(&mut world, &[Tick(16)]);
    let reached = Event::DeadlineReached { client: A, at: 10 };
    assert_eq!(events, [Event::Expired { client: A, at: 10 }, reached]);
    assert_eq!(belief(&world, A), None);
}

#[test]
fn the_deadline_of_a_watched_clock_is_exact_and_reached_once() {
    let mut world = stage().watching_clocks();
    let reached = Event::DeadlineReached { client: A, at: 10 };
    assert_eq!(last(&mut world, &[Acquire(A), Tick(10)])[1..], [reached]);
    assert_eq!(last(&mut world, &[Tick(10)]), []);
}

#[test]
fn a_renewal_moves_the_deadline_of_a_watched_clock() {
    let mut world = stage().watching_clocks();
    assert_eq!(last(&mut world, &[Acquire(A), Tick(6), Renew(A), Tick(9)]), []);
    assert_eq!(belief(&world, A), Some(1));
    let reached = Event::DeadlineReached { client: A, at: 16 };
    assert_eq!(last(&mut world, &[Tick(1)])[1..], [reached]);
}

// 止まった客は、何も手放さない

#[test]
fn a_paused_watching_client_keeps_its_belief_past_the_deadline() {
    let mut world = stage().watching_clocks();
    let events = last(&mut world, &[Acquire(A), Pause(A), Tick(25)]);
    assert_eq!(events, [Event::Expired { client: A, at: 10 }]);
    assert_eq!(belief(&world, A), Some(1));
    let valid = |world: &World<TenTicks, Row>| world.actors[0].unwrap().is_valid();
    assert!(!valid(&world), "時計では、期限が過ぎている");
    assert!(valid(&after(stage(), &[Acquire(A), Pause(A), Tick(25)])), "時計を見ない客");
    assert!(valid(&after(stage().watching_clocks(), &[Acquire(A), Pause(A), Tick(9)])));
}

#[test]
fn a_watching_client_learns_on_waking_that_the_deadline_has_passed() {
    let mut world = stage().watching_clocks();
    let events = last(&mut world, &[Acquire(A), Pause(A), Tick(12), Resume(A)]);
    let noticed = Event::CheckFailed { client: A, at: 12, deadline: 10 };
    assert_eq!(events, [Event::Resumed { client: A }, noticed]);
    assert_eq!(belief(&world, A), None);
    let mut early = stage().watching_clocks();
    let events = last(&mut early, &[Acquire(A), Pause(A), Tick(9), Resume(A)]);
    assert_eq!(events, [Event::Resumed { client: A }]);
    let mut trusting = stage();
    let events = last(&mut trusting, &[Acquire(A), Pause(A), Tick(12), Resume(A)]);
    assert_eq!(events, [Event::Resumed { client: A }]);
}

#[test]
fn a_grant_after_the_passed_deadline_is_valid_again() {
    let actions = [Acquire(A), Pause(A), Tick(12), Resume(A), Acquire(A), Tick(3)];
    let world = after(stage().watching_clocks(), &actions);
    assert!(world.actors[0].unwrap().is_valid());
    assert_eq!(belief(&world, A), Some(2));
}

#[test]
fn a_restarted_client_still_watches_its_clock() {
    let actions = [Acquire(A), Crash(A), Restart(A), Tick(10), Acquire(A), Tick(10)];
    let world = after(stage().watching_clocks(), &actions);
    assert_eq!(belief(&world, A), None);
}

#[test]
fn every_client_watches_its_clock_or_none() {
    let actions = [Acquire(B), Tick(10), Acquire(C), Tick(10)];
    let watching = after(stage().and_c().watching_clocks(), &actions);
    assert_eq!((belief(&watching, B), belief(&watching, C)), (None, None));
    let trusting = after(stage().and_c(), &actions);
    assert_eq!((belief(&trusting, B), belief(&trusting, C)), (Some(1), Some(2)));
}

// 確かめたあとの書き込み

#[test]
fn a_write_decided_by_a_passed_check_acts_on_the_old_belief() {
    let mut world = stage().watching_clocks();
    let events = last(&mut world, &[Acquire(A), Tick(9), Check(A), Tick(1), Send(A, 1)]);
    assert_eq!(belief(&world, A), None);
    assert_eq!(events, [Event::Sent { value: A1, token: Token(1) }]);
}

#[test]
fn a_passed_check_decides_one_write_only() {
    let mut world = stage().watching_clocks();
    let actions = [Acquire(A), Tick(9), Check(A), Tick(1), Write(A, 1), Write(A, 2)];
    assert_eq!(last(&mut world, &actions), [Event::Withheld { client: A }]);
    assert_eq!(world.observe().resource.and_then(|row| row.value), Some(A1));
}

#[test]
fn a_decided_write_survives_a_pause_but_not_a_crash() {
    let decided = [Acquire(A), Tick(9), Check(A)];
    let mut paused = after(stage().watching_clocks(), &decided);
    let events = last(&mut paused, &[Pause(A), Tick(1), Resume(A), Send(A, 1)]);
    let noticed = Event::CheckFailed { client: A, at: 10, deadline: 10 };
    assert_eq!(events, [Event::Sent { value: A1, token: Token(1) }, noticed]);
    assert_eq!(belief(&paused, A), None);
    assert_eq!(last(&mut paused, &[Send(A, 2)]), [Event::Withheld { client: A }]);
    let mut crashed = after(stage().watching_clocks(), &decided);
    let events = last(&mut crashed, &[Crash(A), Restart(A), Send(A, 1)]);
    assert_eq!(events, [Event::Withheld { client: A }]);
}

#[test]
fn a_client_that_does_not_believe_withholds_its_write() {
    let mut world = stage();
    let before = world;
    for action in [Write(A, 1), Send(A, 1)] {
        assert_eq!(last(&mut world, &[action]), [Event::Withheld { client: A }]);
        assert_eq!(world, before);
    }
}

// 判定の返事

#[test]
fn a_paused_sender_does_not_hear_the_verdict() {
    let actions =
        [Acquire(A), Send(A, 1), Pause(A), Tick(10), Acquire(B), Write(B, 1), Deliver(A, 1)];
    let mut world = stage();
    let rejected = Event::Rejected {
        asked: Asked::Write(A1),
        token: Token(1),
        reason: Refusal::Older { max: Token(2) },
    };
    assert_eq!(last(&mut world, &actions), [rejected]);
    last(&mut world, &[Resume(A)]);
    assert_eq!(belief(&world, A), Some(1));
}

#[test]
fn a_crashed_sender_does_not_hear_the_verdict() {
    let actions =
        [Acquire(A), Send(A, 1), Crash(A), Tick(10), Acquire(B), Write(B, 1), Deliver(A, 1)];
    let mut world = after(stage(), &actions[..6]);
    let before = world.observe();
    last(&mut world, &actions[6..]);
    assert_eq!(world.observe().client(A), before.client(A));
}

/// 初めに受理した番号と、等しいことを求める資源。
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Same(Row);

impl Resource for Same {
    fn write(&mut self, token: Token, value: Value) -> Event {
        let wanted = self.0.max;
        if wanted != Token::NONE && token != wanted {
            return Event::Rejected {
                asked: Asked::Write(value),
                token,
                reason: Refusal::Unequal { wanted },
            };
        }
        self.0.write(token, value)
    }

    fn value(&self) -> Option<Value> {
        self.0.value
    }

    fn max_token(&self) -> Token {
        self.0.max
    }
}

#[test]
fn a_write_refused_for_another_token_ends_only_the_belief_with_that_token() {
    let world = World::with_resource(TenTicks::default(), Same::default());
    let first = [Acquire(A), Write(A, 1), Tick(10), Acquire(B), Send(B, 1), Tick(10)];
    let mut again = first.to_vec();
    again.extend([Acquire(B), Deliver(B, 1)]);
    let mut later = after(world, &again);
    assert_eq!(belief(&later, B), Some(3));
    let mismatched = Event::Rejected {
        asked: Asked::Write(B2),
        token: Token(3),
        reason: Refusal::Unequal { wanted: Token(1) },
    };
    assert_eq!(last(&mut later, &[Write(B, 2)]), [mismatched]);
    assert_eq!(belief(&later, B), None);
}

#[test]
fn only_the_sender_hears_the_verdict() {
    let actions = [Acquire(A), Send(A, 1), Tick(10), Acquire(B), Write(B, 1), Deliver(A, 1)];
    let world = after(stage(), &actions);
    assert_eq!((belief(&world, A), belief(&world, B)), (None, Some(2)));
}

// 網

#[test]
fn a_sent_write_reaches_the_resource_only_when_delivered() {
    let mut world = after(stage(), &[Acquire(A), Send(A, 1)]);
    let empty = ResourceView { value: None, max_token: Token::NONE };
    assert_eq!(world.observe().resource, Some(empty));
    let accepted = Event::Accepted { value: A1, token: Token(1), compared: Some(Token(0)) };
    assert_eq!(last(&mut world, &[Deliver(A, 1)]), [accepted]);
    let written = ResourceView { value: Some(A1), max_token: Token(1) };
    assert_eq!(world.observe().resource, Some(written));
}

#[test]
fn a_write_is_sent_and_delivered_at_once() {
    let mut sent = stage();
    let mut written = stage();
    let events = last(&mut sent, &[Acquire(A), Send(A, 1), Deliver(A, 1)]);
    assert_eq!(last(&mut written, &[Acquire(A), Write(A, 1)]), events);
    assert_eq!(sent, written);
}

#[test]
fn a_write_is_delivered_after_its_sender_has_crashed_or_been_paused() {
    for stop in [Crash(A), Pause(A)] {
        let world = after(stage(), &[Acquire(A), Send(A, 1), stop, Deliver(A, 1)]);
        assert_eq!(world.observe().resource.and_then(|row| row.value), Some(A1), "{stop:?}");
    }
}

#[test]
fn a_packet_carries_the_token_of_the_time_it_was_sent() {
    let mut world = stage();
    let actions = [Acquire(A), Send(A, 1), Tick(10), Acquire(A), Deliver(A, 1)];
    let accepted = Event::Accepted { value: A1, token: Token(1), compared: Some(Token(0)) };
    assert_eq!(last(&mut world, &actions), [accepted]);
}

#[test]
fn packets_may_arrive_in_another_order() {
    let actions = [Acquire(A), Send(A, 1), Send(A, 2), Deliver(A, 2), Deliver(A, 1)];
    let world = after(stage(), &actions);
    assert_eq!(world.observe().resource.and_then(|row| row.value), Some(A1));
}

#[test]
fn a_delivered_packet_is_gone_and_its_value_can_be_sent_again() {
    let mut world = after(stage(), &[Acquire(A), Send(A, 1), Deliver(A, 1)]);
    assert_eq!(world.apply(Deliver(A, 1)), Err(Impossible::NotInFlight(A1)));
    last(&mut world, &[Send(A, 1), Deliver(A, 1)]);
}

#[test]
fn the_same_number_of_two_clients_is_not_the_same_value() {
    let mut world = after(stage(), &[Acquire(A), Send(A, 1), Tick(10), Acquire(B), Send(B, 1)]);
    let accepted = Event::Accepted { value: B1, token: Token(2), compared: Some(Token(0)) };
    assert_eq!(last(&mut world, &[Deliver(B, 1)]), [accepted]);
}

#[test]
fn four_packets_fit_and_a_delivery_makes_room() {
    let full = [Acquire(A), Send(A, 1), Send(A, 2), Send(A, 3), Send(A, 4)];
    let mut world = after(stage(), &full);
    assert_eq!(world.apply(Send(A, 5)), Err(Impossible::NetworkFull(4)));
    last(&mut world, &[Deliver(A, 2), Send(A, 5), Deliver(A, 5), Deliver(A, 4)]);
}

// 見え方

#[test]
fn the_observation_shows_the_lock_the_resource_and_every_client() {
    let world = after(stage(), &[Acquire(A), Write(A, 2), Pause(A), Tick(3), Crash(B)]);
    let expected = Observation {
        now: 3,
        holder: Some(Holder { client: A, token: Token(1) }),
        expiry: Some(10),
        issued: Token(1),
        resource: Some(ResourceView { value: Some(A2), max_token: Token(1) }),
        clients: vec![
            ClientView { client: A, condition: Condition::Paused, belief: Some(Token(1)) },
            ClientView { client: B, condition: Condition::Crashed, belief: None },
        ],
    };
    assert_eq!(world.observe(), expected);
}

#[test]
fn a_stage_without_a_resource_shows_none() {
    assert_eq!(World::new(TenTicks::default()).observe().resource, None);
}

#[test]
fn a_lock_shows_neither_expiry_nor_token_unless_it_says_so() {
    let seen = World::new(Never).observe();
    assert_eq!((seen.expiry, seen.issued), (None, Token::NONE));
}

#[test]
fn it_is_double_exactly_when_two_or_more_believe() {
    let mut world = stage().and_c();
    let mut believers = Vec::new();
    assert!(!world.observe().is_double());
    for client in Client::ALL {
        last(&mut world, &[Acquire(client), Tick(10)]);
        believers.push(client);
        assert_eq!(Vec::from_iter(world.observe().believers()), believers);
        assert_eq!(world.observe().is_double(), believers.len() >= 2);
    }
}

#[test]
fn a_client_is_running_again_after_resume_and_after_restart() {
    let running = ClientView { client: A, condition: Condition::Running, belief: None };
    for stop in [[Pause(A), Resume(A)], [Crash(A), Restart(A)]] {
        assert_eq!(after(stage(), &stop).observe().client(A), Some(&running));
    }
}

#[test]
fn what_happens_to_a_client_is_told_in_order() {
    let mut world = stage();
    assert_eq!(last(&mut world, &[Pause(A)]), [Event::Paused { client: A }]);
    assert_eq!(last(&mut world, &[Resume(A)]), [Event::Resumed { client: A }]);
    assert_eq!(last(&mut world, &[Crash(A)]), [Event::Crashed { client: A }]);
    assert_eq!(last(&mut world, &[Restart(A)]), [Event::Restarted { client: A }]);
}

// 起こりえない手

/// `actions` のあとの `act` は起こりえず、舞台は変わらない。
fn refuses<S: System + Clone + PartialEq + std::fmt::Debug>(
    world: S,
    actions: &[Action],
    act: Action,
    reason: Impossible,
) {
    let mut world = after(world, actions);
    let before = world.clone();
    assert_eq!(world.apply(act), Err(reason), "{actions:?} のあとの {act:?}");
    assert_eq!(world, before, "{actions:?} のあとの {act:?}");
}

/// 動いている客にしかできない手。
const BY_A: [Action; 8] = [
    Acquire(A),
    AcquireReplyLost(A),
    Renew(A),
    Release(A),
    Check(A),
    Write(A, 1),
    Send(A, 1),
    Pause(A),
];

#[test]
fn a_paused_client_can_do_nothing_until_resumed() {
    for act in BY_A {
        refuses(stage(), &[Acquire(A), Pause(A)], act, Impossible::Paused(A));
    }
    refuses(stage(), &[Pause(A)], Restart(A), Impossible::NotCrashed(A));
}

#[test]
fn a_crashed_client_can_do_nothing_until_restarted() {
    for act in BY_A.into_iter().chain([Crash(A)]) {
        refuses(stage(), &[Acquire(A), Crash(A)], act, Impossible::Crashed(A));
    }
    refuses(stage(), &[Crash(A)], Resume(A), Impossible::NotPaused(A));
}

#[test]
fn a_running_client_can_be_neither_resumed_nor_restarted() {
    refuses(stage(), &[], Resume(A), Impossible::NotPaused(A));
    refuses(stage(), &[], Restart(A), Impossible::NotCrashed(A));
}

#[test]
fn a_paused_client_can_crash() {
    let mut world = after(stage(), &[Acquire(A), Pause(A), Crash(A)]);
    assert_eq!(belief(&world, A), None);
    assert_eq!(last(&mut world, &[Restart(A)]), [Event::Restarted { client: A }]);
}

#[test]
fn a_client_that_is_not_on_the_stage_can_do_nothing() {
    let acts = [
        Acquire(C),
        AcquireReplyLost(C),
        Renew(C),
        Release(C),
        Check(C),
        Write(C, 1),
        Send(C, 1),
        Pause(C),
        Resume(C),
        Crash(C),
        Restart(C),
    ];
    for act in acts {
        refuses(stage(), &[Acquire(A)], act, Impossible::UnknownClient(C));
    }
    last(&mut stage().and_c(), &[Acquire(C)]);
}

#[test]
fn a_client_that_heard_no_deadline_cannot_check_its_clock() {
    refuses(stage(), &[], Check(A), Impossible::NoDeadline(A));
    refuses(stage(), &[AcquireReplyLost(A)], Check(A), Impossible::NoDeadline(A));
    refuses(stage(), &[Acquire(A), Release(A)], Check(A), Impossible::NoDeadline(A));
}

#[test]
fn a_stage_without_a_resource_has_nothing_to_write_to() {
    for act in [Write(A, 1), Send(A, 1)] {
        let world = World::new(TenTicks::default());
        refuses(world, &[], act, Impossible::NoResource);
        refuses(world, &[Acquire(A)], act, Impossible::NoResource);
    }
}

#[test]
fn a_packet_that_was_never_sent_cannot_be_delivered() {
    refuses(stage(), &[], Deliver(A, 1), Impossible::NotInFlight(A1));
    refuses(stage(), &[Acquire(A), Send(A, 2)], Deliver(A, 1), Impossible::NotInFlight(A1));
    refuses(stage(), &[Acquire(A), Send(A, 1)], Deliver(B, 1), Impossible::NotInFlight(B1));
    refuses(World::new(TenTicks::default()), &[], Deliver(A, 1), Impossible::NotInFlight(A1));
}

#[test]
fn a_value_already_in_flight_cannot_be_sent_again() {
    for act in [Send(A, 1), Write(A, 1)] {
        refuses(stage(), &[Acquire(A), Send(A, 1)], act, Impossible::AlreadyInFlight(A1));
    }
}

#[test]
fn a_fifth_packet_does_not_fit() {
    let full = [Acquire(A), Send(A, 1), Send(A, 2), Send(A, 3), Send(A, 4)];
    for act in [Send(A, 5), Write(A, 5)] {
        refuses(stage(), &full, act, Impossible::NetworkFull(4));
    }
}

#[test]
fn a_lock_without_a_lease_cannot_be_renewed() {
    refuses(World::new(Never), &[], Renew(A), Impossible::NotRenewable);
}

#[test]
fn an_overflow_of_time_changes_nothing() {
    let late = World::new(TenTicks { now: Time::MAX - 5, ..TenTicks::default() });
    for act in [Acquire(A), AcquireReplyLost(A)] {
        refuses(late, &[], act, Impossible::TimeOverflow);
    }
    let held = World::new(TenTicks { now: Time::MAX - 10, ..TenTicks::default() });
    refuses(held, &[Acquire(A), Tick(5)], Renew(A), Impossible::TimeOverflow);
    // 時計を見る客の期限も、あふれた手では来ない。
    refuses(held.watching_clocks(), &[Acquire(A)], Tick(11), Impossible::TimeOverflow);
}

#[test]
fn an_overflow_of_tokens_changes_nothing() {
    let spent = World::new(TenTicks { issued: Token(u64::MAX), ..TenTicks::default() });
    for act in [Acquire(A), AcquireReplyLost(A)] {
        refuses(spent, &[], act, Impossible::TokenOverflow);
    }
}

#[test]
fn a_story_with_an_impossible_act_names_its_number_and_reason() {
    let error = |actions: &[Action]| Run::play("題", stage(), actions);
    // 何も起きない Tick も、筋書きに書いた操作として数える。
    let paused = error(&[Acquire(A), Tick(3), Pause(A), Write(A, 1), Tick(1)]).unwrap_err();
    let expected = StoryError { number: 4, action: Write(A, 1), reason: Impossible::Paused(A) };
    assert_eq!(paused, expected);
    assert_eq!(
        paused.to_string(),
        "筋書きの 4 番目の操作 Write(A, 1) は起こりえない。\
         A は停止中で、何もできない。先に Resume(A) を置く。"
    );
    let unknown = error(&[Crash(C)]).unwrap_err();
    assert_eq!(
        unknown.to_string(),
        "筋書きの 1 番目の操作 Crash(C) は起こりえない。\
         C はこの舞台にいない。舞台を作るときの人数を増やす。"
    );
}

// 直すまで外しておく試験

#[test]
fn an_impossible_write_does_not_forget_the_decision_to_write() {
    let decided = [Acquire(A), Check(A)];
    let bare = World::new(TenTicks::default());
    refuses(bare, &decided, Write(A, 1), Impossible::NoResource);
    let again = [Acquire(A), Send(A, 1), Check(A)];
    refuses(stage(), &again, Send(A, 1), Impossible::AlreadyInFlight(A1));
    let full = [Acquire(A), Send(A, 1), Send(A, 2), Send(A, 3), Send(A, 4), Check(A)];
    refuses(stage(), &full, Send(A, 5), Impossible::NetworkFull(4));
}

#[test]
fn a_failed_check_takes_back_the_decision_to_write() {
    let mut world = stage();
    let actions = [Acquire(A), Check(A), Tick(10), Check(A), Write(A, 1)];
    assert_eq!(last(&mut world, &actions), [Event::Withheld { client: A }]);
}

#[test]
fn a_later_act_of_the_client_takes_back_the_decision_to_write() {
    for later in [Release(A), Renew(A)] {
        let mut world = stage();
        let token = |event: &Event| match event {
            Event::Accepted { token, .. } => Some(*token),
            _ => None,
        };
        let actions = [Acquire(A), Check(A), later, Tick(10), Acquire(A), Write(A, 1)];
        let written = last(&mut world, &actions);
        assert_eq!(written.first().and_then(token), Some(Token(2)), "{later:?}");
    }
}

/// 同じ先を持つ二つの順序は、同じ状態になる。探索は、これに頼って状態をまとめる。
#[test]
fn the_order_of_sending_does_not_matter_once_both_are_in_flight() {
    let sent = |actions: &[Action]| {
        let mut world = stage();
        last(&mut world, actions);
        world
    };
    let both = [Acquire(A), Tick(10), Acquire(B)];
    let a_first = sent(&[&both[..], &[Send(A, 1), Send(B, 1)]].concat());
    let b_first = sent(&[&both[..], &[Send(B, 1), Send(A, 1)]].concat());
    assert!(a_first == b_first);
    let values: Vec<Value> = a_first.transit.packets().map(|packet| packet.value).collect();
    assert_eq!(values, [A1, B1]);
    let third = |mut world: Stage| {
        last(&mut world, &[Deliver(A, 1), Send(A, 3), Send(A, 2), Deliver(B, 1)]);
        world.transit.packets().map(|packet| packet.value.nth).collect::<Vec<_>>()
    };
    assert_eq!(third(b_first), [2, 3], "抜けた場所を詰め、値の順に並べる");
}

#[test]
fn what_was_read_and_sent_in_a_finished_grant_is_forgotten() {
    let actor = |actions: &[Action]| {
        let mut world = stage();
        last(&mut world, actions);
        world.actors[0].unwrap()
    };
    let fresh = actor(&[Tick(1)]);
    assert!(!fresh.has_read() && fresh.sent() == 0 && fresh.decided().is_none());
    let busy = actor(&[Acquire(A), Read(A), Write(A, 1), Check(A)]);
    assert!(busy.has_read() && !busy.watches_clock());
    assert_eq!((busy.sent(), busy.decided()), (1, Some(Hold { token: Token(1), grant: 1 })));
    assert!(actor(&[Acquire(A), Read(A), Write(A, 1), Release(A)]) == fresh);
    let mut watching = stage().watching_clocks();
    last(&mut watching, &[Acquire(A), Read(A), Check(A), Tick(10)]);
    let decided = watching.actors[0].unwrap();
    assert!(decided.has_read() && decided.watches_clock(), "書くと決めたなら、まだ要る");
    assert_eq!(decided.hold_to_write(), Some(Hold { token: Token(1), grant: 1 }));
    last(&mut watching, &[Send(A, 1)]);
    let done = watching.actors[0].unwrap();
    assert!(!done.has_read() && done.sent() == 0 && done.hold_to_write().is_none());
}

/// 登録も受け付ける行。
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Listed(Row);

impl Resource for Listed {
    fn write(&mut self, token: Token, value: Value) -> Event {
        self.0.write(token, value)
    }

    fn register(&mut self, client: Client, token: Token) -> Result<Event, Impossible> {
        Ok(Event::Registered { client, token, max: Token::NONE })
    }

    fn value(&self) -> Option<Value> {
        self.0.value()
    }

    fn max_token(&self) -> Token {
        self.0.max_token()
    }
}

fn listed() -> World<TenTicks, Listed> {
    World::with_resource(TenTicks::default(), Listed::default())
}

#[test]
fn a_client_remembers_that_it_registered_until_its_grant_ends() {
    let registered = |actions: &[Action]| {
        let mut world = listed();
        let played = actions.iter().all(|action| world.apply(*action).is_ok());
        played && world.actors[0].is_some_and(|actor| actor.has_registered())
    };
    assert!(!registered(&[Acquire(A)]));
    assert!(registered(&[Acquire(A), Register(A)]));
    assert!(registered(&[Acquire(A), Register(A), Read(A), Write(A, 1)]));
    assert!(!registered(&[Acquire(A), Register(A), Release(A)]));
    assert!(!registered(&[Acquire(A), Register(A), Release(A), Acquire(A)]));
}

/// `actions` のあとの、終わりの手で起きたこと。
fn witnessed(mut world: World<TenTicks, Listed>, actions: &[Action]) -> Vec<Fact> {
    let mut facts = Vec::new();
    for &action in actions {
        facts.clear();
        assert_eq!(world.witness(action, &mut facts), Ok(()), "{action:?}");
    }
    facts
}

#[test]
fn a_fact_tells_which_grant_it_is_about() {
    let grant = |actions: &[Action]| {
        let facts = witnessed(listed(), actions);
        assert_eq!(facts.len(), 1, "{actions:?}");
        facts[0].grant
    };
    let twice = [Acquire(A), Send(A, 1), Release(A), Acquire(B)];
    let then = |more: &[Action]| grant(&[&twice[..], more].concat());
    assert_eq!(grant(&[Acquire(A)]), 1);
    assert_eq!(then(&[]), 2);
    assert_eq!(then(&[Acquire(A)]), 0, "断られた取得は、どの保持のことでもない");
    assert_eq!(then(&[Deliver(A, 1)]), 1, "遅れた書き込みは、送ったときの保持のもの");
    assert_eq!(then(&[DeliverCopy(A, 1)]), 1);
    assert_eq!(then(&[Write(B, 1)]), 2);
    assert_eq!(then(&[Renew(B)]), 2);
    assert_eq!(then(&[Register(B)]), 2);
    assert_eq!(then(&[SendRelease(B), DeliverRelease(B)]), 2);
    assert_eq!(then(&[Release(B)]), 2);
    assert_eq!(then(&[RestartService]), 0);
    let lost = [AcquireReplyLost(A), Tick(10), Acquire(B)];
    assert_eq!(grant(&lost), 2, "返事の失われた取得も、数に入る");
}

#[test]
fn a_fact_tells_the_base_of_a_write_and_who_believes() {
    let a1 = Value { by: A, nth: 1 };
    let based = |actions: &[Action]| witnessed(listed(), actions)[0].base;
    assert_eq!(based(&[Acquire(A), Write(A, 1)]), None);
    assert_eq!(based(&[Acquire(A), Read(A), Write(A, 1)]), Some(None));
    assert_eq!(based(&[Acquire(A), Read(A), Write(A, 1), Write(A, 2)]), Some(Some(a1)));
    assert_eq!(based(&[Acquire(A), Read(A), Send(A, 1), Deliver(A, 1)]), Some(None));
    let double = [Acquire(A), Pause(A), Tick(10), Acquire(B)];
    let fact = witnessed(listed(), &double)[0];
    assert!(fact.believers.is_many() && fact.valid.is_many());
    assert!(fact.believers.has(A) && fact.believers.has(B) && !fact.believers.has(C));
    assert_eq!(fact.now, 10);
    let fact = witnessed(listed().watching_clocks(), &double)[0];
    assert!(fact.believers.is_many() && !fact.valid.is_many(), "止まった客は、もう有効ではない");
    assert!(fact.valid.has(B) && !fact.valid.has(A));
    let quiet = witnessed(listed(), &[Tick(1)]);
    assert_eq!((quiet.len(), quiet[0].event, quiet[0].now), (1, None, 1));
    assert!(quiet[0].believers.is_empty());
}

#[test]
fn a_release_in_flight_is_seen_with_its_token() {
    let mut world = stage();
    assert_eq!(world.transit.release(), None);
    last(&mut world, &[Acquire(A), SendRelease(A)]);
    let hold = Hold { token: Token(1), grant: 1 };
    assert_eq!(world.transit.release(), Some((A, hold)));
}

/// 名前ではなく、添えられたトークンで見分ける錠。
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct ByToken(TenTicks);

impl Lock for ByToken {
    fn acquire(&mut self, client: Client) -> Result<Event, Impossible> {
        self.0.acquire(client)
    }

    fn renew_held(&mut self, client: Client, token: Token) -> Result<Event, Impossible> {
        Ok(Event::Renewed { client, token, expiry: Some(99) })
    }

    fn release(&mut self, client: Client) -> Event {
        Event::ReleaseRefused { client }
    }

    fn release_held(&mut self, client: Client, token: Token) -> Event {
        assert_eq!(token, Token(1));
        Event::Released { client }
    }

    fn tick(&mut self, ticks: Time) -> Result<Option<Event>, Impossible> {
        self.0.tick(ticks)
    }

    fn now(&self) -> Time {
        self.0.now()
    }

    fn holder(&self) -> Option<Holder> {
        self.0.holder()
    }
}

#[test]
fn a_holder_renews_and_releases_with_its_token_and_others_by_name() {
    let mut world = World::<_, Row>::with_resource(ByToken::default(), Row::default());
    let renewed = Event::Renewed { client: A, token: Token(1), expiry: Some(99) };
    assert_eq!(last(&mut world, &[Acquire(A), Renew(A)]), [renewed]);
    assert_eq!(last(&mut world, &[Release(A)]), [Event::Released { client: A }]);
    assert_eq!(last(&mut world, &[Release(A)]), [Event::ReleaseRefused { client: A }]);
    assert_eq!(world.apply(Renew(A)), Err(Impossible::NotRenewable));
}
