//! 探索の進行。範囲を決めて調べ、途中経過を知らせ、分かったことを文字で見せる。
//!
//! - `args` は、命令の書き方を決める。
//! - `progress` は、長くかかるときに途中経過を知らせる。
//! - `report` は、分かったことを文字にする。

pub mod args;
mod progress;
mod report;

use std::ops::ControlFlow;
use std::process::ExitCode;

use anyhow::{Result, anyhow};
use chart::Table;
use check::{End, Limits, Report};
use explore::{PROPERTIES, VARIANTS, Variant, variant};
use properties::Property;
use stage::Action;

use crate::cli::{complain, print};
use crate::interrupt::Interrupt;
use crate::library::no_such;
use args::Explore;
use progress::Progress;
use report::{Asked, Ending};

/// その範囲は調べられないときの終了コード。選択肢を読めないときと同じにする。
const BAD_BOUNDS: u8 = 2;
/// 途中で終わったときの終了コード。「見つからなかった」を「ない」と取り違えられないように、0 と分ける。
const UNFINISHED: u8 = 3;
/// 1 MB。単位はバイト。
const MEGABYTE: u64 = 1_000_000;

/// 命令を動かす。
///
/// # Errors
/// その名前の相手や性質がないとき、Ctrl-C を受け付けられないとき、反例を演じられないとき。
pub fn run(arguments: &Explore) -> Result<ExitCode> {
    let Some(name) = &arguments.name else {
        print(&list());
        return Ok(ExitCode::SUCCESS);
    };
    let asked = asked(arguments, find(name)?)?;
    if let Err(bad) = asked.bounds.validate() {
        complain(&anyhow!("{bad}。"));
        return Ok(ExitCode::from(BAD_BOUNDS));
    }
    let (report, ending) = search(&asked, arguments.memory)?;
    print(&report::text(&asked, &report, ending)?);
    let complete = ending == Ending::Complete;
    Ok(if complete { ExitCode::SUCCESS } else { ExitCode::from(UNFINISHED) })
}

/// 調べられる相手の一覧。
fn list() -> String {
    let row = |one: &Variant| [one.name, one.about].map(str::to_owned).to_vec();
    let header = ["名前", "調べる相手"].map(str::to_owned).to_vec();
    Table { header, rows: VARIANTS.iter().map(row).collect() }.text()
}

fn asked(arguments: &Explore, variant: Variant) -> Result<Asked> {
    let properties = match &arguments.property {
        Some(name) => vec![property(name)?],
        None => PROPERTIES.to_vec(),
    };
    let bounds = arguments.range.over(variant.bounds);
    let variant = if arguments.clients == 3 { variant.and_c() } else { variant };
    let &Explore { lease, clients, .. } = arguments;
    Ok(Asked { variant, clients, lease, bounds, properties })
}

fn find(name: &str) -> Result<Variant> {
    variant(name).copied().ok_or_else(|| {
        let names = VARIANTS.map(|one| one.name.to_owned());
        let problem = no_such("相手", name, &names);
        anyhow!("{problem}すべての名前は cargo run -- explore で見られる。")
    })
}

fn property(name: &str) -> Result<Property> {
    let found = PROPERTIES.into_iter().find(|one| one.name() == name);
    found.ok_or_else(|| {
        let names = PROPERTIES.map(|one| one.name().to_owned());
        let all = names.join("、");
        anyhow!("{}性質は {all} である。", no_such("性質", name, &names))
    })
}

/// 終わるか、メモリーの上限に達するか、止められるまで調べる。
fn search(asked: &Asked, megabytes: u64) -> Result<(Report<Action>, Ending)> {
    let interrupt = Interrupt::listen()?;
    let mut progress = Progress::start();
    let bytes = usize::try_from(megabytes.saturating_mul(MEGABYTE)).unwrap_or(usize::MAX);
    let limits = Limits { bytes, ..Limits::NONE };
    let properties = asked.properties.iter().copied().collect();
    let (lease, bounds) = (asked.lease, asked.bounds);
    let report = asked.variant.explore(lease, bounds, properties, limits, &mut |tally| {
        progress.tell(tally);
        if interrupt.has_come() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    progress.end();
    let ending = match report.end {
        End::Complete => Ending::Complete,
        End::Stopped => Ending::Interrupted,
        End::Memory | End::States | End::Depth => Ending::Memory(megabytes),
        End::TooMany | End::Unlike => Ending::TooMany,
    };
    Ok((report, ending))
}
