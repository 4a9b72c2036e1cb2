//! 図鑑のどの項目も見つかり、正しいものは見つからず、どの二つも同じではない。

use std::collections::BTreeSet;

use explore::Bounds;
use properties::Property;
use read_modify_write::{HeldService, RegisteringResource, Resource};
use stage::{Action, Client, Event, Impossible, Token, Value};
use wrong_locks::*;

const A: Client = Client::A;
const B: Client = Client::B;

/// 項目の、性質を破る手の列。
fn shortest(entry: &Entry) -> Vec<Action> {
    let actions = entry.shortest();
    assert!(!actions.is_empty(), "{} は、範囲の中で性質を破らない", entry.name);
    actions
}

/// `cast` が、範囲の中で破る性質。
fn broken(cast: &Cast) -> Vec<Property> {
    Property::ALL.into_iter().filter(|property| cast.shortest(*property).is_some()).collect()
}

#[test]
fn every_entry_breaks_its_promise_and_the_right_one_keeps_it() {
    for entry in &BANK {
        shortest(entry);
        assert_eq!(entry.right.shortest(entry.property), None, "{}", entry.name);
    }
}

/// 期限を見ない客は、それ自体が項目の一つである。登録しない客が更新を消すことは、前の章で述べた。
#[test]
fn the_right_one_breaks_only_what_the_setup_itself_breaks() {
    for entry in &BANK {
        let setup = entry.right.setup;
        let mut expected = Vec::new();
        if !setup.watches {
            expected.extend([Property::OneValid, Property::OneBeliever]);
        }
        if !setup.registers && setup.bounds.writes > 0 {
            expected.push(Property::NoLostUpdate);
        }
        assert_eq!(broken(&entry.right), expected, "{}", entry.name);
    }
}

/// 停止、クラッシュ、延長、遅れる解放、写し、再起動のすべてがあっても、正しいものが破るのは、止まった客のつもりが
/// 残ることだけである。一度の保持で二つ書けば、同じ保持の中で更新が消える。登録では防げない。
#[test]
fn the_right_ones_break_nothing_but_belief_under_every_fault() {
    let bounds = Bounds {
        grants: 2,
        writes: 1,
        copies: 1,
        horizon: 6,
        pauses: true,
        crashes: true,
        renews: true,
        slow_releases: true,
        restarts: true,
    };
    let kept = [Property::OneBeliever];
    for (name, registers) in
        [("any_release", false), ("dead_waiter", false), ("never_compares", true)]
    {
        let entry = BANK.iter().find(|entry| entry.name == name).unwrap();
        let setup = Setup { watches: true, registers, bounds };
        assert_eq!(broken(&entry.right.under(setup)), kept, "{name} の正しいもの");
    }
    let row = BANK.iter().find(|entry| entry.name == "never_compares").unwrap();
    let twice = Bounds { writes: 2, copies: 0, restarts: false, crashes: false, ..bounds };
    let both = [Property::OneBeliever, Property::NoLostUpdate];
    assert_eq!(
        broken(&row.right.under(Setup { watches: true, registers: true, bounds: twice })),
        both
    );
    // 「いつかは空く」が破れうる長さまで待っている。
    let setup = Setup { watches: true, registers: false, bounds };
    let two_steps = BANK.iter().find(|entry| entry.name == "two_steps").unwrap();
    assert!(two_steps.wrong.under(setup).shortest(Property::Frees).is_some());
}

/// 破る性質のすべて。正しいものも同じ条件で破る性質は除く。
#[test]
fn every_entry_breaks_exactly_these_promises() {
    use Property::*;
    let explored = |names: &[Property]| names.to_vec();
    for entry in &BANK {
        let expected: Vec<Property> = match entry.name {
            "any_release" => explored(&[GrantAfterEnd]),
            "name_release" | "caller_clock" | "wall_clock" | "late_timer" => {
                explored(&[GrantAfterEnd, OneValid, OneBeliever])
            }
            "revive" | "count_again" | "backup" | "wrap" => explored(&[TokensIncrease]),
            "old_self" => explored(&[GrantAfterEnd, OneValid, OneBeliever, TokensIncrease]),
            "dead_waiter" => explored(&[OneValid, OneBeliever, TokensIncrease]),
            "two_steps" | "watchdog" => vec![Property::Frees],
            "stays" => explored(&[OneValid, OneBeliever]),
            "never_compares" => {
                explored(&[AcceptedNeverGoBack, NothingOlderThanRegistered, NoLostUpdate])
            }
            "equality" => vec![Property::NewestServed],
            "forgets_registration" => explored(&[NothingOlderThanRegistered, NoLostUpdate]),
            other => panic!("知らない項目 {other}"),
        };
        let kept = |property: &Property| entry.right.shortest(*property).is_none();
        let found: Vec<Property> = broken(&entry.wrong).into_iter().filter(kept).collect();
        assert_eq!(found, expected, "{}", entry.name);
    }
}

/// 二つの項目のどちらかの手の列を、同じ条件で両方に演じると、起きることが違う。
///
/// 条件そのものが壊れている項目は、それぞれの条件で演じる。
#[test]
fn no_two_entries_are_the_same_bug() {
    let lists: Vec<Vec<Action>> = BANK.iter().map(shortest).collect();
    for (i, one) in BANK.iter().enumerate() {
        for (j, other) in BANK.iter().enumerate().skip(i + 1) {
            let differs = |setup: Setup, actions: &[Action]| {
                let own = [one, other].map(|entry| match entry.name {
                    "stays" => entry.wrong,
                    _ => entry.wrong.under(setup),
                });
                own[0].trace(actions) != own[1].trace(actions)
            };
            assert!(
                differs(one.wrong.setup, &lists[i]) || differs(other.wrong.setup, &lists[j]),
                "{} と {} の違いが、どちらの手の列でも出ない",
                one.name,
                other.name
            );
        }
    }
}

#[test]
fn the_bank_has_locks_clients_and_resources_and_no_name_twice() {
    let names: BTreeSet<&str> = BANK.iter().map(|entry| entry.name).collect();
    assert_eq!(names.len(), BANK.len());
    let chapter = chapter();
    let stories: Vec<&str> = chapter.stories.iter().map(|story| story.name).collect();
    assert_eq!(stories, BANK.map(|entry| entry.name));
    for kind in [Kind::Lock, Kind::Client, Kind::Resource] {
        assert!(BANK.iter().filter(|entry| entry.kind == kind).count() >= 2, "{}", kind.name());
    }
}

/// 長さ `depth` までの、すべての手の列。
fn every_list<T: Copy>(moves: &[T], depth: u32) -> impl Iterator<Item = Vec<T>> {
    let count = moves.len();
    (0..count.pow(depth)).map(move |mut number| {
        let mut list = Vec::new();
        for _ in 0..depth {
            list.push(moves[number % count]);
            number /= count;
        }
        list
    })
}

/// 錠への頼み。
#[derive(Clone, Copy, Debug)]
enum Ask {
    Acquire(Client),
    Renew(Client),
    RenewHeld(Client, u64),
    Release(Client),
    ReleaseHeld(Client, u64),
    Tick,
    Restart,
}

fn ask(lock: &mut impl Lock, ask: Ask) -> Result<Option<Event>, Impossible> {
    match ask {
        Ask::Acquire(client) => lock.acquire(client).map(Some),
        Ask::Renew(client) => lock.renew(client).map(Some),
        Ask::RenewHeld(client, token) => lock.renew_held(client, Token(token)).map(Some),
        Ask::Release(client) => Ok(Some(lock.release(client))),
        Ask::ReleaseHeld(client, token) => Ok(Some(lock.release_held(client, Token(token)))),
        Ask::Tick => lock.tick(1),
        Ask::Restart => {
            lock.restart();
            Ok(None)
        }
    }
}

#[test]
fn the_right_service_is_the_held_service_of_the_chapter_before() {
    let asks = [
        Ask::Acquire(A),
        Ask::Acquire(B),
        Ask::Renew(A),
        Ask::RenewHeld(A, 1),
        Ask::RenewHeld(B, 2),
        Ask::Release(A),
        Ask::ReleaseHeld(A, 1),
        Ask::ReleaseHeld(B, 2),
        Ask::Tick,
        Ask::Restart,
    ];
    for list in every_list(&asks, 5) {
        let (mut mine, mut theirs) = (Service::<Right>::new(2), HeldService::new(2));
        for &one in &list {
            assert_eq!(ask(&mut mine, one), ask(&mut theirs, one), "{list:?}");
            let seen = (mine.now(), mine.holder(), mine.expiry(), mine.issued());
            assert_eq!(seen, (theirs.now(), theirs.holder(), theirs.expiry(), theirs.issued()));
        }
    }
}

#[test]
fn the_right_row_is_the_registering_resource_of_the_chapter_before() {
    let value = Value { by: A, nth: 1 };
    let moves =
        [("write", 1), ("write", 2), ("register", 1), ("register", 2), ("read", 1), ("restart", 0)];
    for list in every_list(&moves, 5) {
        let (mut mine, mut theirs) = (Row::<Right>::new(), RegisteringResource::new());
        for &(what, token) in &list {
            let token = Token(token);
            let rows: [&mut dyn Rows; 2] = [&mut mine, &mut theirs];
            let [one, other] = rows.map(|row| match what {
                "write" => (Ok(row.put(token, value)), row.seen()),
                "register" => (row.enrol(token), row.seen()),
                "read" => (Ok(row.look(token)), row.seen()),
                _ => (Ok(row.again()), row.seen()),
            });
            assert_eq!(one, other, "{list:?}");
        }
    }
}

/// 二つの資源に同じ手を与えるため。受理の比べた相手は、前の章では値の側の最大なので、見ない。
trait Rows {
    fn put(&mut self, token: Token, value: Value) -> Event;
    fn enrol(&mut self, token: Token) -> Result<Event, Impossible>;
    fn look(&mut self, token: Token) -> Event;
    fn again(&mut self) -> Event;
    fn seen(&self) -> (Option<Value>, Token);
}

impl<R: Resource> Rows for R {
    fn put(&mut self, token: Token, value: Value) -> Event {
        match self.write(token, value) {
            Event::Accepted { value, token, .. } => {
                Event::Accepted { value, token, compared: None }
            }
            other => other,
        }
    }

    fn enrol(&mut self, token: Token) -> Result<Event, Impossible> {
        self.register(A, token)
    }

    fn look(&mut self, token: Token) -> Event {
        self.read(A, token)
    }

    fn again(&mut self) -> Event {
        self.restart();
        Event::ResourceRestarted { max: self.max_token() }
    }

    fn seen(&self) -> (Option<Value>, Token) {
        (self.value(), self.max_token())
    }
}

#[test]
fn a_queue_serves_the_waiter_first_and_only_while_its_session_lives() {
    let mut queue = Queue::<Right>::new(2);
    assert!(queue.acquire(A).is_ok());
    assert!(queue.tick(1).is_ok());
    assert!(matches!(queue.acquire(B), Ok(Event::Busy { holder: A, .. })));
    assert!(queue.tick(1).is_ok());
    // B のセッションは時刻 3 まで。A が先に頼んでも、B の番である。
    assert_eq!(queue.acquire(A), Ok(Event::Busy { client: A, holder: B, expiry: Some(3) }));
    let served = Event::Acquired { client: B, token: Token(2), expiry: Some(3) };
    assert_eq!(queue.acquire(B), Ok(served));
    assert_eq!(queue.release_held(B, Token(1)), Event::ReleaseRefused { client: B });
    assert_eq!(queue.renew_held(B, Token(1)), Ok(Event::RenewRefused { client: B }));
    assert_eq!(queue.renew(B), Ok(Event::Renewed { client: B, token: Token(2), expiry: Some(4) }));
    assert_eq!((queue.expiry(), queue.issued()), (Some(4), Token(2)));
    assert_eq!(queue.release_held(B, Token(2)), Event::Released { client: B });
    assert!(queue.acquire(B).is_ok());
    assert!(matches!(queue.acquire(A), Ok(Event::Busy { .. })));
    assert_eq!(queue.release(B), Event::Released { client: B });
    assert!(queue.tick(2).is_ok());
    // 待つ間に失効した A は、新しい番号で取り直す。
    let again = Event::Acquired { client: A, token: Token(5), expiry: Some(6) };
    assert_eq!(queue.acquire(A), Ok(again));
}

#[test]
fn a_lease_shorter_than_one_tick_is_one_and_running_out_is_an_error() {
    let mut service = Service::<Right>::new(0);
    assert!(matches!(service.acquire(A), Ok(Event::Acquired { expiry: Some(1), .. })));
    let mut late = Service::<Right>::new(2);
    assert!(late.tick(u64::MAX).is_ok());
    assert_eq!(late.acquire(A), Err(Impossible::TimeOverflow));
    assert_eq!(late.tick(1), Err(Impossible::TimeOverflow));

    /// 配れる番号が尽きた決めごと。
    #[derive(Clone, Copy, Default)]
    struct Exhausted;
    impl LockRules for Exhausted {
        fn next_token(&self, _state: &State) -> Option<Token> {
            None
        }
    }
    assert_eq!(Service::<Exhausted>::new(2).acquire(A), Err(Impossible::TokenOverflow));
}
