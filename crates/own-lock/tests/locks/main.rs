//! 本の錠とは別に書いた錠を確かめる。正しい二つは破れず、誤りのあるものは、どれも理由つきで破れる。

mod countdown;
mod flawed;
mod history;
#[path = "../../starters/my_lock.rs"]
mod starter;

use countdown::Countdown;
use flawed::{Flaw, Flawed};
use history::History;
use own_lock::{Broke, Rule, Verdict, examine};

#[test]
fn a_lock_that_keeps_every_grant_is_unbroken() {
    insta::assert_snapshot!("history", examine(History::new));
}

// ANCHOR: test
#[test]
fn a_lock_that_counts_down_is_unbroken() {
    let verdict = own_lock::examine(Countdown::new);
    assert!(verdict.is_unbroken(), "{verdict}");
    // ANCHOR_END: test
    insta::assert_snapshot!("countdown", verdict);
    // ANCHOR: end
}
// ANCHOR_END: end

/// 保持で見分ける錠は、名前で見分ける錠が認める延長と解放を断る。
#[test]
fn a_lock_that_tells_holds_apart_is_unbroken() {
    let verdict = examine(read_modify_write::HeldService::new);
    assert!(verdict.is_unbroken(), "{verdict}");
}

#[test]
fn the_starter_is_broken_with_a_reason() {
    insta::assert_snapshot!("starter", starter::main());
}

/// 誤りごとの試験と、その記録。
macro_rules! flaws {
    ($($test:ident = $flaw:ident;)+) => {
        $(
            #[test]
            fn $test() {
                let verdict = examine(Flawed::new(Flaw::$flaw));
                assert!(!verdict.is_unbroken(), "{verdict}");
                insta::assert_snapshot!(stringify!($test), verdict);
            }
        )+
    };
}

flaws! {
    tokens_per_client = TokensPerClient;
    busy_restarts_the_lease = BusyRestartsTheLease;
    late_renew_revives = LateRenewRevives;
    alive_at_the_expiry = AliveAtTheExpiry;
    skips_over_the_expiry = SkipsOverTheExpiry;
    expired_at_the_end_of_the_tick = ExpiredAtTheEndOfTheTick;
    anyone_releases = AnyoneReleases;
    eight_bits = EightBits;
    panics_when_free = PanicsWhenFree;
    adds_without_checking = AddsWithoutChecking;
    forgets_on_restart = ForgetsOnRestart;
    panics_on_restart = PanicsOnRestart;
}

/// 時系列まで固定しない誤り。どの規則で、どう見つかるかだけを固定する。
const MORE: [Flaw; 19] = [
    Flaw::StartsAtOne,
    Flaw::NamesTheAsker,
    Flaw::TellsTheTimeAsTheExpiry,
    Flaw::NeverLendsAgain,
    Flaw::LetsTheHolderIn,
    Flaw::StartsFromZero,
    Flaw::TellsNoExpiry,
    Flaw::AddsToTheOldExpiry,
    Flaw::RefusesTheHolder,
    Flaw::CannotRenew,
    Flaw::NewTokenOnRenew,
    Flaw::NeverReleases,
    Flaw::OneTickEarly,
    Flaw::ExpiresSilently,
    Flaw::ZeroTickForgets,
    Flaw::ShowsTheOldExpiry,
    Flaw::WrapsTheTime,
    Flaw::ReleasesAnyHold,
    Flaw::SixteenBits,
];

#[test]
fn every_other_flaw_is_found_by_a_short_run() {
    let mut told = String::new();
    for flaw in MORE {
        let Verdict::Broken { first, .. } = examine(Flawed::new(flaw)) else {
            panic!("{flaw:?} が見つからない");
        };
        let (broke, path) = (&first.broke, first.path());
        told.push_str(&format!("{flaw:?}\n  {broke}\n  {path}\n  {}\n", first.detail));
    }
    insta::assert_snapshot!("others", told);
}

/// どの規則も、それを破る錠で確かめてある。
#[test]
fn every_rule_is_broken_by_some_lock() {
    let flaws = MORE.into_iter().chain([
        Flaw::TokensPerClient,
        Flaw::BusyRestartsTheLease,
        Flaw::LateRenewRevives,
        Flaw::AnyoneReleases,
        Flaw::AliveAtTheExpiry,
        Flaw::PanicsWhenFree,
        Flaw::SharesTheCounter,
    ]);
    let first = |flaw| match examine(Flawed::new(flaw)) {
        Verdict::Broken { first, .. } => Some(first.broke),
        Verdict::Unbroken(_) => None,
    };
    let broken: Vec<Broke> = flaws.filter_map(first).collect();
    for rule in Rule::ALL {
        assert!(broken.contains(&Broke::Rule(rule)), "{rule:?} を破る錠がない");
    }
}
