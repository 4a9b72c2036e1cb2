//! 命令の受け付け。利用者に見せる文は、すべて日本語にする。

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Result, anyhow};
use chart::harmless;
use clap::error::{ContextKind, ErrorKind};
use clap::{Args, Parser, Subcommand};

use crate::build::Builder;
use crate::library::Library;
use crate::{chapters, exercise, exploration, own_lock, preprocess, root, serve, show};

const TEMPLATE: &str = "{about}\n\n使い方: {usage}\n\n{all-args}";
const COMMAND_TEMPLATE: &str = "{about}\n\n使い方: {usage}\n\n選択肢:\n{options}";
const USAGE: &str = "cargo run -- [命令]";

/// 『動かして学ぶ分散ロック』を組み、手元で配り、筋書きを見せる。
#[derive(Debug, Parser)]
#[command(
    name = "workbook",
    help_template = TEMPLATE,
    override_usage = USAGE,
    subcommand_help_heading = "命令(省けば serve)",
    next_help_heading = "選択肢",
    disable_help_flag = true,
    disable_help_subcommand = true
)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    help: Help,
}

#[derive(Args, Debug)]
struct Help {
    /// この説明を見せる
    #[arg(short, long, global = true, action = clap::ArgAction::HelpShort)]
    help: Option<bool>,
}

#[derive(Debug, Subcommand)]
#[command(disable_help_flag = true)]
enum Command {
    /// 本を組み、http://127.0.0.1:3000/ で配る。変更があれば組み直す
    #[command(
        help_template = COMMAND_TEMPLATE,
        override_usage = "cargo run -- serve [--port 番号] [--open]"
    )]
    Serve(Serve),
    /// 本を target/book に組む
    #[command(help_template = COMMAND_TEMPLATE, override_usage = "cargo run -- build")]
    Build,
    /// 筋書きや表を文字で見せる。名前を省けば一覧を見せる
    #[command(
        help_template = "{about}\n\n使い方: {usage}\n\n{all-args}",
        override_usage = "cargo run -- show [章::名前] [--json]\n       cargo run -- show --file ファイル"
    )]
    Show(Show),
    /// 演習を確かめる。名前を省けば、どこまで解けたかと次の一手を見せる
    #[command(
        help_template = "{about}\n\n使い方: {usage}\n\n{all-args}",
        override_usage = "cargo run -- exercise [名前] [--watch]\n       cargo run -- exercise 命令"
    )]
    Exercise(exercise::args::Exercise),
    /// すべての順序を調べ、いちばん短い反例を見せる。名前を省けば一覧を見せる
    #[command(
        help_template = "{about}\n\n使い方: {usage}\n\n{all-args}{after-help}",
        override_usage = "cargo run -- explore [名前] [選択肢]",
        after_help = exploration::args::NOTES
    )]
    Explore(exploration::args::Explore),
    /// 自分の錠を確かめる。初めは、書き替えるひな型を写す
    #[command(
        help_template = COMMAND_TEMPLATE,
        override_usage = "cargo run -- own-lock [--limit 秒]"
    )]
    OwnLock(own_lock::OwnLock),
    /// mdBook の前処理として動く。mdbook build が呼ぶ
    #[command(hide = true)]
    Preprocess {
        #[command(subcommand)]
        query: Option<Query>,
    },
}

#[derive(Args, Debug)]
struct Show {
    /// 筋書きか表の名前(例: fencing::gc_pause)
    #[arg(value_name = "章::名前", help_heading = "引数")]
    name: Option<String>,
    /// 筋書きの図のデータを JSON で出す
    #[arg(long, requires = "name", help_heading = "選択肢")]
    json: bool,
    /// 図のデータのファイルを読んで見せる
    #[arg(
        long,
        value_name = "ファイル",
        conflicts_with_all = ["name", "json"],
        help_heading = "選択肢"
    )]
    file: Option<PathBuf>,
}

#[derive(Args, Debug)]
struct Serve {
    /// 待ち受けるポート(0 なら空いている番号)
    #[arg(long, value_name = "番号", default_value_t = 3000, hide_default_value = true)]
    port: u16,
    /// ブラウザーで開く
    #[arg(long)]
    open: bool,
}

impl Default for Serve {
    fn default() -> Serve {
        Serve { port: 3000, open: false }
    }
}

#[derive(Debug, Subcommand)]
enum Query {
    /// この組版に使えるかを、終了コードで答える
    Supports {
        /// 組版の名前
        renderer: String,
    },
}

/// 命令を受け付けて動かす。
#[must_use]
pub fn run() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return refuse(&error),
    };
    match act(cli.command.unwrap_or(Command::Serve(Serve::default()))) {
        Ok(code) => code,
        Err(error) => {
            complain(&error);
            ExitCode::FAILURE
        }
    }
}

fn act(command: Command) -> Result<ExitCode> {
    if let Command::Preprocess { query: Some(Query::Supports { renderer }) } = &command {
        let supported = preprocess::supports(renderer);
        return Ok(if supported { ExitCode::SUCCESS } else { ExitCode::FAILURE });
    }
    let library = || anyhow::Ok(Arc::new(Library::perform(&chapters()?)?));
    match command {
        Command::Serve(Serve { port, open }) => {
            serve::run(&Builder::new(root::find()?, library()?), port, open)?;
        }
        Command::Build => {
            let output = Builder::new(root::find()?, library()?).build()?;
            say(&format!("本を組んだ。{} を開く。", output.join("index.html").display()));
        }
        Command::Show(Show { file: Some(file), .. }) => print(&show::file(&file)?),
        Command::Show(Show { name: Some(name), json: true, .. }) => {
            print(&show::json(&*library()?, &name)?);
        }
        Command::Show(Show { name: Some(name), .. }) => print(&show::one(&*library()?, &name)?),
        Command::Show(Show { name: None, .. }) => print(&show::list(&*library()?)),
        Command::Exercise(arguments) => return exercise::run(&root::find()?, arguments),
        Command::Explore(arguments) => return exploration::run(&arguments),
        Command::OwnLock(arguments) => return own_lock::run(&root::find()?, &arguments),
        Command::Preprocess { .. } => {
            preprocess::pipe(library()?, std::io::stdin().lock(), std::io::stdout().lock())?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// 読めない命令を断る。clap の英語の文は使わない。
fn refuse(error: &clap::Error) -> ExitCode {
    if error.kind() == ErrorKind::DisplayHelp {
        print(&error.to_string());
        return ExitCode::SUCCESS;
    }
    complain(&refusal(error));
    ExitCode::from(2)
}

fn refusal(error: &clap::Error) -> anyhow::Error {
    let of = |kind| harmless(&error.get(kind).map(ToString::to_string).unwrap_or_default());
    let argument = of(ContextKind::InvalidArg);
    let problem = match error.kind() {
        ErrorKind::InvalidSubcommand => {
            format!("{} という命令はない。", of(ContextKind::InvalidSubcommand))
        }
        ErrorKind::UnknownArgument => format!("{argument} という選択肢や引数はない。"),
        ErrorKind::InvalidValue | ErrorKind::ValueValidation => {
            let value = of(ContextKind::InvalidValue);
            match value.is_empty() {
                true => format!("{argument} に値がない。"),
                false => format!("{argument} に {value} は指定できない。"),
            }
        }
        ErrorKind::ArgumentConflict => {
            let (command, prior) = (of(ContextKind::InvalidSubcommand), of(ContextKind::PriorArg));
            match (command.as_str(), prior.as_str()) {
                ("", prior) if prior != argument && !prior.is_empty() => {
                    format!("{argument} と {prior} は、いっしょには書けない。")
                }
                ("", _) => format!("{argument} は一度しか書けない。"),
                (command, _) => format!("命令 {command} は、名前や選択肢より前に書く。"),
            }
        }
        ErrorKind::MissingRequiredArgument => format!("{argument} が要る。"),
        _ => "命令を読めない。".to_owned(),
    };
    anyhow!("{problem}使い方は cargo run -- --help で見られる。")
}

/// 一行を知らせる。
pub(crate) fn say(text: &str) {
    print(&format!("{text}\n"));
}

/// 文字列をそのまま出す。`| head` のように読み手が先に閉じることがあるので、書けなくても騒がない。
pub(crate) fn print(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// 一行を、出力とは別に知らせる。
pub(crate) fn note(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}

/// 誤りを、原因まで一行にして知らせる。
pub(crate) fn complain(error: &anyhow::Error) {
    let _ = writeln!(std::io::stderr().lock(), "誤り: {error:#}");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(arguments: &[&str]) -> String {
        let arguments = std::iter::once(&"workbook").chain(arguments);
        refusal(&Cli::try_parse_from(arguments).unwrap_err()).to_string()
    }

    #[test]
    fn unreadable_arguments_are_refused_in_japanese() {
        let help = "使い方は cargo run -- --help で見られる。";
        assert_eq!(refused(&["bild"]), format!("bild という命令はない。{help}"));
        assert_eq!(
            refused(&["serve", "--prot", "1"]),
            format!("--prot という選択肢や引数はない。{help}")
        );
        assert_eq!(
            refused(&["serve", "--port", "x"]),
            format!("--port <番号> に x は指定できない。{help}")
        );
        assert_eq!(refused(&["serve", "--port"]), format!("--port <番号> に値がない。{help}"));
        assert_eq!(refused(&["build", "x"]), format!("x という選択肢や引数はない。{help}"));
    }
}
