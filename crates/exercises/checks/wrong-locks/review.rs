//! 検査: 四つの決めごとを直す。どの性質も、範囲の中のどの順序でも破れないことを、探索で確かめる。

use std::hash::Hash;

use anyhow::{Result, bail, ensure};
use properties::Property;
use stage::Action::{self, Acquire, Read, Release, Renew, Tick, Write};
use stage::Client::{A, B};
use stage::{Holder, Token};
use wrong_locks::{BANK, Cast, LockRules, Right, RowRules, Setup, State};

use crate::feedback;

/// 読者が直す、四つの決めごと。
pub trait Reviewed: Copy + Default + Eq + Hash + 'static {
    /// 解放を認めるか
    fn may_release(state: &State, asked: Holder) -> bool;
    /// 延長を認めるか
    fn may_renew(state: &State, asked: Holder) -> bool;
    /// 解放や失効のあとに残す、最後に配った番号
    fn issued_when_free(state: &State) -> Token;
    /// 番号 `token` の書き込みを、資源が拒否するか
    fn refuses(token: Token, max: Token) -> bool;
}

/// 読者の決めごとに従わせる。
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
struct By<D>(D);

impl<D: Reviewed> LockRules for By<D> {
    fn may_release(&self, state: &State, asked: Holder) -> bool {
        D::may_release(state, asked)
    }

    fn may_renew(&self, state: &State, asked: Holder) -> bool {
        D::may_renew(state, asked)
    }

    fn issued_when_free(&self, state: &State) -> Token {
        D::issued_when_free(state)
    }
}

impl<D: Reviewed> RowRules for By<D> {
    fn refuses(&self, token: Token, max: Token) -> bool {
        D::refuses(token, max)
    }
}

/// 決めごとを確かめる。
///
/// # Errors
/// 正しい頼みを断るか、どれかの性質を破る手の列があれば、その理由を返す。
pub fn check<D: Reviewed>() -> Result<()> {
    ensure!(
        !D::refuses(Token(1), Token(1)),
        "refuses が、最大と等しい番号を拒否する。等しい番号は同じ保持の書き込みなので、\
         持ち主の二つ目の書き込みが入らなくなる。"
    );
    for name in ["any_release", "name_release", "revive", "count_again"] {
        never_breaks(name, Cast::with_lock::<By<D>>, Cast::with_lock::<Right>)?;
    }
    for name in ["never_compares", "equality"] {
        never_breaks(name, Cast::with_row::<By<D>>, Cast::with_row::<Right>)?;
    }
    let lock = [Acquire(A), Tick(1), Renew(A), Tick(1), Release(A), Acquire(B), Release(B)];
    same_as_right("any_release", Cast::with_lock::<By<D>>, Cast::with_lock::<Right>, &lock)?;
    let row = [Acquire(A), Read(A), Write(A, 1), Write(A, 2), Release(A), Acquire(B), Write(B, 1)];
    same_as_right("equality", Cast::with_row::<By<D>>, Cast::with_row::<Right>, &row)
}

type Make = fn(Setup) -> Cast;

/// 図鑑の項目 `name` と同じ条件。
fn setup(name: &str) -> Result<Setup> {
    let entry = BANK.iter().find(|entry| entry.name == name);
    entry.map(|entry| entry.wrong.setup).ok_or_else(|| anyhow::anyhow!("{name} が図鑑にない"))
}

/// 正しいものが守る性質を、どれも破らないこと。
fn never_breaks(name: &str, mine: Make, right: Make) -> Result<()> {
    let (mine, right) = (mine(setup(name)?), right(setup(name)?));
    for property in Property::ALL {
        let Some(actions) = mine.shortest(property) else { continue };
        if right.shortest(property).is_some() {
            continue;
        }
        let timeline = mine.scene().play("探索が見つけた手の列", &actions)?;
        bail!(
            "性質「{}」が破れる。次が、それを破るいちばん短い手の列である。\n\n{}",
            property.name(),
            feedback::show(&timeline)
        );
    }
    Ok(())
}

/// 正しい頼みを、正しいものと同じように受けること。
fn same_as_right(name: &str, mine: Make, right: Make, actions: &[Action]) -> Result<()> {
    let (mine, right) = (mine(setup(name)?), right(setup(name)?));
    let expected = right.scene().play("正しい頼み", actions)?;
    let actual = mine.scene().play("正しい頼み", actions);
    ensure!(
        actual.as_ref() == Ok(&expected),
        "何も壊さないが、正しい頼みまで断る。\n\n{}",
        feedback::attempt(&expected, actual)
    );
    Ok(())
}
