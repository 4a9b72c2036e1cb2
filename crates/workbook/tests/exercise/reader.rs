//! 読者の答えを写し、残し、戻す。

use anyhow::Result;

use crate::fixture::{Fixture, PASSING};

const EXPIRY: &str = "crates/exercises/answers/lease/expiry.rs";
const RECORD: &str = "crates/exercises/answers/.record.json";

#[test]
fn first_use_copies_the_starters_and_says_where() -> Result<()> {
    let book = Fixture::new()?;
    let ran = book.run(&[])?;
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let told = "問題 3 題を crates/exercises/answers に写した。そこにあるファイルを直していく。\n";
    assert!(ran.out.starts_with(told), "{}", ran.out);
    assert_eq!(book.read(EXPIRY)?, book.read("crates/exercises/starters/lease/expiry.rs")?);
    assert_eq!(book.builds(), 0, "問題のままの答えを組み立てた");
    assert!(!book.run(&[])?.out.contains("写した"));
    Ok(())
}

#[test]
fn any_command_copies_only_what_is_missing() -> Result<()> {
    let book = Fixture::new()?;
    book.answer("lease/expiry", "わたしの答え\n")?;
    let ran = book.run(&["next"])?;
    let told = "まだなかった 2 題の問題を crates/exercises/answers に写した: \
                plain-lock/release、lease/renew。\n";
    assert!(ran.out.starts_with(told), "{}", ran.out);
    assert_eq!(book.read(EXPIRY)?, "わたしの答え\n");
    Ok(())
}

#[test]
fn a_changed_starter_is_told_and_the_answer_stays() -> Result<()> {
    let book = Fixture::new()?;
    book.run(&[])?;
    book.answer("lease/expiry", PASSING)?;
    book.write("crates/exercises/starters/lease/expiry.rs", "//! 演習: 新しい境目\n")?;
    let told = "写したあとで問題が変わった: lease/expiry。答えには触れていない。";
    for _ in 0..2 {
        let ran = book.run(&[])?;
        assert!(ran.out.contains(told) && ran.out.contains("exercise reset <名前>"), "{}", ran.out);
        assert_eq!(book.read(EXPIRY)?, PASSING);
    }
    assert!(book.run(&["lease/expiry"])?.out.contains(told));
    assert!(!book.run(&["lease/renew"])?.out.contains(told));
    assert_eq!(book.run(&["reset", "expiry", "--yes"])?.code, Some(0));
    assert_eq!(book.read(EXPIRY)?, "//! 演習: 新しい境目\n");
    assert!(!book.run(&[])?.out.contains("変わった"));
    Ok(())
}

#[test]
fn a_broken_record_is_told_and_harms_no_answer() -> Result<()> {
    let book = Fixture::new()?;
    book.run(&[])?;
    book.answer("lease/expiry", PASSING)?;
    book.write(RECORD, "{ こわれた")?;
    let ran = book.run(&[])?;
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(
        ran.out.contains("記録が壊れていたので、作り直した。答えには触れていない。"),
        "{}",
        ran.out
    );
    assert_eq!(book.read(EXPIRY)?, PASSING);
    assert!(!book.run(&[])?.out.contains("壊れ"));
    std::fs::remove_file(book.path(RECORD))?;
    assert_eq!(book.run(&[])?.code, Some(0));
    assert_eq!(book.read(EXPIRY)?, PASSING);
    Ok(())
}

#[test]
fn resetting_asks_and_keeps_numbered_backups() -> Result<()> {
    let book = Fixture::new()?;
    book.run(&[])?;
    book.answer("lease/expiry", "一\n")?;
    let refused = book.run(&["reset", "lease/expiry"])?;
    assert_eq!(refused.code, Some(1));
    assert_eq!(
        refused.err,
        format!(
            "誤り: 今の答えを控えに残し、{EXPIRY} を問題に戻してよいかを尋ねる端末がない。\
             よければ --yes をつけて、もう一度打つ。\n"
        )
    );
    assert_eq!(book.read(EXPIRY)?, "一\n");
    for (text, backup) in [("一\n", ".bak"), ("二\n", ".bak.2"), ("三\n", ".bak.3")] {
        book.answer("lease/expiry", text)?;
        let ran = book.run(&["reset", "lease/expiry", "--yes"])?;
        let told = format!("{EXPIRY} を問題に戻した。前の答えは {EXPIRY}{backup} に残した。\n");
        assert_eq!(ran.out, told);
        assert_eq!(book.read(&format!("{EXPIRY}{backup}"))?, text);
    }
    let ran = book.run(&["reset", "lease/expiry", "--yes"])?;
    assert_eq!(ran.out, format!("{EXPIRY} は問題のままである。\n"));
    assert_eq!(book.read(&format!("{EXPIRY}.bak"))?, "一\n");
    Ok(())
}

#[test]
fn the_solution_asks_first() -> Result<()> {
    let book = Fixture::new()?;
    let refused = book.run(&["solution", "lease/expiry"])?;
    assert_eq!((refused.code, refused.out.as_str()), (Some(1), ""));
    assert_eq!(
        refused.err,
        "誤り: lease/expiry の解答を見せてよいかを尋ねる端末がない。\
         よければ --yes をつけて、もう一度打つ。\n"
    );
    let ran = book.run(&["solution", "lease/expiry", "--yes"])?;
    assert_eq!((ran.code, ran.out), (Some(0), format!("//! 解答\n{PASSING}")));
    Ok(())
}

#[test]
fn hints_come_stage_by_stage() -> Result<()> {
    let book = Fixture::new()?;
    book.run(&[])?;
    let first =
        "lease/expiry 期限の境目\n\nヒント 1\n\n一段目\n\nもう一度打つと、次の段階も見せる。\n";
    let both = "lease/expiry 期限の境目\n\nヒント 1\n\n一段目\n\nヒント 2\n\n二段目\n";
    assert_eq!(book.run(&["hint", "expiry"])?.out, first);
    assert_eq!(book.run(&["hint", "expiry"])?.out, both);
    assert_eq!(book.run(&["hint", "expiry"])?.out, both);
    assert!(book.run(&["hint", "renew", "--more"])?.out.contains("ヒント 2"));
    assert!(book.run(&["hint"])?.out.starts_with("plain-lock/release 他人のロック\n"));
    Ok(())
}

#[test]
fn a_lost_hint_names_its_file() -> Result<()> {
    let book = Fixture::new()?;
    std::fs::remove_file(book.path("crates/exercises/hints/lease/expiry.md"))?;
    let ran = book.run(&["hint", "lease/expiry"])?;
    assert_eq!(ran.code, Some(1));
    let path = "crates/exercises/hints/lease/expiry.md";
    let told = format!("誤り: {path} を読めない。消えているなら git restore {path} で戻す: ");
    assert!(ran.err.starts_with(&told), "{}", ran.err);
    Ok(())
}
