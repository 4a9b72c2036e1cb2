//! リースとトークンの規則。一つの規則に一つの試験。

use lease::{Lock, LockService};
use stage::{Client, Event, Holder, Impossible, Time, Token};

const A: Client = Client::A;
const B: Client = Client::B;

/// 長さ 10 のリースを A が時刻 0 に取得したサービス。
fn held_by_a() -> LockService {
    let mut service = LockService::new(10);
    assert!(service.acquire(A).is_ok());
    service
}

fn granted(client: Client, token: u64, expiry: Time) -> Result<Event, Impossible> {
    Ok(Event::Acquired { client, token: Token(token), expiry: Some(expiry) })
}

#[test]
fn a_lease_is_held_until_just_before_its_expiry() {
    let mut service = held_by_a();
    assert_eq!(service.tick(9), Ok(None));
    assert_eq!(service.holder(), Some(Holder { client: A, token: Token(1) }));
    assert_eq!(service.expiry(), Some(10));
}

#[test]
fn a_lease_has_expired_exactly_at_its_expiry() {
    let mut service = held_by_a();
    assert_eq!(service.tick(10), Ok(Some(Event::Expired { client: A, at: 10 })));
    assert_eq!((service.holder(), service.expiry()), (None, None));
}

#[test]
fn expiry_happens_at_the_expiry_even_if_time_jumps_past_it() {
    let mut service = held_by_a();
    assert_eq!(service.tick(25), Ok(Some(Event::Expired { client: A, at: 10 })));
    assert_eq!(service.now(), 25);
    assert_eq!(service.tick(1), Ok(None));
}

#[test]
fn acquire_is_refused_while_anyone_holds_even_the_holder() {
    let mut service = held_by_a();
    for client in [A, B] {
        let refused = Event::Busy { client, holder: A, expiry: Some(10) };
        assert_eq!(service.acquire(client), Ok(refused));
        assert_eq!(service, held_by_a());
    }
}

#[test]
fn every_acquire_hands_out_a_larger_token() {
    let mut service = LockService::new(10);
    assert_eq!(service.issued(), Token::NONE);
    assert_eq!(service.acquire(A), granted(A, 1, 10));
    service.release(A);
    assert_eq!(service.acquire(A), granted(A, 2, 10));
    service.tick(10).unwrap();
    assert_eq!(service.acquire(B), granted(B, 3, 20));
    assert_eq!(service.issued(), Token(3));
}

#[test]
fn renew_moves_the_expiry_and_keeps_the_token() {
    let mut service = held_by_a();
    service.tick(6).unwrap();
    let renewed = Event::Renewed { client: A, token: Token(1), expiry: Some(16) };
    assert_eq!(service.renew(A), Ok(renewed));
    assert_eq!(service.holder(), Some(Holder { client: A, token: Token(1) }));
    assert_eq!((service.expiry(), service.issued()), (Some(16), Token(1)));
}

#[test]
fn renew_after_expiry_is_refused_even_if_nobody_took_the_lock() {
    let mut service = held_by_a();
    service.tick(10).unwrap();
    let before = service;
    assert_eq!(service.renew(A), Ok(Event::RenewRefused { client: A }));
    assert_eq!(service, before);
}

#[test]
fn renew_and_release_by_another_change_nothing() {
    let mut service = held_by_a();
    assert_eq!(service.renew(B), Ok(Event::RenewRefused { client: B }));
    assert_eq!(service.release(B), Event::ReleaseRefused { client: B });
    assert_eq!(service, held_by_a());
}

#[test]
fn release_by_an_expired_holder_does_not_free_the_next_holders_lock() {
    let mut service = held_by_a();
    service.tick(10).unwrap();
    service.acquire(B).unwrap();
    assert_eq!(service.release(A), Event::ReleaseRefused { client: A });
    assert_eq!(service.holder(), Some(Holder { client: B, token: Token(2) }));
}

#[test]
fn release_frees_the_lock_at_once() {
    let mut service = held_by_a();
    assert_eq!(service.release(A), Event::Released { client: A });
    assert_eq!((service.holder(), service.expiry()), (None, None));
}

#[test]
fn a_length_below_one_is_taken_as_one() {
    assert_eq!(LockService::new(0), LockService::new(1));
    let mut service = LockService::new(0);
    assert_eq!(service.acquire(A), granted(A, 1, 1));
}

#[test]
fn a_tick_of_zero_changes_nothing() {
    let mut service = held_by_a();
    assert_eq!(service.tick(0), Ok(None));
    assert_eq!(service, held_by_a());
}

#[test]
fn overflow_of_time_is_an_error_and_changes_nothing() {
    let mut service = LockService::new(10);
    service.tick(Time::MAX - 5).unwrap();
    let before = service;
    assert_eq!(service.acquire(A), Err(Impossible::TimeOverflow));
    assert_eq!(service.tick(6), Err(Impossible::TimeOverflow));
    assert_eq!(service, before);
}

#[test]
fn overflow_while_renewing_is_an_error_and_keeps_the_lease() {
    let mut service = LockService::new(Time::MAX - 2);
    service.acquire(A).unwrap();
    service.tick(3).unwrap();
    let before = service;
    assert_eq!(service.renew(A), Err(Impossible::TimeOverflow));
    assert_eq!(service, before);
}
