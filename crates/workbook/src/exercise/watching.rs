//! 保存するたびに確かめ、解けたら次へ進む。

use std::io::BufRead as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Result;
use tokio::sync::mpsc;

use super::catalog::Exercise;
use super::desk::Desk;
use super::eyes::Eyes;
use super::progress::{self, State};
use super::trial::{Outcome, Trial};
use super::{check, overview, session};
use crate::cli::{complain, print, say};

const KEYS: &str =
    "保存すると確かめる。Enter だけでもう一度、h でヒント、n で次の演習、l で一覧、q で終わる。";

/// 見張りを始める。`name` がなければ、まだ解いていない初めの演習から。
///
/// # Errors
/// その名前の演習がないとき、答えを写せないとき、cargo や答えを動かせないとき。
pub(super) async fn run(
    desk: &Desk,
    name: Option<&str>,
    poll: bool,
    limit: Duration,
) -> Result<ExitCode> {
    let named = name.map(|name| desk.catalog.find(name)).transpose()?;
    let prepared = session::prepare(desk)?;
    print(&overview::changed(&prepared));
    // 初めに調べる間の保存も見落とさないように、その前から見張る。
    let files: Vec<PathBuf> = desk.catalog.exercises.iter().map(|one| desk.answer(one)).collect();
    let eyes = Eyes::open(&desk.answers(), files, poll);
    let progress = progress::survey(desk, limit).await?;
    let Some(current) = named.or(progress.next()) else {
        print(overview::FINISHED);
        return Ok(ExitCode::SUCCESS);
    };
    let mut watching = Watching { desk, limit, eyes, keys: keys(), current };
    let first = watching.turn_to(current, progress.state(current))?;
    watching.go(first).await
}

/// 打たれた行。入力が終わっても、見張りは続く。
fn keys() -> mpsc::UnboundedReceiver<String> {
    let (sender, lines) = mpsc::unbounded_channel();
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    lines
}

/// 次にすること。
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Wait,
    Check,
    Next,
    Hint,
    List,
    Quit,
    Help,
}

impl Step {
    fn typed(line: &str) -> Step {
        match line.trim() {
            "" => Step::Check,
            "h" => Step::Hint,
            "n" => Step::Next,
            "l" => Step::List,
            "q" => Step::Quit,
            _ => Step::Help,
        }
    }
}

#[derive(Debug)]
struct Watching<'a> {
    desk: &'a Desk,
    limit: Duration,
    eyes: Eyes,
    keys: mpsc::UnboundedReceiver<String>,
    current: &'a Exercise,
}

impl<'a> Watching<'a> {
    /// 終わるまで続ける。一度の失敗では終わらない。直して保存すれば、また確かめられるからである。
    async fn go(mut self, first: Step) -> Result<ExitCode> {
        let mut step = first;
        while step != Step::Quit {
            step = self.take(step).await.unwrap_or_else(|error| {
                complain(&error);
                Step::Wait
            });
        }
        Ok(ExitCode::SUCCESS)
    }

    async fn take(&mut self, step: Step) -> Result<Step> {
        match step {
            Step::Wait => return Ok(self.wait().await),
            Step::Check => return self.check().await,
            Step::Next => return self.advance().await,
            Step::Hint => print(&session::hint_text(self.desk, self.current, false)?),
            Step::List => {
                let progress = progress::survey(self.desk, self.limit).await?;
                print(&overview::table(self.desk, &progress)?);
            }
            Step::Help => say(KEYS),
            Step::Quit => return Ok(Step::Quit),
        }
        Ok(Step::Wait)
    }

    /// 保存か、打たれた行を待つ。保存されたのが別の演習なら、そちらに移る。
    async fn wait(&mut self) -> Step {
        let all = &self.desk.catalog.exercises;
        let current = all.iter().position(|one| one == self.current).unwrap_or_default();
        tokio::select! {
            saved = self.eyes.changed(current) => {
                self.current = all.get(saved).unwrap_or(self.current);
                Step::Check
            }
            Some(line) = self.keys.recv() => Step::typed(&line),
        }
    }

    /// 確かめる。動かしている間に保存されたら、それをやめて新しい答えを確かめる。
    async fn check(&mut self) -> Result<Step> {
        session::prepare(self.desk)?;
        say(&format!("\n{}", self.desk.heading(self.current)?));
        let built = check::build(self.desk, self.current, self.limit).await?;
        tokio::select! {
            trial = built.run() => self.tell(&trial?).await,
            step = self.wait() => Ok(step),
        }
    }

    async fn tell(&mut self, trial: &Trial) -> Result<Step> {
        print(&trial.shown);
        if trial.outcome == Outcome::Passed {
            return self.advance().await;
        }
        say(&format!("\n{KEYS}"));
        Ok(Step::Wait)
    }

    /// 今の演習のあとで、まだ解いていないものへ移る。最後まで行ったら、初めに戻る。
    async fn advance(&mut self) -> Result<Step> {
        let progress = progress::survey(self.desk, self.limit).await?;
        let states = &progress.states;
        let here = states.iter().position(|(one, _)| *one == self.current).unwrap_or_default();
        let (before, after) = states.split_at(here);
        let mut others = after.iter().skip(1).chain(before);
        if let Some((one, state)) = others.find(|(_, state)| *state != State::Solved) {
            return self.turn_to(one, Some(*state));
        }
        if progress.next().is_none() {
            say("");
            print(overview::FINISHED);
            return Ok(Step::Quit);
        }
        say("ほかの演習は、すべて解いてある。");
        Ok(Step::Wait)
    }

    /// 演習に移る。手をつけてあれば確かめ、そうでなければ問題を見せて保存を待つ。
    fn turn_to(&mut self, one: &'a Exercise, state: Option<State>) -> Result<Step> {
        self.current = one;
        if state != Some(State::Untouched) {
            return Ok(Step::Check);
        }
        say("");
        print(&overview::introduction(self.desk, one)?);
        say(&format!("\n{KEYS}"));
        Ok(Step::Wait)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typed_lines_are_understood() {
        let typed = [("", Step::Check), (" h ", Step::Hint), ("n", Step::Next), ("l", Step::List)];
        for (line, step) in typed.into_iter().chain([("q", Step::Quit), ("なに", Step::Help)]) {
            assert_eq!(Step::typed(line), step, "{line:?}");
        }
    }
}
