//! 錠だけを相手に、規則を確かめる。帳面と一緒に、近い状態から順に、すべての手を試す。

use std::collections::HashSet;
use std::hash::Hash;

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
    /// 規則ごとに、初めに見つけたもの。見つけた順
    pub(crate) found: Vec<Found>,
}

/// 一つの状態。錠と、返事だけから付けた帳面。
struct Node<'a, L> {
    lock: Kept<'a, L>,
    record: Record,
    heard: Heard,
    grants: u8,
}

/// 客ごとの、返事で聞いて覚えているトークン。舞台の客と同じように、終わったと聞けば忘れる。
type Heard = [Option<Token>; Client::ALL.len()];

impl<L> Clone for Node<'_, L> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<L> Copy for Node<'_, L> {}

struct Walker<'a, L> {
    shelf: &'a Shelf<L>,
    nodes: Vec<Node<'a, L>>,
    parents: Vec<Option<(usize, Action)>>,
    seen: HashSet<(Kept<'a, L>, Record, Heard, u8)>,
    walk: Walk,
}

/// `lock` を、長さ `length` のリースとして確かめる。
pub(crate) fn walk<L: Lock + Eq + Hash>(lock: L, length: Time) -> Walk {
    let shelf = Shelf::new();
    let first = Node {
        lock: shelf.keep(lock),
        record: Record::new(length),
        heard: Heard::default(),
        grants: 0,
    };
    let mut walker = Walker {
        shelf: &shelf,
        nodes: Vec::new(),
        parents: Vec::new(),
        seen: HashSet::new(),
        walk: Walk::default(),
    };
    walker.begin(first);
    walker.walk
}

impl<'a, L: Lock + Eq + Hash> Walker<'a, L> {
    fn begin(&mut self, first: Node<'a, L>) {
        let sight = Sight::of(&first.lock);
        let begins = self.unless_panicked(first.record.begins_with(&sight));
        if let Err(breach) = begins {
            self.walk.found.push((breach, Vec::new()));
            return;
        }
        self.add(first, None);
        self.walk.within = self.go();
        self.walk.states = self.nodes.len();
    }

    /// 状態が多すぎて歩ききれなければ、すべて歩いた手数を返す。
    fn go(&mut self) -> Option<usize> {
        let (mut at, mut depth, mut level_end) = (0, 0, 1);
        while at < self.nodes.len() {
            if at == level_end {
                (depth, level_end) = (depth + 1, self.nodes.len());
            }
            if self.nodes.len() > STATES {
                return Some(depth);
            }
            for action in moves(&self.nodes[at]) {
                self.step(at, action);
                if self.cannot_go_on() {
                    return Some(depth);
                }
            }
            at += 1;
        }
        None
    }

    /// パニックしたあとと、結果が決まらない錠では、続けても意味がない。
    fn cannot_go_on(&self) -> bool {
        let fatal = |rule| matches!(rule, Rule::NeverPanics | Rule::Repeats);
        self.walk.found.last().is_some_and(|(breach, _)| fatal(breach.rule))
    }

    fn step(&mut self, at: usize, action: Action) {
        self.walk.steps += 1;
        match self.performed(self.nodes[at], action) {
            Ok(next) => self.add(next, Some((at, action))),
            Err(breach) => self.note(breach, at, action),
        }
    }

    fn performed(&self, node: Node<'a, L>, action: Action) -> Result<Node<'a, L>, Breach> {
        let token = action.client().and_then(|client| node.heard[client as usize]);
        let request = Request { action, token };
        let mut lock = node.lock;
        let reply = perform(&mut lock, request);
        let sight = Sight::of(&lock);
        self.unless_panicked(repeats(node.lock, request, &reply, lock))?;
        let record = node.record.after(request, &reply, &sight)?;
        let mut heard = node.heard;
        if let (Some(client), Ok(Some(event))) = (action.client(), reply) {
            hear(&mut heard[client as usize], action, event);
        }
        let granted = matches!(reply, Ok(Some(Event::Acquired { .. })));
        Ok(Node { lock, record, heard, grants: node.grants + u8::from(granted) })
    }

    fn unless_panicked<O>(&self, result: Result<O, Breach>) -> Result<O, Breach> {
        match self.shelf.panic() {
            Some(reason) => Err(panicked(&reason)),
            None => result,
        }
    }

    fn add(&mut self, node: Node<'a, L>, parent: Option<(usize, Action)>) {
        if self.seen.insert((node.lock, node.record, node.heard, node.grants)) {
            self.nodes.push(node);
            self.parents.push(parent);
        }
    }

    fn note(&mut self, breach: Breach, at: usize, action: Action) {
        if self.walk.found.iter().all(|(known, _)| known.rule != breach.rule) {
            let path = self.path(at, action);
            self.walk.found.push((breach, path));
        }
    }

    fn path(&self, mut at: usize, last: Action) -> Vec<Action> {
        let mut path = vec![last];
        while let Some((parent, action)) = self.parents[at] {
            path.push(action);
            at = parent;
        }
        path.reverse();
        path
    }
}

pub(crate) fn panicked(reason: &str) -> Breach {
    let detail = format!("最後の手でパニックした。理由は「{reason}」である。");
    Breach { rule: Rule::NeverPanics, detail }
}

/// もう一度演じても、同じ返事と同じ状態になるか。
fn repeats<L: Lock + Eq + Hash>(
    before: Kept<'_, L>,
    request: Request,
    reply: &Reply,
    after: Kept<'_, L>,
) -> Result<(), Breach> {
    let mut again = before;
    if perform(&mut again, request) == *reply && again == after {
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
fn moves<L>(node: &Node<'_, L>) -> Vec<Action> {
    let acquires = node.grants < GRANTS || !node.record.is_free();
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
