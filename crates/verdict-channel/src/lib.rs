//! 読者の書いたものを確かめた判定を、出力とは別の道で渡す。
//!
//! 出力で渡すと、読者の `print!` 一つで判定が読めなくなり、「合格」と書くだけで合格にもなる。終了コードで
//! 渡すと、検査の前に `exit(0)` で終わった答えまで合格になる。そこで、判定は一時のファイルで渡す。
//!
//! - 動かす側は [`Mailbox`] を開き、その場所を環境変数で子に知らせる。
//! - 動く側は、検査が終わったところで [`Verdict::deliver`] を呼ぶ。
//! - 読者の `main` を包む [`conduct`] は、動かす側がいなければ、自分を子として動かし、動かす側になる。

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Termination};

use tempfile::{NamedTempFile, TempDir};

/// 判定を書くファイルを知らせる環境変数。
const PLACE: &str = "WORKBOOK_VERDICT";
/// 合格の一行目。
const PASSED: &str = "passed";
/// 不合格の一行目。
const FAILED: &str = "failed";
/// 読み取る判定の長さの上限(バイト)。検査の知らせには、読者の作った値が入ることもある。
const LONGEST: u64 = 1024 * 1024;
/// パニックした Rust のプログラムの終了コード。
pub const PANICKED: u8 = 101;

/// 検査の判定。
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// 合格か
    pub passed: bool,
    /// 読者に見せる文
    pub text: String,
}

impl Verdict {
    /// 判定に合う終了コード。
    #[must_use]
    pub fn code(&self) -> u8 {
        u8::from(!self.passed)
    }

    /// 動かす側に渡す。動かす側がいなければ、標準出力に見せる。
    ///
    /// 渡せなければ、そのわけを標準エラー出力に見せ、失敗の終了コードを返す。
    #[must_use]
    pub fn deliver(&self) -> ExitCode {
        let Some(place) = place() else {
            say(&mut io::stdout(), &self.text);
            return self.code().into();
        };
        match self.write(&place) {
            Ok(()) => self.code().into(),
            Err(error) => {
                say(&mut io::stderr(), &format!("判定を {} に書けない: {error}", place.display()));
                ExitCode::FAILURE
            }
        }
    }

    /// 書き終えてから置く。途中で止められても、書きかけの判定は残らない。
    fn write(&self, place: &Path) -> io::Result<()> {
        let mut file = NamedTempFile::new_in(place.parent().unwrap_or_else(|| Path::new(".")))?;
        let first = if self.passed { PASSED } else { FAILED };
        write!(file, "{first}\n{}", self.text)?;
        file.persist(place)?;
        Ok(())
    }

    fn read(written: &str) -> Option<Verdict> {
        let (first, text) = written.split_once('\n')?;
        let passed = match first {
            PASSED => true,
            FAILED => false,
            _ => return None,
        };
        Some(Verdict { passed, text: text.to_owned() })
    }
}

/// 判定を受け取る所。ほかの人には読み書きできない一時のフォルダーで、捨てると消える。
#[derive(Debug)]
pub struct Mailbox {
    folder: TempDir,
}

impl Mailbox {
    /// 用意する。
    ///
    /// # Errors
    /// 一時のフォルダーを作れないとき。
    pub fn open() -> io::Result<Mailbox> {
        Ok(Mailbox { folder: tempfile::tempdir()? })
    }

    /// 子に渡す環境変数の、名前と値。
    #[must_use]
    pub fn variable(&self) -> (&'static str, OsString) {
        (PLACE, self.path().into_os_string())
    }

    /// 届いた判定のうち、終了コードと合うもの。合わなければ、判定のあとで別の終わり方をしている。
    ///
    /// # Errors
    /// 届いているのに読めないとき。
    pub fn receive(&self, code: Option<i32>) -> io::Result<Option<Verdict>> {
        let file = match File::open(self.path()) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        let mut written = Vec::new();
        file.take(LONGEST).read_to_end(&mut written)?;
        let said = Verdict::read(&String::from_utf8_lossy(&written));
        Ok(said.filter(|said| code == Some(said.code().into())))
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("verdict")
    }
}

/// 読者の `main` を動かす。
///
/// 動かす側がいれば、そのまま動かす。いなければ、自分を子として動かし、子の判定を見せる。子が検査まで
/// 行かなければ、終了コードが 0 でも失敗とする。`name` は、読者の書いたものの呼び名。
pub fn conduct<T: Termination>(name: &str, main: fn() -> T) -> ExitCode {
    if place().is_some() {
        return main().report();
    }
    match std::env::current_exe().and_then(|own| supervise(Command::new(own))) {
        Ok((_, Some(said))) => said.deliver(),
        // 場所と理由は、もう見えている。
        Ok((Some(code), None)) if code == i32::from(PANICKED) => PANICKED.into(),
        Ok((code, None)) => {
            say(&mut io::stderr(), &unheard(name, code));
            ExitCode::FAILURE
        }
        Err(error) => {
            say(&mut io::stderr(), &format!("{name}を動かして判定を受け取れない: {error}"));
            ExitCode::FAILURE
        }
    }
}

/// 子を終わりまで動かし、終了コードと判定を返す。
///
/// # Errors
/// 動かせないとき、判定を受け取れないとき。
pub fn supervise(mut command: Command) -> io::Result<(Option<i32>, Option<Verdict>)> {
    let mailbox = Mailbox::open()?;
    let (name, value) = mailbox.variable();
    let code = command.env(name, value).status()?.code();
    Ok((code, mailbox.receive(code)?))
}

/// 判定が届かなかったわけ。
#[must_use]
pub fn unheard(name: &str, code: Option<i32>) -> String {
    match code {
        Some(code) => format!(
            "{name}が検査の前に終わった(終了コード {code})。\
             exit を呼んでいないか、main を変えていないかを見る。"
        ),
        None => format!("{name}が異常に終わった。終わらない再帰がないかを見る。"),
    }
}

fn place() -> Option<PathBuf> {
    std::env::var_os(PLACE).map(PathBuf::from)
}

/// 見せる。読む相手がいなくなっていても、判定は変わらない。
fn say(out: &mut impl io::Write, text: &str) {
    let _ = writeln!(out, "{}", text.trim_end());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(passed: bool, text: &str) -> Verdict {
        Verdict { passed, text: text.to_owned() }
    }

    #[test]
    fn a_verdict_arrives_as_it_was_written() -> io::Result<()> {
        for said in
            [verdict(true, "合格"), verdict(false, "不合格: 理由\n\n時系列\n"), verdict(true, "")]
        {
            let mailbox = Mailbox::open()?;
            assert_eq!(mailbox.receive(Some(0))?, None);
            said.write(&mailbox.path())?;
            assert_eq!(mailbox.receive(Some(said.code().into()))?, Some(said));
        }
        Ok(())
    }

    #[test]
    fn nothing_else_is_a_verdict() -> io::Result<()> {
        for written in ["", "passed", "合格\n", "合格\npassed\n", " passed\n", "PASSED\n", "failed"]
        {
            let mailbox = Mailbox::open()?;
            std::fs::write(mailbox.path(), written)?;
            for code in [Some(0), Some(1), None] {
                assert_eq!(mailbox.receive(code)?, None, "{written:?}");
            }
        }
        Ok(())
    }

    #[test]
    fn an_endless_verdict_is_not_read_to_the_end() -> io::Result<()> {
        let mailbox = Mailbox::open()?;
        let long = verdict(false, &"あ".repeat(LONGEST as usize));
        long.write(&mailbox.path())?;
        let said = mailbox.receive(Some(1))?;
        assert!(said.is_some_and(|said| said.text.len() <= LONGEST as usize + 2));
        Ok(())
    }

    #[test]
    fn writing_leaves_only_the_verdict_behind() -> io::Result<()> {
        let mailbox = Mailbox::open()?;
        verdict(true, "合格").write(&mailbox.path())?;
        assert_eq!(std::fs::read_dir(mailbox.folder.path())?.count(), 1);
        Ok(())
    }
}
