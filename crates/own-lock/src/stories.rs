//! 本の筋書きを、読者の錠で演じ直す。顔ぶれと手の列は、章の筋書きがデータとして持っている。

use std::hash::Hash;

use stage::{Action, Event, Events, Lock, Resource, Story, Time, Token, World};

use crate::finding::{Broke, Finding};
use crate::play::{Played, play};

/// 筋書きのリースの長さ。単位は刻み。
const LENGTH: Time = 10;

/// 比べない資源の筋書き。比べる資源では、違う結果になる。
const UNFENCED: &str = "gc_pause_unfenced";

/// 演じる筋書き。`章::名前` と、中身。
fn stories() -> Vec<(String, Story)> {
    let mut stories = Vec::new();
    for chapter in [lease::chapter(), fencing::chapter()] {
        let named = chapter.stories.into_iter().filter(|story| story.name != UNFENCED);
        stories.extend(named.map(|story| (format!("{}::{}", chapter.name, story.name), story)));
    }
    stories
}

/// すべての筋書きを演じ、演じたものの名前と、本と違ったものを返す。
pub(crate) fn perform<L, R>(
    make_lock: &impl Fn(Time) -> L,
    make_resource: &impl Fn() -> R,
) -> (Vec<String>, Vec<Finding>)
where
    L: Lock + Eq + Hash + 'static,
    R: Resource + Eq + Hash + 'static,
{
    let (mut names, mut findings) = (Vec::new(), Vec::new());
    for (name, story) in stories() {
        let world = World::of(story.scene.setup(), make_lock(LENGTH), make_resource());
        findings.extend(one(&name, &story, world));
        names.push(name);
    }
    (names, findings)
}

/// 手ごとに本で起きること。章の筋書きは章の試験が演じているので、起こりえない手はない。
fn script(story: &Story) -> Vec<Events> {
    let trace = story.scene.trace(&story.actions);
    trace.into_iter().map(Result::unwrap_or_default).collect()
}

fn one<L: Lock, R: Resource>(name: &str, story: &Story, world: World<L, R>) -> Option<Finding> {
    let played = play(story.title, world.clone(), &story.actions)?;
    let (at, detail) = difference(&script(story), &played)?;
    let actions = story.actions.iter().take(at + 1).copied().collect::<Vec<Action>>();
    let played = play(story.title, world, &actions);
    Some(Finding {
        broke: Broke::Story(name.to_owned()),
        detail,
        length: LENGTH,
        rounds: 0,
        actions,
        timeline: played.map(|played| played.timeline),
    })
}

/// 初めて本と違う手の番号と、違い。
fn difference(script: &[Events], played: &Played) -> Option<(usize, String)> {
    let mut names = Names::default();
    for (at, expected) in script.iter().enumerate() {
        let Some(events) = played.events.get(at) else {
            let why = played.stopped.as_ref().map(|stopped| stopped.sentence());
            let book = sentences(expected);
            return Some((at, format!("本では「{book}」。演じると、{}", why.unwrap_or_default())));
        };
        let alike = expected.len() == events.len()
            && expected.iter().zip(events).all(|(book, own)| names.alike(book, own));
        if !alike {
            let (book, own) = (sentences(expected), sentences(events));
            return Some((at, format!("本では「{book}」。演じると「{own}」。")));
        }
    }
    None
}

fn sentences(events: &[Event]) -> String {
    let sentences: Vec<String> = events.iter().map(Event::sentence).collect();
    if sentences.is_empty() { "何も起きない".to_owned() } else { sentences.concat() }
}

/// 配られた順に並べたトークン。本は 1 ずつ大きくするが、読者の錠は飛ばしてもよい。
#[derive(Default)]
struct Names(Vec<Token>);

impl Names {
    /// 本での番号。
    fn in_book(&self, own: Token) -> Token {
        let place = self.0.iter().position(|known| *known == own);
        place.map_or(Token::NONE, |place| Token(place as u64 + 1))
    }

    /// 今の持ち主のトークンか。本の番号で指す。
    fn is_newest(&self, book: Token) -> bool {
        book == Token(self.0.len() as u64)
    }

    /// 本と同じことが起きたとみなせるか。
    fn alike(&mut self, book: &Event, own: &Event) -> bool {
        use Event::{Accepted, Acquired, Busy, Rejected};
        match (*book, *own) {
            (Acquired { client, expiry, .. }, Acquired { token, .. }) => {
                self.0.push(token);
                matches!(*own, Acquired { client: by, expiry: end, .. } if by == client && end == expiry)
            }
            (Busy { client, holder, .. }, Busy { expiry: None, .. }) => {
                *own == Busy { client, holder, expiry: None }
            }
            // 今の持ち主の書き込みは、受理する。古いものは、本で受理されていても、断ってよい。
            (Accepted { value, token, .. }, own) => match own {
                Accepted { value: written, token: with, .. } => {
                    written == value && self.in_book(with) == token
                }
                _ => !self.is_newest(token) && refused(&own) == Some(value),
            },
            (Rejected { asked, .. }, own) => refused(&own) == asked.value(),
            (book, own) => book == self.renamed(own),
        }
    }

    /// トークンを、本での番号にする。
    fn renamed(&self, own: Event) -> Event {
        match own {
            Event::Renewed { client, token, expiry } => {
                Event::Renewed { client, token: self.in_book(token), expiry }
            }
            Event::Sent { value, token } => Event::Sent { value, token: self.in_book(token) },
            own => own,
        }
    }
}

/// 断られた値。
fn refused(event: &Event) -> Option<stage::Value> {
    match *event {
        Event::Rejected { asked, .. } => asked.value(),
        _ => None,
    }
}
