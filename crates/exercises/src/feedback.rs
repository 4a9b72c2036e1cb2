//! 検査が返す知らせの組み立て。

use timeline::Timeline;

/// 二つの時系列を並べ、初めて食い違う手に `>` をつける。
pub(crate) fn compare(expected: &Timeline, actual: &Timeline) -> String {
    let (expected, actual) = (expected.rows(), actual.rows());
    let differs = differing_line(&expected, &actual);
    format!(
        "期待する時系列\n{}\nあなたの答えの時系列(> が初めて違う手)\n{}",
        marked(&expected, differs),
        marked(&actual, differs)
    )
}

/// 時系列を一つだけ見せる。
pub(crate) fn show(actual: &Timeline) -> String {
    format!("あなたの答えの時系列\n{}", marked(&actual.rows(), None))
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
}
