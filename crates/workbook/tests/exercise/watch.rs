//! 保存するたびの確認。

use std::io::{BufRead as _, BufReader, Read, Write as _};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};

use anyhow::{Context as _, Result, bail, ensure};

use crate::fixture::{ENDLESS, FAILING, Fixture, PASSING, PATIENCE, dies, signal, wait};

/// 初めの問題を見せ終えた印。
const READY: &str = "保存すると確かめる。";

/// 動いている見張り。捨てると、自分の起こしたプロセスだけを終わらせる。
struct Watching {
    child: Child,
    keys: ChildStdin,
    lines: Receiver<String>,
}

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Watching {
    fn start(book: &Fixture, arguments: &[&str]) -> Result<Watching> {
        let mut command = book.command(&[&["--watch"], arguments].concat());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn()?;
        let keys = child.stdin.take().context("入力がない")?;
        let (sender, lines) = channel();
        hear(child.stdout.take().context("出力がない")?, sender.clone());
        hear(child.stderr.take().context("知らせがない")?, sender);
        Ok(Watching { child, keys, lines })
    }

    /// `wanted` を含む行が出るまで待ち、それまでの行も返す。
    fn until(&self, wanted: &str) -> Result<String> {
        let mut seen = String::new();
        while let Ok(line) = self.lines.recv_timeout(PATIENCE) {
            seen += &format!("{line}\n");
            if line.contains(wanted) {
                return Ok(seen);
            }
        }
        bail!("「{wanted}」が出ない:\n{seen}")
    }

    fn press(&mut self, key: &str) -> Result<()> {
        Ok(writeln!(self.keys, "{key}")?)
    }

    fn ended(&mut self) -> Result<Option<i32>> {
        Ok(wait("終わらない", || Ok(self.child.try_wait()?))?.code())
    }
}

/// 一行ずつ聞く。
fn hear(source: impl Read + Send + 'static, sender: Sender<String>) {
    std::thread::spawn(move || {
        for line in BufReader::new(source).lines().map_while(Result::ok) {
            // 受け手がいないのは、試験が終わったときだけである。
            let _ = sender.send(line);
        }
    });
}

/// 保存するたびに確かめ、解けたら次へ進み、すべて解けたら終わる。
fn solve_everything(arguments: &[&str]) -> Result<()> {
    let book = Fixture::new()?;
    let mut watching = Watching::start(&book, arguments)?;
    let shown = watching.until(READY)?;
    ensure!(shown.contains("演習: 他人のロック\n\n他人のロックを直す。\n"), "{shown}");
    book.save("plain-lock/release", &format!("# 直した\n{FAILING}"))?;
    watching.until("不合格: まだ違う")?;
    watching.until(READY)?;
    for (key, next) in [("plain-lock/release", "演習: 期限の境目"), ("lease/expiry", "演習: 延長")]
    {
        book.save(key, PASSING)?;
        watching.until("合格")?;
        watching.until(next)?;
        watching.until(READY)?;
    }
    book.answer("lease/renew", PASSING)?;
    watching.until("すべての演習を解いた。")?;
    assert_eq!(watching.ended()?, Some(0));
    Ok(())
}

#[test]
fn saving_checks_and_solving_goes_on() -> Result<()> {
    solve_everything(&[])
}

#[test]
fn polling_does_the_same() -> Result<()> {
    solve_everything(&["--poll"])
}

#[test]
fn saving_another_answer_turns_to_it() -> Result<()> {
    let book = Fixture::new()?;
    let watching = Watching::start(&book, &["expiry"])?;
    watching.until("演習: 期限の境目")?;
    watching.until(READY)?;
    book.save("lease/renew", &format!("# 直した\n{FAILING}"))?;
    watching.until("lease/renew 延長")?;
    watching.until("不合格: まだ違う")?;
    Ok(())
}

#[test]
fn an_answer_begun_before_is_checked_at_once() -> Result<()> {
    let book = Fixture::new()?;
    book.answer("plain-lock/release", "コンパイルエラー\n")?;
    let watching = Watching::start(&book, &[])?;
    watching.until("plain-lock/release 他人のロック")?;
    watching.until("答えを組み立てられない。")?;
    book.save("plain-lock/release", PASSING)?;
    watching.until("演習: 期限の境目")?;
    Ok(())
}

#[test]
fn saving_interrupts_an_endless_answer() -> Result<()> {
    let book = Fixture::new()?;
    let watching = Watching::start(&book, &["expiry", "--limit", "600"])?;
    watching.until(READY)?;
    book.save("lease/expiry", ENDLESS)?;
    watching.until("lease/expiry 期限の境目")?;
    let before = book.pid()?;
    book.save("lease/expiry", PASSING)?;
    watching.until("合格")?;
    dies(&before)
}

#[test]
fn keys_show_hints_and_lists_and_move_on() -> Result<()> {
    let book = Fixture::new()?;
    let mut watching = Watching::start(&book, &[])?;
    watching.until(READY)?;
    watching.press("h")?;
    watching.until("一段目")?;
    watching.press("h")?;
    watching.until("二段目")?;
    watching.press("l")?;
    watching.until("演習は 3 題あり、0 題を解いた。")?;
    watching.press("")?;
    watching.until("不合格: まだ違う")?;
    watching.press("n")?;
    watching.until("演習: 期限の境目")?;
    watching.press("なに")?;
    watching.until("q で終わる")?;
    watching.press("q")?;
    assert_eq!(watching.ended()?, Some(0));
    Ok(())
}

#[test]
fn one_failure_does_not_end_the_watch() -> Result<()> {
    let book = Fixture::new()?;
    let watching = Watching::start(&book, &[])?;
    watching.until(READY)?;
    book.write("broken", "")?;
    book.save("plain-lock/release", PASSING)?;
    watching.until("plain-lock/release 他人のロック")?;
    watching.until("crates/exercises を組み立てられない。")?;
    std::fs::remove_file(book.path("broken"))?;
    book.save("plain-lock/release", PASSING)?;
    watching.until("演習: 期限の境目")?;
    Ok(())
}

#[test]
fn an_interrupt_ends_quietly() -> Result<()> {
    let book = Fixture::new()?;
    let mut watching = Watching::start(&book, &[])?;
    watching.until(READY)?;
    signal("-INT", watching.child.id())?;
    watching.until("終わる。")?;
    assert_eq!(watching.ended()?, Some(0));
    Ok(())
}
