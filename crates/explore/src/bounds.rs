//! 調べる範囲。時刻・取得・書き込みに限りがなければ、状態は尽きない。

use stage::{Client, Time};

/// 調べる範囲。この中の順序は、一つ残らず調べる。
///
/// 客は二人。三人で調べるなら、舞台に C を加える([`Variant::and_c`](crate::Variant::and_c))。
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// 取得が認められる回数。全員を合わせて数える
    pub grants: u8,
    /// 一度の保持で送る書き込みの数
    pub writes: u8,
    /// 書き込みの写しが届く回数。全部を合わせて数える
    pub copies: u8,
    /// 時刻をここまで進める。単位は刻み
    pub horizon: Time,
    /// 持っている客が止まるか。一度に一人まで
    pub pauses: bool,
    /// 持っている客が落ちて、動き出すか。一度に一人まで
    pub crashes: bool,
    /// リースを延長するか
    pub renews: bool,
    /// 解放の頼みが途中にとどまるか
    pub slow_releases: bool,
    /// ロックサービスと資源が再起動するか
    pub restarts: bool,
}

/// 調べられない範囲。
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadBounds {
    /// 値の番号が尽きる
    #[error("取得 {0} 回と、一度の保持の書き込み {1} 個では、値の番号が尽きる。積を {max} までにする", max = u8::MAX)]
    TooManyValues(u8, u8),
}

impl Bounds {
    // ANCHOR: page
    /// 本のページで使う範囲。
    pub const PAGE: Bounds = Bounds {
        grants: 3,
        writes: 2,
        copies: 1,
        horizon: 4,
        pauses: true,
        crashes: true,
        renews: true,
        slow_releases: false,
        restarts: true,
    };
    // ANCHOR_END: page

    /// 調べられる範囲かを確かめる。
    ///
    /// # Errors
    /// 書き込みを見分ける番号が足りないとき。
    pub fn validate(&self) -> Result<(), BadBounds> {
        let values = self.grants.checked_mul(self.writes);
        values.map(|_| ()).ok_or(BadBounds::TooManyValues(self.grants, self.writes))
    }

    /// `grant` 度目の保持で、`sent` 個を送った客が次に書く値の番号。どの書き込みの番号も違う。
    pub(crate) fn nth(&self, grant: u64, sent: u64) -> u8 {
        let grant = u8::try_from(grant).unwrap_or(u8::MAX);
        let before = grant.saturating_sub(1).saturating_mul(self.writes);
        before.saturating_add(u8::try_from(sent).unwrap_or(u8::MAX)).saturating_add(1)
    }

    /// まだ一度も取得していない客のうち、取得してよいのは名前の順で先頭の一人だけ。
    ///
    /// 取得する前の客は見分けがつかない。先に取得したほうを A と呼べば、名前を入れ替えただけの順序を調べずに済む。
    pub(crate) fn may_acquire(&self, client: Client, grants: u64, met: u8) -> bool {
        grants < u64::from(self.grants) && client as u8 <= met
    }
}
