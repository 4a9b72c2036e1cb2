//! 章が外に見せるものの規則。

use timeline::Action::{Acquire, Resume};
use timeline::Client::A;
use timeline::{
    Chapter, Drawing, DrawingSource, Form, Impossible, RecordError, Story, StoryError, Table,
    TableSource, Timeline,
};

use crate::scene::{Scene, plain, zombie};

fn zombie_story() -> Result<Timeline, StoryError> {
    zombie().try_play("題")
}

fn plain_story() -> Result<Timeline, StoryError> {
    plain().try_play("題")
}

fn impossible_story() -> Result<Timeline, StoryError> {
    Scene::new().impossible(Resume(A), Impossible::NotPaused(A)).try_play("題")
}

fn table() -> Result<Table, StoryError> {
    Ok(Table { header: vec!["見出し".to_owned()], rows: vec![vec!["本体".to_owned()]] })
}

fn drawing() -> Result<Drawing, StoryError> {
    let words = vec!["一つ目。".to_owned(), "二つ目。".to_owned()];
    Ok(Drawing { title: "題".to_owned(), svg: "<svg/>".to_owned(), words })
}

#[test]
fn a_chapter_records_every_story_in_every_form_and_then_every_table_and_drawing() {
    let chapter = Chapter {
        name: "chapter",
        stories: vec![
            Story { name: "zombie", run: zombie_story },
            Story { name: "plain", run: plain_story },
        ],
        tables: vec![TableSource { name: "words", make: table }],
        drawings: vec![DrawingSource { name: "picture", make: drawing }],
    };
    let record = |name: &str, timeline: &Timeline, form: Form| {
        (format!("{name}.{}", form.suffix()), timeline.form(form).unwrap())
    };
    let (zombie, plain) = (zombie_story().unwrap(), plain_story().unwrap());
    let mut expected = Vec::new();
    expected.extend(Form::ALL.map(|form| record("zombie", &zombie, form)));
    expected.extend(Form::ALL.map(|form| record("plain", &plain, form)));
    expected.push(("words.table".to_owned(), "見出し\n本体\n".to_owned()));
    let picture = "題\n\n一つ目。\n二つ目。\n\n<svg/>";
    expected.push(("picture.drawing".to_owned(), picture.to_owned()));
    assert_eq!(chapter.records().unwrap(), expected);
}

#[test]
fn a_table_is_read_back_only_from_its_own_text() {
    let cells = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    let rows = vec![cells(&["比べる", "9 手で破る"]), cells(&["登録する", "守る"])];
    let table = Table { header: cells(&["相手", "受理は戻らない"]), rows };
    assert_eq!(Table::parse(&table.text()), Some(table.clone()));
    let shifted = table.text().replace("守る", " 守る");
    for text in ["", "相手  結果", &shifted] {
        assert_eq!(Table::parse(text), None, "{text:?}");
    }
}

#[test]
fn a_chapter_with_an_impossible_story_has_no_records() {
    let stories = vec![Story { name: "impossible", run: impossible_story }];
    let chapter = Chapter { name: "chapter", stories, tables: vec![], drawings: vec![] };
    let Err(RecordError::Story(error)) = chapter.records() else {
        panic!("演じられないはず");
    };
    let reason = Impossible::NotPaused(A);
    assert_eq!(error, StoryError { number: 1, action: Resume(A), reason });
}

#[test]
fn a_new_title_changes_nothing_else() {
    let timeline = zombie().play("題").titled("別の題");
    assert_eq!(timeline, zombie().play("別の題"));
    assert_eq!(timeline.steps[0].action, Acquire(A));
}
