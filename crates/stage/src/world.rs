//! 舞台。客と網を、錠と資源につなぐ。

use crate::action::Action;
use crate::actor::{Actor, Belief};
use crate::event::Event;
use crate::impossible::Impossible;
use crate::network::{Packet, Transit};
use crate::part::{Lock, NoResource, Resource};
use crate::run::{Run, StoryError};
use crate::story::{Scene, Setup, Trace};
use crate::system::{Events, System};
use crate::vocabulary::{Client, Condition, Observation, ResourceView, Time, Token, Value};

/// 錠 `L` と資源 `R` を囲む舞台。二人の客 A と B がいる。
///
/// 第 I 部では錠とのやりとりは不可分で、途中にとどまるのは書き込みだけである。
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct World<L, R = NoResource> {
    /// 錠
    pub lock: L,
    /// 資源。錠だけの舞台では `None`
    pub resource: Option<R>,
    /// 客。名前の順。舞台にいない客は `None`
    pub actors: [Option<Actor>; Client::ALL.len()],
    /// 途中にとどまっているもの
    pub transit: Transit,
}

/// 一つだけのできごと。
fn one(event: Event) -> Events {
    Events::from_buf([event])
}

impl<L: Lock> World<L> {
    /// 錠だけの舞台。
    pub fn new(lock: L) -> World<L> {
        World::build(lock, None)
    }
}

impl<L: Lock, R: Resource> World<L, R> {
    /// 錠と資源の舞台。
    pub fn with_resource(lock: L, resource: R) -> World<L, R> {
        World::build(lock, Some(resource))
    }

    fn build(lock: L, resource: Option<R>) -> World<L, R> {
        let actors = [Some(Actor::new(Client::A)), Some(Actor::new(Client::B)), None];
        World { lock, resource, actors, transit: Transit::default() }
    }

    /// 顔ぶれ `setup` の舞台。資源のない顔ぶれなら、`resource` は使わない。
    pub fn of(setup: Setup, lock: L, resource: R) -> World<L, R> {
        let mut world = World::build(lock, setup.has_resource.then_some(resource));
        if setup.clients > 2 {
            world = world.and_c();
        }
        if setup.watches_clocks { world.watching_clocks() } else { world }
    }

    /// 三人目の客 C を加える。
    #[must_use]
    pub fn and_c(mut self) -> World<L, R> {
        self.actors[2] = Some(Actor::new(Client::C));
        self
    }

    /// 客の全員が、自分の時計で期限を見るようにする。
    #[must_use]
    pub fn watching_clocks(mut self) -> World<L, R> {
        self.actors.iter_mut().flatten().for_each(|actor| actor.watches_clock = true);
        self
    }

    fn actor(&mut self, client: Client) -> Result<&mut Actor, Impossible> {
        let actor = self.actors[client as usize].as_mut();
        actor.ok_or(Impossible::UnknownClient(client))
    }

    fn running(&mut self, client: Client) -> Result<&mut Actor, Impossible> {
        let actor = self.actor(client)?;
        match actor.condition {
            Condition::Running => Ok(actor),
            Condition::Paused => Err(Impossible::Paused(client)),
            Condition::Crashed => Err(Impossible::Crashed(client)),
        }
    }

    /// 客に返事を聞かせる。
    fn tell(&mut self, client: Client, event: Event) -> Result<Events, Impossible> {
        self.actor(client)?.hear(&event);
        Ok(one(event))
    }

    fn acquire(&mut self, client: Client) -> Result<Events, Impossible> {
        self.running(client)?;
        let event = self.lock.acquire(client)?;
        self.tell(client, event)
    }

    fn acquire_unheard(&mut self, client: Client) -> Result<Events, Impossible> {
        self.running(client)?;
        let event = self.lock.acquire(client)?;
        Ok(Events::from_iter([event, Event::ReplyLost { client }]))
    }

    fn renew(&mut self, client: Client) -> Result<Events, Impossible> {
        let belief = self.running(client)?.belief;
        let event = match belief {
            Some(Belief { token, .. }) => self.lock.renew_held(client, token)?,
            None => self.lock.renew(client)?,
        };
        self.tell(client, event)
    }

    fn release(&mut self, client: Client) -> Result<Events, Impossible> {
        let belief = self.running(client)?.belief;
        let event = match belief {
            Some(Belief { token, .. }) => self.lock.release_held(client, token),
            None => self.lock.release(client),
        };
        self.tell(client, event)
    }

    fn check(&mut self, client: Client) -> Result<Events, Impossible> {
        let at = self.lock.now();
        let belief = self.running(client)?.belief;
        let deadline = belief.and_then(|belief| belief.deadline);
        let deadline = deadline.ok_or(Impossible::NoDeadline(client))?;
        let event = if at < deadline {
            Event::CheckPassed { client, at, deadline }
        } else {
            Event::CheckFailed { client, at, deadline }
        };
        self.tell(client, event)
    }

    fn send_off(&mut self, value: Value) -> Result<Events, Impossible> {
        let client = value.by;
        let actor = *self.running(client)?;
        if self.resource.is_none() {
            return Err(Impossible::NoResource);
        }
        let Some(token) = actor.token_to_write() else {
            return Ok(one(Event::Withheld { client }));
        };
        self.transit.send(actor.packet(value, token))?;
        self.running(client)?.has_sent(value);
        Ok(one(Event::Sent { value, token }))
    }

    /// 送って、途中にとどめる。
    fn send(&mut self, value: Value) -> Result<Events, Impossible> {
        let mut events = self.send_off(value)?;
        events.extend(self.look(value.by)?);
        Ok(events)
    }

    /// 止まっていた、時計を見る客が、また時計を見る。期限が過ぎていれば、それを知る。
    fn look(&mut self, client: Client) -> Result<Option<Event>, Impossible> {
        let at = self.lock.now();
        let actor = self.running(client)?;
        let Some(deadline) = actor.notices() else { return Ok(None) };
        let event = Event::CheckFailed { client, at, deadline };
        actor.hear(&event);
        Ok(Some(event))
    }

    /// 途中の書き込みを資源に届ける。送り主が止まっていたり落ちていたりしても届く。
    fn deliver(&mut self, value: Value) -> Result<Events, Impossible> {
        let packet = self.transit.take(value)?;
        self.arrive(&packet)
    }

    /// 途中の書き込みの写しを届ける。元は途中に残る。
    fn deliver_copy(&mut self, value: Value) -> Result<Events, Impossible> {
        let packet = self.transit.copy(value)?;
        self.arrive(&packet)
    }

    fn arrive(&mut self, packet: &Packet) -> Result<Events, Impossible> {
        let event = self.resource()?.deliver(packet);
        // 動いていない客は、判定の返事を聞けない。
        if let Ok(sender) = self.running(packet.value.by) {
            sender.hear(&event);
        }
        Ok(one(event))
    }

    fn resource(&mut self) -> Result<&mut R, Impossible> {
        self.resource.as_mut().ok_or(Impossible::NoResource)
    }

    /// `client` が添えるトークン。
    fn token(&mut self, client: Client) -> Result<Token, Impossible> {
        let belief = self.running(client)?.belief;
        belief.map(|belief| belief.token).ok_or(Impossible::NoToken(client))
    }

    fn read(&mut self, client: Client) -> Result<Events, Impossible> {
        let token = self.token(client)?;
        let event = self.resource()?.read(client, token);
        self.tell(client, event)
    }

    fn register(&mut self, client: Client) -> Result<Events, Impossible> {
        let token = self.token(client)?;
        let event = self.resource()?.register(client, token)?;
        self.tell(client, event)
    }

    fn send_release(&mut self, client: Client) -> Result<Events, Impossible> {
        let token = self.token(client)?;
        if let Some((sender, _)) = self.transit.release {
            return Err(Impossible::ReleaseInFlight(sender));
        }
        self.transit.release = Some((client, token));
        self.tell(client, Event::ReleaseSent { client, token })
    }

    /// 途中の解放の頼みを届ける。頼んだ客は、もう返事を待っていない。
    fn deliver_release(&mut self, client: Client) -> Result<Events, Impossible> {
        let sent = self.transit.release.take_if(|(sender, _)| *sender == client);
        let (client, token) = sent.ok_or(Impossible::NoReleaseInFlight(client))?;
        Ok(one(self.lock.release_held(client, token)))
    }

    fn restart_service(&mut self) -> Events {
        self.lock.restart();
        one(Event::ServiceRestarted { issued: self.lock.issued() })
    }

    fn restart_resource(&mut self) -> Result<Events, Impossible> {
        let resource = self.resource()?;
        resource.restart();
        Ok(one(Event::ResourceRestarted { max: resource.max_token() }))
    }

    /// 送って、その場で届ける。
    fn write(&mut self, value: Value) -> Result<Events, Impossible> {
        let sent = self.send_off(value)?;
        let Some(Event::Sent { .. }) = sent.first() else { return Ok(sent) };
        let mut events = self.deliver(value)?;
        events.extend(self.look(value.by)?);
        Ok(events)
    }

    fn pause(&mut self, client: Client) -> Result<Events, Impossible> {
        self.running(client)?.condition = Condition::Paused;
        Ok(one(Event::Paused { client }))
    }

    fn resume(&mut self, client: Client) -> Result<Events, Impossible> {
        let actor = self.actor(client)?;
        if actor.condition != Condition::Paused {
            return Err(Impossible::NotPaused(client));
        }
        actor.condition = Condition::Running;
        let mut events = one(Event::Resumed { client });
        events.extend(self.look(client)?);
        Ok(events)
    }

    fn crash(&mut self, client: Client) -> Result<Events, Impossible> {
        if self.actor(client)?.condition == Condition::Crashed {
            return Err(Impossible::Crashed(client));
        }
        self.tell(client, Event::Crashed { client })
    }

    fn restart(&mut self, client: Client) -> Result<Events, Impossible> {
        let actor = self.actor(client)?;
        if actor.condition != Condition::Crashed {
            return Err(Impossible::NotCrashed(client));
        }
        actor.condition = Condition::Running;
        Ok(one(Event::Restarted { client }))
    }

    fn tick(&mut self, ticks: Time) -> Result<Events, Impossible> {
        let mut events = Events::from_iter(self.lock.tick(ticks)?);
        let now = self.lock.now();
        for actor in self.actors.iter_mut().flatten() {
            if let Some(at) = actor.reaches(now) {
                let event = Event::DeadlineReached { client: actor.view().client, at };
                actor.hear(&event);
                events.push(event);
            }
        }
        Ok(events)
    }
}

impl<L: Lock, R: Resource> System for World<L, R> {
    fn apply(&mut self, action: Action) -> Result<Events, Impossible> {
        match action {
            Action::Acquire(client) => self.acquire(client),
            Action::AcquireReplyLost(client) => self.acquire_unheard(client),
            Action::Renew(client) => self.renew(client),
            Action::Release(client) => self.release(client),
            Action::Check(client) => self.check(client),
            Action::Write(by, nth) => self.write(Value { by, nth }),
            Action::Send(by, nth) => self.send(Value { by, nth }),
            Action::Deliver(by, nth) => self.deliver(Value { by, nth }),
            Action::Pause(client) => self.pause(client),
            Action::Resume(client) => self.resume(client),
            Action::Crash(client) => self.crash(client),
            Action::Restart(client) => self.restart(client),
            Action::Read(client) => self.read(client),
            Action::Register(client) => self.register(client),
            Action::DeliverCopy(by, nth) => self.deliver_copy(Value { by, nth }),
            Action::SendRelease(client) => self.send_release(client),
            Action::DeliverRelease(client) => self.deliver_release(client),
            Action::RestartService => Ok(self.restart_service()),
            Action::RestartResource => self.restart_resource(),
            Action::Tick(ticks) => self.tick(ticks),
        }
    }

    fn observe(&self) -> Observation {
        Observation {
            now: self.lock.now(),
            holder: self.lock.holder(),
            expiry: self.lock.expiry(),
            issued: self.lock.issued(),
            resource: self.resource.as_ref().map(|resource| ResourceView {
                value: resource.value(),
                max_token: resource.max_token(),
            }),
            clients: self.actors.iter().flatten().map(Actor::view).collect(),
        }
    }
}

impl<L: Lock, R: Resource> Scene for World<L, R> {
    fn setup(&self) -> Setup {
        let mut actors = self.actors.iter().flatten();
        Setup {
            clients: actors.clone().count(),
            watches_clocks: actors.any(Actor::watches_clock),
            has_resource: self.resource.is_some(),
        }
    }

    fn play(&self, title: &str, actions: &[Action]) -> Result<Run, StoryError> {
        Run::play(title, self.clone(), actions)
    }

    fn trace(&self, actions: &[Action]) -> Trace {
        let mut world = self.clone();
        let step = |action: &Action| {
            let mut next = world.clone();
            let events = next.apply(*action)?;
            world = next;
            Ok(events)
        };
        actions.iter().map(step).collect()
    }
}
