//! どんな模型でも、起こりうる順序を近いほうからすべて調べ、性質を破るいちばん短い手の列を見つける。
//!
//! 模型が何を表すかは知らない。状態を[部品](Part)に分けて、同じ部品は一度だけ置く。
//!
//! ```
//! use std::ops::ControlFlow;
//!
//! use check::{Broken, End, Limits, Model, Monitor, Part, Strategy, check};
//!
//! /// 3 リットルと 5 リットルの容器。
//! struct Jugs;
//!
//! #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
//! enum Act {
//!     Fill(usize),
//!     Empty(usize),
//!     PourFrom(usize),
//! }
//!
//! impl Model for Jugs {
//!     type State = [Part<u8>; 2];
//!     type Action = Act;
//!     type Event = u8;
//!
//!     fn start(&self) -> Self::State {
//!         [Part::new(0), Part::new(0)]
//!     }
//!
//!     fn actions(&self, _: &Self::State, out: &mut Vec<Act>) {
//!         out.extend([0, 1].map(Act::Fill));
//!         out.extend([0, 1].map(Act::Empty));
//!         out.extend([0, 1].map(Act::PourFrom));
//!     }
//!
//!     fn step(&self, jugs: &mut Self::State, action: Act, events: &mut Vec<u8>) -> bool {
//!         let size = [3, 5];
//!         match action {
//!             Act::Fill(jug) => *jugs[jug] = size[jug],
//!             Act::Empty(jug) => *jugs[jug] = 0,
//!             Act::PourFrom(jug) => {
//!                 let other = 1 - jug;
//!                 let poured = (*jugs[jug]).min(size[other] - *jugs[other]);
//!                 *jugs[jug] -= poured;
//!                 *jugs[other] += poured;
//!             }
//!         }
//!         events.push(*jugs[1]);
//!         true
//!     }
//! }
//!
//! /// 性質 0: 大きい容器は 4 リットルにならない。
//! struct NeverFour;
//!
//! impl Monitor<u8> for NeverFour {
//!     type Memory = ();
//!
//!     fn start(&self) {}
//!
//!     fn hear(&self, (): &mut (), litres: &u8, broken: &mut Broken) {
//!         if *litres == 4 {
//!             broken.add(0);
//!         }
//!     }
//! }
//!
//! let watch = |_: &_| ControlFlow::Continue(());
//! let report = check(&Jugs, &NeverFour, Strategy::Breadth, Limits::NONE, watch);
//! assert_eq!((report.end, report.states), (End::Complete, 16));
//! assert_eq!(report.path(0).map(<[Act]>::len), Some(6));
//! ```

mod graph;
mod grown;
mod layout;
mod model;
mod part;
mod search;
mod seen;
mod shelves;

pub use graph::{Edge, Graph};
pub use model::{Broken, Model, Monitor, Unwatched, judge};
pub use part::{Part, Parts, Visitor};
pub use search::{End, Finding, Limits, Report, Strategy, Tally, check, graph, shortest};
