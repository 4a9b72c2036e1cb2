//! 網。送られた書き込みは、届くまで途中にとどまる。遅れも順序の入れ替わりもある。

use timeline::{Impossible, Token, Value};

/// 途中にとどまれる書き込みの数。
const CAPACITY: usize = 4;

/// 途中の書き込み。
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Packet {
    pub(crate) value: Value,
    pub(crate) token: Token,
}

/// 途中の書き込みの集まり。
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Network {
    packets: [Option<Packet>; CAPACITY],
}

impl Network {
    pub(crate) fn send(&mut self, packet: Packet) -> Result<(), Impossible> {
        if self.packets.iter().flatten().any(|other| other.value == packet.value) {
            return Err(Impossible::AlreadyInFlight(packet.value));
        }
        let free = self.packets.iter_mut().find(|slot| slot.is_none());
        *free.ok_or(Impossible::NetworkFull(CAPACITY))? = Some(packet);
        Ok(())
    }

    pub(crate) fn take(&mut self, value: Value) -> Result<Packet, Impossible> {
        let is_it = |slot: &&mut Option<Packet>| slot.is_some_and(|packet| packet.value == value);
        let slot = self.packets.iter_mut().find(is_it);
        slot.and_then(Option::take).ok_or(Impossible::NotInFlight(value))
    }
}
