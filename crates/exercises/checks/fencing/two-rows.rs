//! 検査: 二つの行を、両方とも書くか、どちらも書かないこと。
//! 二つの行の状態とトークンの組は、小さい範囲ですべて試す。

use anyhow::{Result, bail};
use stage::Client::{A, B};
use stage::{Table, Token, Value};

use crate::feedback;

/// トークンを比べる一つの行。
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// この行が受理したうちで最大のトークン
    pub max: Token,
    /// 今の値。まだ書かれていなければ `None`
    pub value: Option<Value>,
}

/// 読者が書く判定。二つの行に `value` を書いてよければ、両方に書いて `true` を返す。
///
/// この関数の途中に、ほかの書き込みは割り込まない。
pub type Answer = fn(from: &mut Row, to: &mut Row, token: Token, value: Value) -> bool;

/// 試すトークンの範囲。
const RANGE: u64 = 3;

/// 答えを確かめる。
///
/// # Errors
/// 判定か、そのあとの二つの行が一つでも違えば、その理由と経過の表を返す。
pub fn check(answer: Answer) -> Result<()> {
    for from in 0..=RANGE {
        for to in 0..=RANGE {
            for token in (1..=RANGE).map(Token) {
                try_one(answer, row(from), row(to), token)?;
            }
        }
    }
    Ok(())
}

fn row(max: u64) -> Row {
    let value = (max > 0).then_some(Value { by: B, nth: 1 });
    Row { max: Token(max), value }
}

fn try_one(answer: Answer, from: Row, to: Row, token: Token) -> Result<()> {
    let value = Value { by: A, nth: 1 };
    let (mut expected_from, mut expected_to) = (from, to);
    let may = reference(&mut expected_from, &mut expected_to, token, value);
    let (mut actual_from, mut actual_to) = (from, to);
    let done = answer(&mut actual_from, &mut actual_to, token, value);
    if (done, actual_from, actual_to) == (may, expected_from, expected_to) {
        return Ok(());
    }
    let changed = [actual_from.value != from.value, actual_to.value != to.value];
    let symptom = match (may, changed) {
        (false, [true, true]) => {
            "一方の行が新しい持ち主のものなのに、古い持ち主の送金が両方に入った。新しい持ち主の残高が消える。"
        }
        (_, [true, false] | [false, true]) => {
            "送金の片方だけが書かれた。引いた額と足した額が合わず、金が消えるか、増える。"
        }
        (true, [false, false]) => {
            "どちらの行にとっても古くない送金が、書かれていない。正しい持ち主の送金が進まない。"
        }
        _ if done != may => {
            "行は正しいのに、返す答えが逆である。呼んだ側が、済んだ送金をもう一度送るか、断られた送金を済んだと思い込む。"
        }
        (false, _) => {
            "拒否したのに、行に跡が残った。あとで調べると、書かれていない値の番号が残っていて、何が起きたのか分からない。"
        }
        (true, _) => {
            "両方に書いたのに、行の最大が正しくない。次に届く古い書き込みを、見分けられない。"
        }
    };
    bail!("{symptom}\n\n{}", histories(answer, from, to, token))
}

fn reference(from: &mut Row, to: &mut Row, token: Token, value: Value) -> bool {
    if token < from.max || token < to.max {
        return false;
    }
    for row in [from, to] {
        *row = Row { max: token, value: Some(value) };
    }
    true
}

/// 誤りの見つかった一つの送金の、前とあと。二つの行は一つの資源の図に収まらないので、表で見せる。
fn histories(answer: Answer, from: Row, to: Row, token: Token) -> String {
    let expected = history(reference, from, to, token);
    feedback::compare_rows("経過", &expected, &history(answer, from, to, token))
}

fn history(answer: Answer, mut from: Row, mut to: Row, token: Token) -> String {
    let header = ["", "引く行", "足す行", "判定"].map(str::to_owned).to_vec();
    let mut rows = vec![vec!["前".to_owned(), words(from), words(to)]];
    let value = Value { by: A, nth: 1 };
    let verdict = if answer(&mut from, &mut to, token, value) { "受理" } else { "拒否" };
    rows.push(vec![
        format!("A1 をトークン {token} で書く"),
        words(from),
        words(to),
        verdict.to_owned(),
    ]);
    Table { header, rows }.text()
}

fn words(row: Row) -> String {
    let value = row.value.map_or("(空)".to_owned(), |value| value.to_string());
    format!("{value} 最大{}", row.max)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(answer: Answer) -> String {
        check(answer).unwrap_err().to_string()
    }

    #[test]
    fn every_kind_of_mistake_has_its_own_sentence() {
        assert!(check(reference).is_ok());
        assert!(told(|_, _, _, _| false).contains("正しい持ち主の送金が進まない"));
        assert!(told(|from, to, token, value| !reference(from, to, token, value)).contains("逆"));
        let rejects_equal: Answer = |from, to, token, value| {
            token > from.max && token > to.max && reference(from, to, token, value)
        };
        assert!(told(rejects_equal).contains("正しい持ち主の送金が進まない"));
        let marks_the_rejected: Answer = |from, to, token, value| {
            let done = reference(from, to, token, value);
            to.max = to.max.max(token);
            from.max = from.max.max(token);
            done
        };
        assert!(told(marks_the_rejected).contains("行に跡が残った"));
        let one_value: Answer = |from, to, token, value| {
            let done = reference(from, to, token, value);
            if done {
                to.value = None;
            }
            done
        };
        assert!(check(one_value).is_err());
    }
}
