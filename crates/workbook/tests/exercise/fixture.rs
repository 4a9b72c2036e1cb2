//! 試験のための、三つの演習だけのワークスペース。

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};
use tempfile::TempDir;

/// 試験するバイナリ。
pub const BINARY: &str = env!("CARGO_BIN_EXE_workbook");
/// cargo の代わり。
pub const CARGO: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/exercise/cargo.sh");

/// これより待たされたら、止まっているとみなす。試験を止めるためだけのもので、混んだ機械でも届かない長さにする。
pub const PATIENCE: Duration = Duration::from_secs(120);
/// 上限として試す秒数。混んだ機械では、短い上限のうちに答えが動き始めるとは限らないので、短いものから順に試す。
pub const LIMITS: [u64; 4] = [1, 5, 25, 125];

/// 検査が断る答え。
pub const FAILING: &str = "printf 'failed\\n不合格: まだ違う' > \"$WORKBOOK_VERDICT\"\nexit 1\n";
/// 合格する答え。
pub const PASSING: &str = "printf 'passed\\n合格' > \"$WORKBOOK_VERDICT\"\n";
/// 終わらない答え。自分の番号を `pid` に書く。
pub const ENDLESS: &str = "echo $$ > pid\nexec sleep 600\n";

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

    /// 演習を足す。
    pub fn add(&self, chapter: &str, name: &str, title: &str) -> Result<()> {
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

    /// 答えが書いた、自分の番号。書くまで待つ。
    pub fn pid(&self) -> Result<String> {
        wait("答えが動き始めない", || self.pid_if_begun())
    }

    /// 答えが書いた、自分の番号。まだ書き終えていなければ `None`。
    pub fn pid_if_begun(&self) -> Result<Option<String>> {
        match std::fs::read_to_string(self.path("crates/exercises/pid")) {
            Ok(pid) => Ok(Some(pid).filter(|pid| pid.ends_with('\n'))),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error.into()),
        }
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

/// `look` が見つけるまで待つ。
pub fn wait<T>(otherwise: &str, mut look: impl FnMut() -> Result<Option<T>>) -> Result<T> {
    let started = Instant::now();
    while started.elapsed() < PATIENCE {
        if let Some(found) = look()? {
            return Ok(found);
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    bail!("{otherwise}")
}

/// その番号のプロセスが動いているか。
pub fn is_alive(pid: &str) -> Result<bool> {
    let mut command = Command::new("kill");
    command.args(["-0", pid.trim()]).stderr(Stdio::null());
    Ok(command.status()?.success())
}

/// その番号のプロセスが終わるのを待つ。止めるように言われてから消えるまでには、間がある。
pub fn dies(pid: &str) -> Result<()> {
    wait("答えが動いたままである", || Ok((!is_alive(pid)?).then_some(())))
}

/// 知らせを送る。
pub fn signal(signal: &str, pid: u32) -> Result<()> {
    let status = Command::new("kill").args([signal, &pid.to_string()]).status()?;
    ensure!(status.success(), "{signal} を送れない");
    Ok(())
}
