//! 「この本の検証のしくみ」の表のとおりに規則を壊し、挙げた試験が落ちることを確かめる。

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, ensure};
use pulldown_cmark::{Event, Options, Parser, TagEnd};
use tests::{read, root};

/// 表の一行。
#[derive(Debug)]
struct Break {
    file: String,
    from: String,
    to: String,
    package: String,
    test: String,
}

fn breaks() -> Result<Vec<Break>> {
    let page = read("book/verification.md")?;
    let mut cells = Vec::new();
    let mut breaks = Vec::new();
    for event in Parser::new_ext(&page, Options::ENABLE_TABLES) {
        match event {
            Event::Code(code) => cells.push(code.into_string()),
            Event::End(TagEnd::TableRow) => breaks.push(one(&std::mem::take(&mut cells))?),
            Event::End(TagEnd::Paragraph | TagEnd::Item) => cells.clear(),
            _ => {}
        }
    }
    Ok(breaks)
}

fn one(cells: &[String]) -> Result<Break> {
    let [file, from, to, command] = cells else {
        anyhow::bail!("表の行のコードが四つではない: {cells:?}");
    };
    let words: Vec<&str> = command.split_whitespace().collect();
    let ["cargo", "test", "-p", package, test] = words[..] else {
        anyhow::bail!("試験の命令の形が違う: {command}");
    };
    let [file, from, to] = [file, from, to].map(Clone::clone);
    Ok(Break { file, from, to, package: package.to_owned(), test: test.to_owned() })
}

/// 壊してよい、もとのコードの写し。読者のコードには触れない。
fn copy_of_the_crates(into: &Path) -> Result<()> {
    for name in ["Cargo.toml", "Cargo.lock"] {
        std::fs::copy(root().join(name), into.join(name))?;
    }
    for name in ["crates", "tests"] {
        copy_folder(&root().join(name), &into.join(name))?;
    }
    Ok(())
}

fn copy_folder(from: &Path, into: &Path) -> Result<()> {
    std::fs::create_dir_all(into)?;
    for entry in std::fs::read_dir(from)? {
        let path = entry?.path();
        let target = into.join(path.file_name().context("名前がない")?);
        // ブラウザーの試験が入れる道具は、写すには大きい。
        if path.ends_with("node_modules") {
            continue;
        }
        if path.is_dir() {
            copy_folder(&path, &target)?;
        } else {
            std::fs::copy(&path, &target)?;
        }
    }
    Ok(())
}

/// テスト `test` の書かれた組を指す引数。`tests/rules.rs` と `tests/rules/main.rs` なら `--test rules`、
/// `src` の中なら `--lib`。
fn target_of(package: &Path, test: &str) -> Result<Vec<String>> {
    let definition = format!("fn {test}(");
    let has = |path: &Path| std::fs::read_to_string(path).is_ok_and(|it| it.contains(&definition));
    let folder_has = |folder: &Path| -> Result<bool> {
        let paths: Vec<PathBuf> = std::fs::read_dir(folder)?
            .map(|entry| Ok(entry?.path()))
            .collect::<std::io::Result<_>>()?;
        Ok(paths.iter().any(|path| has(path)))
    };
    if folder_has(&package.join("src"))? {
        return Ok(vec!["--lib".to_owned()]);
    }
    for entry in std::fs::read_dir(package.join("tests"))? {
        let path = entry?.path();
        let name = path.file_stem().context("名前がない")?.to_string_lossy().into_owned();
        let is_here = has(&path) || (path.join("main.rs").exists() && folder_has(&path)?);
        if is_here {
            return Ok(vec!["--test".to_owned(), name]);
        }
    }
    anyhow::bail!("{} に {test} がない", package.display())
}

/// 挙げた試験だけを、壊した写しの中で動かす。終了コードと出力を返す。
fn run(workspace: &Path, target: &Path, broken: &Break) -> Result<(bool, String)> {
    let tests = target_of(&workspace.join("crates").join(&broken.package), &broken.test)?;
    let output = Command::new(env!("CARGO"))
        .args(["test", "--offline", "-p", &broken.package])
        .args(tests)
        .arg(&broken.test)
        .current_dir(workspace)
        .env("CARGO_TARGET_DIR", target)
        .env("CARGO_TERM_COLOR", "never")
        .output()?;
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let printed = printed + &String::from_utf8_lossy(&output.stderr);
    Ok((output.status.success(), printed))
}

#[test]
fn every_break_in_the_table_turns_its_named_test_red() -> Result<()> {
    let workspace = tempfile::tempdir()?;
    copy_of_the_crates(workspace.path())?;
    let target: PathBuf = workspace.path().join("target");
    let breaks = breaks()?;
    ensure!(breaks.len() >= 5, "表の行が足りない: {}", breaks.len());
    for broken in &breaks {
        let path = workspace.path().join(&broken.file);
        let original = std::fs::read_to_string(&path)?;
        let found = original.matches(&broken.from).count();
        ensure!(found == 1, "{} に `{}` が {found} 個ある", broken.file, broken.from);

        let (passed, printed) = run(workspace.path(), &target, broken)?;
        ensure!(passed && printed.contains("1 passed"), "壊す前に通らない: {broken:?}\n{printed}");

        std::fs::write(&path, original.replace(&broken.from, &broken.to))?;
        let (passed, printed) = run(workspace.path(), &target, broken)?;
        ensure!(!passed && printed.contains("1 failed"), "壊しても落ちない: {broken:?}\n{printed}");
        std::fs::write(&path, original)?;
    }
    Ok(())
}
