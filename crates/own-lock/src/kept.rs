//! 読者の部品を、番号で指せるようにする。
//!
//! 探索は、状態を何十万も写す。読者の部品が `Vec` などを持っていても写せるように、出てきた状態を棚に
//! 一つずつ置き、探索には棚の番号だけを渡す。読者のコードのパニックも、ここで受け止める。

use std::cell::RefCell;
use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use stage::{
    Asked, Client, Event, Holder, Impossible, Lock, Packet, Refusal, Resource, Time, Token, Value,
};

use crate::caught::caught;

/// 出てきた状態の棚。写しても、同じ棚を指す。
pub(crate) struct Shelf<T>(Rc<RefCell<Inner<T>>>);

impl<T> Clone for Shelf<T> {
    fn clone(&self) -> Shelf<T> {
        Shelf(Rc::clone(&self.0))
    }
}

struct Inner<T> {
    items: Vec<Rc<T>>,
    numbers: HashMap<Rc<T>, usize>,
    panic: Option<String>,
}

impl<T: Clone + Eq + Hash> Shelf<T> {
    pub(crate) fn new() -> Shelf<T> {
        let inner = Inner { items: Vec::new(), numbers: HashMap::new(), panic: None };
        Shelf(Rc::new(RefCell::new(inner)))
    }

    /// 棚に置き、番号で指すものを返す。
    pub(crate) fn keep(&self, item: T) -> Kept<T> {
        Kept { number: self.number(item), shelf: self.clone() }
    }

    /// 前に聞いてから読者のコードがパニックしていれば、初めの理由。
    pub(crate) fn take_panic(&self) -> Option<String> {
        self.0.borrow_mut().panic.take()
    }

    fn number(&self, item: T) -> usize {
        let inner = &mut *self.0.borrow_mut();
        if let Some(&number) = inner.numbers.get(&item) {
            return number;
        }
        let (item, number) = (Rc::new(item), inner.items.len());
        inner.items.push(Rc::clone(&item));
        inner.numbers.insert(item, number);
        number
    }

    fn item(&self, number: usize) -> Rc<T> {
        Rc::clone(&self.0.borrow().items[number])
    }

    fn fail(&self, reason: String) {
        self.0.borrow_mut().panic.get_or_insert(reason);
    }
}

/// 棚に置かれた部品。番号が同じなら、同じ状態である。
pub(crate) struct Kept<T> {
    number: usize,
    shelf: Shelf<T>,
}

impl<T> Clone for Kept<T> {
    fn clone(&self) -> Self {
        Kept { number: self.number, shelf: self.shelf.clone() }
    }
}

impl<T> PartialEq for Kept<T> {
    fn eq(&self, other: &Self) -> bool {
        self.number == other.number
    }
}

impl<T> Eq for Kept<T> {}

impl<T> Hash for Kept<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.number.hash(state);
    }
}

impl<T: Clone + Eq + Hash> Kept<T> {
    /// 部品の写し。
    pub(crate) fn item(&self) -> T {
        T::clone(&self.shelf.item(self.number))
    }

    fn change<O>(&mut self, call: impl FnOnce(&mut T) -> O) -> Option<O> {
        let mut next = self.item();
        match caught(|| call(&mut next)) {
            Ok(out) => {
                self.number = self.shelf.number(next);
                Some(out)
            }
            Err(reason) => {
                self.shelf.fail(reason);
                None
            }
        }
    }

    fn look<O>(&self, call: impl FnOnce(&T) -> O) -> Option<O> {
        let item = self.shelf.item(self.number);
        caught(|| call(&item)).map_err(|reason| self.shelf.fail(reason)).ok()
    }
}

/// パニックした呼び出しは、起こりえない手か、断られたことにする。探索は、その前に棚のパニックを見つけて止まる。
impl<L: Lock + Eq + Hash> Lock for Kept<L> {
    fn acquire(&mut self, client: Client) -> Result<Event, Impossible> {
        self.change(|lock| lock.acquire(client)).unwrap_or(Err(Impossible::Panicked))
    }

    fn renew(&mut self, client: Client) -> Result<Event, Impossible> {
        self.change(|lock| lock.renew(client)).unwrap_or(Err(Impossible::Panicked))
    }

    fn renew_held(&mut self, client: Client, token: Token) -> Result<Event, Impossible> {
        self.change(|lock| lock.renew_held(client, token)).unwrap_or(Err(Impossible::Panicked))
    }

    fn release(&mut self, client: Client) -> Event {
        self.change(|lock| lock.release(client)).unwrap_or(Event::ReleaseRefused { client })
    }

    fn release_held(&mut self, client: Client, token: Token) -> Event {
        let released = self.change(|lock| lock.release_held(client, token));
        released.unwrap_or(Event::ReleaseRefused { client })
    }

    fn restart(&mut self) {
        self.change(Lock::restart);
    }

    fn tick(&mut self, ticks: Time) -> Result<Option<Event>, Impossible> {
        self.change(|lock| lock.tick(ticks)).unwrap_or(Err(Impossible::Panicked))
    }

    fn now(&self) -> Time {
        self.look(Lock::now).unwrap_or_default()
    }

    fn holder(&self) -> Option<Holder> {
        self.look(Lock::holder).flatten()
    }

    fn expiry(&self) -> Option<Time> {
        self.look(Lock::expiry).flatten()
    }

    fn issued(&self) -> Token {
        self.look(Lock::issued).unwrap_or_default()
    }
}

impl<R: Resource + Eq + Hash> Resource for Kept<R> {
    fn write(&mut self, token: Token, value: Value) -> Event {
        let refused = Event::Rejected {
            asked: Asked::Write(value),
            token,
            reason: Refusal::Older { max: token },
        };
        self.change(|resource| resource.write(token, value)).unwrap_or(refused)
    }

    fn deliver(&mut self, packet: &Packet) -> Event {
        let Packet { value, token, .. } = *packet;
        let refused = Event::Rejected {
            asked: Asked::Write(value),
            token,
            reason: Refusal::Older { max: token },
        };
        self.change(|resource| resource.deliver(packet)).unwrap_or(refused)
    }

    fn read(&mut self, client: Client, token: Token) -> Event {
        let refused = Event::Rejected {
            asked: Asked::Read(client),
            token,
            reason: Refusal::Older { max: token },
        };
        self.change(|resource| resource.read(client, token)).unwrap_or(refused)
    }

    fn register(&mut self, client: Client, token: Token) -> Result<Event, Impossible> {
        self.change(|resource| resource.register(client, token))
            .unwrap_or(Err(Impossible::Panicked))
    }

    fn restart(&mut self) {
        self.change(Resource::restart);
    }

    fn value(&self) -> Option<Value> {
        self.look(Resource::value).flatten()
    }

    fn max_token(&self) -> Token {
        self.look(Resource::max_token).unwrap_or_default()
    }
}
