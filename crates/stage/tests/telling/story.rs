//! 筋書きと章の規則。

use chart::{Drawing, Table};
use stage::Action::{Acquire, Resume, Tick, Write};
use stage::Client::A;
use stage::{
    Chapter, ChapterError, Client, DrawingSource, Event, Holder, Impossible, Lock, Resource,
    Scene as _, Setup, Story, StoryError, TableSource, Time, Token, Value, World, pinned,
};

/// 誰にでも、いつでも渡す錠。
#[derive(Clone, Copy)]
struct Open;

impl Lock for Open {
    fn acquire(&mut self, client: Client) -> Result<Event, Impossible> {
        Ok(Event::Acquired { client, token: Token(1), expiry: Some(1) })
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

/// 何でも受け取る資源。
#[derive(Clone, Copy)]
struct Page(Option<Value>);

impl Resource for Page {
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

fn story() -> Story {
    let world = World::with_resource(Open, Page(None));
    Story::new("write", "題", world, &[Acquire(A), Write(A, 1)])
}

fn impossible() -> Story {
    Story::new("impossible", "題", World::new(Open), &[Resume(A)])
}

fn table() -> Result<Table, ChapterError> {
    Ok(Table { header: vec!["見出し".to_owned()], rows: vec![vec!["本体".to_owned()]] })
}

fn drawing() -> Result<Drawing, ChapterError> {
    let words = vec!["一つ目。".to_owned(), "二つ目。".to_owned()];
    Ok(Drawing { title: "題".to_owned(), svg: "<svg/>".to_owned(), words })
}

fn chapter(stories: Vec<Story>) -> Chapter {
    Chapter {
        name: "chapter",
        stories,
        tables: vec![TableSource::new("words", table)],
        drawings: vec![DrawingSource { name: "picture", make: drawing }],
    }
}

#[test]
fn a_story_is_played_from_its_start_every_time() {
    let story = story();
    assert_eq!(story.run(), story.run());
    assert_eq!(story.run().unwrap().steps.len(), 2);
    assert_eq!(story.actions, [Acquire(A), Write(A, 1)]);
}

#[test]
fn a_story_under_another_name_does_the_same() {
    let renamed = story().renamed("again", "別の題");
    assert_eq!((renamed.name, renamed.title), ("again", "別の題"));
    let (one, other) = (story().run().unwrap(), renamed.run().unwrap());
    assert_eq!((other.title.as_str(), other.steps), ("別の題", one.steps));
}

#[test]
fn a_chapter_records_every_story_as_text_and_data_and_then_every_table_and_drawing() {
    let timeline = story().run().unwrap().timeline();
    let expected = [
        ("write.text".to_owned(), timeline.text()),
        ("write.timeline".to_owned(), timeline.to_json().unwrap()),
        ("words.table".to_owned(), "見出し\n本体\n".to_owned()),
        ("picture.drawing".to_owned(), "題\n\n一つ目。\n二つ目。\n\n<svg/>".to_owned()),
    ];
    assert_eq!(chapter(vec![story()]).records().unwrap(), expected);
}

#[test]
fn data_that_cannot_be_drawn_is_not_pinned() {
    let mut timeline = story().run().unwrap().timeline();
    timeline.steps[2].marks[0].lane = "Z".to_owned();
    assert!(pinned(&timeline).unwrap_err().to_string().contains("レーン「Z」はない"));
}

#[test]
fn a_chapter_with_an_impossible_story_has_no_records() {
    let Err(ChapterError::Story(error)) = chapter(vec![impossible()]).records() else {
        panic!("演じられないはず");
    };
    let reason = Impossible::NotPaused(A);
    assert_eq!(error, StoryError { number: 1, action: Resume(A), reason });
}

#[test]
fn a_chapter_whose_table_cannot_be_made_has_no_records() {
    let missing = || Err(ChapterError::NotFound("「題」の反例".to_owned()));
    let tables = vec![TableSource::new("words", missing)];
    let error = Chapter { tables, ..chapter(vec![]) }.records().unwrap_err();
    assert_eq!(error.to_string(), "「題」の反例が見つからない。調べる範囲か、相手の部品を見直す。");
}

#[test]
fn a_stage_tells_its_setup_and_another_can_be_built_from_it() {
    let two = Setup { clients: 2, watches_clocks: false, has_resource: true };
    assert_eq!(World::with_resource(Open, Page(None)).setup(), two);
    let bare = Setup { has_resource: false, ..two };
    assert_eq!(World::new(Open).setup(), bare);
    let three = Setup { clients: 3, watches_clocks: true, ..two };
    assert_eq!(World::with_resource(Open, Page(None)).and_c().watching_clocks().setup(), three);
    for setup in [two, bare, three] {
        assert_eq!(World::of(setup, Open, Page(None)).setup(), setup);
    }
}

#[test]
fn a_trace_tells_each_action_and_goes_on_after_an_impossible_one() {
    let world = World::new(Open);
    let trace = world.trace(&[Acquire(A), Resume(A), Tick(1), Acquire(A)]);
    let granted = Event::Acquired { client: A, token: Token(1), expiry: Some(1) };
    assert_eq!(trace[0].as_ref().unwrap()[..], [granted]);
    assert_eq!(trace[1], Err(Impossible::NotPaused(A)));
    assert!(trace[2].as_ref().unwrap().is_empty());
    assert_eq!(trace[3].as_ref().unwrap()[..], [granted]);
}
