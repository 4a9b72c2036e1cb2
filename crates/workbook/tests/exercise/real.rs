//! 本物の cargo と演習で、端から端まで。
//!
//! ワークスペースの写しで動かすので、読者の答えには触れない。写しと組み立てたものはいつも同じ場所に
//! 置くので、二度目からは速い。

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use anyhow::{Context as _, Result, bail, ensure};

use crate::fixture::{LIMITS, PATIENCE, Ran, exercise, finish, is_alive};

const ANSWER: &str = "crates/exercises/answers/lease/expiry.rs";
const ENDLESS: &str = "pub fn main() -> exercises::Verdict {
    std::fs::write(\"pid.new\", std::process::id().to_string()).unwrap();
    std::fs::rename(\"pid.new\", \"pid\").unwrap();
    loop {
        std::thread::sleep(std::time::Duration::from_secs(1));
    }
}
";
const PANICKING: &str = "pub fn main() -> exercises::Verdict {
    panic!(\"まだ {}\", 1)
}
";
/// ファイル `how` に書かれたとおりに出力し、終わる答え。解答の `main` の前に置く。
const PRINTING: &str = "use std::io::Write as _;
pub fn main() -> Verdict {
    let how = std::fs::read_to_string(\"how\").unwrap();
    let print = || match how.trim_end_matches(\" after\") {
        \"word\" => print!(\"x\"),
        \"error\" => eprint!(\"x\"),
        \"long\" => print!(\"{}\", \"長い\".repeat(200_000)),
        \"bytes\" => std::io::stdout().write_all(&[0xff, 0xfe]).unwrap(),
        \"lookalike\" => println!(\"合格\\npassed\\n合格\"),
        \"exit\" => { println!(\"合格\"); std::process::exit(0) }
        \"panic\" => { print!(\"合格\"); panic!(\"まだ\") }
        other => unreachable!(\"{other}\"),
    };
    if how.ends_with(\" after\") {
        let verdict = solved();
        print();
        return verdict;
    }
    print();
    solved()
}
";
const UNCOMPILABLE: &str = "pub fn main() -> exercises::Verdict {
    1
}
";

/// 写しは一つなので、一度に一つの試験だけが使う。
static ALONE: Mutex<()> = Mutex::new(());

/// ワークスペースの写し。
struct Copy {
    _alone: MutexGuard<'static, ()>,
    root: PathBuf,
    target: PathBuf,
}

impl Copy {
    fn new() -> Result<Copy> {
        // 前の試験が落ちていても、写しは作り直すので困らない。
        let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("exercise");
        let (root, target) = (folder.join("workspace"), folder.join("target"));
        let copy = Copy { _alone: alone, root, target };
        if copy.root.exists() {
            std::fs::remove_dir_all(&copy.root)?;
        }
        std::fs::create_dir_all(&copy.root)?;
        let original = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        for name in ["Cargo.toml", "Cargo.lock", "book.toml", "book", "crates", "tests"] {
            duplicate(&original.join(name), &copy.root.join(name))?;
        }
        Ok(copy)
    }

    fn command(&self, mut command: Command) -> Result<Ran> {
        self.prepare(&mut command);
        finish(&mut command)
    }

    fn prepare(&self, command: &mut Command) {
        command.env("CARGO_TARGET_DIR", &self.target).env("CARGO_PROFILE_DEV_DEBUG", "0");
        command.env("CARGO_TERM_COLOR", "always").env("RUST_BACKTRACE", "full");
    }

    /// cargo だけで確かめる。
    fn plain_cargo(&self) -> Result<Output> {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["test", "--workspace", "--test", "lease-expiry"]).current_dir(&self.root);
        self.prepare(&mut cargo);
        Ok(cargo.output()?)
    }

    fn solution(&self) -> Result<String> {
        let path = self.root.join("crates/exercises/solutions/lease/expiry.rs");
        Ok(std::fs::read_to_string(path)?)
    }

    /// 答えを `text` にして確かめる。
    fn check(&self, text: &str) -> Result<Ran> {
        self.check_within(PATIENCE.as_secs(), text)
    }

    fn check_within(&self, limit: u64, text: &str) -> Result<Ran> {
        std::fs::write(self.root.join(ANSWER), text)?;
        self.command(exercise(&self.root, &["lease/expiry", "--limit", &limit.to_string()]))
    }

    /// 終わらない答えを、動き始めるだけの上限で止めさせる。
    fn stop_an_endless_answer(&self) -> Result<()> {
        for limit in LIMITS {
            let ran = self.check_within(limit, ENDLESS)?;
            ensure!(ran.code == Some(1), "{ran:?}");
            let told = format!("{limit} 秒たっても終わらないので止めた。");
            ensure!(ran.out.contains(&told), "{ran:?}");
            let pid = self.root.join("crates/exercises/pid");
            if pid.exists() {
                let pid = std::fs::read_to_string(pid)?;
                ensure!(!pid.is_empty() && !is_alive(&pid)?, "答えが動いたままである");
                return Ok(());
            }
        }
        bail!("どの上限でも、答えが動き始めない")
    }
}

/// 時刻も写す。写すたびに新しくなると、cargo が組み立て直す。
fn duplicate(from: &Path, to: &Path) -> Result<()> {
    if from.is_file() {
        std::fs::copy(from, to)?;
        let modified = from.metadata()?.modified()?;
        return Ok(std::fs::File::options().append(true).open(to)?.set_modified(modified)?);
    }
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let name = entry?.file_name();
        if name != "answers" && name != "target" {
            duplicate(&from.join(&name), &to.join(&name))?;
        }
    }
    Ok(())
}

#[test]
fn a_real_exercise_from_the_starter_to_the_solution() -> Result<()> {
    let copy = Copy::new()?;
    let started = copy.command(exercise(&copy.root, &["lease/expiry"]))?;
    assert_eq!(started.code, Some(1), "{started:?}");
    assert!(
        started.out.contains("に写した。") && started.out.contains("\n不合格: "),
        "{started:?}"
    );

    copy.stop_an_endless_answer()?;

    let panicking = copy.check(PANICKING)?;
    assert_eq!(panicking.code, Some(1));
    let told = format!("パニックの場所: {ANSWER}:2:5\nまだ 1\n答えがパニックして止まった。");
    assert!(panicking.out.contains(&told), "{panicking:?}");
    assert!(!panicking.err.contains("backtrace"), "{panicking:?}");

    let uncompilable = copy.check(UNCOMPILABLE)?;
    assert_eq!(uncompilable.code, Some(1));
    assert!(uncompilable.out.contains("答えを組み立てられない。"), "{uncompilable:?}");
    assert!(uncompilable.err.contains("\u{1b}[") && uncompilable.err.contains("E0308"));

    let solved = copy.check(&copy.solution()?)?;
    assert_eq!(solved.code, Some(0), "{solved:?}");
    assert!(solved.out.contains("\n合格\n"), "{solved:?}");

    // 前の版で写した答えは、語彙の置き場を timeline と呼んでいる。
    let old = copy.solution()?.replace("use stage::", "use timeline::");
    ensure!(old.contains("use timeline::"), "解答に、語彙を取り込む行がない");
    let solved = copy.check(&old)?;
    assert_eq!(solved.code, Some(0), "{solved:?}");
    plain_cargo_agrees(&copy)
}

fn plain_cargo_agrees(copy: &Copy) -> Result<()> {
    let ran = copy.plain_cargo()?;
    assert_eq!((ran.status.code(), ran.stdout), (Some(0), "合格\n".into()));
    an_old_answer_put_back_is_the_one_that_runs(copy)
}

/// cargo は更新時刻しか見ないので、控えから時刻ごと戻した答えを、組み立て直さない。
fn an_old_answer_put_back_is_the_one_that_runs(copy: &Copy) -> Result<()> {
    let path = copy.root.join(ANSWER);
    std::fs::write(&path, PANICKING)?;
    let old = SystemTime::now().checked_sub(Duration::from_secs(3600)).context("時刻")?;
    std::fs::File::options().append(true).open(&path)?.set_modified(old)?;
    let ran = copy.command(exercise(&copy.root, &["lease/expiry"]))?;
    assert!(ran.out.contains("まだ 1"), "{ran:?}");
    Ok(())
}

/// 道具でも、cargo だけでも、判定は答えの出力で変わらない。
#[test]
fn what_an_answer_prints_does_not_change_the_verdict() -> Result<()> {
    let copy = Copy::new()?;
    let solved = copy.solution()?.replace("pub fn main()", "fn solved()") + PRINTING;
    let wrong = solved.replace("now >= expiry", "now > expiry");
    ensure!(wrong != solved, "解答に、壊す所がない");
    let answer = copy.root.join(ANSWER);
    std::fs::create_dir_all(answer.parent().context("親がない")?)?;
    let prints = ["word", "error", "long", "bytes", "lookalike"];
    let after = prints.map(|how| format!("{how} after"));
    let harmless = || prints.into_iter().chain(after.iter().map(String::as_str));
    for how in harmless().chain(["exit", "panic"]) {
        let passes = harmless().any(|harmless| harmless == how);
        agree(&copy, &solved, how, passes)?;
    }
    for how in harmless().chain(["exit", "panic"]) {
        agree(&copy, &wrong, how, false)?;
    }
    Ok(())
}

/// 道具と cargo の、どちらで確かめても同じ合否になる。
fn agree(copy: &Copy, answer: &str, how: &str, passes: bool) -> Result<()> {
    std::fs::write(copy.root.join("crates/exercises/how"), how)?;
    let ran = copy.check(answer)?;
    assert_eq!(ran.code == Some(0), passes, "{how}: {ran:?}");
    assert_eq!(ran.out.contains("\n合格\n\n解答と比べるなら"), passes, "{how}: {ran:?}");
    let ran = copy.plain_cargo()?;
    assert_eq!(ran.status.success(), passes, "{how}: {ran:?}");
    Ok(())
}
