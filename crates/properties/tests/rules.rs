//! 性質の決まり。起きたことを順に聞かせ、最後のものが破った性質を見る。

use check::{Broken, Monitor as _, judge};
use properties::{Properties, Property, Watch};
use stage::Action::*;
use stage::Client::{A, B};
use stage::{
    Asked, Client, Clients, Event, Fact, Holder, Impossible, Lock, Refusal, Resource, Time, Token,
    Value, World,
};

const A1: Value = Value { by: A, nth: 1 };
const A2: Value = Value { by: A, nth: 2 };
const B1: Value = Value { by: B, nth: 1 };

/// リースの長さ。
const LENGTH: Time = 2;

/// 時刻 `now` の、`grant` 度目の取得に関わる出来事。
fn fact(event: Event, now: Time, grant: u64) -> Fact {
    let (believers, valid) = (Clients::default(), Clients::default());
    Fact { event: Some(event), now, grant, base: None, believers, valid }
}

fn entered(facts: &[Fact]) -> Vec<Property> {
    let watch = Watch::all(LENGTH);
    let (mut notes, mut broken) = (watch.start(), Broken::NONE);
    for fact in facts {
        broken = Broken::NONE;
        watch.hear(&mut notes, fact, &mut broken);
    }
    Properties::from(broken).iter().collect()
}

fn acquired(client: Client, token: u64, expiry: Option<Time>, now: Time, grant: u64) -> Fact {
    fact(Event::Acquired { client, token: Token(token), expiry }, now, grant)
}

fn renewed(client: Client, token: u64, expiry: Time, now: Time, grant: u64) -> Fact {
    fact(Event::Renewed { client, token: Token(token), expiry: Some(expiry) }, now, grant)
}

fn released(client: Client, now: Time, grant: u64) -> Fact {
    fact(Event::Released { client }, now, grant)
}

fn registered(client: Client, grant: u64) -> Fact {
    fact(Event::Registered { client, token: Token(grant), max: Token::NONE }, 0, grant)
}

fn accepted(value: Value, token: u64, grant: u64) -> Fact {
    fact(Event::Accepted { value, token: Token(token), compared: None }, 0, grant)
}

fn based_on(base: Option<Value>, fact: Fact) -> Fact {
    Fact { base: Some(base), ..fact }
}

#[test]
fn a_grant_waits_for_the_release_or_the_expiry_of_the_one_before() {
    let first = acquired(A, 1, Some(10), 0, 1);
    let early = [Property::GrantAfterEnd];
    assert_eq!(entered(&[first, acquired(B, 2, None, 9, 2)]), early);
    assert_eq!(entered(&[first, acquired(B, 2, None, 10, 2)]), []);
    assert_eq!(entered(&[first, released(A, 0, 1), acquired(B, 2, None, 1, 2)]), []);
    assert_eq!(entered(&[first, released(B, 0, 1), acquired(B, 2, None, 1, 2)]), early);
    assert_eq!(entered(&[first, released(A, 0, 9), acquired(B, 2, None, 1, 2)]), early);
    assert_eq!(entered(&[acquired(A, 1, None, 0, 1), acquired(B, 2, None, 99, 2)]), early);
}

#[test]
fn an_expiry_is_known_from_the_clock_without_being_told() {
    let passed = Fact { event: None, ..released(A, 10, 0) };
    let first = acquired(A, 1, Some(10), 0, 1);
    assert_eq!(entered(&[first, passed, acquired(B, 2, None, 10, 2)]), []);
    let watch = Watch::all(LENGTH);
    let notes = |facts: &[Fact]| {
        let mut notes = watch.start();
        facts.iter().for_each(|fact| watch.hear(&mut notes, fact, &mut Broken::default()));
        notes
    };
    let ended = notes(&[first, passed]);
    let twice = notes(&[first, passed, Fact { now: 11, ..passed }]);
    assert_eq!(ended, twice, "終わった保持のことは、覚えていない");
}

#[test]
fn a_token_is_larger_than_any_before_it() {
    let first = acquired(A, 2, Some(1), 0, 1);
    for (token, broken) in [(1, true), (2, true), (3, false)] {
        let properties = entered(&[first, acquired(B, token, None, 1, 2)]);
        assert_eq!(properties == [Property::TokensIncrease], broken, "{token}");
    }
    let back = [first, acquired(B, 1, Some(2), 1, 2), acquired(A, 2, None, 2, 3)];
    assert_eq!(entered(&back), [Property::TokensIncrease], "最大は小さくならない");
    assert_eq!(entered(&[acquired(A, 0, None, 0, 1)]), [Property::TokensIncrease]);
}

#[test]
fn renewing_moves_the_expiry_and_renewing_after_the_end_is_a_grant() {
    let first = acquired(A, 1, Some(10), 0, 1);
    let again = renewed(A, 1, 15, 5, 1);
    assert_eq!(entered(&[first, again]), []);
    let early = [Property::GrantAfterEnd];
    assert_eq!(entered(&[first, again, acquired(B, 2, None, 14, 2)]), early);
    assert_eq!(entered(&[first, again, acquired(B, 2, None, 15, 2)]), []);
    assert_eq!(entered(&[first, again, released(A, 6, 1), acquired(B, 2, None, 7, 2)]), []);
    assert_eq!(entered(&[first, renewed(A, 1, 20, 10, 1)]), [Property::TokensIncrease]);
    let other = acquired(B, 2, Some(20), 10, 2);
    let both = [Property::GrantAfterEnd, Property::TokensIncrease];
    assert_eq!(entered(&[first, other, renewed(A, 1, 21, 11, 1)]), both);
    assert_eq!(entered(&[first, renewed(B, 1, 12, 2, 0)]), both);
    assert_eq!(entered(&[first, renewed(A, 2, 12, 2, 1)]), early);
}

#[test]
fn an_accepted_grant_is_never_older_than_an_accepted_or_registered_one() {
    let back = [Property::AcceptedNeverGoBack];
    let newer = accepted(B1, 2, 2);
    assert_eq!(entered(&[newer, accepted(A1, 1, 1)]), back);
    assert_eq!(entered(&[newer, accepted(A1, 2, 2)]), []);
    let thrice = [newer, accepted(A1, 1, 1), accepted(A2, 1, 1)];
    assert_eq!(entered(&thrice), back, "最大は小さくならない");
    let older = [Property::NothingOlderThanRegistered];
    let row = registered(B, 2);
    assert_eq!(entered(&[row, accepted(A1, 1, 1)]), older);
    assert_eq!(entered(&[row, accepted(A1, 2, 2)]), []);
    let twice = [row, registered(A, 1), accepted(A1, 1, 1)];
    assert_eq!(entered(&twice), older, "最大は小さくならない");
}

#[test]
fn grants_are_compared_by_their_order_and_not_by_their_tokens() {
    let back = [Property::AcceptedNeverGoBack];
    assert_eq!(entered(&[accepted(B1, 1, 2), accepted(A1, 1, 1)]), back, "同じ番号の、前の保持");
    assert_eq!(entered(&[accepted(B1, 0, 2), accepted(A1, 0, 1)]), back, "番号のないロック");
    assert_eq!(entered(&[accepted(B1, 5, 1), accepted(A1, 1, 2)]), [], "番号の戻った、次の保持");
    let older = [Property::NothingOlderThanRegistered];
    let same_number = Fact { grant: 1, ..accepted(A1, 2, 2) };
    assert_eq!(entered(&[registered(B, 2), same_number]), older);
}

#[test]
fn an_update_is_lost_when_its_base_is_not_the_current_value() {
    let lost = [Property::NoLostUpdate];
    let first = based_on(None, accepted(A1, 1, 1));
    assert_eq!(entered(&[first]), []);
    assert_eq!(entered(&[first, based_on(None, accepted(B1, 1, 1))]), lost);
    assert_eq!(entered(&[first, based_on(Some(A1), accepted(B1, 1, 1))]), []);
    assert_eq!(entered(&[based_on(Some(A1), accepted(A2, 1, 1))]), lost, "もとの値がまだない");
    assert_eq!(entered(&[first, first]), [], "最後の書き込みの繰り返し");
    assert_eq!(entered(&[first, accepted(B1, 1, 1)]), [], "読まない書き込み");
    let repeated = [first, based_on(Some(A1), accepted(A2, 1, 1)), first];
    assert_eq!(entered(&repeated), lost, "前の書き込みの繰り返し");
}

#[test]
fn the_newest_grant_may_not_be_called_old() {
    let refused = |reason, grant| {
        let event = Event::Rejected { asked: Asked::Write(A1), token: Token(grant), reason };
        fact(event, 5, grant)
    };
    let (first, second) = (acquired(A, 1, Some(2), 0, 1), acquired(B, 2, Some(4), 2, 2));
    let older = Refusal::Older { max: Token(9) };
    let unequal = Refusal::Unequal { wanted: Token(9) };
    let newest = [Property::NewestServed];
    for reason in [older, unequal] {
        assert_eq!(entered(&[first, refused(reason, 1)]), newest);
        assert_eq!(entered(&[first, second, refused(reason, 1)]), []);
        assert_eq!(entered(&[first, second, refused(reason, 2)]), newest);
    }
    let changed = Refusal::Changed { base: None, current: Some(A1) };
    assert_eq!(entered(&[first, refused(changed, 1)]), []);
}

/// 時刻 `now` に、誰も持っているつもりでないのに断られた。
fn busy(now: Time) -> Fact {
    fact(Event::Busy { client: B, holder: A, expiry: None }, now, 0)
}

#[test]
fn a_lock_is_free_two_leases_after_the_last_believer() {
    // 誰も持っているつもりでないまま、時刻だけが進む。
    let quiet = Fact { event: None, ..busy(1) };
    assert_eq!(entered(&[quiet, busy(4)]), []);
    assert_eq!(entered(&[quiet, busy(5)]), [Property::Frees]);
    assert_eq!(entered(&[quiet, Fact { now: 3, ..quiet }, busy(5)]), [Property::Frees]);
}

#[test]
fn a_believer_that_is_no_longer_valid_counts_only_as_a_believer() {
    let of = |believers: &[Client], valid: &[Client]| {
        let sets = [believers, valid].map(|clients| clients.iter().copied().collect());
        let [believers, valid] = sets;
        entered(&[Fact { event: None, believers, valid, ..busy(1) }])
    };
    assert_eq!(of(&[A], &[A]), []);
    assert_eq!(of(&[A, B], &[B]), [Property::OneBeliever]);
    assert_eq!(of(&[A, B], &[]), [Property::OneBeliever]);
    assert_eq!(of(&[A, B], &[A, B]), [Property::OneValid, Property::OneBeliever]);
}

/// 取得を、いつでも、いつも同じ番号で認める錠。
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Generous;

impl Lock for Generous {
    fn acquire(&mut self, client: Client) -> Result<Event, Impossible> {
        Ok(Event::Acquired { client, token: Token(1), expiry: None })
    }

    fn release(&mut self, client: Client) -> Event {
        Event::Released { client }
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

/// 何でも受け入れる資源。
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Open(Option<Value>);

impl Resource for Open {
    fn write(&mut self, token: Token, value: Value) -> Event {
        self.0 = Some(value);
        Event::Accepted { value, token, compared: None }
    }

    fn value(&self) -> Option<Value> {
        self.0
    }

    fn max_token(&self) -> Token {
        Token::NONE
    }
}

#[test]
fn a_run_and_the_same_run_written_as_a_history_are_judged_alike() {
    let mut world = World::with_resource(Generous, Open(None));
    let watch = Watch::all(LENGTH);
    let (mut notes, mut history, mut found) = (watch.start(), Vec::new(), Vec::new());
    let actions =
        [Acquire(A), Send(A, 1), Acquire(B), Write(B, 1), Deliver(A, 1), Release(B), Release(A)];
    for action in actions {
        let before = history.len();
        world.witness(action, &mut history).unwrap();
        for fact in &history[before..] {
            let mut broken = Broken::NONE;
            watch.hear(&mut notes, fact, &mut broken);
            found.push(Properties::from(broken));
        }
    }
    let first = |property: Property| found.iter().position(|broken| broken.has(property));
    let live = Property::ALL.into_iter().filter_map(|property| Some((first(property)?, property)));
    let mut live: Vec<(usize, usize)> = live.map(|(at, one)| (at, one as usize)).collect();
    live.sort_unstable();
    assert_eq!(judge(&watch, &history), live);
    let broken: Vec<usize> = live.iter().map(|(_, property)| *property).collect();
    use Property::{AcceptedNeverGoBack, GrantAfterEnd, OneBeliever, OneValid, TokensIncrease};
    let expected = [GrantAfterEnd, OneValid, OneBeliever, TokensIncrease, AcceptedNeverGoBack];
    assert_eq!(broken, expected.map(|property| property as usize));
}

#[test]
fn only_what_was_asked_is_reported() {
    let facts = [acquired(A, 1, None, 0, 1), acquired(B, 1, None, 0, 2)];
    let asked = |watch: &Watch| -> Vec<usize> {
        judge(watch, &facts).into_iter().map(|(_, property)| property).collect()
    };
    let both = [Property::GrantAfterEnd, Property::TokensIncrease].map(|one| one as usize);
    assert_eq!(asked(&Watch::all(LENGTH)), both);
    for property in Property::ALL {
        let expected: Vec<usize> =
            both.into_iter().filter(|one| *one == property as usize).collect();
        assert_eq!(asked(&Watch::only(property, LENGTH)), expected, "{property:?}");
    }
}

#[test]
fn a_set_of_properties_lists_each_once_in_order() {
    let some = [Property::NoLostUpdate, Property::GrantAfterEnd, Property::NoLostUpdate];
    let set: Properties = some.into_iter().collect();
    let listed: Vec<Property> = set.iter().collect();
    assert_eq!(listed, [Property::GrantAfterEnd, Property::NoLostUpdate]);
    assert_eq!(Properties::all().iter().collect::<Vec<_>>(), Property::ALL);
    let only = [Property::NoLostUpdate].into_iter().collect();
    assert_eq!(set.within(only), only);
    let names: Vec<&str> = Property::ALL.into_iter().map(Property::name).collect();
    assert!(names.iter().enumerate().all(|(at, name)| !names[..at].contains(name)), "{names:?}");
    for (at, property) in Property::ALL.into_iter().enumerate() {
        assert_eq!(property as usize, at);
    }
}
