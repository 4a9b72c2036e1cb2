//! 待つ客を列に並ばせるロックサービス。並ぶ客も、自分のセッションに期限を持つ。

use lease::Lock;
use stage::{Client, Event, Holder, Impossible, Time, Token};

use crate::service::{Right, Service};

// ANCHOR: rules
/// 列の決めごと。
pub trait QueueRules: Copy + Default + 'static {
    /// 順番が来た客に渡してよいか。`session` は、並んだときからのセッションの期限
    fn may_grant(&self, now: Time, session: Time) -> bool {
        now < session
    }
}

impl QueueRules for Right {}
// ANCHOR_END: rules

/// 並んでいる客。
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Waiter {
    holder: Holder,
    session: Time,
}

/// 一人まで並べるロックサービス。並ぶときに番号を取る。
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Queue<D = Right> {
    service: Service,
    waiter: Option<Waiter>,
    rules: D,
}

impl<D: QueueRules> Queue<D> {
    /// リースもセッションも `length` 刻みのサービス。
    #[must_use]
    pub fn new(length: Time) -> Queue<D> {
        Queue { service: Service::new(length), waiter: None, rules: D::default() }
    }

    /// セッションの生きている、並んでいる客。
    fn living(&self) -> Option<Waiter> {
        self.waiter.filter(|waiter| self.now() < waiter.session)
    }

    /// 並ぶ。断る返事は、待たされていることを表す。
    fn line_up(&mut self, client: Client) -> Result<(), Impossible> {
        if self.living().is_none() {
            let length = self.service.state.length;
            let session = self.now().checked_add(length).ok_or(Impossible::TimeOverflow)?;
            self.waiter = Some(Waiter { holder: self.service.draw(client)?, session });
        }
        Ok(())
    }

    /// 順番の来た客に渡す。サービスの記録は、セッションが生きているときにだけ残る。
    fn serve(&mut self, Waiter { holder, session }: Waiter) -> Event {
        self.waiter = None;
        if self.now() < session {
            return self.service.grant(holder, session);
        }
        let Holder { client, token } = holder;
        Event::Acquired { client, token, expiry: Some(session) }
    }
}

impl<D: QueueRules> Lock for Queue<D> {
    fn acquire(&mut self, client: Client) -> Result<Event, Impossible> {
        if self.holder().is_some() {
            let refused = self.service.acquire(client);
            self.line_up(client)?;
            return refused;
        }
        match self.waiter {
            Some(waiter)
                if waiter.holder.client == client
                    && self.rules.may_grant(self.now(), waiter.session) =>
            {
                return Ok(self.serve(waiter));
            }
            _ => {}
        }
        match self.living() {
            Some(Waiter { holder, session }) => {
                Ok(Event::Busy { client, holder: holder.client, expiry: Some(session) })
            }
            None => self.service.acquire(client),
        }
    }

    fn renew(&mut self, client: Client) -> Result<Event, Impossible> {
        self.service.renew(client)
    }

    fn renew_held(&mut self, client: Client, token: Token) -> Result<Event, Impossible> {
        self.service.renew_held(client, token)
    }

    fn release(&mut self, client: Client) -> Event {
        self.service.release(client)
    }

    fn release_held(&mut self, client: Client, token: Token) -> Event {
        self.service.release_held(client, token)
    }

    fn tick(&mut self, ticks: Time) -> Result<Option<Event>, Impossible> {
        self.service.tick(ticks)
    }

    fn now(&self) -> Time {
        self.service.now()
    }

    fn holder(&self) -> Option<Holder> {
        self.service.holder()
    }

    fn expiry(&self) -> Option<Time> {
        self.service.expiry()
    }

    fn issued(&self) -> Token {
        self.service.issued()
    }
}
