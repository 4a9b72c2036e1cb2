//! この章の筋書きと表。どれも、見つかった手の列を演じて作る。

use stage::{Action, Chapter, ChapterError, Event, Events, Impossible, Story, Table, TableSource};

use crate::bank::{BANK, Entry};

/// この章の筋書きと表。項目ごとに、筋書きと、正しいものと並べた表がある。
#[must_use]
pub fn chapter() -> Chapter {
    let mut tables = vec![TableSource::new("index", index)];
    tables
        .extend(BANK.iter().map(|entry| {
            TableSource::new(&format!("{}_beside", entry.name), || Ok(beside(entry)))
        }));
    Chapter {
        name: "wrong-locks",
        stories: BANK.iter().map(story).collect(),
        tables,
        drawings: vec![],
    }
}

fn story(entry: &Entry) -> Story {
    let (scene, actions) = (entry.wrong.scene(), entry.shortest());
    Story { name: entry.name, title: entry.title, scene, actions }
}

/// 索引の表。
fn index() -> Result<Table, ChapterError> {
    let header = ["項番", "項目", "壊れた所", "破る性質", "いちばん短い手数", "時計の章"];
    let mut rows = Vec::new();
    for (index, entry) in BANK.iter().enumerate() {
        let steps = story(entry).run()?.steps.len();
        let clocks = if entry.about_clocks { "もう一度扱う" } else { "扱わない" };
        let number = format!("{}", index + 1);
        let steps = format!("{steps} 手");
        let property = entry.property.name();
        let cells = [&number, entry.title, entry.kind.name(), property, &steps, clocks];
        rows.push(cells.map(str::to_owned).to_vec());
    }
    Ok(Table { header: header.map(str::to_owned).to_vec(), rows })
}

/// 壊れたものと正しいものに、同じ手の列を与えて並べた表。続けて進む時刻は、一行にまとめる。
fn beside(entry: &Entry) -> Table {
    let header = ["手", "壊れているとき", "正しいとき"];
    let actions = entry.shortest();
    let pairs = entry.wrong.trace(&actions).into_iter().zip(entry.right.trace(&actions));
    let mut beats: Vec<Beat> = Vec::new();
    for (&action, (wrong, right)) in actions.iter().zip(pairs) {
        let beat = Beat { action, wrong, right };
        if !beats.last_mut().is_some_and(|last| last.takes(&beat)) {
            beats.push(beat);
        }
    }
    Table {
        header: header.map(str::to_owned).to_vec(),
        rows: beats.iter().map(Beat::row).collect(),
    }
}

type Outcome = Result<Events, Impossible>;

/// 表の一行。
struct Beat {
    action: Action,
    wrong: Outcome,
    right: Outcome,
}

impl Beat {
    /// どちらも時刻を進める手なら、続きを取り込む。
    fn takes(&mut self, next: &Beat) -> bool {
        let (Action::Tick(ticks), Action::Tick(more)) = (&mut self.action, next.action) else {
            return false;
        };
        *ticks += more;
        for (mine, theirs) in [(&mut self.wrong, &next.wrong), (&mut self.right, &next.right)] {
            if let (Ok(mine), Ok(theirs)) = (mine, theirs) {
                mine.extend(theirs.iter().copied());
            }
        }
        true
    }

    fn row(&self) -> Vec<String> {
        let same = self.wrong == self.right;
        let right = if same { "同じ".to_owned() } else { cell(&self.right) };
        vec![self.action.words(), cell(&self.wrong), right]
    }
}

fn cell(outcome: &Outcome) -> String {
    match outcome {
        Err(_) => "起こりえない".to_owned(),
        Ok(events) if events.is_empty() => "何も起きない".to_owned(),
        Ok(events) => events.iter().map(told).collect::<Vec<_>>().join("、"),
    }
}

/// 表のセルに置く、起きたこと。
fn told(event: &Event) -> String {
    let label = event.label();
    match event {
        Event::Acquired { expiry, .. } | Event::Renewed { expiry, .. } => match expiry {
            Some(expiry) => format!("{label}(期限 {expiry})"),
            None => format!("{label}(期限なし)"),
        },
        Event::Expired { client, .. } => format!("{client} が失効"),
        Event::DeadlineReached { client, at } => format!("{client} の期限 {at} が来る"),
        Event::ServiceRestarted { issued } => format!("再起動(番号の記録 {issued})"),
        Event::ResourceRestarted { max } => format!("再起動(最大の記録 {max})"),
        _ => match event.verdict() {
            Some(verdict) => format!("{label} {verdict}"),
            None => label,
        },
    }
}
