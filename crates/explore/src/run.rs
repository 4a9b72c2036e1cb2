//! 一手を演じて、性質を確かめる。

use stage::{Action, Client, Lock, Resource, System as _, Token, Value, World};

use crate::ledger::{Context, Ledger, Progress};
use crate::property::{Property, Violations};

/// 調べる状態。舞台と帳簿。
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Run<L, R> {
    /// 舞台
    pub world: World<L, R>,
    /// これまでの控え
    pub ledger: Ledger,
}

impl<L: Lock, R: Resource> Run<L, R> {
    /// まだ何も起きていない状態。
    pub fn new(world: World<L, R>) -> Run<L, R> {
        Run { world, ledger: Ledger::default() }
    }

    // ANCHOR: step
    /// 一手を演じて、破られた性質を返す。起こりえない手なら `None`。そのときの状態は使えない。
    #[must_use]
    pub fn step(&mut self, action: Action) -> Option<Violations> {
        let mut context = self.context(action);
        let events = self.world.apply(action).ok()?;
        context.now = self.world.lock.now();
        let mut broken = Violations::NONE;
        for event in &events {
            self.ledger.enter(event, &context, &mut broken);
        }
        if let Action::DeliverCopy(..) = action {
            self.ledger.copies += 1;
        }
        self.forget(action, &context);
        if self.believers() > 1 {
            broken.add(Property::OneBeliever);
        }
        Some(broken)
    }
    // ANCHOR_END: step

    fn context(&self, action: Action) -> Context {
        let mut context = Context::default();
        match action {
            Action::Deliver(by, nth) | Action::DeliverCopy(by, nth) => {
                let value = Value { by, nth };
                let packet = self.world.transit.packets().find(|packet| packet.value == value);
                context.base = packet.and_then(|packet| packet.base);
            }
            Action::DeliverRelease(_) => {
                context.releasing = self.world.transit.release().map(|(_, token)| token);
            }
            Action::Release(client) => context.releasing = self.belief(client),
            _ => {}
        }
        context
    }

    /// 終わった保持の控えを消す。残すと、先の同じ状態が別の状態に見える。
    fn forget(&mut self, action: Action, context: &Context) {
        self.ledger.expire(context.now);
        let clients = action
            .client()
            .map_or(&Client::ALL[..], |client| &Client::ALL[client as usize..=client as usize]);
        for &client in clients {
            let actor = self.world.actors[client as usize].as_ref();
            if actor.is_none_or(|actor| actor.token_to_write().is_none()) {
                self.ledger.progress[client as usize] = Progress::default();
            }
        }
    }

    fn belief(&self, client: Client) -> Option<Token> {
        self.world.actors[client as usize].as_ref().and_then(|actor| actor.view().belief)
    }

    /// 持っているつもりの客の数。時計を見る客のつもりは、止まっていても、期限から先を数えない。
    fn believers(&self) -> usize {
        self.world.actors.iter().flatten().filter(|actor| actor.is_valid()).count()
    }
}
