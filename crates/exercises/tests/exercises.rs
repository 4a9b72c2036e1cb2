//! 演習の三つの側を確かめる。問題は組み立てられて不合格、解答は合格、誤答はどれも理由つきで不合格。
//! 読者の答えは、ここでは組み立てない。

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use exercises::{EXERCISES, Exercise, Verdict};

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
    w1_1 = "../wrong/plain-lock/release/frees_for_anyone.rs";
    w1_2 = "../wrong/plain-lock/release/never_frees.rs";
    w1_3 = "../wrong/plain-lock/release/refuses_but_frees.rs";

    s2 = "../starters/plain-lock/stuck.rs";
    a2 = "../solutions/plain-lock/stuck.rs";
    w2_1 = "../wrong/plain-lock/stuck/crash_after_release.rs";
    w2_2 = "../wrong/plain-lock/stuck/holder_that_never_ends.rs";
    w2_3 = "../wrong/plain-lock/stuck/nobody_waits.rs";
    w2_4 = "../wrong/plain-lock/stuck/paused_holder.rs";

    s3 = "../starters/lease/expiry.rs";
    a3 = "../solutions/lease/expiry.rs";
    w3_1 = "../wrong/lease/expiry/closed_interval.rs";
    w3_2 = "../wrong/lease/expiry/one_tick_early.rs";
    w3_3 = "../wrong/lease/expiry/only_at_the_moment.rs";

    s4 = "../starters/lease/predict.rs";
    a4 = "../solutions/lease/predict.rs";
    w4_1 = "../wrong/lease/predict/expires_from_the_first_grant.rs";
    w4_2 = "../wrong/lease/predict/holder_may_acquire_again.rs";
    w4_3 = "../wrong/lease/predict/renews_what_is_free.rs";
    w4_4 = "../wrong/lease/predict/same_client_same_number.rs";
    w4_5 = "../wrong/lease/predict/still_valid_at_the_expiry.rs";

    s5 = "../starters/lease/renew.rs";
    a5 = "../solutions/lease/renew.rs";
    w5_1 = "../wrong/lease/renew/at_the_boundary.rs";
    w5_2 = "../wrong/lease/renew/extends_before_comparing.rs";
    w5_3 = "../wrong/lease/renew/for_anyone.rs";
    w5_4 = "../wrong/lease/renew/sets_if_free.rs";

    s6 = "../starters/lease/tokens.rs";
    a6 = "../solutions/lease/tokens.rs";
    w6_1 = "../wrong/lease/tokens/gives_the_number_back.rs";
    w6_2 = "../wrong/lease/tokens/grows_on_renew.rs";
    w6_3 = "../wrong/lease/tokens/resets_on_expiry.rs";
    w6_4 = "../wrong/lease/tokens/sixteen_bits.rs";
    w6_5 = "../wrong/lease/tokens/wraps_around.rs";

    s7 = "../starters/lease/heartbeat.rs";
    a7 = "../solutions/lease/heartbeat.rs";
    w7_1 = "../wrong/lease/heartbeat/after_the_last_row.rs";
    w7_2 = "../wrong/lease/heartbeat/at_half.rs";
    w7_3 = "../wrong/lease/heartbeat/counts_rows.rs";
    w7_4 = "../wrong/lease/heartbeat/every_row.rs";
    w7_5 = "../wrong/lease/heartbeat/just_in_time.rs";

    s8 = "../starters/double-acquisition/overlap.rs";
    a8 = "../solutions/double-acquisition/overlap.rs";
    w8_1 = "../wrong/double-acquisition/overlap/damage_without_overlap.rs";
    w8_2 = "../wrong/double-acquisition/overlap/nobody_writes.rs";
    w8_3 = "../wrong/double-acquisition/overlap/old_holder_writes_first.rs";
    w8_4 = "../wrong/double-acquisition/overlap/pause_too_short.rs";
    w8_5 = "../wrong/double-acquisition/overlap/writes_while_paused.rs";

    s9 = "../starters/double-acquisition/length.rs";
    a9 = "../solutions/double-acquisition/length.rs";
    w9_1 = "../wrong/double-acquisition/length/everything_remains.rs";
    w9_2 = "../wrong/double-acquisition/length/longer_than_every_pause.rs";
    w9_3 = "../wrong/double-acquisition/length/nothing_remains.rs";
    w9_4 = "../wrong/double-acquisition/length/pause_as_long_as_the_lease.rs";
    w9_5 = "../wrong/double-acquisition/length/typical_pause_only.rs";

    s10 = "../starters/double-acquisition/deadline.rs";
    a10 = "../solutions/double-acquisition/deadline.rs";
    w10_1 = "../wrong/double-acquisition/deadline/at_the_expiry.rs";
    w10_2 = "../wrong/double-acquisition/deadline/half_the_lease.rs";
    w10_3 = "../wrong/double-acquisition/deadline/half_the_round_trip.rs";
    w10_4 = "../wrong/double-acquisition/deadline/subtracts_the_delay_twice.rs";

    s11 = "../starters/fencing/compare.rs";
    a11 = "../solutions/fencing/compare.rs";
    w11_1 = "../wrong/fencing/compare/equal_only.rs";
    w11_2 = "../wrong/fencing/compare/never_remembers.rs";
    w11_3 = "../wrong/fencing/compare/rejects_equal.rs";
    w11_4 = "../wrong/fencing/compare/remembers_the_rejected.rs";

    s12 = "../starters/fencing/equal.rs";
    a12 = "../solutions/fencing/equal.rs";
    w12_1 = "../wrong/fencing/equal/max_of_the_row.rs";
    w12_2 = "../wrong/fencing/equal/never_compares.rs";
    w12_3 = "../wrong/fencing/equal/once_per_row.rs";
    w12_4 = "../wrong/fencing/equal/one_behind.rs";

    s13 = "../starters/fencing/two-rows.rs";
    a13 = "../solutions/fencing/two-rows.rs";
    w13_1 = "../wrong/fencing/two-rows/only_the_first.rs";
    w13_2 = "../wrong/fencing/two-rows/refuses_only_if_both_are_newer.rs";
    w13_3 = "../wrong/fencing/two-rows/remembers_one_max.rs";
    w13_4 = "../wrong/fencing/two-rows/undoes_the_value_only.rs";
    w13_5 = "../wrong/fencing/two-rows/writes_where_it_may.rs";

    s14 = "../starters/fencing/queue.rs";
    a14 = "../solutions/fencing/queue.rs";
    w14_1 = "../wrong/fencing/queue/asks_for_the_holder.rs";
    w14_2 = "../wrong/fencing/queue/no_token_without_a_holder.rs";
    w14_3 = "../wrong/fencing/queue/takes_the_larger.rs";

    s15 = "../starters/fencing/worker.rs";
    a15 = "../solutions/fencing/worker.rs";
    w15_1 = "../wrong/fencing/worker/checks_again_and_undoes.rs";
    w15_2 = "../wrong/fencing/worker/compares_in_the_worker.rs";
    w15_3 = "../wrong/fencing/worker/forgets_to_store_the_token.rs";
    w15_4 = "../wrong/fencing/worker/ignores_the_verdict.rs";
    w15_5 = "../wrong/fencing/worker/rejects_its_own_token.rs";
    w15_6 = "../wrong/fencing/worker/retries_for_ever.rs";

    s16 = "../starters/read-modify-write/takeover.rs";
    a16 = "../solutions/read-modify-write/takeover.rs";
    w16_1 = "../wrong/read-modify-write/takeover/pauses_the_old_holder.rs";
    w16_2 = "../wrong/read-modify-write/takeover/reads_before_registering.rs";
    w16_3 = "../wrong/read-modify-write/takeover/registers_last.rs";
    w16_4 = "../wrong/read-modify-write/takeover/writes_first.rs";
    w16_5 = "../wrong/read-modify-write/takeover/writes_without_reading.rs";

    s17 = "../starters/explore/watcher.rs";
    a17 = "../solutions/explore/watcher.rs";
    w17_1 = "../wrong/explore/watcher/at_the_expiry.rs";
    w17_2 = "../wrong/explore/watcher/ignores_renewals.rs";
    w17_3 = "../wrong/explore/watcher/released_by_anyone.rs";
    w17_4 = "../wrong/explore/watcher/revives_the_ended.rs";
    w17_5 = "../wrong/explore/watcher/trusts_the_service.rs";

    s18 = "../starters/wrong-locks/review.rs";
    a18 = "../solutions/wrong-locks/review.rs";
    w18_1 = "../wrong/wrong-locks/review/never_refuses.rs";
    w18_2 = "../wrong/wrong-locks/review/refuses_every_release.rs";
    w18_3 = "../wrong/wrong-locks/review/refuses_the_equal.rs";
    w18_4 = "../wrong/wrong-locks/review/releases_by_name.rs";
    w18_5 = "../wrong/wrong-locks/review/renews_the_free_lock.rs";
    w18_6 = "../wrong/wrong-locks/review/starts_again.rs";
    w18_7 = "../wrong/wrong-locks/review/wants_the_same_number.rs";
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &str) -> anyhow::Result<String> {
    std::fs::read_to_string(root().join(path)).with_context(|| path.to_owned())
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
fn the_list_names_exactly_the_starters() -> anyhow::Result<()> {
    let listed: BTreeSet<String> =
        EXERCISES.iter().map(|exercise| format!("../starters/{}", exercise.path())).collect();
    assert_eq!(listed, files("starters")?);
    assert_eq!(listed.len(), EXERCISES.len(), "同じ演習が二度並んでいる");
    Ok(())
}

#[test]
fn every_exercise_has_all_its_parts() -> anyhow::Result<()> {
    let manifest = read("Cargo.toml")?;
    let wrong = files("wrong")?;
    for exercise in EXERCISES {
        let (path, target) = (exercise.path(), exercise.target());
        for part in ["starters", "solutions", "checks"] {
            assert!(root().join(part).join(&path).exists(), "演習 {target} の {part} がない");
        }
        let mistakes = format!("/{}/{}/", exercise.chapter, exercise.name);
        let mistakes = wrong.iter().filter(|path| path.contains(&mistakes)).count();
        assert!(mistakes >= 2, "演習 {target} の誤答が二つに足りない");
        let entry = format!(
            "name = \"{target}\"\npath = \"readers/{target}.rs\"\nharness = false\ntest = false"
        );
        assert!(manifest.contains(&entry), "Cargo.toml に演習 {target} の [[test]] がない");
        let reader = read(&format!("readers/{target}.rs"))?;
        assert!(reader.contains(&format!("#[path = \"../answers/{path}\"]")), "{target}");
        assert!(
            reader.contains("exercises::run(answer::main)"),
            "入り口 {target} が、答えの出力や exit から判定を守る exercises::run を呼ばない"
        );
        assert!(
            reader.contains("extern crate stage as timeline;"),
            "入り口 {target} では、前の版で写した答えが組み立てられない"
        );
    }
    Ok(())
}

/// 読者が見る所と、写して動かすための一行。
#[test]
fn every_file_says_what_it_is() -> anyhow::Result<()> {
    for (dir, start) in
        [("starters", "//! 演習: "), ("solutions", "//! 解答: "), ("wrong", "//! 誤答: ")]
    {
        for path in files(dir)? {
            let text = read(path.trim_start_matches("../"))?;
            let first = text.lines().next().unwrap_or_default();
            assert!(first.starts_with(start), "{path}: 一行目が「{start}」で始まらない");
            let explains = text.lines().skip(1).take_while(|line| line.starts_with("//!")).count();
            assert_eq!(explains > 1, dir == "starters", "{path}: 問題だけが、することを説明する");
        }
    }
    Ok(())
}

#[test]
fn every_hint_has_two_stages_and_no_code() -> anyhow::Result<()> {
    let expected: BTreeSet<String> = EXERCISES
        .iter()
        .map(|exercise| format!("../hints/{}/{}.md", exercise.chapter, exercise.name))
        .collect();
    assert_eq!(expected, files("hints")?);
    for path in expected {
        let text = read(path.trim_start_matches("../"))?;
        let stages: Vec<&str> = text.split("\n---\n").map(str::trim).collect();
        assert_eq!(stages.len(), 2, "{path}: `---` だけの行で、二段に分ける");
        assert!(stages.iter().all(|stage| !stage.is_empty()), "{path}: 空の段がある");
        assert!(!text.contains("```") && !text.contains(';'), "{path}: コードを書かない");
    }
    Ok(())
}

/// 章のページには、演習の問題と、直さずに動かした結果があり、解答はない。解答は付録にある。
#[test]
fn every_exercise_stands_in_its_chapter_and_in_the_appendix() -> anyhow::Result<()> {
    let solutions = read("../../book/solutions.md")?;
    let mut listed = Vec::new();
    for exercise in EXERCISES {
        let (path, target) = (exercise.path(), exercise.target());
        let title = title(&exercise)?;
        let page = read(&format!("../../book/{}.md", exercise.chapter))?;
        let snapshot = format!("exercises__starters__{}.snap", target_in_snapshot(&exercise));
        for part in [
            format!("\n## 演習: {title}\n"),
            format!("starters/{path}}}}}"),
            format!("tests/snapshots/{snapshot}:5:}}}}"),
            format!("(solutions.md#{target})"),
        ] {
            assert!(
                page.contains(&part),
                "book/{}.md に「{}」がない",
                exercise.chapter,
                part.trim()
            );
        }
        assert!(!page.contains("crates/exercises/solutions"), "章のページに解答がある");
        listed.push(format!("<details id=\"{target}\">\n<summary>{title}</summary>\n"));
        let solution = format!("{{{{#include ../crates/exercises/solutions/{path}}}}}");
        listed.push(format!("\n```rust,ignore\n{solution}\n```\n\n</details>\n"));
    }
    let mut rest = solutions.as_str();
    for part in &listed {
        let found = rest.split_once(part.as_str());
        rest = found.with_context(|| format!("book/solutions.md に、この順に「{part}」がない"))?.1;
    }
    assert_eq!(solutions.matches("<details").count(), EXERCISES.len());
    Ok(())
}

fn title(exercise: &Exercise) -> anyhow::Result<String> {
    let starter = read(&format!("starters/{}", exercise.path()))?;
    let first = starter.lines().next().unwrap_or_default();
    Ok(first.trim_start_matches("//! 演習: ").to_owned())
}

fn target_in_snapshot(exercise: &Exercise) -> String {
    format!("{}__{}", exercise.chapter, exercise.name)
}
