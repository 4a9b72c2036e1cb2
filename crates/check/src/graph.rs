//! 状態と手のつながり。

use crate::model::Broken;
use crate::search::End;

/// 状態から状態への一手。
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge<A> {
    /// 手の前の状態の番号
    pub from: usize,
    /// 手
    pub action: A,
    /// 手のあとの状態の番号
    pub to: usize,
    /// 手が破った性質
    pub broken: Broken,
}

/// 状態と手のつながり。小さな模型を絵にするときに使う。
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Graph<S, W, A> {
    /// 調べ終わりかた
    pub end: End,
    /// 見つけた順の状態と、見張りの覚えていること
    pub states: Vec<(S, W)>,
    /// 初めの状態からの手数。`states` と同じ順
    pub depths: Vec<usize>,
    /// 手。状態を変えないものも含む
    pub edges: Vec<Edge<A>>,
}
