//! すべての順序を調べる命令を、端末から動かす。

use std::process::{Command, Output, Stdio};

use anyhow::{Context as _, Result};

use crate::terminal::BINARY;

/// `explore` を打つ命令。本のないフォルダーからでも動く。
fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(BINARY);
    command.current_dir(std::env::temp_dir()).arg("explore").args(arguments).stdin(Stdio::null());
    command
}

fn run(arguments: &[&str]) -> Result<Output> {
    Ok(command(arguments).output()?)
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// 標準出力。すべて調べ終えたこと。
fn printed(arguments: &[&str]) -> Result<String> {
    let output = run(arguments)?;
    assert_eq!(output.status.code(), Some(0));
    assert_only_progress(&text(&output.stderr));
    Ok(text(&output.stdout))
}

/// 途中経過のほかに、何も知らせなかったこと。遅い計算機では、小さな探索でも途中経過が出る。
fn assert_only_progress(told: &str) {
    assert!(told.lines().all(|line| line.starts_with("調べている: ")), "{told}");
}

/// 終了コードと、断る文。何も見せなかったこと。
fn refused(arguments: &[&str]) -> Result<(Option<i32>, String)> {
    let output = run(arguments)?;
    assert_eq!(text(&output.stdout), "");
    Ok((output.status.code(), text(&output.stderr)))
}

#[test]
fn without_a_name_the_variants_are_listed() -> Result<()> {
    insta::assert_snapshot!(printed(&[])?);
    Ok(())
}

#[test]
fn the_help_explains_every_option() -> Result<()> {
    insta::assert_snapshot!(printed(&["--help"])?);
    Ok(())
}

#[test]
fn a_small_range_is_explored_to_the_end() -> Result<()> {
    let range = ["--grants", "2", "--horizon", "2", "--crashes", "off", "--restarts", "off"];
    let arguments = [&["late-release", "--lease", "1"], &range[..]].concat();
    let first = printed(&arguments)?;
    assert_eq!(printed(&arguments)?, first, "同じ範囲からは、同じ文字になる");
    insta::assert_snapshot!(first);
    Ok(())
}

#[test]
fn one_property_can_be_shown_alone() -> Result<()> {
    let arguments = ["forgetful", "--horizon", "2", "--property", "受理は戻らない"];
    insta::assert_snapshot!(printed(&arguments)?);
    Ok(())
}

#[test]
fn a_range_without_counterexamples_says_that_there_are_none() -> Result<()> {
    let arguments = ["held-release", "--grants", "1", "--horizon", "1"];
    insta::assert_snapshot!(printed(&arguments)?);
    Ok(())
}

/// 違う状態の数。小さな範囲のうち、`option` だけを変える。
fn states(option: &str, value: &str) -> Result<String> {
    let mut arguments = vec!["restored", option, value];
    for usual in [["--grants", "3"], ["--horizon", "1"]] {
        if usual[0] != option {
            arguments.extend(usual);
        }
    }
    let printed = printed(&arguments)?;
    let line = printed.lines().find(|line| line.starts_with("違う状態は"));
    Ok(line.context("数がない")?.to_owned())
}

#[test]
fn every_option_of_the_range_changes_what_is_explored() -> Result<()> {
    // この相手のふだんの値なので、何も変えない。
    let mut seen = vec![states("--pauses", "off")?];
    for (option, value) in [
        ("--lease", "1"),
        ("--clients", "3"),
        ("--grants", "2"),
        ("--writes", "2"),
        ("--copies", "1"),
        ("--horizon", "2"),
        ("--pauses", "on"),
        ("--crashes", "on"),
        ("--renews", "off"),
        ("--slow-releases", "on"),
        ("--restarts", "off"),
    ] {
        let line = states(option, value)?;
        assert!(!seen.contains(&line), "{option} {value}: {line}");
        seen.push(line);
    }
    Ok(())
}

#[test]
fn an_unknown_name_is_refused_with_near_ones() -> Result<()> {
    let (code, told) = refused(&["late-relaese"])?;
    assert_eq!(code, Some(1));
    assert_eq!(
        told,
        "誤り: late-relaese という相手はない。近い名前は late-release、held-release である。\
         すべての名前は cargo run -- explore で見られる。\n"
    );
    let (code, told) = refused(&["fenced", "--property", "受理は戻る"])?;
    assert_eq!(code, Some(1));
    assert_eq!(
        told,
        "誤り: 受理は戻る という性質はない。近い名前は 受理は戻らない である。\
         性質は 終わるまで与えない、有効な持ち主は一人まで、つもりは一人まで、番号は増える、\
         受理は戻らない、登録より古くない、更新は消えない である。\n"
    );
    Ok(())
}

#[test]
fn a_range_that_cannot_be_explored_is_refused() -> Result<()> {
    let (code, told) = refused(&["fenced", "--grants", "16", "--writes", "16"])?;
    assert_eq!(code, Some(2));
    assert_eq!(
        told,
        "誤り: 取得 16 回と、一度の保持の書き込み 16 個では、値の番号が尽きる。\
         積を 255 までにする。\n"
    );
    let help = "使い方は cargo run -- --help で見られる。\n";
    for (option, value, told) in [
        ("--grants", "256", "--grants <回数> に 256 は指定できない。"),
        ("--lease", "0", "--lease <刻み> に 0 は指定できない。"),
        ("--clients", "4", "--clients <人数> に 4 は指定できない。"),
        ("--memory", "0", "--memory <MB> に 0 は指定できない。"),
        ("--pauses", "yes", "--pauses <on|off> に yes は指定できない。"),
    ] {
        let refused = refused(&["fenced", option, value])?;
        assert_eq!(refused, (Some(2), format!("誤り: {told}{help}")));
    }
    Ok(())
}

#[test]
fn the_memory_limit_ends_the_search_with_what_was_found() -> Result<()> {
    let output = run(&["unfenced", "--memory", "1"])?;
    assert_eq!(output.status.code(), Some(3));
    let shown = text(&output.stdout);
    for part in [
        "使うメモリーが上限の 1 MB に達したので、途中で終わった。調べ残しがある。\n",
        " 手までの順序は、すべて調べた。それより長い順序は、一部しか調べていない。\n",
        "番号は増える            0             見つかっていない\n",
        "反例 1: 有効な持ち主は一人まで、つもりは一人まで(4 手)\n",
    ] {
        assert!(shown.contains(part), "{shown}");
    }
    Ok(())
}

#[test]
fn a_reader_that_leaves_early_is_no_failure() -> Result<()> {
    let mut command = command(&["late-release", "--horizon", "1"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    drop(child.stdout.take());
    let output = child.wait_with_output()?;
    assert_eq!(output.status.code(), Some(0));
    assert_only_progress(&text(&output.stderr));
    Ok(())
}

/// 止めるようにとの知らせ。
#[cfg(unix)]
mod interrupted {
    use std::io::{BufRead as _, BufReader, Read as _, Write as _};
    use std::process::{Child, ChildStderr};
    use std::time::{Duration, Instant};

    use super::*;

    /// これより待たされたら、止まっているとみなす。
    const PATIENCE: Duration = Duration::from_secs(120);
    /// 反例の手数。
    const FOUND: usize = 4;
    /// とても終わらない範囲。
    const ENDLESS: [&str; 5] = ["unfenced", "--grants", "9", "--horizon", "99"];

    /// 動いている探索。試験が途中で落ちても、残さない。
    struct Running(Child);

    impl Drop for Running {
        fn drop(&mut self) {
            let _ = self.0.kill();
            let _ = self.0.wait();
        }
    }

    impl Running {
        /// 反例の手数まで調べ終えたと知らせるまで動かす。
        ///
        /// 混んだ機械では、初めの知らせまでに、まだ見つけていないことがある。
        fn start(stdout: impl Into<Stdio>) -> Result<(Running, BufReader<ChildStderr>)> {
            let mut command = command(&ENDLESS);
            let mut child = Running(command.stdout(stdout).stderr(Stdio::piped()).spawn()?);
            let mut told = BufReader::new(child.0.stderr.take().context("知らせがない")?);
            let (start, end) = ("調べている: 状態 ", " MB\n");
            let mut depth = 0;
            while depth < FOUND {
                let mut line = String::new();
                told.read_line(&mut line)?;
                assert!(line.starts_with(start) && line.ends_with(end), "{line}");
                let rest = line.split_once("、").context("手数がない")?.1;
                depth = rest.split_once(' ').context("手数がない")?.0.parse()?;
            }
            Ok((child, told))
        }

        fn signal(&self, signal: &str) -> Result<()> {
            let id = self.0.id().to_string();
            let status = Command::new("kill").args([signal, &id]).status()?;
            assert!(status.success(), "{signal} を送れない");
            Ok(())
        }

        /// 終わるまで待ち、終了コードを返す。待つ間、何度も `poke` を呼ぶ。
        fn code(mut self, mut poke: impl FnMut(&Running) -> Result<()>) -> Result<Option<i32>> {
            let started = Instant::now();
            while started.elapsed() < PATIENCE {
                if let Some(status) = self.0.try_wait()? {
                    return Ok(status.code());
                }
                poke(&self)?;
                std::thread::sleep(Duration::from_millis(50));
            }
            anyhow::bail!("終わらない")
        }
    }

    #[test]
    fn what_was_found_is_shown() -> Result<()> {
        for signal in ["-INT", "-TERM"] {
            let (mut running, mut told) = Running::start(Stdio::piped())?;
            let mut stdout = running.0.stdout.take().context("出力がない")?;
            running.signal(signal)?;
            let mut shown = String::new();
            stdout.read_to_string(&mut shown)?;
            assert_eq!(running.code(|_| Ok(()))?, Some(3), "{signal}");
            let why = "止めるように言われたので、途中で終わった。調べ残しがある。\n";
            assert!(shown.contains(why), "{signal}: {shown}");
            assert!(
                shown.contains("反例 1: 有効な持ち主は一人まで、つもりは一人まで(4 手)\n"),
                "{signal}: {shown}"
            );
            assert!(shown.contains("見つかっていない\n"), "{signal}: {shown}");
            let mut rest = String::new();
            told.read_to_string(&mut rest)?;
            assert_only_progress(&rest);
        }
        Ok(())
    }

    /// 出力を読む相手が動かないと、一度目では終われない。
    #[test]
    fn the_second_one_ends_at_once() -> Result<()> {
        let (unread, mut filling) = std::io::pipe()?;
        let stdout = filling.try_clone()?;
        let filler = std::thread::spawn(move || while filling.write_all(&[b'x'; 4096]).is_ok() {});
        let (running, _told) = Running::start(stdout)?;
        assert_eq!(running.code(|one| one.signal("-INT"))?, Some(130));
        drop(unread);
        assert!(filler.join().is_ok());
        Ok(())
    }
}
