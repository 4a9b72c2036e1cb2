//! 錠だけを相手に、規則を確かめる。帳面と一緒に、近い状態から順に、すべての手を試す。

use std::hash::Hash;
use std::ops::ControlFlow;

use check::{Broken, End, Limits, Model, Monitor, Part, Parts, Strategy, Visitor, check};
use stage::Action::{self, Acquire, AcquireReplyLost, Release, Renew, Tick};
use stage::{Client, Event, Lock, Time, Token};

use crate::kept::{Kept, Shelf};
use crate::record::{Breach, Record, Reply, Request, Sight};
use crate::rule::Rule;

/// 時刻をここまで一刻みずつ進める。
pub(crate) const HORIZON: Time = 6;
/// 取得を認めさせる回数。
pub(crate) const GRANTS: u8 = 4;
/// 見る状態の数の上限。中の控えが増え続ける錠でも終わるようにする。
const STATES: usize = 50_000;

/// 破れた規則と、そこまでの手の列。
pub(crate) type Found = (Breach, Vec<Action>);

/// 歩いた結果。
#[derive(Clone, Debug, Default)]
pub(crate) struct Walk {
    pub(crate) states: usize,
    pub(crate) steps: u64,
    /// 範囲の中を歩ききれなかったなら、すべて歩いた手数
    pub(crate) within: Option<usize>,
    /// 規則ごとに、初めに見つけたもの。短い順
    pub(crate) found: Vec<Found>,
}

/// 錠と、返事だけから付けた帳面。
struct Node<L> {
    lock: Part<Kept<L>>,
    record: Part<Record>,
    heard: Part<Heard>,
    grants: Part<u8>,
    /// 規則が破れたか。破れたあとは、続けても意味がない
    is_broken: Part<bool>,
}

/// 客ごとの、返事で聞いて覚えているトークン。舞台の客と同じように、終わったと聞けば忘れる。
type Heard = [Option<Token>; Client::ALL.len()];

impl<L> Clone for Node<L> {
    fn clone(&self) -> Self {
        let Node { lock, record, heard, grants, is_broken } = self;
        Node {
            lock: lock.clone(),
            record: *record,
            heard: *heard,
            grants: *grants,
            is_broken: *is_broken,
        }
    }
}

impl<L: Clone + Eq + Hash + 'static> Parts for Node<L> {
    fn visit(&mut self, visitor: &mut impl Visitor) {
        let Node { lock, record, heard, grants, is_broken } = self;
        lock.visit(visitor);
        record.visit(visitor);
        heard.visit(visitor);
        grants.visit(visitor);
        is_broken.visit(visitor);
    }
}

/// 規則を確かめる錠。
struct Alone<L> {
    shelf: Shelf<L>,
    first: Node<L>,
}

impl<L: Lock + Eq + Hash + 'static> Model for Alone<L> {
    type State = Node<L>;
    type Action = Action;
    type Event = Breach;

    fn start(&self) -> Node<L> {
        self.first.clone()
    }

    fn actions(&self, node: &Node<L>, out: &mut Vec<Action>) {
        if !*node.is_broken {
            out.extend(moves(node));
        }
    }

    fn step(&self, node: &mut Node<L>, action: Action, breaches: &mut Vec<Breach>) -> bool {
        if let Err(breach) = self.perform(node, action) {
            *node.is_broken = true;
            breaches.push(breach);
        }
        true
    }
}

/// 規則の番号で、破れた規則を数える。
struct Rules;

impl Monitor<Breach> for Rules {
    type Memory = ();

    fn start(&self) {}

    fn hear(&self, (): &mut (), breach: &Breach, broken: &mut Broken) {
        broken.add(breach.rule as usize);
    }
}

/// `lock` を、長さ `length` のリースとして確かめる。
pub(crate) fn walk<L: Lock + Eq + Hash + 'static>(lock: L, length: Time) -> Walk {
    let shelf = Shelf::new();
    let first = Node {
        lock: Part::new(shelf.keep(lock)),
        record: Part::new(Record::new(length)),
        heard: Part::default(),
        grants: Part::default(),
        is_broken: Part::default(),
    };
    let alone = Alone { shelf, first };
    match alone.begins() {
        Err(breach) => Walk { found: vec![(breach, Vec::new())], ..Walk::default() },
        Ok(()) => alone.walk(),
    }
}

impl<L: Lock + Eq + Hash + 'static> Alone<L> {
    fn begins(&self) -> Result<(), Breach> {
        let sight = Sight::of(&*self.first.lock);
        self.unless_panicked(self.first.record.begins_with(&sight))
    }

    fn walk(&self) -> Walk {
        let limits = Limits { states: STATES, ..Limits::NONE };
        // パニックしたあとと、結果が決まらない錠では、続けても意味がない。
        let fatal = [Rule::NeverPanics, Rule::Repeats].map(|rule| rule as usize);
        let report = check(self, &Rules, Strategy::Breadth, limits, |tally| {
            match fatal.into_iter().any(|rule| tally.broken.has(rule)) {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        });
        let mut found: Vec<Found> = Vec::new();
        for finding in report.findings {
            found.extend(self.breach(&finding.path).map(|breach| (breach, finding.path)));
        }
        found.sort_by_key(|(_, path)| path.len());
        let within = (report.end != End::Complete).then_some(report.depth);
        Walk { states: report.states, steps: report.steps, within, found }
    }

    /// 手の列の終わりで破れた規則と、どこが違ったか。
    fn breach(&self, path: &[Action]) -> Option<Breach> {
        let (mut node, mut breaches) = (self.start(), Vec::new());
        for &action in path {
            self.step(&mut node, action, &mut breaches);
        }
        breaches.pop()
    }

    fn perform(&self, node: &mut Node<L>, action: Action) -> Result<(), Breach> {
        let token = action.client().and_then(|client| node.heard[client as usize]);
        let request = Request { action, token };
        let before = node.lock.clone();
        let reply = perform(&mut *node.lock, request);
        let sight = Sight::of(&*node.lock);
        self.unless_panicked(repeats(&before, request, &reply, &node.lock))?;
        *node.record = node.record.after(request, &reply, &sight)?;
        if let (Some(client), Ok(Some(event))) = (action.client(), reply) {
            hear(&mut node.heard[client as usize], action, event);
        }
        if let Ok(Some(Event::Acquired { .. })) = reply {
            *node.grants += 1;
        }
        Ok(())
    }

    fn unless_panicked<O>(&self, result: Result<O, Breach>) -> Result<O, Breach> {
        match self.shelf.take_panic() {
            Some(reason) => Err(panicked(&reason)),
            None => result,
        }
    }
}

pub(crate) fn panicked(reason: &str) -> Breach {
    let detail = format!("最後の手でパニックした。理由は「{reason}」である。");
    Breach { rule: Rule::NeverPanics, detail }
}

/// もう一度演じても、同じ返事と同じ状態になるか。
fn repeats<L: Lock + Eq + Hash>(
    before: &Kept<L>,
    request: Request,
    reply: &Reply,
    after: &Kept<L>,
) -> Result<(), Breach> {
    let mut again = before.clone();
    if perform(&mut again, request) == *reply && again == *after {
        return Ok(());
    }
    let detail = "写しの錠に同じ手を演じたら、返事か、そのあとの状態が違った。";
    Err(Breach { rule: Rule::Repeats, detail: detail.to_owned() })
}

/// 返事を聞いた客の覚えていること。
fn hear(heard: &mut Option<Token>, action: Action, event: Event) {
    match event {
        Event::Acquired { token, .. } if matches!(action, Acquire(_)) => *heard = Some(token),
        Event::Renewed { token, .. } => *heard = Some(token),
        Event::Released { .. } | Event::ReleaseRefused { .. } | Event::RenewRefused { .. } => {
            *heard = None;
        }
        _ => {}
    }
}

/// 錠に頼む。トークンを覚えている客は、それを添える。
pub(crate) fn perform(lock: &mut impl Lock, request: Request) -> Reply {
    match (request.action, request.token) {
        (Acquire(client) | AcquireReplyLost(client), _) => lock.acquire(client).map(Some),
        (Renew(client), Some(token)) => lock.renew_held(client, token).map(Some),
        (Renew(client), None) => lock.renew(client).map(Some),
        (Release(client), Some(token)) => Ok(Some(lock.release_held(client, token))),
        (Release(client), None) => Ok(Some(lock.release(client))),
        (Tick(ticks), _) => lock.tick(ticks),
        _ => Ok(None),
    }
}

/// 試す手。取得は、決めた回数まで認めさせる。
fn moves<L>(node: &Node<L>) -> Vec<Action> {
    let acquires = *node.grants < GRANTS || !node.record.is_free();
    let acquires = Client::ALL.into_iter().filter(|_| acquires);
    // 返事の失われた取得は、空いているときだけ試す。断られたなら、聞いても聞かなくても同じである。
    let lost = acquires.clone().filter(|_| node.record.is_free()).map(AcquireReplyLost);
    let of_clients = Client::ALL.into_iter().flat_map(|client| [Renew(client), Release(client)]);
    let ticks = ticks(&node.record).into_iter().map(Tick);
    acquires.map(Acquire).chain(of_clients).chain(ticks).chain(lost).collect()
}

/// 試す刻み。地平線までは少しずつ進み、そこから先は、表せる最大の手前へ跳ぶ。
fn ticks(record: &Record) -> Vec<Time> {
    let (now, length) = (record.now(), record.length());
    let near = now <= HORIZON;
    let mut ticks = vec![0, 1, 2, length, length.saturating_add(1)];
    ticks.retain(|ticks| !near || now.saturating_add(*ticks) <= HORIZON);
    let left = Time::MAX - now;
    // 表せる最大ちょうどと、リースがぎりぎり収まる時刻。一刻み多ければ、桁があふれる。
    ticks.extend([left, left.saturating_sub(length)]);
    ticks.extend(left.checked_add(1));
    ticks.sort_unstable();
    ticks.dedup();
    ticks
}
