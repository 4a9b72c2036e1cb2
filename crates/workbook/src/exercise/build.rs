//! 読者の答えを、cargo で組み立てる。動かすのとは別にすると、時間の上限が組み立てを数えない。

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};
use std::time::SystemTime;

use anyhow::{Context as _, Result, bail};
use serde_json::Value;
use tokio::process::Command;

/// 読者の書いたものを組み立てるクレート。
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Package {
    /// 根から見たフォルダー
    pub(crate) folder: &'static str,
    /// ライブラリーの名前。これが組み立てられていれば、失敗は読者の書いたものの誤りである
    pub(crate) library: &'static str,
}

/// 組み立ての知らせの扱い。
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Voice {
    /// cargo の知らせを、色も含めてそのまま端末に出す
    Loud,
    /// 出さない。答えの誤りは、その答えを確かめるときに見せる
    Quiet,
}

/// この道具を動かしている cargo。
pub(super) fn cargo() -> OsString {
    std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

/// 試験 `targets` の答えを組み立て、できた実行ファイルを返す。組み立てられない答えは入っていない。
///
/// # Errors
/// cargo を動かせないとき、答えより前の所で組み立てに失敗したとき。
pub(crate) async fn build(
    root: &Path,
    package: Package,
    targets: &[String],
    voice: Voice,
) -> Result<BTreeMap<String, PathBuf>> {
    let Package { folder, library } = package;
    for target in targets {
        touch(&root.join(folder), target)?;
    }
    let output = run(root, targets, voice).await.with_context(|| {
        let cargo = cargo();
        format!("{} を動かせない。cargo が使えるかを確かめる", cargo.to_string_lossy())
    })?;
    let built = Built::read(&String::from_utf8_lossy(&output.stdout), library);
    if !output.status.success() && !built.base {
        let told = String::from_utf8_lossy(&output.stderr);
        let told = format!("cargo の知らせの指す所を直す。\n{told}");
        bail!("{folder} を組み立てられない。{}", told.trim_end());
    }
    Ok(built.answers)
}

/// 答えを取り込むファイルに、今の時刻をつける。
///
/// cargo は更新時刻で組み立て直すかを決める。控えから戻した答えは時刻が古く、そのままでは
/// 前の答えが動く。
fn touch(folder: &Path, target: &str) -> Result<()> {
    let path = folder.join("readers").join(format!("{target}.rs"));
    let file = std::fs::File::options().append(true).open(&path);
    let touched = file.and_then(|file| file.set_modified(SystemTime::now()));
    touched.with_context(|| format!("{} の時刻を変えられない", path.display()))
}

async fn run(root: &Path, targets: &[String], voice: Voice) -> std::io::Result<Output> {
    let mut command = Command::new(cargo());
    // 依存の組み立て方は、一緒に組み立てるものの求めに応じて変わる。ワークスペース全体として
    // 組み立てると、cargo run の組み立てた依存をそのまま使え、初めの一回が待たされない。
    command.args(["build", "--workspace", "--keep-going"]);
    command.arg("--message-format=json-render-diagnostics");
    // 今のフォルダーを変えると、相対の CARGO_TARGET_DIR が別の場所を指す。
    command.arg("--manifest-path").arg(root.join("Cargo.toml"));
    for target in targets {
        command.args(["--test", target]);
    }
    command.stdin(Stdio::null()).stdout(Stdio::piped());
    command.stderr(match voice {
        Voice::Loud => Stdio::inherit(),
        Voice::Quiet => Stdio::piped(),
    });
    command.spawn()?.wait_with_output().await
}

/// cargo の知らせから読み取ったもの。
#[derive(Debug, Default, PartialEq, Eq)]
struct Built {
    /// 答えの実行ファイル。試験の名前で引く
    answers: BTreeMap<String, PathBuf>,
    /// 検査のクレートが組み立てられたか。組み立てられていれば、失敗は答えの誤りである
    base: bool,
}

impl Built {
    /// 一行が一つの知らせである。読めない行は、答えと関わりがない。
    fn read(messages: &str, library: &str) -> Built {
        let mut built = Built::default();
        for message in messages.lines().filter_map(|line| serde_json::from_str(line).ok()) {
            built.hear(&message, library);
        }
        built
    }

    fn hear(&mut self, message: &Value, library: &str) {
        if message["reason"] != "compiler-artifact" {
            return;
        }
        let (target, kinds) = (&message["target"], &message["target"]["kind"]);
        let is = |kind: &str| kinds.as_array().is_some_and(|kinds| kinds.contains(&kind.into()));
        let Some(name) = target["name"].as_str() else { return };
        self.base |= is("lib") && name == library;
        if let Some(program) = message["executable"].as_str().filter(|_| is("test")) {
            self.answers.insert(name.to_owned(), PathBuf::from(program));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_read_from_the_messages_of_cargo() {
        let messages = r#"
{"reason":"compiler-artifact","target":{"kind":["lib"],"name":"anyhow"},"executable":null}
{"reason":"compiler-artifact","target":{"kind":["lib"],"name":"exercises"},"executable":null}
{"reason":"compiler-message","target":{"kind":["test"],"name":"fencing-compare"}}
not a message
{"reason":"compiler-artifact","target":{"kind":["test"],"name":"lease-expiry"},"executable":"/t/lease"}
{"reason":"build-finished","success":false}
"#;
        let built = Built::read(messages, "exercises");
        assert!(built.base);
        assert_eq!(built.answers, [("lease-expiry".to_owned(), PathBuf::from("/t/lease"))].into());
        assert_eq!(Built::read("", "exercises"), Built::default());
    }
}
