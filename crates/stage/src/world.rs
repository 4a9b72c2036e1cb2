//! 舞台。客と網を、錠と資源につなぐ。

use std::hash::Hash;

use check::{Part, Parts, Visitor};

use crate::action::Action;
use crate::actor::{Actor, Hold};
use crate::event::Event;
use crate::impossible::Impossible;
use crate::network::{Packet, Transit};
use crate::part::{Lock, NoResource, Resource};
use crate::run::{Run, StoryError};
use crate::story::{Scene, Setup, Trace};
use crate::system::{Events, System};
use crate::vocabulary::{Client, Condition, Observation, ResourceView, Time, Value};

/// 錠 `L` と資源 `R` を囲む舞台。二人の客 A と B がいる。
///
/// 第 I 部では錠とのやりとりは不可分で、途中にとどまるのは書き込みだけである。
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct World<L, R = NoResource> {
    /// 錠
    pub lock: Part<L>,
    /// 資源。錠だけの舞台では `None`
    pub resource: Part<Option<R>>,
    /// 客。名前の順。舞台にいない客は `None`
    pub actors: [Part<Option<Actor>>; Client::ALL.len()],
    /// 途中にとどまっているもの
    pub transit: Part<Transit>,
    /// 認められた取得の数
    pub grants: Part<u64>,
}

impl<L, R> Parts for World<L, R>
where
    L: Clone + Eq + Hash + 'static,
    R: Clone + Eq + Hash + 'static,
{
    fn visit(&mut self, visitor: &mut impl Visitor) {
        let World { lock, resource, actors, transit, grants } = self;
        lock.visit(visitor);
        resource.visit(visitor);
        actors.visit(visitor);
        transit.visit(visitor);
        grants.visit(visitor);
    }
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
        World {
            lock: Part::new(lock),
            resource: Part::new(resource),
            actors: actors.map(Part::new),
            transit: Part::default(),
            grants: Part::default(),
        }
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
        self.actors[2] = Part::new(Some(Actor::new(Client::C)));
        self
    }

    /// 客の全員が、自分の時計で期限を見るようにする。
    #[must_use]
    pub fn watching_clocks(mut self) -> World<L, R> {
        let actors = self.actors.iter_mut().filter_map(|actor| actor.as_mut());
        actors.for_each(|actor| actor.watches_clock = true);
        self
    }

    /// 舞台にいる客。名前の順。
    pub fn clients(&self) -> impl Iterator<Item = &Actor> {
        self.actors.iter().filter_map(|actor| actor.as_ref())
    }

    /// 客 `client`。舞台にいなければ `None`。
    pub fn client(&self, client: Client) -> Option<&Actor> {
        self.actors[client as usize].as_ref()
    }

    fn actor(&mut self, client: Client) -> Result<&mut Actor, Impossible> {
        let actor = self.actors[client as usize].as_mut();
        actor.ok_or(Impossible::UnknownClient(client))
    }

    /// 動いている客。
    fn running(&self, client: Client) -> Result<&Actor, Impossible> {
        let actor = self.client(client).ok_or(Impossible::UnknownClient(client))?;
        match actor.condition {
            Condition::Running => Ok(actor),
            Condition::Paused => Err(Impossible::Paused(client)),
            Condition::Crashed => Err(Impossible::Crashed(client)),
        }
    }

    /// 客に返事を聞かせる。
    fn tell(&mut self, client: Client, event: Event) -> Result<Events, Impossible> {
        let grants = *self.grants;
        self.actor(client)?.hear(&event, grants);
        Ok(one(event))
    }

    /// 錠に取得を頼み、認められたなら数える。
    fn ask_to_acquire(&mut self, client: Client) -> Result<Event, Impossible> {
        self.running(client)?;
        let event = self.lock.acquire(client)?;
        if let Event::Acquired { .. } = event {
            *self.grants += 1;
        }
        Ok(event)
    }

    fn acquire(&mut self, client: Client) -> Result<Events, Impossible> {
        let event = self.ask_to_acquire(client)?;
        self.tell(client, event)
    }

    fn acquire_unheard(&mut self, client: Client) -> Result<Events, Impossible> {
        let event = self.ask_to_acquire(client)?;
        Ok(Events::from_iter([event, Event::ReplyLost { client }]))
    }

    fn renew(&mut self, client: Client) -> Result<Events, Impossible> {
        let event = match self.running(client)?.belief() {
            Some(Hold { token, .. }) => self.lock.renew_held(client, token)?,
            None => self.lock.renew(client)?,
        };
        self.tell(client, event)
    }

    fn release(&mut self, client: Client) -> Result<Events, Impossible> {
        let event = match self.running(client)?.belief() {
            Some(Hold { token, .. }) => self.lock.release_held(client, token),
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
        let Some(hold) = actor.hold_to_write() else {
            return Ok(one(Event::Withheld { client }));
        };
        self.transit.send(actor.writes(value, hold))?;
        self.actor(client)?.has_sent(value);
        Ok(one(Event::Sent { value, token: hold.token }))
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
        let Some(deadline) = self.running(client)?.notices() else { return Ok(None) };
        let event = Event::CheckFailed { client, at, deadline };
        self.tell(client, event)?;
        Ok(Some(event))
    }

    /// 途中の書き込みを資源に届ける。送り主が止まっていたり落ちていたりしても届く。
    fn deliver(&mut self, value: Value) -> Result<Events, Impossible> {
        let sent = self.transit.take(value)?;
        self.arrive(&sent.packet)
    }

    /// 途中の書き込みの写しを届ける。元は途中に残る。
    fn deliver_copy(&mut self, value: Value) -> Result<Events, Impossible> {
        let sent = self.transit.copy(value)?;
        self.arrive(&sent.packet)
    }

    fn arrive(&mut self, packet: &Packet) -> Result<Events, Impossible> {
        let event = self.resource()?.deliver(packet);
        let sender = packet.value.by;
        // 動いていない客は、判定の返事を聞けない。
        if self.running(sender).is_ok() {
            return self.tell(sender, event);
        }
        Ok(one(event))
    }

    fn resource(&mut self) -> Result<&mut R, Impossible> {
        self.resource.as_mut().ok_or(Impossible::NoResource)
    }

    /// `client` が持っているつもりの保持。
    fn hold(&self, client: Client) -> Result<Hold, Impossible> {
        self.running(client)?.belief().ok_or(Impossible::NoToken(client))
    }

    fn read(&mut self, client: Client) -> Result<Events, Impossible> {
        let token = self.hold(client)?.token;
        let event = self.resource()?.read(client, token);
        self.tell(client, event)
    }

    fn register(&mut self, client: Client) -> Result<Events, Impossible> {
        let token = self.hold(client)?.token;
        let event = self.resource()?.register(client, token)?;
        self.tell(client, event)
    }

    fn send_release(&mut self, client: Client) -> Result<Events, Impossible> {
        let hold = self.hold(client)?;
        if let Some((sender, _)) = self.transit.release {
            return Err(Impossible::ReleaseInFlight(sender));
        }
        self.transit.release = Some((client, hold));
        self.tell(client, Event::ReleaseSent { client, token: hold.token })
    }

    /// 途中の解放の頼みを届ける。頼んだ客は、もう返事を待っていない。
    fn deliver_release(&mut self, client: Client) -> Result<Events, Impossible> {
        let sent = self.transit.release.take_if(|(sender, _)| *sender == client);
        let (client, hold) = sent.ok_or(Impossible::NoReleaseInFlight(client))?;
        Ok(one(self.lock.release_held(client, hold.token)))
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
        self.running(client)?;
        self.actor(client)?.condition = Condition::Paused;
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
        for client in Client::ALL {
            // 期限のまだの客には、触れない。
            if !self.client(client).is_some_and(|actor| actor.is_due(now)) {
                continue;
            }
            if let Some(at) = self.actor(client)?.reaches(now) {
                events.extend(self.tell(client, Event::DeadlineReached { client, at })?);
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
            clients: self.clients().map(Actor::view).collect(),
        }
    }
}

impl<L: Lock, R: Resource> Scene for World<L, R> {
    fn setup(&self) -> Setup {
        let mut actors = self.clients();
        Setup {
            clients: self.clients().count(),
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
