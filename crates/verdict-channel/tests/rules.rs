//! 判定を受け取る側の規則。読者のプログラムの代わりに、シェルの筋書きを動かす。
#![cfg(unix)]

use std::process::{Command, Stdio};

use anyhow::Result;
use verdict_channel::{Verdict, supervise};

/// 判定を渡して、終わり方を選べるシェルの断片。
const PASS: &str = "printf 'passed\\n合格' > \"$WORKBOOK_VERDICT\"";
const FAIL: &str = "printf 'failed\\n不合格: 理由' > \"$WORKBOOK_VERDICT\"";

fn heard(script: &str) -> Result<(Option<i32>, Option<Verdict>)> {
    let mut command = Command::new("sh");
    command.args(["-c", script]).stdout(Stdio::null()).stderr(Stdio::null());
    Ok(supervise(command)?)
}

fn verdict(passed: bool, text: &str) -> Verdict {
    Verdict { passed, text: text.to_owned() }
}

#[test]
fn the_verdict_is_what_was_delivered() -> Result<()> {
    assert_eq!(heard(PASS)?, (Some(0), Some(verdict(true, "合格"))));
    let failed = format!("{FAIL}; exit 1");
    assert_eq!(heard(&failed)?, (Some(1), Some(verdict(false, "不合格: 理由"))));
    Ok(())
}

#[test]
fn nothing_that_is_printed_is_a_verdict() -> Result<()> {
    for script in ["echo 合格", "echo passed; echo 合格", "echo 合格 >&2", "exit 0", ":"] {
        assert_eq!(heard(script)?, (Some(0), None), "{script}");
    }
    Ok(())
}

#[test]
fn nothing_that_is_printed_hides_the_verdict() -> Result<()> {
    let passed = (Some(0), Some(verdict(true, "合格")));
    for print in ["printf x", "yes | head -c 1000000", "printf '\\377\\376'", "echo 不合格: 違う"]
    {
        for script in [
            format!("{print}; {PASS}"),
            format!("{PASS}; {print}"),
            format!("{print} >&2; {PASS}; {print} >&2"),
        ] {
            assert_eq!(heard(&script)?, passed, "{script}");
        }
    }
    Ok(())
}

#[test]
fn a_verdict_followed_by_another_end_does_not_count() -> Result<()> {
    for (script, code) in [
        (format!("{PASS}; exit 1"), Some(1)),
        (format!("{PASS}; exit 101"), Some(101)),
        (format!("{FAIL}; exit 0"), Some(0)),
        (format!("{PASS}; kill -KILL $$"), None),
    ] {
        assert_eq!(heard(&script)?, (code, None), "{script}");
    }
    Ok(())
}
