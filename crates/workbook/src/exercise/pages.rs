//! 本のページと、演習のファイルに書かれた文を読む。

use std::path::Path;

use super::catalog::Exercise;

/// 目次の一行。
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Page {
    /// 章の名前。ページのファイルの名前と同じ
    pub(super) chapter: String,
    /// 読者に見せる題
    pub(super) title: String,
}

/// 目次にある章。目次を読めないときは空で、章の題が出ないだけである。
pub(super) fn chapters(root: &Path) -> Vec<Page> {
    let summary = std::fs::read_to_string(root.join("book/SUMMARY.md")).unwrap_or_default();
    summary.lines().filter_map(page).collect()
}

/// `- [題](章.md)` を読む。
fn page(line: &str) -> Option<Page> {
    let (_, rest) = line.split_once('[')?;
    let (title, rest) = rest.split_once("](")?;
    let (file, _) = rest.split_once(')')?;
    let chapter = file.trim_start_matches("./").strip_suffix(".md")?;
    Some(Page { chapter: chapter.to_owned(), title: title.to_owned() })
}

/// 問題の初めに書かれた説明。初めの行は `演習: 題` である。
pub(super) fn statement(starter: &str) -> String {
    let comments = starter.lines().map_while(|line| line.strip_prefix("//!"));
    let lines: Vec<&str> = comments.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect();
    lines.join("\n").trim().to_owned()
}

/// 問題の題。
pub(super) fn title(starter: &str) -> Option<String> {
    let statement = statement(starter);
    let title = statement.lines().next()?.strip_prefix("演習:")?.trim();
    (!title.is_empty()).then(|| title.to_owned())
}

/// ヒントを段階に分ける。段階は `---` だけの行で区切る。
pub(super) fn stages(hint: &str) -> Vec<String> {
    let lines: Vec<&str> = hint.lines().collect();
    let stages = lines.split(|line| line.trim() == "---");
    stages.map(|stage| stage.join("\n").trim().to_owned()).collect()
}

/// 章のページが演習の問題を載せているか。
pub(super) fn states(page: &str, one: &Exercise) -> bool {
    page.contains(&format!("starters/{}.rs", one.key()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_summary_line_gives_chapter_and_title() {
        let lease = Page { chapter: "lease".to_owned(), title: "リース".to_owned() };
        assert_eq!(page("- [リース](lease.md)"), Some(lease.clone()));
        assert_eq!(page("  - [リース](./lease.md)"), Some(lease));
        assert_eq!(page("# 目次"), None);
        assert_eq!(page("- [下書き]()"), None);
    }

    #[test]
    fn the_starter_states_its_title() {
        let starter = "//! 演習: 境目\n//!\n//! 直す。\n\nuse a::b;\n//! ここは違う\n";
        assert_eq!(title(starter).as_deref(), Some("境目"));
        assert_eq!(statement(starter), "演習: 境目\n\n直す。");
        assert_eq!(title("//! 解答: 境目"), None);
        assert_eq!(title("fn main() {}"), None);
        assert_eq!(title("//! 演習: "), None);
    }

    #[test]
    fn hints_are_split_at_the_rule() {
        assert_eq!(stages("一\n二\n\n---\n\n三\n"), ["一\n二", "三"]);
        assert_eq!(stages("一だけ"), ["一だけ"]);
        assert_eq!(stages("a --- b\n---\n"), ["a --- b", ""]);
    }
}
