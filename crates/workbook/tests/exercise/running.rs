//! 答えを動かす。止まらない答え、壊れる答え。

use std::process::Stdio;

use anyhow::{Result, bail, ensure};

use crate::fixture::{ENDLESS, Fixture, LIMITS, PASSING, dies, is_alive, signal};

#[test]
fn an_endless_answer_ends_at_the_limit() -> Result<()> {
    for limit in LIMITS {
        let book = Fixture::new()?;
        book.answer("lease/expiry", ENDLESS)?;
        let ran = book.run(&["lease/expiry", "--limit", &limit.to_string()])?;
        ensure!(ran.code == Some(1), "{ran:?}");
        let told = format!(
            "{limit} 秒たっても終わらないので止めた。終わらない繰り返しがないかを見る。\
             もっと待つなら --limit に秒数を書く。\n"
        );
        ensure!(ran.out.contains(&told), "{}", ran.out);
        // 動き始める前に止められた回は、止めたことの証しにならない。
        if let Some(pid) = book.pid_if_begun()? {
            ensure!(!is_alive(&pid)?, "答えが動いたままである");
            return Ok(());
        }
    }
    bail!("どの上限でも、答えが動き始めない")
}

/// 組み立てを数えるなら、組み立てが上限より長くかかる答えは、どんな上限でも合格しない。
#[test]
fn the_limit_does_not_count_the_build() -> Result<()> {
    for limit in LIMITS {
        let book = Fixture::new()?;
        book.write("slow", &(limit + 1).to_string())?;
        book.answer("lease/expiry", PASSING)?;
        if book.run(&["lease/expiry", "--limit", &limit.to_string()])?.code == Some(0) {
            return Ok(());
        }
    }
    bail!("どの上限でも合格しない")
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
    for print in ["", "echo 合格\n", "echo passed\necho 合格\n"] {
        book.answer("lease/expiry", &format!("{print}exit 0\n"))?;
        let ran = book.run(&["lease/expiry"])?;
        assert_eq!(ran.code, Some(1), "{print}");
        assert!(ran.out.contains("答えが検査の前に終わった(終了コード 0)。"), "{}", ran.out);
    }
    Ok(())
}

#[test]
fn stopping_the_tool_stops_the_answer() -> Result<()> {
    for kind in ["-TERM", "-INT"] {
        let book = Fixture::new()?;
        book.answer("lease/expiry", ENDLESS)?;
        let mut command = book.command(&["lease/expiry", "--limit", "600"]);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
        let answer = book.pid()?;
        signal(kind, child.id())?;
        assert_eq!(child.wait()?.code(), Some(130), "{kind}");
        dies(&answer)?;
    }
    Ok(())
}
