//! 途中経過の知らせ。出力とは別に出し、すぐに終わる探索では何も言わない。

use std::io::{IsTerminal as _, Write as _};
use std::time::{Duration, Instant};

use check::Tally;
use explore::grouped;
use unicode_width::UnicodeWidthStr as _;

use super::MEGABYTE;

/// 初めに知らせるまでの間。
const FIRST: Duration = Duration::from_millis(500);
/// 端末で、行を書き直す間隔。
const REWRITE: Duration = Duration::from_millis(200);
/// 端末でないとき、行を足す間隔。
const APPEND: Duration = Duration::from_secs(5);

/// 途中経過の知らせかた。
#[derive(Debug)]
pub(super) struct Progress {
    next: Instant,
    interval: Duration,
    /// 書き直す行の幅。端末でなければ `None`
    line: Option<usize>,
}

impl Progress {
    /// 探索の始まり。
    pub(super) fn start() -> Progress {
        let terminal = std::io::stderr().is_terminal();
        Progress {
            next: Instant::now() + FIRST,
            interval: if terminal { REWRITE } else { APPEND },
            line: terminal.then_some(0),
        }
    }

    /// 間をおいて知らせる。
    pub(super) fn tell(&mut self, tally: &Tally) {
        if Instant::now() < self.next {
            return;
        }
        self.next = Instant::now() + self.interval;
        self.write(&sentence(tally));
    }

    /// 書き直していた行を消す。
    pub(super) fn end(&mut self) {
        if self.line.is_some_and(|width| width > 0) {
            self.write("");
        }
    }

    /// 知らせを書けなくても、探索は続ける。
    fn write(&mut self, text: &str) {
        let mut out = std::io::stderr().lock();
        let _ = match &mut self.line {
            None => writeln!(out, "{text}"),
            Some(width) => write!(out, "{}", rewriting(text, width)).and_then(|()| out.flush()),
        };
    }
}

/// 前の行を空白で消してから書く文字列。どの端末でも通じるように、制御文字は復帰だけを使う。
fn rewriting(text: &str, width: &mut usize) -> String {
    let blank = " ".repeat(*width);
    *width = text.width();
    format!("\r{blank}\r{text}")
}

fn sentence(tally: &Tally) -> String {
    let (states, depth) = (grouped(tally.states), tally.depth);
    let megabytes = tally.bytes as u64 / MEGABYTE;
    format!("調べている: 状態 {states}、{depth} 手まで済み、メモリー {megabytes} MB")
}

#[cfg(test)]
mod tests {
    use check::Broken;

    use super::*;

    #[test]
    fn a_rewritten_line_leaves_nothing_of_the_one_before() {
        let mut width = 0;
        assert_eq!(rewriting("状態 1", &mut width), "\r\r状態 1");
        assert_eq!(width, 6);
        assert_eq!(rewriting("", &mut width), "\r      \r");
        assert_eq!(width, 0);
    }

    #[test]
    fn the_line_says_how_far_it_has_come_and_fits_in_a_terminal() {
        let tally =
            |states, depth, bytes| Tally { states, done: 0, depth, bytes, broken: Broken::NONE };
        assert_eq!(
            sentence(&tally(1_234_567, 12, 98_765_432)),
            "調べている: 状態 1,234,567、12 手まで済み、メモリー 98 MB"
        );
        assert!(sentence(&tally(4_294_967_295, 100, 99_999_000_000)).width() < 80);
    }
}
