//! 網。送られた書き込みは、届くまで途中にとどまる。遅れも順序の入れ替わりもある。

use timeline::{Impossible, Token, Value};

/// 途中にとどまれる書き込みの数。
const CAPACITY: usize = 4;

/// 途中の書き込み。
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Packet {
    /// 書く値
    pub value: Value,
    /// 添えたトークン
    pub token: Token,
    /// 書いた客が読んでいた値。読まずに書いたなら `None`
    pub base: Option<Option<Value>>,
    /// 同じ保持の中で何番目の書き込みか。1 から数える
    pub sequence: u64,
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

    pub(crate) fn copy(&self, value: Value) -> Result<Packet, Impossible> {
        let found = self.packets.iter().flatten().find(|packet| packet.value == value);
        found.copied().ok_or(Impossible::NotInFlight(value))
    }

    pub(crate) fn take(&mut self, value: Value) -> Result<Packet, Impossible> {
        let is_it = |slot: &&mut Option<Packet>| slot.is_some_and(|packet| packet.value == value);
        let slot = self.packets.iter_mut().find(is_it);
        slot.and_then(Option::take).ok_or(Impossible::NotInFlight(value))
    }
}
