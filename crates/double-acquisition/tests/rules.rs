//! 比べない資源と、二重取得の帯の規則。

use double_acquisition::{
    Resource, UnfencedResource, check_then_pause, delayed_packet, gc_pause, pause_then_check,
};
use stage::{Client, Event, Token, Value};

const A1: Value = Value { by: Client::A, nth: 1 };
const B1: Value = Value { by: Client::B, nth: 1 };

#[test]
fn an_unfenced_resource_accepts_even_an_older_token() {
    let mut row = UnfencedResource::new();
    assert_eq!((row.value(), row.max_token()), (None, Token::NONE));
    row.write(Token(2), B1);
    let accepted = Event::Accepted { value: A1, token: Token(1), compared: None };
    assert_eq!(row.write(Token(1), A1), accepted);
    assert_eq!((row.value(), row.max_token()), (Some(A1), Token(2)));
}

#[test]
fn a_paused_holder_and_the_next_holder_believe_at_once() -> anyhow::Result<()> {
    let timeline = gc_pause(UnfencedResource::new()).run()?;
    assert!(timeline.has_double());
    assert!(timeline.is_damaged());
    Ok(())
}

#[test]
fn a_check_after_the_pause_prevents_the_damage() -> anyhow::Result<()> {
    let timeline = pause_then_check(UnfencedResource::new()).run()?;
    assert!(!timeline.is_damaged());
    Ok(())
}

#[test]
fn a_pause_after_the_check_does_the_damage() -> anyhow::Result<()> {
    let timeline = check_then_pause(UnfencedResource::new()).run()?;
    assert!(timeline.has_double());
    assert!(timeline.is_damaged());
    Ok(())
}

#[test]
fn a_delayed_packet_does_the_damage_without_any_pause() -> anyhow::Result<()> {
    let timeline = delayed_packet(UnfencedResource::new()).run()?;
    let paused = |event: &Event| matches!(event, Event::Paused { .. });
    assert!(!timeline.events().any(paused));
    assert!(timeline.is_damaged());
    Ok(())
}
