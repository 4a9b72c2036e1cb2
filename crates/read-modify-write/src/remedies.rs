//! 資源のしかたごとに、同じ手の列を与えて、更新が消えるかを表にする。

use fencing::FencedResource;
use stage::{Action, ChapterError, Event, Packet, Resource, StoryError, Table, Token, Value};

use crate::stories::{DUPLICATED, FIRST_WRITE, REGISTERED, REORDERED, story};
use crate::{CompareAndSet, LargerSequence, NextSequence, RegisteringResource};

/// しかたごとの表。
pub(crate) fn table() -> Result<Table, ChapterError> {
    let header = ["しかた", "古い持ち主の先着", "写しの到着", "順序の入れ替わり", "古いトークン"];
    Ok(Table {
        header: header.map(str::to_owned).to_vec(),
        rows: vec![
            row("トークンを比べる", FencedResource::new(), &FIRST_WRITE)?,
            row("登録してから読む", RegisteringResource::new(), &REGISTERED)?,
            row("読んだ値を比べる", CompareAndSet::new(), &FIRST_WRITE)?,
            row("登録と、前より大きい順番", LargerSequence::new(), &REGISTERED)?,
            row("登録と、ちょうど次の順番", NextSequence::new(), &REGISTERED)?,
        ],
    })
}

// ANCHOR: row
fn row(
    name: &str,
    resource: impl Resource + 'static,
    first: &[Action],
) -> Result<Vec<String>, StoryError> {
    let mut cells = vec![name.to_owned()];
    for actions in [first, &DUPLICATED, &REORDERED] {
        cells.push(outcome(resource.clone(), actions)?);
    }
    cells.push(old_tokens(resource).to_owned());
    Ok(cells)
}
// ANCHOR_END: row

fn outcome(resource: impl Resource + 'static, actions: &[Action]) -> Result<String, StoryError> {
    let timeline = story("compared", "比べる", resource, actions).run()?;
    let lost: Vec<String> = timeline.lost_updates().iter().map(Value::to_string).collect();
    Ok(if lost.is_empty() {
        "消えない".to_owned()
    } else {
        format!("{} が消える", lost.join("、"))
    })
}

/// 新しいトークンの書き込みのあとで、古い持ち主が読み直してから書くと、どうなるか。
fn old_tokens(mut resource: impl Resource) -> &'static str {
    let by = |by, nth| Value { by, nth };
    resource.write(Token(2), by(stage::Client::B, 1));
    let base = Some(resource.value());
    let value = by(stage::Client::A, 1);
    match resource.deliver(&Packet { value, token: Token(1), base, sequence: 1 }) {
        Event::Accepted { .. } => "受理する",
        _ => "拒否する",
    }
}
