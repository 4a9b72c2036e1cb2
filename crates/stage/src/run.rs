//! 演じた記録。図も表も試験も、ここから作る。

use std::collections::BTreeMap;

use crate::action::Action;
use crate::event::Event;
use crate::impossible::Impossible;
use crate::system::{Events, System};
use crate::vocabulary::{Client, Observation, Time, Token, Value};

/// 筋書きを演じた記録。
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// 図の題
    pub title: String,
    /// 始める前の見え方(手 0)
    pub start: Observation,
    /// 手 1 からの記録
    pub steps: Vec<Step>,
}

/// 一手の記録。
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// 演じた手
    pub action: Action,
    /// 起きたこと
    pub events: Events,
    /// 起きたあとの見え方
    pub after: Observation,
}

impl Step {
    /// この手の論理時刻。失効と期限は、時刻を進めた先ではなく、期限ちょうどに起きる。
    #[must_use]
    pub fn time(&self) -> Time {
        match self.events.first() {
            Some(Event::Expired { at, .. } | Event::DeadlineReached { at, .. }) => *at,
            _ => self.after.now,
        }
    }

    /// この手で起きたことを述べる文。
    #[must_use]
    pub fn sentence(&self) -> String {
        if self.events.is_empty() {
            return "何も起きない。".to_owned();
        }
        self.events.iter().map(Event::sentence).collect()
    }
}

/// 演じられなかった筋書き。
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("筋書きの {number} 番目の操作 {action:?} は起こりえない。{reason}。")]
pub struct StoryError {
    /// 何番目の操作か(1 から数える)
    pub number: usize,
    /// その操作
    pub action: Action,
    /// 起こりえない理由
    pub reason: Impossible,
}

impl Run {
    /// 筋書きを演じる。何も起きない `Tick` は、次の手の時刻に現れるだけで、手には数えない。
    ///
    /// # Errors
    /// 起こりえない操作があれば、それが何番目かを添えた [`StoryError`] を返す。
    pub fn play<S: System>(
        title: &str,
        mut system: S,
        actions: &[Action],
    ) -> Result<Run, StoryError> {
        let start = system.observe();
        let mut steps = Vec::new();
        for (index, &action) in actions.iter().enumerate() {
            let events = system.apply(action).map_err(|reason| StoryError {
                number: index + 1,
                action,
                reason,
            })?;
            if !events.is_empty() {
                let after = system.observe();
                steps.push(Step { action, events, after });
            }
        }
        Ok(Run { title: title.to_owned(), start, steps })
    }

    /// 手 0 から順に、各手のあとの見え方。
    pub(crate) fn observations(&self) -> impl Iterator<Item = &Observation> {
        std::iter::once(&self.start).chain(self.steps.iter().map(|step| &step.after))
    }

    /// 出番のある客。名前の順。舞台にいるだけで何もしない客は、図に出さない。
    pub(crate) fn cast(&self) -> impl Iterator<Item = Client> {
        let acts =
            |client: &Client| self.steps.iter().any(|step| step.action.client() == Some(*client));
        self.start.clients.iter().map(|view| view.client).filter(acts)
    }

    /// 起きたことを、起きた順に。
    pub fn events(&self) -> impl Iterator<Item = &Event> {
        self.steps.iter().flat_map(|step| &step.events)
    }

    /// 二重取得の区間があったか。
    #[must_use]
    pub fn has_double(&self) -> bool {
        self.observations().any(Observation::is_double)
    }

    /// 失われた更新。ほかの書き込みに取り込まれないまま消えた値。
    ///
    /// 読んで書き戻す客の書き込みは、知っている値をもとにしている。受理されたときの値がそれと違えば、
    /// その値は読まれずに上書きされる。まだ値がなければ、もとにした値のほうが届いていない。読まずに書く客の書き込みと、最後に受理した書き込みの繰り返しは数えない。
    #[must_use]
    pub fn lost_updates(&self) -> Vec<Value> {
        let mut books = Books::default();
        self.steps.iter().for_each(|step| books.enter(step));
        // あとから届いて残った値は、失われていない。
        books.lost.retain(|value| Some(*value) != books.current);
        books.lost
    }

    /// 資源が破壊されたか。新しいトークンの書き込みを受理したあとで、古いトークンの書き込みを受理したこと。
    #[must_use]
    pub fn is_damaged(&self) -> bool {
        let mut newest = Token::NONE;
        self.events().any(|event| {
            let Event::Accepted { token, .. } = *event else {
                return false;
            };
            let stale = token < newest;
            newest = newest.max(token);
            stale
        })
    }
}

/// 誰が何をもとに書いたかの帳簿。出来事だけから付ける。
#[derive(Default)]
struct Books {
    current: Option<Value>,
    /// 客が最後に知った値
    known: BTreeMap<Client, Option<Value>>,
    /// 送られた書き込みのもとになった値
    bases: BTreeMap<Value, Option<Value>>,
    lost: Vec<Value>,
}

impl Books {
    fn enter(&mut self, step: &Step) {
        if let Action::Write(by, nth) | Action::Send(by, nth) = step.action {
            self.sending(Value { by, nth });
        }
        for event in &step.events {
            self.hear(event);
        }
    }

    /// 値を知ることと、値が変わることだけを控える。
    fn hear(&mut self, event: &Event) {
        if let Event::Read { client, value } = *event {
            self.known.insert(client, value);
        }
        if let Event::Accepted { value, .. } = *event {
            self.accepted(value);
        }
        // 新しい保持では、前の保持で読んだ値をもとに書くことはない。
        if let Event::Acquired { client, .. } = *event {
            self.known.remove(&client);
        }
    }

    /// 一度読んだ客は、自分の書いた値を知っている。
    fn sending(&mut self, value: Value) {
        let Some(base) = self.known.get_mut(&value.by) else { return };
        self.bases.insert(value, *base);
        *base = Some(value);
    }

    fn accepted(&mut self, value: Value) {
        let based_on = self.bases.get(&value);
        let repeats = self.current == Some(value);
        if let (Some(base), false) = (based_on, repeats)
            && *base != self.current
        {
            self.lost.extend(self.current.or(*base));
        }
        self.current = Some(value);
    }
}
