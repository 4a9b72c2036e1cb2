//! 三つの錠のノードと、過半数で取る二人の客。ロックの章とは関わりのない、探索を確かめるためだけの模型。
//!
//! ノードは、頼まれた客に一度だけ貸す。客は三つのノードに頼みを送り、頼みも返事も途中でとどまる。二つから貸された
//! 客が、取得したことになる。ノードは再起動することがある。貸した相手を忘れないノードなら、二人が取得することは
//! ない。忘れるノードが一つでもあれば、過半数が二つできる。

use check::{Broken, Model, Monitor, Part, Parts, Visitor};

/// ノードの数。
const NODES: usize = 3;
/// 客の数。
const CLIENTS: usize = 2;

/// 三つのノードの模型。
#[derive(Clone, Copy, Debug)]
pub struct Nodes {
    /// 再起動で、貸した相手を忘れるノードの数
    pub forgetful: usize,
    /// 再起動できる回数
    pub restarts: u8,
}

/// 一つのノードと、そこへの頼みと、そこからの返事。
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Node {
    lent_to: Option<usize>,
    /// 客ごとの、頼みの様子
    asked: [Asked; CLIENTS],
}

/// 頼みの様子。
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
enum Asked {
    /// まだ送っていない
    #[default]
    Unsent,
    /// 途中にある
    Sent,
    /// 返事が途中にある。貸すかどうか
    Answered(bool),
    /// 返事を聞いた
    Heard(bool),
}

/// 一手。
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Act {
    /// 客がノードに頼みを送る
    Ask(usize, usize),
    /// 頼みがノードに届く
    Land(usize, usize),
    /// 返事が客に届く
    Hear(usize, usize),
    /// 途中の頼みか返事が失われる。客は、もう一度頼める
    Lose(usize, usize),
    /// ノードが再起動する
    Restart(usize),
}

/// 状態。
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    nodes: [Part<Node>; NODES],
    restarts: Part<u8>,
}

impl Parts for State {
    fn visit(&mut self, visitor: &mut impl Visitor) {
        let State { nodes, restarts } = self;
        nodes.visit(visitor);
        restarts.visit(visitor);
    }
}

impl Model for Nodes {
    type State = State;
    type Action = Act;
    /// 客が、過半数から貸された
    type Event = usize;

    fn start(&self) -> State {
        State { nodes: Default::default(), restarts: Part::new(self.restarts) }
    }

    fn actions(&self, state: &State, out: &mut Vec<Act>) {
        for client in 0..CLIENTS {
            for (at, node) in state.nodes.iter().enumerate() {
                match node.asked[client] {
                    Asked::Unsent => out.push(Act::Ask(client, at)),
                    Asked::Sent => out.extend([Act::Land(client, at), Act::Lose(client, at)]),
                    Asked::Answered(_) => {
                        out.extend([Act::Hear(client, at), Act::Lose(client, at)]);
                    }
                    Asked::Heard(_) => {}
                }
            }
        }
        if *state.restarts > 0 {
            out.extend((0..NODES).map(Act::Restart));
        }
    }

    fn step(&self, state: &mut State, act: Act, majorities: &mut Vec<usize>) -> bool {
        match act {
            Act::Ask(client, at) => state.nodes[at].asked[client] = Asked::Sent,
            Act::Land(client, at) => state.nodes[at].lend(client),
            Act::Lose(client, at) => state.nodes[at].asked[client] = Asked::Unsent,
            Act::Hear(client, at) => {
                let Asked::Answered(lent) = state.nodes[at].asked[client] else { return false };
                state.nodes[at].asked[client] = Asked::Heard(lent);
                if lent && state.lent_to(client) == NODES / 2 + 1 {
                    majorities.push(client);
                }
            }
            Act::Restart(at) => {
                *state.restarts -= 1;
                if at < self.forgetful {
                    state.nodes[at].lent_to = None;
                }
            }
        }
        true
    }
}

impl Node {
    fn lend(&mut self, client: usize) {
        let lends = self.lent_to.is_none_or(|other| other == client);
        if lends {
            self.lent_to = Some(client);
        }
        self.asked[client] = Asked::Answered(lends);
    }
}

impl State {
    /// `client` に貸すと答え、その返事が届いたノードの数。
    fn lent_to(&self, client: usize) -> usize {
        self.nodes.iter().filter(|node| node.asked[client] == Asked::Heard(true)).count()
    }
}

/// 性質 0: 過半数から貸された客は、一人まで。
#[derive(Clone, Copy, Debug)]
pub struct OneMajority;

impl Monitor<usize> for OneMajority {
    type Memory = Part<Option<usize>>;

    fn start(&self) -> Part<Option<usize>> {
        Part::new(None)
    }

    fn hear(&self, first: &mut Part<Option<usize>>, client: &usize, broken: &mut Broken) {
        match **first {
            None => **first = Some(*client),
            Some(other) if other == *client => {}
            Some(_) => broken.add(0),
        }
    }
}
