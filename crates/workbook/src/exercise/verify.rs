//! 演習そのものの検査。演習を書く人と、自動の検査のためのものである。
//!
//! 問題・解答・誤答は、`crates/exercises` の試験が一つのバイナリで動かす。ここでは、その試験と、
//! 試験のしないこと(部品の不足、ヒントの段階、本のページ、書式、clippy)を合わせて確かめる。
//! 読者の答えには触れないので、答えがなくても、途中でも、壊れていても、結果は変わらない。

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

use anyhow::{Context as _, Result, bail};
use serde_json::Value;

use super::build::cargo;
use super::catalog::{self, Exercise, FOLDER};
use super::desk::{Desk, part};
use super::{pages, store};
use crate::cli::{complain, say};

/// 一つの演習に要る誤答の数。一つでは、検査がそれだけを狙っていても気づかない。
const WRONG: usize = 2;
/// 一つの演習に要るヒントの段階の数。
const STAGES: usize = 2;
/// 問題・解答・誤答・検査の置き場。
const SOURCES: [&str; 4] = ["starters", "solutions", "wrong", "checks"];

/// すべて確かめる。一つが悪くても、残りも確かめてから知らせる。
///
/// # Errors
/// 演習のファイルを読めないとき、足りない部品があるとき、通らない検査があるとき。
pub(super) fn run(desk: &Desk) -> Result<ExitCode> {
    let started = Instant::now();
    let package = Package::ask(&desk.root)?;
    let mut failed = problems(desk, &catalog::listed(), &package)?;
    failed.iter().for_each(|problem| complain(&anyhow::anyhow!("{problem}")));
    let checks = [("書式", format(desk, &package)), ("clippy", clippy(desk)), ("試験", test(desk))];
    for (name, result) in checks {
        if let Err(error) = result {
            complain(&error);
            failed.push(name.to_owned());
        }
    }
    if !failed.is_empty() {
        bail!("演習に {} か所の誤りがある。上の知らせの指す所を直す。", failed.len());
    }
    let (count, seconds) = (desk.catalog.exercises.len(), started.elapsed().as_secs_f64());
    let wrong = files(&desk.root, "wrong")?.len();
    say(&format!("演習 {count} 題と誤答 {wrong} 個は、部品がそろい、正しい({seconds:.1} 秒)。"));
    Ok(ExitCode::SUCCESS)
}

/// cargo から見た演習のクレート。
#[derive(Debug, Default)]
struct Package {
    edition: String,
    /// ふだんは組み立てない試験の名前。読者の答えを動かす
    readers: BTreeSet<String>,
}

impl Package {
    fn ask(root: &Path) -> Result<Package> {
        let mut command = Command::new(cargo());
        command.args(["metadata", "--no-deps", "--format-version", "1", "--manifest-path"]);
        let output = command.arg(root.join("Cargo.toml")).stderr(Stdio::inherit()).output();
        let output = output.context("cargo を動かせない。cargo が使えるかを確かめる")?;
        if !output.status.success() {
            bail!("Cargo.toml を読めない。上の知らせの指す所を直す。");
        }
        let metadata = serde_json::from_slice(&output.stdout);
        Package::read(&metadata.context("cargo metadata の答えを読めない")?)
    }

    fn read(metadata: &Value) -> Result<Package> {
        let packages = metadata["packages"].as_array().map(Vec::as_slice).unwrap_or_default();
        let own = packages.iter().find(|package| package["name"] == "exercises");
        let own = own.with_context(|| format!("ワークスペースに {FOLDER} がない。"))?;
        let targets = own["targets"].as_array().map(Vec::as_slice).unwrap_or_default();
        let readers = targets.iter().filter(|target| target["test"] == false);
        let readers = readers.filter_map(|target| target["name"].as_str()).map(str::to_owned);
        let edition = own["edition"].as_str().unwrap_or("2024").to_owned();
        Ok(Package { edition, readers: readers.collect() })
    }
}

/// 足りない部品。
fn problems(desk: &Desk, listed: &[Exercise], package: &Package) -> Result<Vec<String>> {
    let mut problems = Vec::new();
    for one in &desk.catalog.exercises {
        let about = |problem: String| format!("演習 {}: {problem}", one.key());
        problems.extend(parts(desk, one, package)?.into_iter().map(about));
        if !listed.contains(one) {
            problems.push(format!("演習 {}: EXERCISES に並んでいない。", one.key()));
        }
    }
    for one in listed.iter().filter(|one| !desk.catalog.exercises.contains(one)) {
        let name = part("starters", one, "rs");
        problems.push(format!("演習 {}: 問題 {name} がない。", one.key()));
    }
    Ok(problems)
}

fn parts(desk: &Desk, one: &Exercise, package: &Package) -> Result<Vec<String>> {
    let mut problems = Vec::new();
    for (folder, role) in [("solutions", "解答"), ("checks", "検査")] {
        let name = part(folder, one, "rs");
        if !desk.root.join(&name).is_file() {
            problems.push(format!("{role} {name} がない。"));
        }
    }
    if pages::title(&desk.starter(one)?).is_none() {
        problems.push("問題の一行目が「//! 演習: 題」でない。".to_owned());
    }
    problems.extend(wrong(desk, one)?);
    problems.extend(hint(desk, one)?);
    problems.extend(page(desk, one)?);
    problems.extend(reader(desk, one, package)?);
    Ok(problems)
}

fn wrong(desk: &Desk, one: &Exercise) -> Result<Option<String>> {
    let folder = format!("{FOLDER}/wrong/{}", one.key());
    let path = desk.root.join(&folder);
    let count = if path.is_dir() { catalog::names(&path, Some("rs"))?.len() } else { 0 };
    Ok((count < WRONG)
        .then(|| format!("誤答が {folder} に {count} 個しかない。{WRONG} 個は要る。")))
}

fn hint(desk: &Desk, one: &Exercise) -> Result<Option<String>> {
    let name = part("hints", one, "md");
    let Some(text) = store::read_if_any(&desk.root.join(&name))? else {
        return Ok(Some(format!("ヒント {name} がない。")));
    };
    let stages = pages::stages(&String::from_utf8_lossy(&text));
    let good = stages.len() == STAGES && stages.iter().all(|stage| !stage.is_empty());
    Ok((!good).then(|| {
        format!("ヒント {name} が {STAGES} 段階でない。--- だけの行で分け、どちらにも文を書く。")
    }))
}

fn page(desk: &Desk, one: &Exercise) -> Result<Option<String>> {
    let name = format!("book/{}.md", one.chapter);
    let Some(text) = store::read_if_any(&desk.root.join(&name))? else {
        return Ok(Some(format!("本のページ {name} がない。")));
    };
    let stated = pages::states(&String::from_utf8_lossy(&text), one);
    Ok((!stated)
        .then(|| format!("本のページ {name} に、問題 starters/{}.rs が載っていない。", one.key())))
}

/// 読者の答えを動かす試験。
fn reader(desk: &Desk, one: &Exercise, package: &Package) -> Result<Option<String>> {
    let target = one.target();
    if !package.readers.contains(&target) {
        return Ok(Some(format!(
            "{FOLDER}/Cargo.toml に、test = false の [[test]] {target} がない。"
        )));
    }
    let name = format!("{FOLDER}/readers/{target}.rs");
    let text = store::read_if_any(&desk.root.join(&name))?.unwrap_or_default();
    let path = format!("../answers/{}.rs", one.key());
    let taken = String::from_utf8_lossy(&text).contains(&path);
    Ok((!taken).then(|| format!("{name} が答え {path} を取り込んでいない。")))
}

/// 試験がマクロで取り込むファイルを、cargo fmt は見ない。
fn format(desk: &Desk, package: &Package) -> Result<()> {
    let program = std::env::var_os("RUSTFMT").unwrap_or_else(|| "rustfmt".into());
    let mut command = Command::new(&program);
    command
        .args(["--check", "--files-with-diff", "--edition", &package.edition])
        .current_dir(&desk.root);
    for folder in SOURCES {
        command.args(files(&desk.root, folder)?);
    }
    let status =
        command.status().context("rustfmt を動かせない。rustup component add rustfmt で入れる")?;
    match status.success() {
        true => Ok(()),
        false => bail!(
            "演習のファイルの書式が違う。上に出たファイルを rustfmt --edition {} で直す。",
            package.edition
        ),
    }
}

fn clippy(desk: &Desk) -> Result<()> {
    let arguments = ["clippy", "--workspace", "--test", "exercises", "--quiet"];
    let mut command = workspace(desk, &arguments);
    match command
        .args(["--", "-D", "warnings"])
        .status()
        .context("cargo clippy を動かせない")?
        .success()
    {
        true => Ok(()),
        false => bail!("演習のファイルに clippy の指摘がある。上の指す所を直す。"),
    }
}

/// 問題は不合格、解答は合格、誤答はどれも理由つきで不合格になることを確かめる。
fn test(desk: &Desk) -> Result<()> {
    let arguments = ["test", "--workspace", "--test", "exercises", "--quiet"];
    let output = workspace(desk, &arguments).stderr(Stdio::inherit()).output();
    let output = output.context("cargo test を動かせない")?;
    match output.status.success() {
        true => Ok(()),
        false => bail!(
            "演習の試験が通らない。次の知らせの指すファイルを直す。\n{}",
            String::from_utf8_lossy(&output.stdout)
        ),
    }
}

/// ワークスペース全体として動かすと、`cargo test --workspace` が組み立てたものをそのまま使える。
fn workspace(desk: &Desk, arguments: &[&str]) -> Command {
    let mut command = Command::new(cargo());
    command
        .args(arguments)
        .env("RUST_BACKTRACE", "0")
        .arg("--manifest-path")
        .arg(desk.root.join("Cargo.toml"));
    command
}

/// `folder` の下の Rust のファイル。
fn files(root: &Path, folder: &str) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    walk(&root.join(FOLDER).join(folder), &mut found)?;
    found.sort();
    Ok(found)
}

fn walk(folder: &Path, found: &mut Vec<PathBuf>) -> Result<()> {
    let failed = || format!("{} を読めない", folder.display());
    for entry in std::fs::read_dir(folder).with_context(failed)? {
        match entry.with_context(failed)?.path() {
            path if path.is_dir() => walk(&path, found)?,
            path if path.extension().is_some_and(|own| own == "rs") => found.push(path),
            _ => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 部品のそろった演習が一つある、一時のワークスペース。
    struct Fixture(tempfile::TempDir);

    impl Fixture {
        fn new() -> Result<Fixture> {
            let fixture = Fixture(tempfile::tempdir()?);
            for (path, text) in [
                ("starters/lease/expiry.rs", "//! 演習: 境目\n"),
                ("solutions/lease/expiry.rs", ""),
                ("checks/lease/expiry.rs", ""),
                ("wrong/lease/expiry/one.rs", ""),
                ("wrong/lease/expiry/two.rs", ""),
                ("hints/lease/expiry.md", "一\n---\n二\n"),
                ("readers/lease-expiry.rs", "#[path = \"../answers/lease/expiry.rs\"]\n"),
            ] {
                fixture.write(&format!("{FOLDER}/{path}"), text)?;
            }
            fixture.write("book/lease.md", "{{#include ../a/starters/lease/expiry.rs}}\n")?;
            Ok(fixture)
        }

        fn write(&self, path: &str, text: &str) -> Result<()> {
            store::replace(&self.0.path().join(path), text.as_bytes())
        }

        fn problems(&self) -> Result<Vec<String>> {
            let listed = [Exercise::new("lease", "expiry")];
            let readers = ["lease-expiry".to_owned()].into();
            let package = Package { readers, ..Package::default() };
            problems(&Desk::open(self.0.path())?, &listed, &package)
        }
    }

    #[test]
    fn a_complete_exercise_has_no_problem() -> Result<()> {
        assert_eq!(Fixture::new()?.problems()?, [""; 0]);
        Ok(())
    }

    #[test]
    fn every_missing_part_is_named() -> Result<()> {
        for (path, told) in [
            (
                "solutions/lease/expiry.rs",
                "解答 crates/exercises/solutions/lease/expiry.rs がない。",
            ),
            ("checks/lease/expiry.rs", "検査 crates/exercises/checks/lease/expiry.rs がない。"),
            (
                "wrong/lease/expiry/two.rs",
                "誤答が crates/exercises/wrong/lease/expiry に 1 個しかない。2 個は要る。",
            ),
            ("hints/lease/expiry.md", "ヒント crates/exercises/hints/lease/expiry.md がない。"),
            (
                "readers/lease-expiry.rs",
                "crates/exercises/readers/lease-expiry.rs が答え ../answers/lease/expiry.rs を\
                 取り込んでいない。",
            ),
            ("../../book/lease.md", "本のページ book/lease.md がない。"),
        ] {
            let fixture = Fixture::new()?;
            std::fs::remove_file(fixture.0.path().join(FOLDER).join(path))?;
            assert_eq!(fixture.problems()?, [format!("演習 lease/expiry: {told}")]);
        }
        Ok(())
    }

    #[test]
    fn every_unfit_part_is_named() -> Result<()> {
        for (path, text, told) in [
            (
                "crates/exercises/starters/lease/expiry.rs",
                "fn main() {}\n",
                "問題の一行目が「//! 演習: 題」でない。",
            ),
            (
                "crates/exercises/hints/lease/expiry.md",
                "一だけ\n",
                "ヒント crates/exercises/hints/lease/expiry.md が 2 段階でない。\
                 --- だけの行で分け、どちらにも文を書く。",
            ),
            (
                "book/lease.md",
                "演習\n",
                "本のページ book/lease.md に、問題 starters/lease/expiry.rs が載っていない。",
            ),
        ] {
            let fixture = Fixture::new()?;
            fixture.write(path, text)?;
            assert_eq!(fixture.problems()?, [format!("演習 lease/expiry: {told}")]);
        }
        Ok(())
    }

    #[test]
    fn the_list_and_the_files_must_agree() -> Result<()> {
        let fixture = Fixture::new()?;
        let desk = Desk::open(fixture.0.path())?;
        let found = problems(&desk, &[Exercise::new("lease", "lost")], &Package::default())?;
        assert_eq!(
            found,
            [
                "演習 lease/expiry: crates/exercises/Cargo.toml に、test = false の [[test]] \
                 lease-expiry がない。",
                "演習 lease/expiry: EXERCISES に並んでいない。",
                "演習 lease/lost: 問題 crates/exercises/starters/lease/lost.rs がない。",
            ]
        );
        Ok(())
    }

    #[test]
    fn only_tests_left_out_of_the_usual_run_are_readers() -> Result<()> {
        let metadata = serde_json::json!({"packages": [
            {"name": "lease", "targets": []},
            {"name": "exercises", "edition": "2024", "targets": [
                {"name": "exercises", "test": true},
                {"name": "lease-expiry", "test": false},
            ]},
        ]});
        let package = Package::read(&metadata)?;
        assert_eq!(package.edition, "2024");
        assert_eq!(package.readers, ["lease-expiry".to_owned()].into());
        assert!(Package::read(&serde_json::json!({})).is_err());
        Ok(())
    }
}
