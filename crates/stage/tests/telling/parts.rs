//! 舞台が部品に渡すもの。頼まれたことは部品に届き、部品の答えが出来事になる。

use stage::Action::*;
use stage::Client::{A, B};
use stage::{
    Action, Client, Event, Events, Hold, Holder, Impossible, Lock, Packet, Resource, System, Time,
    Token, Value, World,
};

use crate::scene::{A1, B1};

const A2: Value = Value { by: A, nth: 2 };

/// 頼めばいつでも渡し、トークンを添えた解放だけを認める錠。
#[derive(Clone, Debug, Default)]
struct Desk {
    issued: Token,
    restarts: u64,
}

impl Lock for Desk {
    fn acquire(&mut self, client: Client) -> Result<Event, Impossible> {
        self.issued = self.issued.next().unwrap_or_default();
        Ok(Event::Acquired { client, token: self.issued, expiry: None })
    }

    fn release(&mut self, client: Client) -> Event {
        Event::ReleaseRefused { client }
    }

    fn release_held(&mut self, client: Client, token: Token) -> Event {
        if token == self.issued {
            return Event::Released { client };
        }
        self.release(client)
    }

    fn restart(&mut self) {
        self.restarts += 1;
        self.issued = Token::NONE;
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

    fn issued(&self) -> Token {
        self.issued
    }
}

/// 届いたものを、届いたまま控える資源。
#[derive(Clone, Debug, Default)]
struct Tray {
    packets: Vec<Packet>,
    registered: Vec<(Client, Token)>,
}

impl Resource for Tray {
    fn write(&mut self, token: Token, value: Value) -> Event {
        Event::Accepted { value, token, compared: None }
    }

    fn deliver(&mut self, packet: &Packet) -> Event {
        self.packets.push(*packet);
        self.write(packet.token, packet.value)
    }

    fn register(&mut self, client: Client, token: Token) -> Result<Event, Impossible> {
        self.registered.push((client, token));
        Ok(Event::Registered { client, token, max: Token::NONE })
    }

    fn restart(&mut self) {
        self.registered.clear();
    }

    fn value(&self) -> Option<Value> {
        self.packets.last().map(|packet| packet.value)
    }

    fn max_token(&self) -> Token {
        self.registered.iter().map(|(_, token)| *token).max().unwrap_or_default()
    }
}

type Stage = World<Desk, Tray>;

/// `actions` を演じて、一手ごとに起きたこと。
fn played(world: &mut Stage, actions: &[Action]) -> Vec<Vec<Event>> {
    let apply = |action: &Action| world.apply(*action).map(Events::into_vec);
    let played: Result<_, Impossible> = actions.iter().map(apply).collect();
    played.unwrap_or_else(|reason| unreachable!("起こりえない手はないはず: {reason}"))
}

fn stage() -> Stage {
    World::with_resource(Desk::default(), Tray::default())
}

#[test]
fn writes_of_one_holding_are_numbered_from_one_and_carry_what_was_read() {
    let mut world = stage();
    played(&mut world, &[Acquire(A), Write(A, 1), Read(A), Write(A, 2), Acquire(A), Write(A, 3)]);
    let packets = world.resource.into_inner().unwrap().packets;
    let carried: Vec<_> =
        packets.iter().map(|it| (it.value.nth, it.token.0, it.base, it.sequence)).collect();
    assert_eq!(carried, [(1, 1, None, 1), (2, 1, Some(Some(A1)), 2), (3, 2, None, 1)]);
}

#[test]
fn a_copy_arrives_like_the_first_and_leaves_the_first_on_the_way() {
    let mut world = stage();
    let actions = [Acquire(A), Send(A, 1), DeliverCopy(A, 1), DeliverCopy(A, 1), Deliver(A, 1)];
    let events = played(&mut world, &actions);
    let accepted = Event::Accepted { value: A1, token: Token(1), compared: None };
    assert_eq!(events[2..], [[accepted], [accepted], [accepted]]);
    assert_eq!(world.resource.as_ref().unwrap().packets.len(), 3);
    assert_eq!(world.apply(DeliverCopy(A, 1)), Err(Impossible::NotInFlight(A1)));
}

#[test]
fn what_is_on_the_way_is_kept_in_the_order_of_its_values() {
    let mut world = stage();
    played(&mut world, &[Acquire(A), Acquire(B), Send(B, 1), Send(A, 2), Send(A, 1)]);
    let values: Vec<Value> = world.transit.packets().map(|packet| packet.value).collect();
    assert_eq!(values, [A1, A2, B1]);
}

#[test]
fn a_registration_reaches_the_resource_with_the_token_of_its_client() {
    let mut world = stage();
    let events = played(&mut world, &[Acquire(A), Acquire(B), Register(B)]);
    let registered = Event::Registered { client: B, token: Token(2), max: Token::NONE };
    assert_eq!(events[2], [registered]);
    assert_eq!(world.resource.as_ref().unwrap().registered, [(B, Token(2))]);
    assert_eq!(stage().apply(Register(A)), Err(Impossible::NoToken(A)));
}

#[test]
fn a_release_on_the_way_is_of_the_client_that_sent_it_and_carries_its_token() {
    let mut world = stage();
    let sent = Event::ReleaseSent { client: A, token: Token(1) };
    assert_eq!(played(&mut world, &[Acquire(A), SendRelease(A)])[1], [sent]);
    let hold = Hold { token: Token(1), grant: 1 };
    assert_eq!(world.transit.release(), Some((A, hold)));
    assert_eq!(world.apply(DeliverRelease(B)), Err(Impossible::NoReleaseInFlight(B)));
    let mut late = world.clone();
    assert_eq!(played(&mut world, &[DeliverRelease(A)]), [[Event::Released { client: A }]]);
    assert_eq!(world.transit.release(), None);
    assert_eq!(world.apply(DeliverRelease(A)), Err(Impossible::NoReleaseInFlight(A)));
    let refused = Event::ReleaseRefused { client: A };
    assert_eq!(played(&mut late, &[Acquire(B), DeliverRelease(A)])[1], [refused]);
}

#[test]
fn only_one_release_is_on_the_way_at_a_time() {
    let mut world = stage();
    played(&mut world, &[Acquire(A), Acquire(B), SendRelease(A)]);
    assert_eq!(world.apply(SendRelease(B)), Err(Impossible::ReleaseInFlight(A)));
}

#[test]
fn a_restart_of_the_service_tells_what_it_still_remembers() {
    let mut world = stage();
    let events = played(&mut world, &[Acquire(A), RestartService]);
    assert_eq!(events[1], [Event::ServiceRestarted { issued: Token::NONE }]);
    assert_eq!(world.lock.restarts, 1);
}

#[test]
fn a_restart_of_the_resource_tells_what_it_still_remembers() {
    let mut world = stage();
    let actions = [Acquire(A), Register(A)];
    played(&mut world, &actions);
    assert_eq!(world.observe().resource.unwrap().max_token, Token(1));
    let restarted = Event::ResourceRestarted { max: Token::NONE };
    assert_eq!(played(&mut world, &[RestartResource]), [[restarted]]);
    assert_eq!(World::new(Desk::default()).apply(RestartResource), Err(Impossible::NoResource));
}
