//! どんな演習があるか。問題のファイルから知り、解く順に並べる。

use std::path::Path;

use anyhow::{Context as _, Result, anyhow, ensure};

use super::build::Package;

/// 演習の置き場。
pub(super) const FOLDER: &str = "crates/exercises";
/// 演習のクレート。
pub(super) const PACKAGE: Package = Package { folder: FOLDER, library: "exercises" };
/// 名前の近さの下限。これより遠い名前は、書き間違いの候補に挙げない。
const NEAR: f64 = 0.8;
/// 近い名前を挙げる数。
const CANDIDATES: usize = 3;

/// 一つの演習。
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Exercise {
    /// 章の名前
    pub(super) chapter: String,
    /// 章の中での名前
    pub(super) name: String,
}

impl Exercise {
    pub(super) fn new(chapter: &str, name: &str) -> Exercise {
        Exercise { chapter: chapter.to_owned(), name: name.to_owned() }
    }

    /// `章/名前`。
    pub(super) fn key(&self) -> String {
        format!("{}/{}", self.chapter, self.name)
    }

    /// `cargo test` の `--test` に渡す名前。
    pub(super) fn target(&self) -> String {
        format!("{}-{}", self.chapter, self.name)
    }
}

/// すべての演習。解く順に並ぶ。
#[derive(Clone, Debug)]
pub(super) struct Catalog {
    pub(super) exercises: Vec<Exercise>,
}

impl Catalog {
    /// 問題のファイルから集める。
    ///
    /// # Errors
    /// 問題のフォルダーを読めないとき、問題が一つもないとき。
    pub(super) fn read(root: &Path) -> Result<Catalog> {
        let starters = format!("{FOLDER}/starters");
        let mut exercises = Vec::new();
        for chapter in names(&root.join(&starters), None)? {
            let files = names(&root.join(&starters).join(&chapter), Some("rs"))?;
            exercises.extend(files.iter().map(|name| Exercise::new(&chapter, name)));
        }
        ensure!(!exercises.is_empty(), "{starters} に問題がない。本のワークスペースの根で動かす。");
        let listed = listed();
        let place = |one: &Exercise| listed.iter().position(|known| known == one);
        // 並びにまだない演習は、書いている途中のものなので、終わりに置く。
        exercises.sort_by_cached_key(|one| (place(one).unwrap_or(usize::MAX), one.clone()));
        Ok(Catalog { exercises })
    }

    /// 名前で引く。`章/名前`、`章-名前`、一つに決まるなら名前だけ、答えのファイルの道でもよい。
    ///
    /// # Errors
    /// その名前の演習がないとき、一つに決まらないとき。
    pub(super) fn find(&self, given: &str) -> Result<&Exercise> {
        let wanted = simplified(given);
        let full = |one: &&Exercise| one.key() == wanted || one.target() == wanted;
        if let Some(found) = self.exercises.iter().find(full) {
            return Ok(found);
        }
        let partly = |one: &&Exercise| one.name == wanted || one.chapter == wanted;
        let found: Vec<&Exercise> = self.exercises.iter().filter(partly).collect();
        match found.as_slice() {
            [] => Err(self.unknown(given, &wanted)),
            [only] => Ok(only),
            several => {
                Err(anyhow!("{given} に当たる演習は一つではない。{} から選ぶ。", list(several)))
            }
        }
    }

    fn unknown(&self, given: &str, wanted: &str) -> anyhow::Error {
        let near = self.near(wanted);
        let hint = match near.is_empty() {
            true => String::new(),
            false => format!("近い名前は {} である。", list(&near)),
        };
        anyhow!("{given} という演習はない。{hint}すべての名前は cargo run -- exercise で見られる。")
    }

    /// 近い順に並べた候補。`章/名前`、`章-名前`、名前だけの、どの書き方とも比べる。
    ///
    /// 初めの数文字を重く見る比べ方は、同じ章の演習がどれも近く見えるので使わない。
    fn near(&self, wanted: &str) -> Vec<&Exercise> {
        let score = |one: &Exercise| {
            let forms = [one.key(), one.target(), one.name.clone()];
            let scores = forms.iter().map(|form| strsim::jaro(form, wanted));
            scores.fold(0.0, f64::max)
        };
        let scored = self.exercises.iter().map(|one| (score(one), one));
        let mut scored: Vec<_> = scored.filter(|(score, _)| *score >= NEAR).collect();
        scored.sort_by(|(a, _), (b, _)| b.total_cmp(a));
        scored.into_iter().take(CANDIDATES).map(|(_, one)| one).collect()
    }
}

/// 解く順に並べた名前。
pub(super) fn listed() -> Vec<Exercise> {
    exercises::EXERCISES.iter().map(|one| Exercise::new(one.chapter, one.name)).collect()
}

/// 端末で補完したファイルの道も、名前として読む。
fn simplified(given: &str) -> String {
    let stem = given.replace('\\', "/");
    let stem = stem.strip_suffix(".rs").unwrap_or(&stem);
    let parts: Vec<&str> = stem.split('/').filter(|part| !part.is_empty()).collect();
    parts[parts.len().saturating_sub(2)..].join("/")
}

/// 名前を並べた文字列。
pub(super) fn list(exercises: &[&Exercise]) -> String {
    exercises.iter().map(|one| one.key()).collect::<Vec<_>>().join("、")
}

/// `folder` の中の名前。`extension` があればその拡張子のファイル(拡張子は除く)、なければフォルダー。
pub(super) fn names(folder: &Path, extension: Option<&str>) -> Result<Vec<String>> {
    let failed = || format!("{} を読めない", folder.display());
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder).with_context(failed)? {
        let path = entry.with_context(failed)?.path();
        let wanted = match extension {
            Some(_) => path.is_file() && path.extension().and_then(|own| own.to_str()) == extension,
            None => path.is_dir(),
        };
        let stem = path.file_stem().and_then(|stem| stem.to_str());
        names.extend(stem.filter(|stem| wanted && !stem.starts_with('.')).map(str::to_owned));
    }
    names.sort();
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn catalog() -> Catalog {
        let names = [("lease", "expiry"), ("lease", "renew"), ("fencing", "compare")];
        let more = [("plain-lock", "release"), ("wrong-locks", "release")];
        let all = names.into_iter().chain(more);
        Catalog { exercises: all.map(|(chapter, name)| Exercise::new(chapter, name)).collect() }
    }

    #[test]
    fn every_way_of_naming_finds_the_exercise() {
        let catalog = catalog();
        let found = |name: &str| catalog.find(name).unwrap().key();
        assert_eq!(found("lease/expiry"), "lease/expiry");
        assert_eq!(found("lease-expiry"), "lease/expiry");
        assert_eq!(found("expiry"), "lease/expiry");
        assert_eq!(found("fencing"), "fencing/compare");
        assert_eq!(found("plain-lock-release"), "plain-lock/release");
        assert_eq!(found("crates/exercises/answers/lease/expiry.rs"), "lease/expiry");
        assert_eq!(found(r"answers\lease\expiry.rs"), "lease/expiry");
    }

    #[test]
    fn an_ambiguous_name_lists_the_choices() {
        let refused = |name: &str| catalog().find(name).unwrap_err().to_string();
        assert_eq!(
            refused("release"),
            "release に当たる演習は一つではない。plain-lock/release、wrong-locks/release から選ぶ。"
        );
        assert_eq!(
            refused("lease"),
            "lease に当たる演習は一つではない。lease/expiry、lease/renew から選ぶ。"
        );
    }

    #[test]
    fn an_unknown_name_shows_near_ones() {
        let refused = |name: &str| catalog().find(name).unwrap_err().to_string();
        let all = "すべての名前は cargo run -- exercise で見られる。";
        assert_eq!(
            refused("lease/expirt"),
            format!("lease/expirt という演習はない。近い名前は lease/expiry である。{all}")
        );
        assert_eq!(
            refused("lease-expriy"),
            format!("lease-expriy という演習はない。近い名前は lease/expiry である。{all}")
        );
        assert_eq!(
            refused("comapre"),
            format!("comapre という演習はない。近い名前は fencing/compare である。{all}")
        );
        assert_eq!(refused("quorum"), format!("quorum という演習はない。{all}"));
        assert_eq!(refused(""), format!(" という演習はない。{all}"));
    }
}
