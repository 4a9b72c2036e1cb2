//! 演習の三つの側を確かめる。問題は組み立てられて不合格、解答は合格、誤答はどれも理由つきで不合格。
//! 読者の答えは、ここでは組み立てない。

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use exercises::Verdict;

macro_rules! answers {
    ($($name:ident = $path:literal;)+) => {
        $(#[path = $path] mod $name;)+

        /// ファイルの道筋と、その `main` の結果。
        fn answers() -> Vec<(&'static str, Verdict)> {
            vec![$(($path, $name::main())),+]
        }
    };
}

answers! {
    s1 = "../starters/plain-lock/release.rs";
    a1 = "../solutions/plain-lock/release.rs";
    w11 = "../wrong/plain-lock/release/frees_for_anyone.rs";
    w12 = "../wrong/plain-lock/release/never_frees.rs";
    w13 = "../wrong/plain-lock/release/refuses_but_frees.rs";

    s2 = "../starters/lease/expiry.rs";
    a2 = "../solutions/lease/expiry.rs";
    w21 = "../wrong/lease/expiry/closed_interval.rs";
    w22 = "../wrong/lease/expiry/one_tick_early.rs";
    w23 = "../wrong/lease/expiry/only_at_the_moment.rs";

    s3 = "../starters/double-acquisition/overlap.rs";
    a3 = "../solutions/double-acquisition/overlap.rs";
    w31 = "../wrong/double-acquisition/overlap/nobody_writes.rs";
    w32 = "../wrong/double-acquisition/overlap/old_holder_writes_first.rs";
    w33 = "../wrong/double-acquisition/overlap/pause_too_short.rs";
    w34 = "../wrong/double-acquisition/overlap/writes_while_paused.rs";

    s4 = "../starters/fencing/compare.rs";
    a4 = "../solutions/fencing/compare.rs";
    w41 = "../wrong/fencing/compare/equal_only.rs";
    w42 = "../wrong/fencing/compare/never_remembers.rs";
    w43 = "../wrong/fencing/compare/rejects_equal.rs";
    w44 = "../wrong/fencing/compare/remembers_the_rejected.rs";
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// `dir` の下のすべてのファイルを、`../` から始まる道筋で。
fn files(dir: &str) -> anyhow::Result<BTreeSet<String>> {
    let mut found = BTreeSet::new();
    walk(&root().join(dir), &mut found)?;
    Ok(found)
}

fn walk(path: &Path, found: &mut BTreeSet<String>) -> anyhow::Result<()> {
    for entry in std::fs::read_dir(path)? {
        let path = entry?.path();
        if path.is_dir() {
            walk(&path, found)?;
            continue;
        }
        let relative = path.strip_prefix(root())?.to_string_lossy().replace('\\', "/");
        found.insert(format!("../{relative}"));
    }
    Ok(())
}

#[test]
fn every_solution_passes() {
    for (path, verdict) in answers() {
        if path.starts_with("../solutions/") {
            assert!(matches!(verdict, Verdict::Passed), "{path}: {verdict:?}");
        }
    }
}

#[test]
fn every_starter_and_every_wrong_answer_fails_with_a_reason() {
    for (path, verdict) in answers() {
        if path.starts_with("../solutions/") {
            continue;
        }
        let Verdict::Failed(reason) = verdict else { panic!("{path} が合格してしまう") };
        let name = path.trim_start_matches("../").trim_end_matches(".rs").replace('/', "__");
        insta::assert_snapshot!(name, format!("{reason:#}"));
    }
}

#[test]
fn every_file_is_tried_here() -> anyhow::Result<()> {
    let tried: BTreeSet<String> = answers().iter().map(|(path, _)| (*path).to_owned()).collect();
    let mut present = files("starters")?;
    present.extend(files("solutions")?);
    present.extend(files("wrong")?);
    assert_eq!(tried, present);
    Ok(())
}

#[test]
fn every_exercise_has_all_its_parts() -> anyhow::Result<()> {
    let manifest = std::fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let wrong = files("wrong")?;
    for starter in files("starters")? {
        let exercise = starter.trim_start_matches("../starters/").trim_end_matches(".rs");
        for part in ["solutions", "checks"] {
            let path = root().join(part).join(format!("{exercise}.rs"));
            assert!(path.exists(), "演習 {exercise} の {part} がない: {}", path.display());
        }
        let mistakes = wrong.iter().filter(|path| path.contains(&format!("/{exercise}/"))).count();
        assert!(mistakes >= 2, "演習 {exercise} の誤答が二つに足りない");
        let target = exercise.replace('/', "-");
        let target = format!("path = \"readers/{target}.rs\"\nharness = false\ntest = false");
        assert!(manifest.contains(&target), "Cargo.toml に演習 {exercise} の [[test]] がない");
        let (chapter, _) = exercise.split_once('/').unwrap();
        let page = root().join(format!("../../book/{chapter}.md"));
        let page = std::fs::read_to_string(page).unwrap();
        let asked = page.contains(&format!("crates/exercises/starters/{exercise}.rs"));
        assert!(asked, "演習 {exercise} が book/{chapter}.md にない");
    }
    Ok(())
}
