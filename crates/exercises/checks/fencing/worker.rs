//! 検査: ワーカーが操作の合間のどこで止まっても、古いトークンの書き込みが入らないこと。
//! 止まる所とトークンの組は、小さい範囲ですべて試す。

use anyhow::{Result, bail};
use fencing::FencedResource;
use lease::LockService;
use stage::Action::{self, Acquire, Check, Pause, Resume, Tick, Write};
use stage::Client::{A, B};
use stage::{
    Asked, ClientView, Condition, Event, Events, Holder, Observation, Refusal, ResourceView, Run,
    Step, Time, Token, Value, World,
};

use crate::feedback;

/// ワーカーが受け取ったリース。
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lease {
    /// トークン
    pub token: Token,
    /// 期限。単位は刻み
    pub expiry: Time,
}

/// 保存先の行。トークンの列を持つ。
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// これを書いた保持のトークン。まだ書かれていなければ `Token::NONE`
    pub token: Token,
    /// 今の値。まだ書かれていなければ `None`
    pub value: Option<Value>,
}

/// ジョブの結末。
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// 書いた
    Done,
    /// 書かずにやめた
    GaveUp,
}

/// 操作が多すぎて、打ち切られたこと。
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManyCalls;

/// 読者が書くワーカー。値を書いて、結末を返す。
pub type Answer = fn(Value, Lease, &mut Backend) -> Result<Outcome, TooManyCalls>;

/// ワーカーが受け取るリースの期限。止まったワーカーが再開する時刻でもある。単位は刻み。
const EXPIRY: Time = 10;
/// 試すトークンの範囲。
const RANGE: u64 = 3;
/// 別のワーカーのトークン。試すどれよりも新しい。
const NEWEST: Token = Token(RANGE + 1);
/// 一つのジョブでできる操作の数。
const CALLS: usize = 12;
/// ワーカーが書く値。
const OURS: Value = Value { by: A, nth: 1 };
/// 別のワーカーが書く値。
const THEIRS: Value = Value { by: B, nth: 1 };
/// 初めから行にある値。
const EARLIER: Value = Value { by: A, nth: 2 };

/// ワーカーから見た外の世界。自分の時計と、保存先の行。
///
/// どの操作も、それ自体には割り込まれない。操作と操作の間では、いつ止まるか分からない。
/// 止まっている間に、別のワーカーが新しいトークンで同じ行に書くことがある。
#[derive(Debug)]
pub struct Backend {
    ours: Token,
    now: Time,
    row: Row,
    rival: Option<Rival>,
    calls: usize,
    written: Vec<Written>,
    lease: Option<(Holder, Time)>,
    clients: [ClientView; 2],
    steps: Vec<Step>,
}

/// 別のワーカー。
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Rival {
    /// 何番目の操作の前に来るか(0 から数える)
    before: usize,
    token: Token,
}

/// ワーカーの一度の書き込み。
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Written {
    before: Row,
    after: Row,
}

impl Backend {
    fn new(ours: Token, row: Row, rival: Option<Rival>) -> Backend {
        let client = |client| ClientView { client, condition: Condition::Running, belief: None };
        Backend {
            ours,
            now: 0,
            row,
            rival,
            calls: 0,
            written: Vec::new(),
            lease: None,
            clients: [A, B].map(client),
            steps: Vec::new(),
        }
    }

    /// 自分の時計を見る。単位は刻み。
    ///
    /// # Errors
    /// 操作が多すぎるとき。
    pub fn now(&mut self) -> Result<Time, TooManyCalls> {
        self.between()?;
        if self.now < EXPIRY {
            let event = Event::CheckPassed { client: A, at: self.now, deadline: EXPIRY };
            self.log(Check(A), event);
        }
        Ok(self.now)
    }

    /// 行を読む。
    ///
    /// # Errors
    /// 操作が多すぎるとき。
    pub fn read(&mut self) -> Result<Row, TooManyCalls> {
        self.between()?;
        Ok(self.row)
    }

    /// 行を、何も比べずに書き換える。
    ///
    /// # Errors
    /// 操作が多すぎるとき。
    pub fn put(&mut self, row: Row) -> Result<(), TooManyCalls> {
        self.between()?;
        self.write(row, None);
        Ok(())
    }

    /// 今の行を `decide` に渡し、`Some` が返ればその行に書き換える。渡してから書き換えるまで、
    /// ほかの書き込みは割り込まない。条件のついた `UPDATE` 文にあたる。
    ///
    /// 書き換えたら `true` を返す。
    ///
    /// # Errors
    /// 操作が多すぎるとき。
    pub fn update(
        &mut self,
        decide: impl FnOnce(Row) -> Option<Row>,
    ) -> Result<bool, TooManyCalls> {
        self.between()?;
        let max = self.row.token;
        let Some(row) = decide(self.row) else {
            self.clients[0].belief = None;
            self.log(
                Write(A, 1),
                Event::Rejected {
                    asked: Asked::Write(OURS),
                    token: self.ours,
                    reason: Refusal::Older { max },
                },
            );
            return Ok(false);
        };
        // 成り立たない比較を、比べたようには見せない。
        self.write(row, (max <= self.ours).then_some(max));
        Ok(true)
    }

    fn write(&mut self, after: Row, compared: Option<Token>) {
        self.written.push(Written { before: self.row, after });
        self.row = after;
        self.log(Write(A, 1), Event::Accepted { value: OURS, token: self.ours, compared });
    }

    /// 操作の合間。ここで止まり、別のワーカーが書きに来ることがある。
    fn between(&mut self) -> Result<(), TooManyCalls> {
        if let Some(rival) = self.rival.take_if(|rival| rival.before == self.calls) {
            self.pause_and_be_overtaken(rival.token);
        }
        self.calls += 1;
        if self.calls > CALLS { Err(TooManyCalls) } else { Ok(()) }
    }

    fn pause_and_be_overtaken(&mut self, token: Token) {
        self.clients[0].condition = Condition::Paused;
        self.log(Pause(A), Event::Paused { client: A });
        self.now += EXPIRY;
        self.lease = None;
        self.log(Tick(EXPIRY), Event::Expired { client: A, at: EXPIRY });
        self.grant(1, token);
        let compared = Some(self.row.token);
        self.row = Row { token, value: Some(THEIRS) };
        self.log(Write(B, 1), Event::Accepted { value: THEIRS, token, compared });
        self.clients[0].condition = Condition::Running;
        self.log(Resume(A), Event::Resumed { client: A });
    }

    /// 客がロックを取得する。
    fn grant(&mut self, index: usize, token: Token) {
        let client = self.clients[index].client;
        self.clients[index].belief = Some(token);
        let expiry = self.now + EXPIRY;
        self.lease = Some((Holder { client, token }, expiry));
        self.log(Acquire(client), Event::Acquired { client, token, expiry: Some(expiry) });
    }

    fn log(&mut self, action: Action, event: Event) {
        let after = self.observe();
        self.steps.push(Step { action, events: Events::from_iter([event]), after });
    }

    fn observe(&self) -> Observation {
        Observation {
            now: self.now,
            holder: self.lease.map(|(holder, _)| holder),
            expiry: self.lease.map(|(_, expiry)| expiry),
            issued: self.lease.map_or(Token::NONE, |(holder, _)| holder.token),
            resource: Some(ResourceView { value: self.row.value, max_token: self.row.token }),
            clients: self.clients.to_vec(),
        }
    }
}

/// 答えを確かめる。
///
/// # Errors
/// 古い書き込みが入るか、正しい書き込みが入らないか、結末が事実と違えば、その理由と時系列を返す。
pub fn check(answer: Answer) -> Result<()> {
    for ours in (1..=RANGE).map(Token) {
        // 前の持ち主か自分が書いた行。新しいものは、別のワーカーがあとから書く。
        for stored in (0..=ours.0).map(Token) {
            let calls = try_job(answer, ours, stored, None)?;
            for before in 0..calls {
                try_job(answer, ours, stored, Some(Rival { before, token: NEWEST }))?;
            }
        }
    }
    Ok(())
}

/// 一つのジョブを動かして、操作の数を返す。
fn try_job(answer: Answer, ours: Token, stored: Token, rival: Option<Rival>) -> Result<usize> {
    // 値は、トークンの列を足す前からあるかもしれない。
    let row = Row { token: stored, value: Some(EARLIER) };
    let mut backend = Backend::new(ours, row, rival);
    let ended = answer(OURS, Lease { token: ours, expiry: EXPIRY }, &mut backend);
    if let Some(symptom) = symptom(&backend, ours, ended) {
        let before = rival.map(|rival| rival.before);
        bail!("{symptom}\n\n{}", timelines(answer, stored == ours, before)?);
    }
    Ok(backend.calls)
}

fn symptom(
    backend: &Backend,
    ours: Token,
    ended: Result<Outcome, TooManyCalls>,
) -> Option<&'static str> {
    let Ok(outcome) = ended else {
        return Some(
            "操作が多すぎて、ジョブが終わらない。拒否されたジョブを送り直し続けると、ワーカーが一人ずつふさがっていく。",
        );
    };
    let right = Row { token: ours, value: Some(OURS) };
    if backend.written.iter().any(|written| ours < written.before.token) {
        return Some(
            "新しいトークンで書かれた行を、古いトークンのワーカーが書き換えた。ふだんは何も起きず、長く止まった日にだけ、値が古いものに戻る。",
        );
    }
    if backend.written.iter().any(|written| written.after != right) {
        return Some(
            "書いた行のトークンか値が、このジョブのものではない。次に目を覚ました古いワーカーの書き込みを、保存先が見分けられない。",
        );
    }
    match (backend.written.is_empty(), outcome) {
        (true, Outcome::Done) => {
            Some("書けていないのに、書いたと報告した。ジョブは済んだことになり、誰もやり直さない。")
        }
        (false, Outcome::GaveUp) => {
            Some("書けたのに、やめたと報告した。同じジョブが、もう一度積まれる。")
        }
        (true, Outcome::GaveUp) if backend.row.token <= ours => Some(
            "誰にも追い越されていないのに、書かずにやめた。止まらなかったワーカーのジョブまで、いつまでも済まない。",
        ),
        _ => None,
    }
}

/// ワーカー A がトークン 1 で動き、`before` 番目の操作の前に、B がトークン 2 で追い越す。
///
/// `has_written` なら、A は同じトークンで一度書いている。
fn timelines(answer: Answer, has_written: bool, before: Option<usize>) -> Result<String> {
    let rival = before.map(|before| Rival { before, token: Token(2) });
    let lease = Lease { token: Token(1), expiry: EXPIRY };
    let mut backend = Backend::new(lease.token, Row { token: Token::NONE, value: None }, rival);
    let start = backend.observe();
    backend.grant(0, lease.token);
    if has_written {
        backend.row = Row { token: lease.token, value: Some(EARLIER) };
        let compared = Some(Token::NONE);
        let event = Event::Accepted { value: EARLIER, token: lease.token, compared };
        backend.log(Write(A, EARLIER.nth), event);
    }
    // 結末は、理由の文で述べた。ここでは起きたことだけを見せる。
    let _ = answer(OURS, lease, &mut backend);
    let actions: Vec<Action> = backend.steps.iter().map(|step| step.action).collect();
    let actual = Run { title: "答え".to_owned(), start, steps: backend.steps };
    let world = World::with_resource(LockService::new(EXPIRY), FencedResource::new());
    let expected = Run::play("期待", world, &actions)?;
    if expected.timeline().rows() == actual.timeline().rows() {
        return Ok(feedback::show(&actual));
    }
    Ok(feedback::compare(&expected, &actual))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(answer: Answer) -> String {
        check(answer).unwrap_err().to_string()
    }

    fn right(value: Value, lease: Lease, backend: &mut Backend) -> Result<Outcome, TooManyCalls> {
        let ours = Row { token: lease.token, value: Some(value) };
        let is_written = backend.update(|row| (row.token <= ours.token).then_some(ours))?;
        Ok(if is_written { Outcome::Done } else { Outcome::GaveUp })
    }

    #[test]
    fn looking_first_is_allowed_when_the_store_decides() {
        assert!(check(right).is_ok());
        let looks_first: Answer = |value, lease, backend| {
            if backend.now()? >= lease.expiry || backend.read()?.token > lease.token {
                return Ok(Outcome::GaveUp);
            }
            right(value, lease, backend)
        };
        assert!(check(looks_first).is_ok());
        // 読んだときから変わっていないことを、保存先に比べさせる。
        let compares_and_sets: Answer = |value, lease, backend| {
            let seen = backend.read()?;
            if seen.token > lease.token {
                return Ok(Outcome::GaveUp);
            }
            let ours = Row { token: lease.token, value: Some(value) };
            let is_written = backend.update(|row| (row == seen).then_some(ours))?;
            Ok(if is_written { Outcome::Done } else { Outcome::GaveUp })
        };
        assert!(check(compares_and_sets).is_ok());
    }

    #[test]
    fn an_empty_row_is_no_sign_of_being_first() {
        let only_if_empty: Answer = |value, lease, backend| {
            let ours = Row { token: lease.token, value: Some(value) };
            let is_written = backend.update(|row| row.value.is_none().then_some(ours))?;
            Ok(if is_written { Outcome::Done } else { Outcome::GaveUp })
        };
        assert!(told(only_if_empty).starts_with("誰にも追い越されていないのに"));
    }

    #[test]
    fn every_kind_of_mistake_has_its_own_sentence() {
        let gives_up: Answer = |_, _, _| Ok(Outcome::GaveUp);
        assert!(told(gives_up).starts_with("誰にも追い越されていないのに"));
        let denies: Answer = |value, lease, backend| {
            right(value, lease, backend)?;
            Ok(Outcome::GaveUp)
        };
        assert!(told(denies).starts_with("書けたのに、やめたと報告した"));
        let tolerant: Answer = |value, lease, backend| {
            let ours = Row { token: lease.token, value: Some(value) };
            let is_written =
                backend.update(|row| (row.token.0 <= ours.token.0 + 1).then_some(ours))?;
            Ok(if is_written { Outcome::Done } else { Outcome::GaveUp })
        };
        assert!(told(tolerant).starts_with("新しいトークンで書かれた行を"));
        let keeps_the_value: Answer = |_, lease, backend| {
            backend.update(|row| {
                (row.token <= lease.token).then_some(Row { token: lease.token, ..row })
            })?;
            Ok(Outcome::Done)
        };
        assert!(told(keeps_the_value).starts_with("書いた行のトークンか値が"));
        let knows_only_one: Answer = |value, lease, backend| {
            let ours = Row { token: Token(1), value: Some(value) };
            let is_written = backend.update(|row| (row.token <= lease.token).then_some(ours))?;
            Ok(if is_written { Outcome::Done } else { Outcome::GaveUp })
        };
        assert!(told(knows_only_one).starts_with("書いた行のトークンか値が"));
    }
}
