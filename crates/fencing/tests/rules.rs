//! フェンシングの規則。一つの規則に一つの試験。

use double_acquisition::{UnfencedResource, check_then_pause, delayed_packet, gc_pause};
use fencing::{FencedResource, Resource};
use stage::{Action, Asked, Client, Event, Refusal, Run, Token, Value};

const A1: Value = Value { by: Client::A, nth: 1 };
const B1: Value = Value { by: Client::B, nth: 1 };

fn accepted(value: Value, token: u64, max: u64) -> Event {
    Event::Accepted { value, token: Token(token), compared: Some(Token(max)) }
}

/// トークン 2 の書き込みを受理した資源。
fn seen_two() -> FencedResource {
    let mut row = FencedResource::new();
    row.write(Token(2), B1);
    row
}

#[test]
fn an_older_token_is_rejected_and_changes_nothing() {
    let mut row = seen_two();
    let rejected = Event::Rejected {
        asked: Asked::Write(A1),
        token: Token(1),
        reason: Refusal::Older { max: Token(2) },
    };
    assert_eq!(row.write(Token(1), A1), rejected);
    assert_eq!(row, seen_two());
}

#[test]
fn an_equal_token_is_accepted() {
    let mut row = seen_two();
    assert_eq!(row.write(Token(2), A1), accepted(A1, 2, 2));
    assert_eq!((row.value(), row.max_token()), (Some(A1), Token(2)));
}

#[test]
fn a_larger_token_is_accepted_and_remembered() {
    let mut row = seen_two();
    assert_eq!(row.write(Token(3), A1), accepted(A1, 3, 2));
    assert_eq!((row.value(), row.max_token()), (Some(A1), Token(3)));
}

#[test]
fn accepted_tokens_never_go_back() {
    for first in 1..=4 {
        for second in 1..=4 {
            let mut row = FencedResource::new();
            row.write(Token(first), A1);
            let event = row.write(Token(second), B1);
            let is_accepted = matches!(event, Event::Accepted { .. });
            assert_eq!(is_accepted, first <= second, "{first} のあとの {second}");
        }
    }
}

#[test]
fn the_same_actions_end_differently_only_because_of_the_resource() -> anyhow::Result<()> {
    let unfenced = gc_pause(UnfencedResource::new()).run()?;
    let fenced = gc_pause(FencedResource::new()).run()?;
    let actions =
        |timeline: &Run| -> Vec<Action> { timeline.steps.iter().map(|s| s.action).collect() };
    assert_eq!(actions(&unfenced), actions(&fenced));
    assert!(unfenced.is_damaged());
    assert!(!fenced.is_damaged());
    Ok(())
}

#[test]
fn fencing_does_not_prevent_double_acquisition_only_its_damage() -> anyhow::Result<()> {
    let timeline = gc_pause(FencedResource::new()).run()?;
    assert!(timeline.has_double());
    assert!(!timeline.is_damaged());
    Ok(())
}

#[test]
fn fencing_stops_what_checking_the_clock_cannot() -> anyhow::Result<()> {
    assert!(!check_then_pause(FencedResource::new()).run()?.is_damaged());
    assert!(!delayed_packet(FencedResource::new()).run()?.is_damaged());
    Ok(())
}
