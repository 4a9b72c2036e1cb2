//! 網。送られた書き込みは、届くまで途中にとどまる。遅れも順序の入れ替わりもある。

use crate::actor::Hold;
use crate::impossible::Impossible;
use crate::vocabulary::{Client, Token, Value};

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

/// 送られた書き込み。
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Sent {
    /// 資源に届くもの
    pub(crate) packet: Packet,
    /// 何度目に認められた取得のものか。資源には届かず、起きたことを言い表すときにだけ使う
    pub(crate) grant: u64,
}

/// 途中にとどまっているもの。
///
/// 書き込みは、送られた順ではなく値の順に並べる。どの順に送られても、届きうるものが同じなら同じ状態だからである。
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Transit {
    packets: [Option<Sent>; Transit::CAPACITY],
    /// 解放の頼みと、終わらせたい保持
    pub(crate) release: Option<(Client, Hold)>,
}

impl Transit {
    /// 途中にとどまれる書き込みの数。いっぱいなら、送る手は起こりえない。
    pub const CAPACITY: usize = 4;

    /// 途中の書き込み。値の順。
    pub fn packets(&self) -> impl Iterator<Item = &Packet> {
        self.packets.iter().flatten().map(|sent| &sent.packet)
    }

    /// 途中の解放の頼みと、終わらせたい保持。
    #[must_use]
    pub fn release(&self) -> Option<(Client, Hold)> {
        self.release
    }

    pub(crate) fn send(&mut self, sent: Sent) -> Result<(), Impossible> {
        let value = sent.packet.value;
        if self.copy(value).is_ok() {
            return Err(Impossible::AlreadyInFlight(value));
        }
        if self.packets().count() == Transit::CAPACITY {
            return Err(Impossible::NetworkFull(Transit::CAPACITY));
        }
        let at = self.place(value);
        self.packets[at..].rotate_right(1);
        self.packets[at] = Some(sent);
        Ok(())
    }

    pub(crate) fn copy(&self, value: Value) -> Result<Sent, Impossible> {
        let mut sent = self.packets.iter().flatten();
        let found = sent.find(|sent| sent.packet.value == value);
        found.copied().ok_or(Impossible::NotInFlight(value))
    }

    pub(crate) fn take(&mut self, value: Value) -> Result<Sent, Impossible> {
        let sent = self.copy(value)?;
        let at = self.place(value);
        self.packets[at] = None;
        self.packets[at..].rotate_left(1);
        Ok(sent)
    }

    /// 値の順で、`value` を置く所。
    fn place(&self, value: Value) -> usize {
        self.packets.partition_point(|slot| slot.is_some_and(|sent| sent.packet.value < value))
    }
}
