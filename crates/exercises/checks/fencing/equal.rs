//! 検査: 一人の持ち主が同じトークンで何度でも書け、古い持ち主はどの行にも書けないこと。
//! 三つの書き込みの並びは、すべて試す。

use std::collections::BTreeMap;

use anyhow::{Result, bail};
use fencing::{FencedResource, Resource};
use lease::LockService;
use stage::Action::{Acquire, Pause, Resume, Tick, Write};
use stage::Client::{A, B};
use stage::{Asked, Event, Refusal, Run, Token, Value, World};

use crate::feedback;

/// 表の行。三つとも、同じロックで守る。
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Row {
    /// 注文
    Order,
    /// 在庫
    Stock,
    /// 帳簿
    Ledger,
}

impl Row {
    /// すべての行。
    pub const ALL: [Row; 3] = [Row::Order, Row::Stock, Row::Ledger];
}

/// 行に残る記録。
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stored {
    /// 書かれた値
    pub value: Value,
    /// その書き込みに添えられていたトークン
    pub token: Token,
}

/// 三つの行からなる表。
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// 受理したうちで最大のトークン
    pub max: Token,
    /// 書かれた行
    pub rows: BTreeMap<Row, Stored>,
}

/// 読者が書く判定。`row` に `written` を書いてよければ、書いて `true` を返す。
pub type Answer = fn(table: &mut Table, row: Row, written: Stored) -> bool;

/// 答えを確かめる。
///
/// # Errors
/// 判定か、そのあとの表が一つでも違えば、その理由と時系列を返す。
pub fn check(answer: Answer) -> Result<()> {
    let writes: Vec<(Row, Token)> =
        Row::ALL.iter().flat_map(|&row| (1..=3).map(move |token| (row, Token(token)))).collect();
    for &first in &writes {
        for &second in &writes {
            for &third in &writes {
                try_sequence(answer, [first, second, third])?;
            }
        }
    }
    Ok(())
}

fn try_sequence(answer: Answer, writes: [(Row, Token); 3]) -> Result<()> {
    let (mut expected, mut actual) = (Table::default(), Table::default());
    for (nth, (row, token)) in (1..).zip(writes) {
        // どれも、同じ客が取り直して書いたことにする。客の名前では、新しさは分からない。
        let written = Stored { value: Value { by: A, nth }, token };
        let before = expected.clone();
        let may = reference(&mut expected, row, written);
        let accepted = answer(&mut actual, row, written);
        if accepted != may || actual != expected {
            bail!("{}\n\n{}", symptom(accepted, may, &before, row, token), timelines(answer)?);
        }
    }
    Ok(())
}

fn reference(table: &mut Table, row: Row, written: Stored) -> bool {
    if written.token < table.max {
        return false;
    }
    table.max = written.token;
    table.rows.insert(row, written);
    true
}

fn symptom(accepted: bool, may: bool, before: &Table, row: Row, token: Token) -> String {
    let max = before.max;
    let is_rewrite = before.rows.get(&row).is_some_and(|stored| stored.token == token);
    match (accepted, may) {
        (true, false) => format!(
            "最大 {max} のあとで、トークン {token} の書き込みを受理した。目を覚ました古い持ち主が、三つの行のうちのどれかを書き換え、行どうしの辻褄が合わなくなる。"
        ),
        (false, true) if is_rewrite => format!(
            "同じトークン {token} での、同じ行の書き直しを拒否した。バッチは自分の書いた値を訂正できず、間違った値が残る。"
        ),
        (false, true) if token == max => format!(
            "最大 {max} のあとで、同じトークン {token} の書き込みを拒否した。バッチは一つ目の行だけを書いて失敗し、残りの行は前の日のままになる。"
        ),
        (false, true) => format!(
            "最大 {max} のあとで、トークン {token} の書き込みを拒否した。新しい持ち主が一度も書けない。"
        ),
        _ => "判定は合っているが、書いたあとの表が違う。受理したら行と最大を書き換え、拒否したら何も変えない。".to_owned(),
    }
}

/// 答えの判定を使う表。何番目の値かで、書く行を決める。
#[derive(Clone)]
struct Answered {
    table: Table,
    last: Option<Value>,
    answer: Answer,
}

impl Resource for Answered {
    fn write(&mut self, token: Token, value: Value) -> Event {
        let max = self.table.max;
        let row = match value.nth {
            1 => Row::Order,
            2 => Row::Stock,
            _ => Row::Ledger,
        };
        if !(self.answer)(&mut self.table, row, Stored { value, token }) {
            return Event::Rejected {
                asked: Asked::Write(value),
                token,
                reason: Refusal::Older { max },
            };
        }
        self.last = Some(value);
        // 成り立たない比較を、比べたようには見せない。
        let compared = (token >= max).then_some(max);
        Event::Accepted { value, token, compared }
    }

    fn value(&self) -> Option<Value> {
        self.last
    }

    fn max_token(&self) -> Token {
        self.table.max
    }
}

fn timelines(answer: Answer) -> Result<String> {
    let expected = play(FencedResource::new())?;
    let actual = play(Answered { table: Table::default(), last: None, answer })?;
    Ok(format!(
        "A1 は注文の行、A2 は在庫の行、A3 は帳簿の行に書く値(B も同じ)\n\n{}",
        feedback::compare(&expected, &actual)
    ))
}

fn play(resource: impl Resource) -> Result<Run> {
    let world = World::with_resource(LockService::new(10), resource);
    let actions = [
        Acquire(A),
        Write(A, 1),
        Write(A, 2),
        Write(A, 3),
        Write(A, 1),
        Pause(A),
        Tick(10),
        Acquire(B),
        Write(B, 1),
        Resume(A),
        Write(A, 2),
        Write(B, 2),
    ];
    Ok(Run::play("演習", world, &actions)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(answer: Answer) -> String {
        check(answer).unwrap_err().to_string()
    }

    #[test]
    fn the_right_answer_does_what_the_resource_of_the_chapter_does() {
        assert!(check(reference).is_ok());
        assert!(timelines(reference).unwrap().contains("この筋書きでは違いが出ない"));
    }

    #[test]
    fn names_of_clients_are_no_substitute_for_tokens() {
        let by_name: Answer = |table, row, written| {
            let is_same = |stored: &Stored| stored.value.by == written.value.by;
            if written.token < table.max && !table.rows.values().any(is_same) {
                return false;
            }
            table.max = written.token;
            table.rows.insert(row, written);
            true
        };
        assert!(told(by_name).contains("受理した"));
    }

    #[test]
    fn every_kind_of_mistake_has_its_own_sentence() {
        assert!(told(|_, _, _| true).starts_with("判定は合っているが"));
        assert!(told(|_, _, _| false).contains("新しい持ち主が一度も書けない"));
        let forgets_the_max: Answer = |table, row, written| {
            table.rows.insert(row, written);
            true
        };
        assert!(told(forgets_the_max).starts_with("判定は合っているが"));
        let never_again: Answer =
            |table, row, written| written.token != table.max && reference(table, row, written);
        assert!(told(never_again).contains("同じ行の書き直しを拒否した"));
        let one_row_only: Answer = |table, row, written| {
            let is_other = |stored: &Row| *stored != row;
            let is_used = written.token == table.max && table.rows.keys().any(is_other);
            !is_used && reference(table, row, written)
        };
        assert!(told(one_row_only).contains("一つ目の行だけを書いて失敗し"));
        let changes_the_rejected: Answer = |table, row, written| {
            if written.token < table.max {
                table.rows.remove(&row);
                return false;
            }
            reference(table, row, written)
        };
        assert!(told(changes_the_rejected).starts_with("判定は合っているが"));
    }
}
