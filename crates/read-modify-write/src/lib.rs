//! 読んで書き戻すときに、フェンシングだけでは残る隙間と、そのふさぎ方。
//!
//! 出典: DDIA 第 2 版の第 9 章(新しい持ち主は、まず書いて柵を立てる)、
//! Apache Kafka のブローカーが確かめる順番(同じ書き手の中の重複と順序)。
//!
//! ```
//! use read_modify_write::{RegisteringResource, Resource};
//! use stage::{Asked, Client, Event, Refusal, Token, Value};
//!
//! let mut row = RegisteringResource::new();
//! row.register(Client::B, Token(2))?;
//! let late = Value { by: Client::A, nth: 1 };
//! let refused = row.write(Token(1), late);
//! let reason = Refusal::Older { max: Token(2) };
//! assert_eq!(refused, Event::Rejected { asked: Asked::Write(late), token: Token(1), reason });
//! # Ok::<(), stage::Impossible>(())
//! ```

mod compare_and_set;
mod forgetful;
mod held;
mod registering;
mod remedies;
mod sequenced;
mod stories;

pub use compare_and_set::CompareAndSet;
pub use forgetful::{ForgetfulResource, RestoredService};
pub use held::HeldService;
pub use registering::RegisteringResource;
pub use sequenced::{LargerSequence, NextSequence};
pub use stage::{Lock, Packet, Resource};
pub use stories::chapter;
