//! 演習: リースの長さを選び、残るものを言う
//!
//! 測った停止の長さが、`[1, 2, 3, 5, 8, 13, 20, 90]` 刻みだったとする。
//! 持ち主が取得してすぐ落ちても、20 刻みたてば次の客が取得できなければならない。
//! この上限の中で、資源を壊す停止がいちばん少なくなる `length` を選ぶ。答えは一つではない。
//!
//! `breaking` には、その長さを選んでも資源を壊す停止を、測ったもののうちからすべて書く。
//! 停止は、取得のすぐあとに始まり、延長は送らないものとする。

use exercises::checks::double_acquisition_length::Choice;
use exercises::{Verdict, checks};

fn choose() -> Choice {
    // ここを直す。
    Choice { length: 5, breaking: vec![] }
}

pub fn main() -> Verdict {
    checks::double_acquisition_length::check(choose).into()
}
