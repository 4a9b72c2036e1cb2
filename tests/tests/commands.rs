//! 本文が引く命令を実際に動かし、出力を記録と比べる。

use std::process::Command;

use anyhow::{Context as _, Result, ensure};
use regex::Regex;
use tests::root;

#[test]
fn every_quoted_command_prints_what_the_page_shows() -> Result<()> {
    for line in workbook::commands::in_book(&root())? {
        let output = run(&line)?;
        insta::assert_snapshot!(workbook::commands::slug(&line), output);
    }
    Ok(())
}

/// 命令を動かし、標準出力を返す。動かすのは、この本の cargo の命令だけ。
fn run(line: &str) -> Result<String> {
    let arguments: Vec<&str> = line.split_whitespace().collect();
    let (program, arguments) = arguments.split_first().context("空の命令")?;
    ensure!(*program == "cargo", "{line}: cargo の命令だけを引用できる");
    let mut command = Command::new(env!("CARGO"));
    command.args(arguments).current_dir(root()).env("CARGO_TERM_COLOR", "never");
    let output = command.output().with_context(|| line.to_owned())?;
    let printed = String::from_utf8(output.stdout)?;
    ensure!(output.status.success(), "{line} が失敗した:\n{printed}");
    normalise(&printed)
}

/// 毎回変わるもの(かかった時間と、並行に走る試験の順序)を取り除く。
fn normalise(printed: &str) -> Result<String> {
    let time = Regex::new(r"; finished in [0-9.]+s")?;
    let printed = time.replace_all(printed, "");
    let mut lines: Vec<&str> = printed.trim().lines().collect();
    for tests in lines.chunk_by_mut(|a, b| a.starts_with("test ") && b.starts_with("test ")) {
        if tests.iter().all(|line| line.starts_with("test ") && !line.starts_with("test result")) {
            tests.sort_unstable();
        }
    }
    Ok(lines.join("\n"))
}

#[test]
fn normalising_drops_the_time_and_sorts_the_tests() -> Result<()> {
    let printed =
        "\nrunning 2 tests\ntest b ... ok\ntest a ... ok\n\ntest result: ok; finished in 0.01s\n";
    let expected = "running 2 tests\ntest a ... ok\ntest b ... ok\n\ntest result: ok";
    assert_eq!(normalise(printed)?, expected);
    Ok(())
}

/// 探索の出力には、毎回変わるものがない。取り除くものがあると、ページと端末が食い違う。
#[test]
fn an_exploration_can_be_quoted_as_it_is_printed() -> Result<()> {
    let line = "cargo run -- explore late-release --lease 1";
    let printed = run(line)?;
    assert_eq!(run(line)?, printed);
    let start = "late-release: 客の名前で解放するリース。解放も遅れる\n\n";
    assert!(printed.starts_with(start), "{printed}");
    assert_eq!(normalise(&printed)?, printed);
    assert_eq!(workbook::commands::slug(line), "cargo-run-explore-late-release-lease-1");
    Ok(())
}
