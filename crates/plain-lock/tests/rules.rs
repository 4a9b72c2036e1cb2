//! 期限のないロックの規則。一つの規則に一つの試験。

use plain_lock::{Lock, PlainLock};
use stage::{Client, Event, Holder, Impossible, Time, Token};

const A: Client = Client::A;
const B: Client = Client::B;

fn held_by_a() -> PlainLock {
    let mut lock = PlainLock::new();
    assert!(lock.acquire(A).is_ok());
    lock
}

#[test]
fn acquire_takes_a_free_lock() {
    let granted = PlainLock::new().acquire(A);
    assert_eq!(granted, Ok(Event::Acquired { client: A, token: Token::NONE, expiry: None }));
    assert_eq!(held_by_a().holder(), Some(Holder { client: A, token: Token::NONE }));
}

#[test]
fn acquire_is_refused_while_anyone_holds() {
    let mut lock = held_by_a();
    for client in [A, B] {
        let refused = Event::Busy { client, holder: A, expiry: None };
        assert_eq!(lock.acquire(client), Ok(refused));
        assert_eq!(lock, held_by_a());
    }
}

#[test]
fn release_frees_the_lock_for_the_next() {
    let mut lock = held_by_a();
    assert_eq!(lock.release(A), Event::Released { client: A });
    assert_eq!(lock.holder(), None);
    assert!(matches!(lock.acquire(B), Ok(Event::Acquired { client: B, .. })));
}

#[test]
fn release_by_another_changes_nothing() {
    let mut lock = held_by_a();
    assert_eq!(lock.release(B), Event::ReleaseRefused { client: B });
    assert_eq!(lock, held_by_a());
    assert_eq!(PlainLock::new().release(A), Event::ReleaseRefused { client: A });
}

#[test]
fn time_alone_never_frees_the_lock() {
    let mut lock = held_by_a();
    assert_eq!(lock.tick(Time::MAX), Ok(None));
    assert_eq!((lock.now(), lock.expiry()), (Time::MAX, None));
    assert_eq!(lock.acquire(B), Ok(Event::Busy { client: B, holder: A, expiry: None }));
}

#[test]
fn overflow_of_time_is_an_error_and_changes_nothing() {
    let mut lock = held_by_a();
    lock.tick(Time::MAX).unwrap();
    let before = lock;
    assert_eq!(lock.tick(1), Err(Impossible::TimeOverflow));
    assert_eq!(lock, before);
}
