//! 一覧、一つの確認、次の一手。

use std::time::{Duration, SystemTime};

use anyhow::Result;

use crate::fixture::{FAILING, Fixture, PASSING, finish};

/// 一覧のうち、その演習の行。
fn line(out: &str, key: &str) -> String {
    let found = out.lines().find(|line| line.contains(&format!(" {key} ")));
    found.unwrap_or_default().trim().to_owned()
}

#[test]
fn the_overview_shows_each_state_and_the_next_step() -> Result<()> {
    let book = Fixture::new()?;
    book.answer("plain-lock/release", PASSING)?;
    book.answer("lease/expiry", &format!("# 直した\n{FAILING}"))?;
    let ran = book.run(&[])?;
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.err.contains("2 題の答えを確かめている。"), "{}", ran.err);
    let expected = "\
演習は 3 題あり、1 題を解いた。

期限のないロック (1/1)
  解けた  plain-lock/release  他人のロック

リース (0/2)
  途中    lease/expiry        期限の境目(不合格)
  未着手  lease/renew         延長

次は lease/expiry 期限の境目
crates/exercises/answers/lease/expiry.rs を直し、cargo run -- exercise lease/expiry で確かめる。
保存するたびに確かめるなら cargo run -- exercise --watch を打つ。
";
    assert!(ran.out.ends_with(expected), "{}", ran.out);
    Ok(())
}

#[test]
fn an_uncompilable_answer_hides_no_other() -> Result<()> {
    let book = Fixture::new()?;
    book.answer("plain-lock/release", "コンパイルエラー\n")?;
    book.answer("lease/expiry", PASSING)?;
    book.answer("lease/renew", "exit 101\n")?;
    let ran = book.run(&[])?;
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(
        line(&ran.out, "plain-lock/release"),
        "途中    plain-lock/release  他人のロック(組み立てられない)"
    );
    assert_eq!(line(&ran.out, "lease/expiry"), "解けた  lease/expiry        期限の境目");
    assert_eq!(line(&ran.out, "lease/renew"), "途中    lease/renew         延長(パニックする)");
    assert!(!ran.err.contains("error:"), "一覧に組み立ての誤りを混ぜた: {}", ran.err);
    Ok(())
}

#[test]
fn a_broken_base_is_an_error_and_not_a_verdict() -> Result<()> {
    let book = Fixture::new()?;
    book.answer("lease/expiry", PASSING)?;
    book.write("broken", "")?;
    for arguments in [&[][..], &["lease/expiry"]] {
        let ran = book.run(arguments)?;
        assert_eq!(ran.code, Some(1), "{ran:?}");
        assert!(ran.err.contains("誤り: crates/exercises を組み立てられない。"), "{}", ran.err);
        assert_eq!(ran.err.matches("error: 検査のクレートの誤り").count(), 1, "{}", ran.err);
    }
    std::fs::remove_file(book.path("broken"))?;
    assert!(line(&book.run(&[])?.out, "lease/expiry").starts_with("解けた"));
    Ok(())
}

#[test]
fn unchanged_answers_are_not_tried_again() -> Result<()> {
    let book = Fixture::new()?;
    book.answer("lease/expiry", PASSING)?;
    book.run(&[])?;
    assert_eq!(book.builds(), 1);
    let ran = book.run(&[])?;
    assert!(line(&ran.out, "lease/expiry").starts_with("解けた"), "{}", ran.out);
    assert_eq!((book.builds(), ran.err.as_str()), (1, ""));
    Ok(())
}

#[test]
fn what_may_be_no_fault_of_the_answer_is_tried_again() -> Result<()> {
    let book = Fixture::new()?;
    for (number, text) in ["コンパイルエラー\n", "kill -KILL $$\n"].iter().enumerate() {
        book.answer("lease/expiry", text)?;
        book.run(&[])?;
        book.run(&[])?;
        assert_eq!(book.builds(), 2 * (number + 1));
    }
    Ok(())
}

#[test]
fn a_stale_cache_never_shows() -> Result<()> {
    let book = Fixture::new()?;
    book.answer("lease/expiry", PASSING)?;
    let state = || -> Result<String> { Ok(line(&book.run(&[])?.out, "lease/expiry")) };
    assert!(state()?.starts_with("解けた"));
    // 時刻の古い、別の答え。
    book.answer("lease/expiry", FAILING)?;
    let old = SystemTime::now() - Duration::from_secs(3600);
    let path = book.path("crates/exercises/answers/lease/expiry.rs");
    std::fs::File::options().append(true).open(path)?.set_modified(old)?;
    assert!(state()?.starts_with("途中"));
    for path in ["crates/lease/src/lib.rs", "crates/exercises/checks/lease/expiry.rs", "Cargo.lock"]
    {
        let before = book.builds();
        book.write(path, "変えた")?;
        state()?;
        assert_eq!(book.builds(), before + 1, "{path}");
    }
    book.write("target/exercise.json", "{ こわれた")?;
    assert!(state()?.starts_with("途中"));
    Ok(())
}

#[test]
fn the_result_of_an_answer_changed_meanwhile_is_forgotten() -> Result<()> {
    let book = Fixture::new()?;
    // 動く間に、自分を断られる答えに書き換える。
    let text = format!("printf 'exit 1' > answers/lease/expiry.rs\n{PASSING}");
    book.answer("lease/expiry", &text)?;
    assert_eq!(book.run(&["lease/expiry"])?.code, Some(0));
    book.answer("lease/expiry", &text)?;
    let before = book.builds();
    book.run(&[])?;
    assert_eq!(book.builds(), before + 1);
    Ok(())
}

#[test]
fn checking_one_tells_the_verdict_and_what_to_do() -> Result<()> {
    let book = Fixture::new()?;
    book.answer("lease/expiry", FAILING)?;
    book.run(&["next"])?;
    let ran = book.run(&["expiry"])?;
    assert_eq!(ran.code, Some(1));
    assert_eq!(
        ran.out,
        "lease/expiry 期限の境目\n不合格: まだ違う\n\n\
         直したら、もう一度 cargo run -- exercise lease/expiry で確かめる。\n\
         ヒントは cargo run -- exercise hint lease/expiry で見られる。\n"
    );
    book.answer("lease/expiry", PASSING)?;
    let ran = book.run(&["lease-expiry"])?;
    assert_eq!(ran.code, Some(0));
    let told = "lease/expiry 期限の境目\n合格\n\n\
                解答と比べるなら cargo run -- exercise solution lease/expiry を打つ。\n\
                次は plain-lock/release 他人のロック\n";
    assert!(ran.out.starts_with(told), "{}", ran.out);
    Ok(())
}

#[test]
fn compile_errors_come_from_cargo_untouched() -> Result<()> {
    let book = Fixture::new()?;
    book.answer("lease/expiry", "コンパイルエラー\n")?;
    let ran = book.run(&["lease/expiry"])?;
    assert_eq!((ran.code, ran.err.as_str()), (Some(1), "error: lease-expiry の誤り\n"));
    assert!(
        ran.out.contains("答えを組み立てられない。上に出た知らせの指す所を直す。\n"),
        "{}",
        ran.out
    );
    Ok(())
}

#[test]
fn next_shows_the_statement_of_the_first_open_exercise() -> Result<()> {
    let book = Fixture::new()?;
    book.answer("plain-lock/release", PASSING)?;
    let ran = book.run(&["next"])?;
    let told = "lease/expiry\n\n演習: 期限の境目\n\n期限の境目を直す。\n\n\
                直すファイル  crates/exercises/answers/lease/expiry.rs\n\
                本のページ    book/lease.md\n";
    assert!(ran.out.contains(told), "{}", ran.out);
    for key in ["lease/expiry", "lease/renew"] {
        book.answer(key, PASSING)?;
    }
    assert_eq!(book.run(&["next"])?.out, "すべての演習を解いた。\n");
    assert!(book.run(&[])?.out.ends_with("すべての演習を解いた。\n"));
    assert!(book.run(&["--watch"])?.out.ends_with("すべての演習を解いた。\n"));
    let ran = book.run(&["hint"])?;
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains("演習の名前をつける。"), "{}", ran.err);
    Ok(())
}

#[test]
fn an_unknown_name_shows_near_ones_and_copies_nothing() -> Result<()> {
    let book = Fixture::new()?;
    let ran = book.run(&["lease/expirt"])?;
    assert_eq!(ran.code, Some(1));
    assert_eq!(
        ran.err,
        "誤り: lease/expirt という演習はない。近い名前は lease/expiry である。\
         すべての名前は cargo run -- exercise で見られる。\n"
    );
    assert!(!book.path("crates/exercises/answers").exists());
    Ok(())
}

#[test]
fn without_cargo_one_sentence_says_so() -> Result<()> {
    let book = Fixture::new()?;
    book.answer("lease/expiry", PASSING)?;
    let ran = finish(book.command(&["lease/expiry"]).env("CARGO", "/nonexistent/cargo"))?;
    assert_eq!(ran.code, Some(1));
    let told = "誤り: /nonexistent/cargo を動かせない。cargo が使えるかを確かめる: ";
    assert!(ran.err.starts_with(told), "{}", ran.err);
    Ok(())
}

#[test]
fn commands_are_refused_in_japanese() -> Result<()> {
    let book = Fixture::new()?;
    for (arguments, told) in [
        (&["expiry", "--limit", "0"][..], "--limit <秒> に 0 は指定できない。"),
        (&["expiry", "--poll"], "--watch が要る。"),
        (&["expiry", "hint"], "命令 hint は、名前や選択肢より前に書く。"),
        (&["solution"], "<名前> が要る。"),
    ] {
        let ran = book.run(arguments)?;
        assert_eq!(ran.code, Some(2), "{arguments:?}");
        let help = "使い方は cargo run -- --help で見られる。";
        assert_eq!(ran.err, format!("誤り: {told}{help}\n"), "{arguments:?}");
    }
    Ok(())
}
