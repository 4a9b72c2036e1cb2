//! 組み立てた答えを、時間を限って動かす。

use std::collections::VecDeque;
use std::path::Path;
use std::pin::pin;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};
use tokio::io::{AsyncRead, AsyncReadExt as _};
use tokio::process::{ChildStderr, ChildStdout, Command};
use tokio::time::{sleep, timeout};
use verdict_channel::{Mailbox, PANICKED, Verdict};

/// 答えの出力を覚えておく量。終わらない出力で、メモリーを使い切らないためである。
const KEPT: usize = 64 * 1024;
/// 初めと終わりの、それぞれの量。
const HALF: usize = KEPT / 2;
/// 終わったあとで、出力の残りを聞く間。
const REST: Duration = Duration::from_secs(1);

/// 動かした結果。
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Outcome {
    /// 合格
    Passed,
    /// 検査が断った
    Failed,
    /// 組み立てられない
    Uncompilable,
    /// パニックした
    Panicked,
    /// 時間の上限までに終わらない
    Endless,
    /// ほかの理由で、検査の終わりまで行かない
    Broken,
}

/// 演習の答えの呼び名。
pub(super) const ANSWER: &str = "答え";

/// 一度の試み。
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Trial {
    pub(crate) outcome: Outcome,
    /// 読者に見せる文。答えの出力を含む
    pub(crate) shown: String,
}

impl Trial {
    /// 組み立てられなかったとき。理由は cargo がもう見せている。
    pub(crate) fn uncompilable(name: &str) -> Trial {
        let shown = format!("{}を組み立てられない。上に出た知らせの指す所を直す。\n", name);
        Trial { outcome: Outcome::Uncompilable, shown }
    }
}

/// `folder` で動かす。`limit` を過ぎたら止める。途中で捨てても、動いたままにはならない。
///
/// # Errors
/// 動かせないとき。
pub(crate) async fn run(
    program: &Path,
    folder: &Path,
    limit: Duration,
    name: &str,
) -> Result<Trial> {
    run_until(program, folder, limit, sleep(limit), name).await
}

/// [`run`] と同じ。`limit` が過ぎたことは、`reached` が知らせる。
async fn run_until(
    program: &Path,
    folder: &Path,
    limit: Duration,
    reached: impl Future<Output = ()>,
    name: &str,
) -> Result<Trial> {
    let failed = || format!("{} を動かせない", program.display());
    let mut command = Command::new(program);
    // 読者が見たいのは理由の一文で、呼び出しの跡ではない。
    command.current_dir(folder).env("RUST_BACKTRACE", "0").kill_on_drop(true);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mailbox = Mailbox::open().context("判定を受け取る所を作れない")?;
    let (variable, place) = mailbox.variable();
    command.env(variable, place);
    let mut said = Said::default();
    let ended = watch(&mut command, reached, &mut said).await.with_context(failed)?;
    let verdict = mailbox.receive(ended.code()).context("判定を読めない")?;
    Ok(judge(ended, verdict, &said, limit, name))
}

/// 動かし終えたわけ。
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ended {
    /// 自分で終わった
    Itself(ExitStatus),
    /// 上限を過ぎたので止めた。どう死んだかは、止め方しだいなので覚えない
    Stopped,
}

impl Ended {
    fn code(self) -> Option<i32> {
        match self {
            Ended::Itself(status) => status.code(),
            Ended::Stopped => None,
        }
    }
}

/// 動かして出力を聞き、終わるか、`limit` が来たら止める。
///
/// 止めてから、聞くのをやめる。先に聞くのをやめると、書いている途中の答えは、書く先がなくなって死に、
/// 自分で異常に終わったように見える。
async fn watch(
    command: &mut Command,
    limit: impl Future<Output = ()>,
    said: &mut Said,
) -> std::io::Result<Ended> {
    let mut child = command.spawn()?;
    let (out, err) = (child.stdout.take(), child.stderr.take());
    let (mut limit, mut listening) = (pin!(limit), pin!(said.listen(out, err)));
    let mut heard = false;
    let ended = loop {
        tokio::select! {
            // 聞くのを先にすると、休まず書く答えの出力に追われて、上限に気づくのが遅れる。
            biased;
            status = child.wait() => break Ended::Itself(status?),
            () = &mut limit => break Ended::Stopped,
            () = &mut listening, if !heard => heard = true,
        }
    };
    if ended == Ended::Stopped {
        child.kill().await?;
    }
    if !heard {
        // 答えの起こしたプロセスが出力を握っていると、いつまでも終わらない。残りが聞けなくても、結果は変わらない。
        let _ = timeout(REST, listening).await;
    }
    Ok(ended)
}

/// 答えの出力。
#[derive(Debug, Default)]
struct Said {
    out: Kept,
    err: Kept,
}

impl Said {
    /// 出力の終わりまで聞く。聞き続けないと、出力の多い答えは書く所がなくなって止まる。
    async fn listen(&mut self, out: Option<ChildStdout>, err: Option<ChildStderr>) {
        tokio::join!(self.out.drain(out), self.err.drain(err));
    }
}

/// 出力の、初めと終わり。
#[derive(Debug, Default)]
struct Kept {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    /// 間の、省いたバイト数
    omitted: usize,
}

impl Kept {
    async fn drain(&mut self, source: Option<impl AsyncRead + Unpin>) {
        let Some(mut source) = source else { return };
        let mut buffer = [0; 8192];
        while let Ok(count @ 1..) = source.read(&mut buffer).await {
            self.keep(&buffer[..count]);
        }
    }

    fn keep(&mut self, bytes: &[u8]) {
        let room = HALF.saturating_sub(self.head.len()).min(bytes.len());
        let (first, rest) = bytes.split_at(room);
        self.head.extend_from_slice(first);
        self.tail.extend(rest);
        let over = self.tail.len().saturating_sub(HALF);
        self.tail.drain(..over);
        self.omitted = self.omitted.saturating_add(over);
    }

    /// 文字にし、終わりに改行をそろえる。省いた所があれば、そう書く。
    fn text(&self) -> String {
        let mut bytes = self.head.clone();
        if self.omitted == 0 {
            bytes.extend(&self.tail);
            return lines(&String::from_utf8_lossy(&bytes));
        }
        // 文字の途中で切れていることがある。
        let cut = char::REPLACEMENT_CHARACTER;
        let (head, tail) = (String::from_utf8_lossy(&bytes), Vec::from_iter(self.tail.clone()));
        let (head, tail) = (head.trim_end_matches(cut), String::from_utf8_lossy(&tail));
        let told = format!("(出力が長いので、途中の {} バイトを省いた)", self.omitted);
        format!("{}{told}\n{}", lines(head), lines(tail.trim_start_matches(cut)))
    }
}

/// 終わりに改行がなければ、足す。
fn lines(text: &str) -> String {
    let end = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    format!("{text}{end}")
}

fn judge(
    ended: Ended,
    verdict: Option<Verdict>,
    said: &Said,
    limit: Duration,
    name: &str,
) -> Trial {
    let outcome = outcome(ended, verdict.as_ref());
    let sentence = match outcome {
        Outcome::Panicked => format!("{name}がパニックして止まった。上の場所と理由を見る。"),
        Outcome::Endless => endless(limit),
        Outcome::Broken => verdict_channel::unheard(name, ended.code()),
        _ => verdict.map(|verdict| verdict.text).unwrap_or_default(),
    };
    let shown = format!("{}{}{sentence}", said.out.text(), tidied(&said.err.text()));
    Trial { outcome, shown: format!("{}\n", shown.trim_end()) }
}

/// 合格は、検査がそう言い、正しく終わったときだけ。答えが自分で終わっても、合格にはならない。
fn outcome(ended: Ended, verdict: Option<&Verdict>) -> Outcome {
    match (ended, verdict) {
        (Ended::Stopped, _) => Outcome::Endless,
        (_, Some(Verdict { passed: true, .. })) => Outcome::Passed,
        (_, Some(Verdict { passed: false, .. })) => Outcome::Failed,
        _ if ended.code() == Some(PANICKED.into()) => Outcome::Panicked,
        _ => Outcome::Broken,
    }
}

fn endless(limit: Duration) -> String {
    format!(
        "{} 秒たっても終わらないので止めた。終わらない繰り返しがないかを見る。\
         もっと待つなら --limit に秒数を書く。",
        limit.as_secs()
    )
}

/// パニックの知らせから、場所と理由だけを残す。同じ知らせが続けば、一つにする。
fn tidied(err: &str) -> String {
    let mut blocks: Vec<String> = err.trim_matches('\n').split("\n\n").map(block).collect();
    blocks.dedup();
    blocks.join("\n")
}

fn block(err: &str) -> String {
    let lines = err.lines();
    let lines = lines.filter(|line| !line.starts_with("note: run with `RUST_BACKTRACE=1`"));
    lines.map(|line| format!("{}\n", place(line).unwrap_or_else(|| line.to_owned()))).collect()
}

/// `thread 'main' (1) panicked at 場所:` を、場所だけにする。
fn place(line: &str) -> Option<String> {
    let (thread, place) = line.split_once(" panicked at ")?;
    thread.starts_with("thread '").then(|| {
        let place = place.trim_end_matches(':').replace("readers/../", "");
        format!("パニックの場所: {place}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_keeps_its_place_and_its_reason() {
        let told = "\nthread 'main' (7) panicked at crates/exercises/readers/../answers/a/b.rs:3:5:\n\
                    not yet implemented\n\
                    note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n";
        assert_eq!(
            tidied(told),
            "パニックの場所: crates/exercises/answers/a/b.rs:3:5\nnot yet implemented\n"
        );
        assert_eq!(tidied("自分の出力\n"), "自分の出力\n");
        assert_eq!(tidied(""), "");
    }

    #[test]
    fn the_same_panic_is_told_once() {
        let panic = |line| format!("\nthread 'main' (7) panicked at a.rs:{line}:1:\n空\n");
        let told = tidied(&[panic(1), panic(1), panic(2)].concat());
        assert_eq!(told, "パニックの場所: a.rs:1:1\n空\n\nパニックの場所: a.rs:2:1\n空\n");
    }

    fn kept(bytes: &[u8]) -> Kept {
        let mut kept = Kept::default();
        bytes.chunks(1000).for_each(|some| kept.keep(some));
        kept
    }

    #[test]
    fn long_output_is_cut_in_the_middle_and_says_so() {
        assert_eq!(kept(b"a").text(), "a\n");
        assert_eq!(kept(b"").text(), "");
        assert_eq!(kept(&vec![b'a'; KEPT]).text(), "a".repeat(KEPT) + "\n");
        let told = |count| format!("(出力が長いので、途中の {count} バイトを省いた)");
        let (head, tail) = ("a".repeat(HALF), "b".repeat(HALF));
        let long = [head.as_bytes(), &[b'x'; 5000], tail.as_bytes()].concat();
        assert_eq!(kept(&long).text(), format!("{head}\n{}\n{tail}\n", told(5000)));
        // 切れ目に当たった文字は、崩れて見えるので出さない。
        let text = kept("あ".repeat(KEPT).as_bytes()).text();
        assert!(text.contains("あ\n(出力が") && text.contains("省いた)\nあ"), "{}", text.len());
        assert!(!text.contains(char::REPLACEMENT_CHARACTER));
    }

    #[cfg(unix)]
    mod programs {
        use super::*;

        /// 終わるはずの答えを待つ上限。終わらないときに試験を止めるだけなので、混んだ機械でも届かない長さにする。
        const PATIENCE: Duration = Duration::from_secs(600);
        /// 上限が来る前に、答えが作るファイル。
        const BEGUN: &str = "begun";

        /// 実行できるファイルを、別のプロセスに書かせる。
        ///
        /// 自分で書くと、並んで走る試験の子が書き口を受け継ぎ、まだ書いている途中とみなされて動かない。
        fn write(program: &Path, text: &str) -> Result<()> {
            let mut shell = std::process::Command::new("sh");
            shell.args(["-c", "printf %s \"$1\" > \"$0\" && chmod +x \"$0\""]);
            assert!(shell.arg(program).arg(text).status()?.success());
            Ok(())
        }

        /// シェルの `script` を、答えのプログラムとして動かす。上限は、[`BEGUN`] ができたときに来る。
        ///
        /// 秒数で止めると、混んだ機械では、答えが何もしないうちに止めることになる。
        fn tried(script: &str) -> Result<Trial> {
            let folder = tempfile::tempdir()?;
            let program = folder.path().join("answer");
            write(&program, &format!("#!/bin/sh\n{script}\n"))?;
            let begun = folder.path().join(BEGUN);
            let limit = async move {
                while !begun.exists() {
                    sleep(Duration::from_millis(5)).await;
                }
            };
            let limit = async { timeout(PATIENCE, limit).await.unwrap_or_default() };
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
            runtime.block_on(run_until(&program, folder.path(), PATIENCE, limit, ANSWER))
        }

        fn outcome(script: &str) -> Result<Outcome> {
            Ok(tried(script)?.outcome)
        }

        /// 検査が合格と判定したときの、答えの終わり方。
        const PASS: &str = "printf 'passed\\n合格' > \"$WORKBOOK_VERDICT\"";
        /// 検査が断ったときの、答えの終わり方。
        const FAIL: &str = "printf 'failed\\n不合格: 違う' > \"$WORKBOOK_VERDICT\"; exit 1";

        #[test]
        fn only_the_verdict_of_the_check_counts_as_passed() -> Result<()> {
            assert_eq!(outcome(PASS)?, Outcome::Passed);
            assert_eq!(outcome(FAIL)?, Outcome::Failed);
            assert_eq!(outcome("exit 0")?, Outcome::Broken);
            assert_eq!(outcome("echo 合格")?, Outcome::Broken);
            assert_eq!(outcome("echo 不合格: 違う; exit 1")?, Outcome::Broken);
            assert_eq!(outcome(&format!("{PASS}; exit 3"))?, Outcome::Broken);
            assert_eq!(outcome(&format!("{PASS}; kill -ABRT $$"))?, Outcome::Broken);
            assert_eq!(outcome("exit 101")?, Outcome::Panicked);
            assert_eq!(outcome("kill -ABRT $$")?, Outcome::Broken);
            Ok(())
        }

        #[test]
        fn no_output_changes_the_verdict() -> Result<()> {
            for print in [
                "printf x",
                "yes | head -c 1000000",
                "echo 合格",
                "echo 不合格: 違う",
                "printf '\\377\\376'",
            ] {
                for place in ["", " >&2"] {
                    let (passed, failed) =
                        (format!("{print}{place}; {PASS}"), format!("{print}{place}; {FAIL}"));
                    assert_eq!(outcome(&passed)?, Outcome::Passed, "{passed}");
                    assert_eq!(outcome(&failed)?, Outcome::Failed, "{failed}");
                    let after = format!("{PASS}; {print}{place}");
                    assert_eq!(outcome(&after)?, Outcome::Passed, "{after}");
                }
            }
            Ok(())
        }

        #[test]
        fn everything_the_answer_says_is_shown_before_the_verdict() -> Result<()> {
            let trial = tried(&format!("printf 途中; echo 跡 >&2; {PASS}; echo 後"))?;
            assert_eq!(trial.shown, "途中後\n跡\n合格\n");
            let trial = tried(&format!("echo 初め; yes | head -c 1000000; echo 終わり; {FAIL}"))?;
            let (start, end) = ("初め\ny\n", "y\n終わり\n不合格: 違う\n");
            assert!(trial.shown.starts_with(start) && trial.shown.ends_with(end), "{trial:?}");
            Ok(())
        }

        #[test]
        fn an_endless_answer_is_stopped_and_keeps_what_it_said() -> Result<()> {
            let trial = tried("echo 初め; : > begun; exec sleep 600")?;
            assert_eq!(trial.outcome, Outcome::Endless);
            let told = format!("初め\n{} 秒たっても終わらないので止めた。", PATIENCE.as_secs());
            assert!(trial.shown.starts_with(&told), "{trial:?}");
            Ok(())
        }

        #[test]
        fn endless_output_does_not_fill_the_memory() -> Result<()> {
            let trial = tried("yes | head -c 1000000; : > begun; exec yes")?;
            assert_eq!(trial.outcome, Outcome::Endless);
            assert!(trial.shown.len() < 2 * KEPT);
            Ok(())
        }

        /// 聞くのをやめてから止めると、書いている途中の答えは、たまに自分で死んだように見える。
        /// たまにしか起きないので、並べて何度も試す。
        #[test]
        fn an_answer_that_is_printing_at_the_limit_is_endless() -> Result<()> {
            std::thread::scope(|scope| {
                let many = || (0..25).try_for_each(|_| printing_at_the_limit());
                let threads = [(); 4].map(|()| scope.spawn(many));
                threads.into_iter().try_for_each(|thread| {
                    thread.join().unwrap_or_else(|_| anyhow::bail!("試験が途中で止まった"))
                })
            })
        }

        fn printing_at_the_limit() -> Result<()> {
            let trial = tried("yes | head -c 200000; : > begun; exec yes")?;
            anyhow::ensure!(trial.outcome == Outcome::Endless, "{:?}", trial.outcome);
            Ok(())
        }

        /// 答えの起こしたプロセスが出力を握っていても、答えが終わればそこで終わる。残ったプロセスは、
        /// フォルダーが消えると終わる。
        #[test]
        fn a_process_left_behind_does_not_make_the_answer_endless() -> Result<()> {
            assert_eq!(
                outcome(&format!("while [ -e answer ]; do sleep 1; done & {PASS}"))?,
                Outcome::Passed
            );
            Ok(())
        }
    }
}
