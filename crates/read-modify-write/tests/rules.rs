//! 読んで書き戻すときの規則。一つの規則に一つの試験。

use read_modify_write::{
    CompareAndSet, ForgetfulResource, HeldService, LargerSequence, Lock, NextSequence, Packet,
    RegisteringResource, Resource, RestoredService,
};
use stage::{Asked, Client, Event, Holder, Refusal, Token, Value};

const A: Client = Client::A;
const B: Client = Client::B;
const A1: Value = Value { by: A, nth: 1 };
const A2: Value = Value { by: A, nth: 2 };
const B1: Value = Value { by: B, nth: 1 };

fn packet(value: Value, token: u64, sequence: u64) -> Packet {
    Packet { value, token: Token(token), base: None, sequence }
}

fn registered(token: u64) -> RegisteringResource {
    let mut row = RegisteringResource::new();
    assert!(row.register(B, Token(token)).is_ok());
    row
}

#[test]
fn nothing_older_than_a_registered_token_is_accepted() {
    let mut row = registered(2);
    let rejected = Event::Rejected {
        asked: Asked::Write(A1),
        token: Token(1),
        reason: Refusal::Older { max: Token(2) },
    };
    assert_eq!(row.write(Token(1), A1), rejected);
    let refused = Event::Rejected {
        asked: Asked::Read(A),
        token: Token(1),
        reason: Refusal::Older { max: Token(2) },
    };
    assert_eq!(row.read(A, Token(1)), refused);
    let refused = Event::Rejected {
        asked: Asked::Register(A),
        token: Token(1),
        reason: Refusal::Older { max: Token(2) },
    };
    assert_eq!(row.register(A, Token(1)), Ok(refused));
    assert_eq!(row, registered(2));
}

#[test]
fn the_registered_token_itself_may_read_and_write() {
    let mut row = registered(2);
    assert_eq!(row.read(B, Token(2)), Event::Read { client: B, value: None });
    let again = Event::Registered { client: B, token: Token(2), max: Token(2) };
    assert_eq!(row.register(B, Token(2)), Ok(again));
    assert!(matches!(row.write(Token(2), B1), Event::Accepted { .. }));
    assert_eq!((row.value(), row.max_token()), (Some(B1), Token(2)));
}

#[test]
fn a_larger_token_is_registered_and_remembered() {
    let mut row = registered(2);
    let event = Event::Registered { client: A, token: Token(3), max: Token(2) };
    assert_eq!(row.register(A, Token(3)), Ok(event));
    assert_eq!(row.max_token(), Token(3));
}

#[test]
fn compare_and_set_refuses_a_changed_value_and_accepts_an_old_token() {
    let mut row = CompareAndSet::new();
    row.write(Token(2), B1);
    let stale = Packet { base: Some(None), ..packet(A1, 3, 1) };
    let conflicted = Event::Rejected {
        asked: Asked::Write(A1),
        token: Token(3),
        reason: Refusal::Changed { base: None, current: Some(B1) },
    };
    assert_eq!(row.deliver(&stale), conflicted);
    let old_but_fresh = Packet { base: Some(Some(B1)), ..packet(A1, 1, 1) };
    assert!(matches!(row.deliver(&old_but_fresh), Event::Accepted { .. }));
    assert_eq!((row.value(), row.max_token()), (Some(A1), Token(2)));
}

#[test]
fn compare_and_set_lets_a_blind_write_through() {
    let mut row = CompareAndSet::new();
    row.write(Token(1), B1);
    assert!(matches!(row.deliver(&packet(A1, 1, 1)), Event::Accepted { .. }));
}

#[test]
fn exactly_the_next_sequence_is_accepted() {
    let mut row = NextSequence::new();
    let early = Event::Rejected {
        asked: Asked::Write(A2),
        token: Token(1),
        reason: Refusal::OutOfOrder { sequence: 2, next: 1 },
    };
    assert_eq!(row.deliver(&packet(A2, 1, 2)), early);
    assert!(matches!(row.deliver(&packet(A1, 1, 1)), Event::Accepted { .. }));
    let repeated = Event::Rejected {
        asked: Asked::Write(A1),
        token: Token(1),
        reason: Refusal::OutOfOrder { sequence: 1, next: 2 },
    };
    assert_eq!(row.deliver(&packet(A1, 1, 1)), repeated);
    assert!(matches!(row.deliver(&packet(A2, 1, 2)), Event::Accepted { .. }));
    assert_eq!((row.value(), row.max_token()), (Some(A2), Token(1)));
}

#[test]
fn a_larger_sequence_skips_what_never_arrived() {
    let mut row = LargerSequence::new();
    assert!(matches!(row.deliver(&packet(A2, 1, 2)), Event::Accepted { .. }));
    let lost = Event::Rejected {
        asked: Asked::Write(A1),
        token: Token(1),
        reason: Refusal::OutOfOrder { sequence: 1, next: 3 },
    };
    assert_eq!(row.deliver(&packet(A1, 1, 1)), lost);
    assert_eq!((row.value(), row.max_token()), (Some(A2), Token(1)));
}

#[test]
fn a_new_token_starts_the_sequence_again_and_an_old_one_is_rejected() {
    let mut next = NextSequence::new();
    let mut larger = LargerSequence::new();
    for row in [&mut next as &mut dyn Deliver, &mut larger] {
        for (value, token, sequence) in [(A1, 1, 1), (A2, 1, 2), (B1, 2, 1)] {
            assert!(matches!(row.arrive(value, token, sequence), Event::Accepted { .. }));
        }
        let rejected = Event::Rejected {
            asked: Asked::Write(A1),
            token: Token(1),
            reason: Refusal::Older { max: Token(2) },
        };
        assert_eq!(row.arrive(A1, 1, 3), rejected);
    }
}

#[test]
fn registering_starts_the_sequence_again_only_for_a_newer_token() {
    let mut next = NextSequence::new();
    let mut larger = LargerSequence::new();
    for row in [&mut next as &mut dyn Deliver, &mut larger] {
        assert!(matches!(row.arrive(A1, 1, 1), Event::Accepted { .. }));
        row.enrol(A, 1);
        assert!(matches!(
            row.arrive(A1, 1, 1),
            Event::Rejected { reason: Refusal::OutOfOrder { .. }, .. }
        ));
        row.enrol(B, 2);
        assert!(matches!(row.arrive(B1, 2, 1), Event::Accepted { .. }));
    }
}

/// 二つの順番の資源に、同じ手を与えるため。
trait Deliver {
    fn arrive(&mut self, value: Value, token: u64, sequence: u64) -> Event;
    fn enrol(&mut self, client: Client, token: u64);
}

impl<R: Resource> Deliver for R {
    fn arrive(&mut self, value: Value, token: u64, sequence: u64) -> Event {
        self.deliver(&packet(value, token, sequence))
    }

    fn enrol(&mut self, client: Client, token: u64) {
        assert!(self.register(client, Token(token)).is_ok());
    }
}

#[test]
fn a_release_names_the_holding_not_only_the_client() {
    let mut service = HeldService::new(10);
    assert!(service.acquire(A).is_ok());
    assert!(service.tick(10).is_ok());
    assert!(service.acquire(A).is_ok());
    assert_eq!(service.release_held(A, Token(1)), Event::ReleaseRefused { client: A });
    assert_eq!(service.release_held(B, Token(2)), Event::ReleaseRefused { client: B });
    assert_eq!(service.holder(), Some(Holder { client: A, token: Token(2) }));
    assert_eq!(service.release_held(A, Token(2)), Event::Released { client: A });
    assert_eq!(service.holder(), None);
}

#[test]
fn a_held_service_is_otherwise_the_lock_service_of_the_lease_chapter() {
    let mut held = HeldService::new(10);
    let mut plain = lease::LockService::new(10);
    for _ in 0..2 {
        assert_eq!(held.acquire(A), plain.acquire(A));
        assert_eq!(held.tick(4), plain.tick(4));
        assert_eq!(held.renew(A), plain.renew(A));
        assert_eq!(held.release(B), plain.release(B));
        let seen = (held.now(), held.holder(), held.expiry(), held.issued());
        assert_eq!(seen, (plain.now(), plain.holder(), plain.expiry(), plain.issued()));
        assert_eq!(held.release(A), plain.release(A));
    }
}

#[test]
fn a_restored_service_hands_out_an_old_token_again() {
    let mut service = RestoredService::new(10);
    assert!(service.acquire(A).is_ok());
    assert!(service.renew(A).is_ok());
    assert!(service.tick(3).is_ok());
    assert_eq!((service.expiry(), service.issued()), (Some(10), Token(1)));
    service.restart();
    assert_eq!((service.now(), service.holder(), service.issued()), (3, None, Token::NONE));
    let again = Event::Acquired { client: B, token: Token(1), expiry: Some(13) };
    assert_eq!(service.acquire(B), Ok(again));
    assert_eq!(service.release(B), Event::Released { client: B });
}

#[test]
fn a_forgetful_resource_keeps_its_value_and_forgets_its_maximum() {
    let mut row = ForgetfulResource::new();
    row.write(Token(2), B1);
    row.restart();
    assert_eq!((row.value(), row.max_token()), (Some(B1), Token::NONE));
    assert!(matches!(row.write(Token(1), A1), Event::Accepted { .. }));
    assert_eq!((row.value(), row.max_token()), (Some(A1), Token(1)));
}

#[test]
fn a_late_renewal_does_not_extend_the_next_grant_of_the_same_client() -> anyhow::Result<()> {
    let mut service = HeldService::new(10);
    service.acquire(A)?;
    service.tick(10)?;
    service.acquire(A)?;
    let before = service;
    assert_eq!(service.renew_held(A, Token(1))?, Event::RenewRefused { client: A });
    assert_eq!(service.renew_held(B, Token(2))?, Event::RenewRefused { client: B });
    assert_eq!(service, before);
    service.tick(4)?;
    let renewed = Event::Renewed { client: A, token: Token(2), expiry: Some(24) };
    assert_eq!(service.renew_held(A, Token(2))?, renewed);
    let mut by_name = lease::LockService::new(10);
    by_name.acquire(A)?;
    by_name.tick(10)?;
    by_name.acquire(A)?;
    by_name.tick(4)?;
    assert_eq!(by_name.renew_held(A, Token(1))?, renewed, "名前だけでは見分けられない");
    Ok(())
}

#[test]
fn a_row_that_was_not_registered_still_takes_the_old_write() {
    let (mut first, mut second) = (registered(2), RegisteringResource::new());
    assert!(matches!(first.write(Token(1), A1), Event::Rejected { .. }));
    assert!(matches!(second.write(Token(1), A1), Event::Accepted { .. }));
}
