//! 読者の答えの置き場。読者のファイルに書くのは、ここだけである。
//!
//! 答えがあれば、問題を写すことは決してない。戻すときも、今の答えを控えに残してから置き換える。

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

use super::catalog::{Catalog, Exercise, FOLDER};
use super::record::{Entry, Record};
use super::{pages, store};

/// 答えのフォルダー。Git の管理の外にある。
pub(super) const ANSWERS: &str = "crates/exercises/answers";
/// 控えを作ってみる数。これだけあれば、先に読者が片づける。
const BACKUPS: usize = 10_000;

/// 問題・解答などのファイルの、根から見た道。
pub(super) fn part(part: &str, one: &Exercise, extension: &str) -> String {
    format!("{FOLDER}/{part}/{}.{extension}", one.key())
}

/// 演習と、読者の答え。
#[derive(Debug)]
pub(super) struct Desk {
    pub(super) root: PathBuf,
    pub(super) catalog: Catalog,
}

/// 写したあとで分かったこと。
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Prepared {
    /// 今、問題を写した演習
    pub(super) made: Vec<String>,
    /// 前からあった答えの数
    pub(super) kept: usize,
    /// 写したあとで問題が変わった演習
    pub(super) changed: Vec<String>,
    /// 覚えていたことが壊れていたか
    pub(super) forgot: bool,
}

impl Desk {
    /// 演習を集める。
    ///
    /// # Errors
    /// 問題を読めないとき。
    pub(super) fn open(root: &Path) -> Result<Desk> {
        Ok(Desk { root: root.to_owned(), catalog: Catalog::read(root)? })
    }

    /// 根から見た答えの道。
    pub(super) fn answer_name(one: &Exercise) -> String {
        format!("{ANSWERS}/{}.rs", one.key())
    }

    /// 答えのフォルダー。
    pub(super) fn answers(&self) -> PathBuf {
        self.root.join(ANSWERS)
    }

    /// 答え。
    pub(super) fn answer(&self, one: &Exercise) -> PathBuf {
        self.root.join(Desk::answer_name(one))
    }

    /// 問題を読む。
    ///
    /// # Errors
    /// 読めないとき。
    pub(super) fn starter(&self, one: &Exercise) -> Result<String> {
        self.read(&part("starters", one, "rs"))
    }

    /// リポジトリにあるはずのファイルを、根から見た道で指して読む。
    ///
    /// # Errors
    /// 読めないとき。
    pub(super) fn read(&self, name: &str) -> Result<String> {
        std::fs::read_to_string(self.root.join(name))
            .with_context(|| format!("{name} を読めない。消えているなら git restore {name} で戻す"))
    }

    /// `章/名前 題`。
    pub(super) fn heading(&self, one: &Exercise) -> Result<String> {
        let title = pages::title(&self.starter(one)?).unwrap_or_default();
        Ok(format!("{} {title}", one.key()).trim_end().to_owned())
    }

    /// 読者のことを覚えているもの。
    ///
    /// # Errors
    /// あるのに開けないとき。
    pub(super) fn record(&self) -> Result<Record> {
        Record::read(self.answers().join(".record.json"))
    }

    /// まだない答えを、問題から写す。
    ///
    /// # Errors
    /// 問題を読めないとき、写せないとき。
    pub(super) fn prepare(&self) -> Result<Prepared> {
        let mut record = self.record()?;
        let mut prepared = Prepared { forgot: record.broken, ..Prepared::default() };
        for one in &self.catalog.exercises {
            self.prepare_one(one, &mut record, &mut prepared)?;
        }
        record.save()?;
        Ok(prepared)
    }

    fn prepare_one(
        &self,
        one: &Exercise,
        record: &mut Record,
        prepared: &mut Prepared,
    ) -> Result<()> {
        let starter = self.starter(one)?;
        let now = store::hash(starter.as_bytes());
        let fresh = Entry { starter: now.clone(), hints: 0 };
        if store::create(&self.answer(one), starter.as_bytes())? {
            record.set(one.key(), fresh);
            prepared.made.push(one.key());
            return Ok(());
        }
        prepared.kept += 1;
        match record.get(&one.key()) {
            Some(entry) if entry.starter == now => {}
            // 読者が自分で今の問題を写したのなら、変わったとは言わない。
            Some(_) if !self.is_starter(one, &starter)? => prepared.changed.push(one.key()),
            // いつの問題を写したのか分からない答えは、今の問題を写したものとみなす。
            _ => record.set(one.key(), fresh),
        }
        Ok(())
    }

    fn is_starter(&self, one: &Exercise, starter: &str) -> Result<bool> {
        let answer = store::read_if_any(&self.answer(one))?;
        Ok(answer.as_deref() == Some(starter.as_bytes()))
    }

    /// まだ手をつけていないか。問題のままか、写したときの問題のままである。
    ///
    /// # Errors
    /// 問題を読めないとき。
    pub(super) fn is_untouched(&self, one: &Exercise, answer: &[u8]) -> Result<bool> {
        let hash = store::hash(answer);
        let copied = |record: Record| record.get(&one.key()).is_some_and(|it| it.starter == hash);
        Ok(self.starter(one)?.as_bytes() == answer || copied(self.record()?))
    }

    /// 答えを問題に戻し、控えの名前を返す。すでに問題のままなら、することはない。
    ///
    /// # Errors
    /// 読み書きできないとき。控えを作れなければ、答えは変えない。
    pub(super) fn reset(&self, one: &Exercise) -> Result<Option<String>> {
        let starter = self.starter(one)?;
        let answer = store::read_if_any(&self.answer(one))?;
        let backup = match answer {
            Some(answer) if answer != starter.as_bytes() => Some(self.back_up(one, &answer)?),
            _ => None,
        };
        store::replace(&self.answer(one), starter.as_bytes())?;
        let mut record = self.record()?;
        record.set(one.key(), Entry { starter: store::hash(starter.as_bytes()), hints: 0 });
        record.save()?;
        Ok(backup)
    }

    /// 前の控えと重ならない名前で残す。
    fn back_up(&self, one: &Exercise, answer: &[u8]) -> Result<String> {
        for number in 1..BACKUPS {
            let suffix = if number == 1 { String::new() } else { format!(".{number}") };
            let name = format!("{}.bak{suffix}", Desk::answer_name(one));
            if store::create(&self.root.join(&name), answer)? {
                return Ok(name);
            }
        }
        bail!("{ANSWERS} に控えが多すぎる。要らない .bak を消してから、もう一度戻す。")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn desk() -> Result<(tempfile::TempDir, Desk)> {
        let folder = tempfile::tempdir()?;
        for (name, text) in [("expiry", "//! 演習: 境目\n"), ("renew", "//! 演習: 延長\n")]
        {
            let path = folder.path().join(format!("{FOLDER}/starters/lease/{name}.rs"));
            store::create(&path, text.as_bytes())?;
        }
        let desk = Desk::open(folder.path())?;
        Ok((folder, desk))
    }

    fn expiry() -> Exercise {
        Exercise::new("lease", "expiry")
    }

    fn answer(desk: &Desk) -> Result<String> {
        desk.read(&Desk::answer_name(&expiry()))
    }

    #[test]
    fn missing_answers_are_copied_once_and_never_again() -> Result<()> {
        let (_folder, desk) = desk()?;
        let prepared = desk.prepare()?;
        assert_eq!(prepared.made, ["lease/expiry", "lease/renew"]);
        std::fs::write(desk.answer(&expiry()), "直した")?;
        assert_eq!(desk.prepare()?, Prepared { kept: 2, ..Prepared::default() });
        assert_eq!(answer(&desk)?, "直した");
        Ok(())
    }

    #[test]
    fn a_changed_starter_is_told_and_the_answer_stays() -> Result<()> {
        let (_folder, desk) = desk()?;
        desk.prepare()?;
        std::fs::write(
            desk.root.join(part("starters", &expiry(), "rs")),
            "//! 演習: 新しい境目\n",
        )?;
        assert_eq!(desk.prepare()?.changed, ["lease/expiry"]);
        assert_eq!(desk.prepare()?.changed, ["lease/expiry"]);
        assert_eq!(answer(&desk)?, "//! 演習: 境目\n");
        assert!(desk.is_untouched(&expiry(), "//! 演習: 境目\n".as_bytes())?);
        desk.reset(&expiry())?;
        assert_eq!(desk.prepare()?.changed, [""; 0]);
        Ok(())
    }

    #[test]
    fn an_answer_of_unknown_origin_counts_as_a_copy_of_the_present_starter() -> Result<()> {
        let (_folder, desk) = desk()?;
        store::create(&desk.answer(&expiry()), b"mine")?;
        let prepared = desk.prepare()?;
        assert_eq!((prepared.made.len(), prepared.kept, prepared.changed.len()), (1, 1, 0));
        std::fs::write(desk.answers().join(".record.json"), "{")?;
        let prepared = desk.prepare()?;
        assert!(prepared.forgot && prepared.changed.is_empty());
        assert!(!desk.prepare()?.forgot);
        std::fs::write(desk.root.join(part("starters", &expiry(), "rs")), "//! 演習: 別\n")?;
        assert_eq!(desk.prepare()?.changed, ["lease/expiry"]);
        Ok(())
    }

    #[test]
    fn resetting_keeps_every_backup() -> Result<()> {
        let (_folder, desk) = desk()?;
        desk.prepare()?;
        assert_eq!(desk.reset(&expiry())?, None);
        let name = "crates/exercises/answers/lease/expiry.rs.bak";
        for (text, backup) in [("一", name.to_owned()), ("二", format!("{name}.2"))] {
            std::fs::write(desk.answer(&expiry()), text)?;
            assert_eq!(desk.reset(&expiry())?.as_deref(), Some(backup.as_str()));
            assert_eq!(desk.read(&backup)?, text);
            assert_eq!(answer(&desk)?, "//! 演習: 境目\n");
        }
        assert_eq!(desk.read(name)?, "一");
        Ok(())
    }
}
