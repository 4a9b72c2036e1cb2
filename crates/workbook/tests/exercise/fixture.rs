//! 試験のための、三つの演習だけのワークスペース。

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result};
use tempfile::TempDir;

/// 試験するバイナリ。
pub const BINARY: &str = env!("CARGO_BIN_EXE_workbook");
/// cargo の代わり。
const CARGO: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/exercise/cargo.sh");

/// 検査が断る答え。
pub const FAILING: &str = "echo '不合格: まだ違う'\nexit 1\n";
/// 合格する答え。
pub const PASSING: &str = "echo 合格\n";
/// 終わらない答え。自分の番号を `pid` に書く。
pub const ENDLESS: &str = "echo $$ > pid\nexec sleep 60\n";

/// 演習の章、名前、題。解く順に並ぶ。
const EXERCISES: [(&str, &str, &str); 3] = [
    ("plain-lock", "release", "他人のロック"),
    ("lease", "expiry", "期限の境目"),
    ("lease", "renew", "延長"),
];

/// 一時のフォルダーにあるワークスペース。
pub struct Fixture {
    folder: TempDir,
}

/// 命令の結果。
#[derive(Debug)]
pub struct Ran {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Fixture {
    pub fn new() -> Result<Fixture> {
        let fixture = Fixture { folder: tempfile::tempdir()? };
        fixture.write("book.toml", "")?;
        fixture.write("Cargo.toml", "")?;
        fixture.write(
            "book/SUMMARY.md",
            "# 目次\n\n- [期限のないロック](plain-lock.md)\n- [リース](lease.md)\n",
        )?;
        fixture.write("crates/lease/src/lib.rs", "")?;
        for (chapter, name, title) in EXERCISES {
            fixture.add(chapter, name, title)?;
        }
        Ok(fixture)
    }

    fn add(&self, chapter: &str, name: &str, title: &str) -> Result<()> {
        let part = |part: &str, extension: &str| {
            format!("crates/exercises/{part}/{chapter}/{name}.{extension}")
        };
        let starter = format!("//! 演習: {title}\n//!\n//! {title}を直す。\n{FAILING}");
        self.write(&part("starters", "rs"), &starter)?;
        self.write(&part("solutions", "rs"), &format!("//! 解答\n{PASSING}"))?;
        self.write(&part("checks", "rs"), "//! 検査\n")?;
        self.write(&part("hints", "md"), "一段目\n\n---\n\n二段目\n")?;
        self.write(
            &format!("crates/exercises/readers/{chapter}-{name}.rs"),
            &format!("#[path = \"../answers/{chapter}/{name}.rs\"]\nmod answer;\n"),
        )
    }

    pub fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    pub fn write(&self, path: &str, text: &str) -> Result<()> {
        let path = self.path(path);
        std::fs::create_dir_all(path.parent().context("親がない")?)?;
        Ok(std::fs::write(path, text)?)
    }

    pub fn read(&self, path: &str) -> Result<String> {
        std::fs::read_to_string(self.path(path)).with_context(|| path.to_owned())
    }

    /// 答えを書く。
    pub fn answer(&self, key: &str, text: &str) -> Result<()> {
        self.write(&format!("crates/exercises/answers/{key}.rs"), text)
    }

    /// エディターのように、隣に書いてから名前を変えて、答えを保存する。
    pub fn save(&self, key: &str, text: &str) -> Result<()> {
        let path = format!("crates/exercises/answers/{key}.rs");
        self.write(&format!("{path}.tmp"), text)?;
        Ok(std::fs::rename(self.path(&format!("{path}.tmp")), self.path(&path))?)
    }

    /// cargo の代わりが組み立てた回数。
    pub fn builds(&self) -> usize {
        self.read("target/built").unwrap_or_default().lines().count()
    }

    /// `exercise` を打つ命令。
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = exercise(self.folder.path(), arguments);
        command.env("CARGO", CARGO);
        command
    }

    /// `exercise` を打つ。
    pub fn run(&self, arguments: &[&str]) -> Result<Ran> {
        finish(&mut self.command(arguments))
    }
}

/// `root` で `exercise` を打つ命令。
pub fn exercise(root: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(BINARY);
    command.arg("exercise").args(arguments).current_dir(root).stdin(Stdio::null());
    command
}

/// 終わるまで待つ。
pub fn finish(command: &mut Command) -> Result<Ran> {
    let output = command.output()?;
    Ok(Ran {
        code: output.status.code(),
        out: String::from_utf8(output.stdout)?,
        err: String::from_utf8(output.stderr)?,
    })
}

/// その番号のプロセスが動いているか。
pub fn is_alive(pid: &str) -> Result<bool> {
    let mut command = Command::new("kill");
    command.args(["-0", pid.trim()]).stderr(Stdio::null());
    Ok(command.status()?.success())
}
