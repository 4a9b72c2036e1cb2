//! 答えを動かす。止まらない答え、壊れる答え。

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Result, bail};

use crate::fixture::{ENDLESS, Fixture, PASSING, is_alive};

/// これより待たされたら、止まっているとみなす。
const PATIENCE: Duration = Duration::from_secs(30);

/// 答えが書いた、自分の番号。
fn pid(book: &Fixture) -> Result<String> {
    let started = Instant::now();
    while started.elapsed() < PATIENCE {
        let pid = book.read("crates/exercises/pid").unwrap_or_default();
        if pid.ends_with('\n') {
            return Ok(pid);
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    bail!("答えが動き始めない")
}

#[test]
fn an_endless_answer_ends_at_the_limit() -> Result<()> {
    let book = Fixture::new()?;
    book.answer("lease/expiry", ENDLESS)?;
    let ran = book.run(&["lease/expiry", "--limit", "1"])?;
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let told = "1 秒たっても終わらないので止めた。終わらない繰り返しがないかを見る。\
                もっと待つなら --limit に秒数を書く。\n";
    assert!(ran.out.contains(told), "{}", ran.out);
    assert!(!is_alive(&pid(&book)?)?, "答えが動いたままである");
    Ok(())
}

#[test]
fn the_limit_does_not_count_the_build() -> Result<()> {
    let book = Fixture::new()?;
    book.write("slow", "")?;
    book.answer("lease/expiry", PASSING)?;
    let started = Instant::now();
    assert_eq!(book.run(&["lease/expiry", "--limit", "1"])?.code, Some(0));
    assert!(started.elapsed() >= Duration::from_secs(2));
    Ok(())
}

#[test]
fn a_panic_is_a_sentence_and_its_message() -> Result<()> {
    let book = Fixture::new()?;
    book.answer(
        "lease/expiry",
        "{ echo\n\
         echo \"thread 'main' (1) panicked at crates/exercises/readers/../answers/lease/expiry.rs:9:5:\"\n\
         echo まだ書いていない\n\
         echo 'note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace'\n\
         echo \"$RUST_BACKTRACE\"; } >&2\n\
         exit 101\n",
    )?;
    let ran = book.run(&["lease/expiry"])?;
    assert_eq!(ran.code, Some(1));
    let told = "パニックの場所: crates/exercises/answers/lease/expiry.rs:9:5\nまだ書いていない\n0\n\
                答えがパニックして止まった。上の場所と理由を見る。\n";
    assert!(ran.out.contains(told), "{}", ran.out);
    assert_eq!(ran.err, "");
    Ok(())
}

#[test]
fn leaving_before_the_check_does_not_pass() -> Result<()> {
    let book = Fixture::new()?;
    book.answer("lease/expiry", "exit 0\n")?;
    let ran = book.run(&["lease/expiry"])?;
    assert_eq!(ran.code, Some(1));
    assert!(ran.out.contains("答えが検査の前に終わった(終了コード 0)。"), "{}", ran.out);
    Ok(())
}

#[test]
fn stopping_the_tool_stops_the_answer() -> Result<()> {
    for signal in ["-TERM", "-INT"] {
        let book = Fixture::new()?;
        book.answer("lease/expiry", ENDLESS)?;
        let mut command = book.command(&["lease/expiry", "--limit", "60"]);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
        let answer = pid(&book)?;
        Command::new("kill").args([signal, &child.id().to_string()]).status()?;
        assert_eq!(child.wait()?.code(), Some(130), "{signal}");
        let started = Instant::now();
        while is_alive(&answer)? && started.elapsed() < PATIENCE {
            std::thread::sleep(Duration::from_millis(20));
        }
        assert!(!is_alive(&answer)?, "{signal}: 答えが動いたままである");
    }
    Ok(())
}
