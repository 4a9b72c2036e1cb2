//! 確かめる順。規則、長い一本道、性質、筋書き。

use std::hash::Hash;

use explore::Manners;
use fencing::FencedResource;
use read_modify_write::NextSequence;
use stage::Action::{Acquire, Release};
use stage::{Client, Event, Lock, Resource, Time, World};

use crate::caught::caught;
use crate::coverage::{Coverage, fewer};
use crate::finding::{Broke, Finding, title};
use crate::orders::{self, Cast, REGISTERING, WATCHING};
use crate::play::play;
use crate::record::Breach;
use crate::rule::Rule;
use crate::verdict::Verdict;
use crate::walk::{Walk, panicked, walk};
use crate::{long, stories};

/// 規則を確かめるリースの長さ。0 は 1 とみなす。手の列が同じ長さなら、先にあるものを見せる。
const LENGTHS: [Time; 5] = [2, 3, 1, 0, Time::MAX];

/// `make` の作る錠を確かめる。`make` は、リースの長さを受け取る。
///
/// 資源と客は、この本のものを使う。錠のせいでない破れは数えない。
pub fn examine<L: Lock + Eq + Hash + 'static>(make: impl Fn(Time) -> L) -> Verdict {
    let mut exam = Exam::default();
    exam.alone(&make);
    if exam.goes_on() {
        exam.search(&make, &NextSequence::new, &REGISTERING);
        exam.search(&make, &FencedResource::new, &WATCHING);
    }
    exam.stories(&make, &FencedResource::new);
    exam.verdict()
}

/// `make_lock` の作る錠と、`make_resource` の作る資源を、`manners` の作法の客と一緒に確かめる。
///
/// 客が登録するなら、更新が消えないことも求める。時計を見るなら、持っているつもりの客が一人までであることも
/// 求める。
pub fn examine_with<L, R>(
    make_lock: impl Fn(Time) -> L,
    make_resource: impl Fn() -> R,
    manners: Manners,
) -> Verdict
where
    L: Lock + Eq + Hash + 'static,
    R: Resource + Eq + Hash + 'static,
{
    let mut exam = Exam::default();
    exam.alone(&make_lock);
    if exam.goes_on() {
        exam.search(&make_lock, &make_resource, &Cast::own(manners));
    }
    exam.stories(&make_lock, &make_resource);
    exam.verdict()
}

#[derive(Default)]
struct Exam {
    coverage: Coverage,
    findings: Vec<Finding>,
}

impl Exam {
    /// 錠だけを確かめる。
    fn alone<L: Lock + Eq + Hash + 'static>(&mut self, make: &impl Fn(Time) -> L) {
        for length in LENGTHS {
            match caught(|| make(length)) {
                Ok(lock) => self.walk(walk(lock, length), make, length),
                Err(reason) => self.add(made(&reason, length)),
            }
            if self.is_hopeless() {
                return;
            }
        }
        if self.goes_on() {
            self.long(make);
        }
    }

    /// まだ何も破れていないか。短い列で破れているなら、時間のかかる列は、直してから調べればよい。
    fn goes_on(&self) -> bool {
        self.findings.is_empty()
    }

    /// 演じられない錠か。パニックしたあとと、結果が決まらないときは、筋書きも意味がない。
    fn is_hopeless(&self) -> bool {
        let fatal = |rule| matches!(rule, Rule::NeverPanics | Rule::Repeats);
        self.findings.iter().any(|one| matches!(one.broke, Broke::Rule(rule) if fatal(rule)))
    }

    fn walk<L: Lock>(&mut self, walk: Walk, make: &impl Fn(Time) -> L, length: Time) {
        let walked = &mut self.coverage.walked;
        walked.states += walk.states;
        walked.steps += walk.steps;
        walked.within = fewer(walked.within, walk.within);
        for (breach, actions) in walk.found {
            let broke = Broke::Rule(breach.rule);
            let played = play(&title(length), World::new(make(length)).and_c(), &actions);
            let timeline = played.map(|played| played.timeline);
            let detail = breach.detail;
            self.add(Finding { broke, detail, length, rounds: 0, actions, timeline });
        }
    }

    fn long<L: Lock>(&mut self, make: &impl Fn(Time) -> L) {
        const LENGTH: Time = 10;
        match long::walk(make(LENGTH), LENGTH) {
            Ok(long) => self.coverage.long = long,
            Err((breach, rounds)) => self.add(long_finding(make(LENGTH), breach, rounds, LENGTH)),
        }
    }

    fn search<L, R>(
        &mut self,
        make_lock: &impl Fn(Time) -> L,
        make_resource: &impl Fn() -> R,
        cast: &Cast,
    ) where
        L: Lock + Eq + Hash + 'static,
        R: Resource + Eq + Hash + 'static,
    {
        let unwritten = orders::unwritten(make_lock, make_resource, cast);
        if !unwritten.is_empty() {
            return unwritten.into_iter().for_each(|finding| self.add(finding));
        }
        let (searched, findings) = orders::search(make_lock, make_resource, cast);
        self.coverage.searched.push(searched);
        findings.into_iter().for_each(|finding| self.add(finding));
    }

    fn stories<L, R>(&mut self, make_lock: &impl Fn(Time) -> L, make_resource: &impl Fn() -> R)
    where
        L: Lock + Eq + Hash + 'static,
        R: Resource + Eq + Hash + 'static,
    {
        if self.is_hopeless() {
            return;
        }
        let (names, findings) = stories::perform(make_lock, make_resource);
        self.coverage.stories = names;
        findings.into_iter().for_each(|finding| self.add(finding));
    }

    /// 加える。同じものがもうあれば、手の列の短いほうを残す。
    fn add(&mut self, finding: Finding) {
        let known = self.findings.iter_mut().find(|known| known.broke == finding.broke);
        match known {
            Some(known) if known.actions.len() <= finding.actions.len() => {}
            Some(known) => *known = finding,
            None => self.findings.push(finding),
        }
    }

    fn verdict(self) -> Verdict {
        let mut findings = self.findings;
        findings.sort_by_key(|finding| (kind(&finding.broke), finding.actions.len()));
        let mut findings = findings.into_iter();
        match findings.next() {
            Some(first) => Verdict::Broken { first: Box::new(first), others: findings.collect() },
            None => Verdict::Unbroken(self.coverage),
        }
    }
}

/// 見せる順。錠だけの規則が、いちばん直しやすい。
fn kind(broke: &Broke) -> u8 {
    match broke {
        Broke::Rule(_) => 0,
        Broke::Write => 1,
        Broke::Property(_) => 2,
        Broke::Story(_) => 3,
    }
}

/// 作るときにパニックした。
fn made(reason: &str, length: Time) -> Finding {
    let Breach { rule, .. } = panicked(reason);
    let detail = format!("錠を作るときにパニックした。理由は「{reason}」である。");
    let broke = Broke::Rule(rule);
    Finding { broke, detail, length, rounds: 0, actions: Vec::new(), timeline: None }
}

/// 繰り返しのあとの、終わりの手だけを時系列にする。
fn long_finding<L: Lock>(mut lock: L, breach: Breach, rounds: u32, length: Time) -> Finding {
    // 前の回の番号も見えるように、一回だけ戻す。
    let rounds = rounds.saturating_sub(1);
    for _ in 0..rounds {
        if let Ok(Event::Acquired { token, .. }) = lock.acquire(Client::A) {
            lock.release_held(Client::A, token);
        }
    }
    let client = Client::A;
    let actions = vec![Acquire(client), Release(client), Acquire(client)];
    let broke = Broke::Rule(breach.rule);
    let played = play(&title(length), World::new(lock), &actions);
    let timeline = played.map(|played| played.timeline);
    Finding { broke, detail: breach.detail, length, rounds, actions, timeline }
}
