//! 伸びる列の、いちばん大きいときの大きさ。

/// 長さ `len` まで伸ばすときに、置き場所がいちばん大きくなるときの、要素の数。
///
/// 伸ばすときには、古い置き場所と、倍の大きさの新しい置き場所が、いっとき並ぶ。
pub(crate) fn grown(len: usize, capacity: usize) -> usize {
    /// 標準ライブラリーが初めに用意する、要素の数のうち大きいほう。
    const FIRST: usize = 8;
    if len <= capacity { capacity } else { 3 * len.max(capacity).max(FIRST) }
}
