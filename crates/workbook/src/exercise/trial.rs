//! 組み立てた答えを、時間を限って動かす。

use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};
use tokio::io::{AsyncRead, AsyncReadExt as _};
use tokio::process::{Child, Command};
use tokio::time::timeout;

/// 答えの出力を覚えておく量。終わらない出力で、メモリーを使い切らないためである。
const KEPT: usize = 64 * 1024;
/// パニックした Rust のプログラムの終了コード。
const PANICKED: i32 = 101;

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

/// 何を動かし、その出力のどこを判定とみなすか。
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kind {
    /// 読者の書いたものの呼び名
    pub(crate) name: &'static str,
    /// 合格と判定した出力か
    pub(crate) passed: fn(&str) -> bool,
    /// 断った出力か
    pub(crate) failed: fn(&str) -> bool,
}

/// 演習の答え。
pub(super) const ANSWER: Kind = Kind {
    name: "答え",
    passed: |out| out.lines().next_back() == Some("合格"),
    failed: |out| out.lines().any(|line| line.starts_with("不合格: ")),
};

/// 一度の試み。
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Trial {
    pub(crate) outcome: Outcome,
    /// 読者に見せる文。答えの出力を含む
    pub(crate) shown: String,
}

impl Trial {
    /// 組み立てられなかったとき。理由は cargo がもう見せている。
    pub(crate) fn uncompilable(kind: &Kind) -> Trial {
        let shown = format!("{}を組み立てられない。上に出た知らせの指す所を直す。\n", kind.name);
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
    kind: &Kind,
) -> Result<Trial> {
    let failed = || format!("{} を動かせない", program.display());
    let mut command = Command::new(program);
    // 読者が見たいのは理由の一文で、呼び出しの跡ではない。
    command.current_dir(folder).env("RUST_BACKTRACE", "0").kill_on_drop(true);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().with_context(failed)?;
    let mut said = Said::default();
    let ended = timeout(limit, said.listen(&mut child)).await;
    let status = match ended {
        Ok(status) => Some(status.with_context(failed)?),
        Err(_) => stop(&mut child).await.with_context(failed)?,
    };
    Ok(judge(status, &said, limit, kind))
}

/// 終わっていなければ止める。終わっていれば、その結果を返す。
async fn stop(child: &mut Child) -> std::io::Result<Option<ExitStatus>> {
    let status = child.try_wait()?;
    if status.is_none() {
        child.kill().await?;
    }
    Ok(status)
}

/// 答えの出力。
#[derive(Debug, Default)]
struct Said {
    out: Vec<u8>,
    err: Vec<u8>,
}

impl Said {
    /// 終わるまで聞く。聞き続けないと、出力の多い答えは書く所がなくなって止まる。
    async fn listen(&mut self, child: &mut Child) -> std::io::Result<ExitStatus> {
        let (out, err) = (child.stdout.take(), child.stderr.take());
        let (status, _, _) =
            tokio::join!(child.wait(), drain(out, &mut self.out), drain(err, &mut self.err));
        status
    }
}

/// 終わりまで読み、初めの [`KEPT`] バイトだけを残す。
async fn drain(source: Option<impl AsyncRead + Unpin>, kept: &mut Vec<u8>) {
    let Some(mut source) = source else { return };
    let mut buffer = [0; 8192];
    while let Ok(count @ 1..) = source.read(&mut buffer).await {
        // 一つ余計に残し、あふれたことが分かるようにする。
        let room = (KEPT + 1).saturating_sub(kept.len());
        kept.extend_from_slice(&buffer[..count.min(room)]);
    }
}

fn judge(status: Option<ExitStatus>, said: &Said, limit: Duration, kind: &Kind) -> Trial {
    let (out, err) = (text(&said.out), tidied(&text(&said.err)));
    let outcome = outcome(status, &out, kind);
    let sentence = match outcome {
        Outcome::Panicked => {
            format!("{}がパニックして止まった。上の場所と理由を見る。\n", kind.name)
        }
        Outcome::Endless => endless(limit),
        Outcome::Broken => broken(status, kind),
        _ => String::new(),
    };
    let shown = format!("{out}{err}{sentence}");
    Trial { outcome, shown: format!("{}\n", shown.trim_end()) }
}

/// 合格は、検査がそう言い、正しく終わったときだけ。答えが自分で終わっても、合格にはならない。
fn outcome(status: Option<ExitStatus>, out: &str, kind: &Kind) -> Outcome {
    let Some(status) = status else { return Outcome::Endless };
    match status.code() {
        Some(0) if (kind.passed)(out) => Outcome::Passed,
        Some(1) if (kind.failed)(out) => Outcome::Failed,
        Some(PANICKED) => Outcome::Panicked,
        _ => Outcome::Broken,
    }
}

fn endless(limit: Duration) -> String {
    format!(
        "{} 秒たっても終わらないので止めた。終わらない繰り返しがないかを見る。\
         もっと待つなら --limit に秒数を書く。\n",
        limit.as_secs()
    )
}

fn broken(status: Option<ExitStatus>, kind: &Kind) -> String {
    let name = kind.name;
    match status.and_then(|status| status.code()) {
        Some(code) => format!(
            "{name}が検査の前に終わった(終了コード {code})。\
             exit を呼んでいないか、main を変えていないかを見る。\n"
        ),
        None => format!("{name}が異常に終わった。終わらない再帰がないかを見る。\n"),
    }
}

/// 出力を文字にし、終わりに改行をそろえる。あふれていれば、そう書く。
fn text(bytes: &[u8]) -> String {
    let mut text = String::from_utf8_lossy(&bytes[..bytes.len().min(KEPT)]).into_owned();
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    if bytes.len() > KEPT {
        text.push_str("(出力が長いので、ここから先は省いた)\n");
    }
    text
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

    #[test]
    fn long_output_is_cut_and_says_so() {
        assert_eq!(text(b"a"), "a\n");
        assert_eq!(text(b""), "");
        let long = text(&vec![b'a'; KEPT + 1]);
        assert!(long.ends_with("a\n(出力が長いので、ここから先は省いた)\n"), "{}", long.len());
        assert!(!text(&vec![b'a'; KEPT]).contains("省いた"));
    }

    #[cfg(unix)]
    mod programs {
        use std::time::Instant;

        use super::*;

        /// 実行できるファイルを、別のプロセスに書かせる。
        ///
        /// 自分で書くと、並んで走る試験の子が書き口を受け継ぎ、まだ書いている途中とみなされて動かない。
        fn write(program: &Path, text: &str) -> Result<()> {
            let mut shell = std::process::Command::new("sh");
            shell.args(["-c", "printf %s \"$1\" > \"$0\" && chmod +x \"$0\""]);
            assert!(shell.arg(program).arg(text).status()?.success());
            Ok(())
        }

        /// シェルの `script` を、答えのプログラムとして動かす。
        fn tried(script: &str, limit: Duration) -> Result<Trial> {
            let folder = tempfile::tempdir()?;
            let program = folder.path().join("answer");
            write(&program, &format!("#!/bin/sh\n{script}\n"))?;
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
            runtime.block_on(run(&program, folder.path(), limit, &ANSWER))
        }

        fn outcome(script: &str) -> Result<Outcome> {
            Ok(tried(script, Duration::from_secs(20))?.outcome)
        }

        #[test]
        fn only_the_verdict_of_the_check_counts_as_passed() -> Result<()> {
            assert_eq!(outcome("echo 合格")?, Outcome::Passed);
            assert_eq!(outcome("echo 不合格: 違う; exit 1")?, Outcome::Failed);
            assert_eq!(outcome("exit 0")?, Outcome::Broken);
            assert_eq!(outcome("echo 合格; exit 3")?, Outcome::Broken);
            assert_eq!(outcome("exit 101")?, Outcome::Panicked);
            assert_eq!(outcome("kill -ABRT $$")?, Outcome::Broken);
            Ok(())
        }

        #[test]
        fn everything_the_answer_says_is_shown() -> Result<()> {
            let trial = tried("echo 途中; echo 跡 >&2; echo 合格", Duration::from_secs(20))?;
            assert_eq!(trial.shown, "途中\n合格\n跡\n");
            Ok(())
        }

        #[test]
        fn an_endless_answer_is_stopped_and_keeps_what_it_said() -> Result<()> {
            let started = Instant::now();
            let trial = tried("echo 初め; exec sleep 60", Duration::from_secs(1))?;
            assert_eq!(trial.outcome, Outcome::Endless);
            assert!(
                trial.shown.starts_with("初め\n1 秒たっても終わらないので止めた。"),
                "{trial:?}"
            );
            assert!(started.elapsed() < Duration::from_secs(20));
            Ok(())
        }

        #[test]
        fn endless_output_does_not_fill_the_memory() -> Result<()> {
            let trial = tried("exec yes", Duration::from_secs(1))?;
            assert_eq!(trial.outcome, Outcome::Endless);
            assert!(trial.shown.len() < 2 * KEPT);
            Ok(())
        }
    }
}
