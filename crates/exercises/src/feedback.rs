//! 検査が返す知らせの組み立て。

use stage::{Run, StoryError};

/// 二つの時系列を並べ、初めて食い違う手に `>` をつける。
pub(crate) fn compare(expected: &Run, actual: &Run) -> String {
    compare_rows("時系列", &expected.timeline().rows(), &actual.timeline().rows())
}

/// [`compare`] と同じ。答えでは筋書きを最後まで演じられないこともあるときに使う。
pub(crate) fn attempt(expected: &Run, actual: Result<Run, StoryError>) -> String {
    match actual {
        Ok(actual) => compare(expected, &actual),
        Err(error) => format!(
            "期待する時系列\n{}\nあなたの答えでは、この筋書きを最後まで演じられない\n  {error}",
            marked(&expected.timeline().rows(), None)
        ),
    }
}

/// 一手を一行にした表を二つ並べ、初めて食い違う行に `>` をつける。`what` は表の呼び名。
pub(crate) fn compare_rows(what: &str, expected: &str, actual: &str) -> String {
    let differs = differing_line(expected, actual);
    let note = if differs.is_some() {
        "> が初めて違う手"
    } else {
        "この筋書きでは違いが出ない"
    };
    format!(
        "期待する{what}\n{}\nあなたの答えの{what}({note})\n{}",
        marked(expected, differs),
        marked(actual, differs)
    )
}

/// 時系列を一つだけ見せる。
pub(crate) fn show(actual: &Run) -> String {
    point("あなたの答えの時系列", actual, None)
}

/// 時系列を一つだけ見せ、`number` 番目の手に `>` をつける。`what` は見出しで、印の意味まで書く。
pub(crate) fn point(what: &str, run: &Run, number: Option<usize>) -> String {
    // 一行目は見出し、二行目は始まる前である。
    let line = number.map(|number| number + 1);
    format!("{what}\n{}", marked(&run.timeline().rows(), line))
}

/// 桁そろえの空白の違いは、違いに数えない。
fn differing_line(expected: &str, actual: &str) -> Option<usize> {
    let words = |line: Option<&str>| -> Option<Vec<String>> {
        line.map(|line| line.split_whitespace().map(str::to_owned).collect())
    };
    let lines = expected.lines().count().max(actual.lines().count());
    (0..lines).find(|&line| words(expected.lines().nth(line)) != words(actual.lines().nth(line)))
}

fn marked(rows: &str, differs: Option<usize>) -> String {
    let mark = |line: usize| if Some(line) == differs { '>' } else { ' ' };
    rows.lines().enumerate().map(|(line, row)| format!("{} {row}\n", mark(line))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_first_differing_line_counts_and_spacing_does_not() {
        assert_eq!(differing_line("a  b\nc\nd", "a b\nx\ny"), Some(1));
        assert_eq!(differing_line("a\nb", "a"), Some(1));
        assert_eq!(differing_line("a\nb", "a\nb"), None);
    }

    #[test]
    fn equal_rows_are_not_said_to_differ() {
        assert!(compare_rows("表", "a\nb", "a\nc").contains("> b"));
        assert!(compare_rows("表", "a", "a").contains("この筋書きでは違いが出ない"));
    }
}
