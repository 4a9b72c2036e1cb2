//! 分かったことを文字にする。同じ相手と範囲からは、いつも同じ文字になる。

use std::fmt::Write as _;

use anyhow::{Context as _, Result};
use chart::Table;
use check::Report;
use explore::{Bounds, Variant, grouped, readable};
use properties::Property;
use stage::{Action, Time, Transit};

/// 何を調べるか。
#[derive(Clone, Debug)]
pub(super) struct Asked {
    pub(super) variant: Variant,
    /// 客の数
    pub(super) clients: u8,
    /// リースの長さ。単位は刻み
    pub(super) lease: Time,
    pub(super) bounds: Bounds,
    /// 見せる性質
    pub(super) properties: Vec<Property>,
}

/// 探索の終わりかた。
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// 範囲の中をすべて調べた
    Complete,
    /// メモリーの上限(MB)に達した
    Memory(u64),
    /// 止めるように言われた
    Interrupted,
    /// 種類が多すぎて、続けられなかった
    TooMany,
}

/// 一つの手の列と、それが破る性質。
type Counterexample<'a> = (Vec<Property>, &'a [Action]);

/// 調べたこと、数、性質の表、反例の順に並べる。
///
/// # Errors
/// 反例を演じられないとき。
pub(super) fn text(asked: &Asked, report: &Report<Action>, ending: Ending) -> Result<String> {
    let mut text = head(asked);
    let _ = write!(text, "\n{}\n{}", result(report, ending), table(asked, report, ending));
    let found = counterexamples(asked, report);
    if !found.is_empty() {
        let _ = write!(text, "\n{TIES}");
    }
    for (index, one) in found.iter().enumerate() {
        text.push_str(&counterexample(asked, index + 1, one)?);
    }
    Ok(text)
}

/// 同じ手数の反例から、どれを選んだか。
const TIES: &str = "\
同じ手数の反例がいくつもあるときは、手を前から比べて、先に並ぶ手のものを選ぶ。
手は、客の手(客の名前の順)、届くもの、再起動、時刻の順に並ぶ。
";

fn head(asked: &Asked) -> String {
    let Asked { variant: Variant { name, about, .. }, clients, lease, bounds, .. } = asked;
    let Bounds { grants, writes, copies, horizon, .. } = bounds;
    let in_flight = Transit::CAPACITY;
    let mut text = format!(
        "{name}: {about}\n\n\
         客は {clients} 人、リースは {lease} 刻み、時刻は {horizon} まで。\n\
         取得は {grants} 回、一度の保持の書き込みは {writes} 個、写しは {copies} 回まで。\n\
         途中にとどまるのは、書き込みが {in_flight} 個、解放の頼みが 1 個まで。\n\
         止まるか落ちるのは、持っている客が、一度に一人まで。\n"
    );
    for (heading, on) in [("起こる", true), ("起こらない", false)] {
        let names: Vec<&str> =
            switches(bounds).filter(|one| one.1 == on).map(|one| one.0).collect();
        if !names.is_empty() {
            let _ = writeln!(text, "{heading}こと: {}", names.join("、"));
        }
    }
    text
}

fn switches(bounds: &Bounds) -> impl Iterator<Item = (&'static str, bool)> {
    let all = [
        ("客の停止", bounds.pauses),
        ("客のクラッシュ", bounds.crashes),
        ("延長", bounds.renews),
        ("解放の遅れ", bounds.slow_releases),
        ("ロックサービスと資源の再起動", bounds.restarts),
    ];
    all.into_iter()
}

/// 終わりかたと、調べた数。
fn result(report: &Report<Action>, ending: Ending) -> String {
    let (states, steps) = (grouped(report.states), grouped(report.steps as usize));
    let depth = report.depth;
    let why = match ending {
        Ending::Complete => {
            return format!(
                "範囲の中のすべての順序を調べた。\n\
                 違う状態は {states}、試した手は {steps}、いちばん遠い状態までは {depth} 手。\n"
            );
        }
        Ending::Memory(megabytes) => {
            format!("使うメモリーが上限の {megabytes} MB に達したので、途中で終わった。")
        }
        Ending::Interrupted => "止めるように言われたので、途中で終わった。".to_owned(),
        Ending::TooMany => {
            "部品の種類が多すぎて、状態を 128 ビットに詰められない。範囲を狭める。".to_owned()
        }
    };
    format!(
        "{why}調べ残しがある。\n\
         {depth} 手までの順序は、すべて調べた。それより長い順序は、一部しか調べていない。\n\
         見つかっていない反例も、{depth} 手より長いものならありうる。破った手の数は、続ければ増えうる。\n\
         違う状態は {states}、試した手は {steps}。\n"
    )
}

fn table(asked: &Asked, report: &Report<Action>, ending: Ending) -> String {
    let none = if ending == Ending::Complete { "ない" } else { "見つかっていない" };
    let row = |&property: &Property| {
        let finding = report.finding(property as usize);
        let violations = finding.map_or(0, |finding| finding.violations);
        let shortest = match finding {
            Some(finding) => format!("{} 手", finding.path.len()),
            None if asked.variant.concerns(property) => none.to_owned(),
            None => "対象外".to_owned(),
        };
        vec![property.name().to_owned(), grouped(violations as usize), shortest]
    };
    let header = ["性質", "破った手の数", "いちばん短い反例"].map(str::to_owned).to_vec();
    Table { header, rows: asked.properties.iter().map(row).collect() }.text()
}

/// 見つかった反例。いくつもの性質を破る手の列は、一度だけ見せる。
fn counterexamples<'a>(asked: &Asked, report: &'a Report<Action>) -> Vec<Counterexample<'a>> {
    let mut found: Vec<Counterexample<'_>> = Vec::new();
    for &property in &asked.properties {
        let Some(actions) = report.path(property as usize) else { continue };
        match found.iter_mut().find(|(_, known)| *known == actions) {
            Some((properties, _)) => properties.push(property),
            None => found.push((vec![property], actions)),
        }
    }
    found
}

fn counterexample(
    asked: &Asked,
    number: usize,
    (properties, actions): &Counterexample<'_>,
) -> Result<String> {
    let names: Vec<&str> = properties.iter().map(|one| one.name()).collect();
    let (names, length) = (names.join("、"), actions.len());
    let title = format!("反例 {number} の時系列");
    let timeline = asked.variant.play(asked.lease, &title, actions);
    let timeline = timeline.with_context(|| format!("{names}の反例を演じられない"))?;
    let mut text = format!("\n反例 {number}: {names}({length} 手)\n\n{}", list(actions));
    if timeline.steps.len() < actions.len() {
        text.push_str("\n何も起きずに時刻が進むだけの手は、時系列では数えない。\n");
    }
    let _ = write!(text, "\n{}", timeline.timeline().text());
    Ok(text)
}

fn list(actions: &[Action]) -> String {
    let lines = readable(actions).into_iter().zip(1..);
    lines.fold(String::new(), |text, (action, number): (Action, usize)| {
        text + &format!("{number:>2}. {}\n", action.words())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_that_could_not_go_on_says_how_far_it_went() {
        let end = check::End::TooMany;
        let report = Report { end, states: 65_536, steps: 70_000, depth: 9, findings: Vec::new() };
        assert_eq!(
            result(&report, Ending::TooMany),
            "部品の種類が多すぎて、状態を 128 ビットに詰められない。範囲を狭める。\
             調べ残しがある。\n\
             9 手までの順序は、すべて調べた。それより長い順序は、一部しか調べていない。\n\
             見つかっていない反例も、9 手より長いものならありうる。\
             破った手の数は、続ければ増えうる。\n\
             違う状態は 65,536、試した手は 70,000。\n"
        );
    }
}
