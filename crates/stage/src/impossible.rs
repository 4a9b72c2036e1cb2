//! 起こりえない一手。

use crate::vocabulary::{Client, Value};

/// 筋書きに書かれているが、起こりえない一手。
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Impossible {
    /// 舞台にいない客
    #[error("{0} はこの舞台にいない。舞台を作るときの人数を増やす")]
    UnknownClient(Client),
    /// 止まっている客の手
    #[error("{0} は停止中で、何もできない。先に Resume({0}) を置く")]
    Paused(Client),
    /// 落ちている客の手
    #[error("{0} は落ちていて、何もできない。先に Restart({0}) を置く")]
    Crashed(Client),
    /// 止まっていない客の再開
    #[error("{0} は停止していないので、再開できない。先に Pause({0}) を置く")]
    NotPaused(Client),
    /// 落ちていない客の再起動
    #[error("{0} は落ちていないので、再起動できない。先に Crash({0}) を置く")]
    NotCrashed(Client),
    /// 期限を知らない客の検査
    #[error("{0} は期限を聞いていないので、時計と比べられない。先に取得させる")]
    NoDeadline(Client),
    /// 資源のない舞台での書き込み
    #[error("この舞台には資源がないので、書き込めない。World::with_resource で作る")]
    NoResource,
    /// 途中にない書き込みの到着
    #[error("{0} は途中にないので、届けられない。先に Send を置く")]
    NotInFlight(Value),
    /// 途中に同じ値がもうある
    #[error("{0} はもう途中にある。別の番号の値を送る")]
    AlreadyInFlight(Value),
    /// 途中の書き込みが多すぎる
    #[error("途中にとどまれる書き込みは {0} 個まで。先に Deliver で届ける")]
    NetworkFull(usize),
    /// 登録のない資源への登録
    #[error("この資源にはトークンを登録できない。登録のある資源を使う")]
    NotRegistrable,
    /// 持っているつもりのない客の登録や解放の頼み
    #[error("{0} は持っているつもりがないので、添えるトークンがない。先に取得させる")]
    NoToken(Client),
    /// 途中にない解放の到着
    #[error("{0} の解放の頼みは途中にない。先に SendRelease({0}) を置く")]
    NoReleaseInFlight(Client),
    /// 途中にもう解放がある
    #[error("解放の頼みはもう途中にある。先に DeliverRelease({0}) で届ける")]
    ReleaseInFlight(Client),
    /// 期限のないロックの延長
    #[error("期限のないロックは延長できない。リースのあるロックを使う")]
    NotRenewable,
    /// 錠か資源のパニック
    #[error("錠か資源の部品がパニックした。部品のコードを直す")]
    Panicked,
    /// 時刻の桁あふれ
    #[error("論理時刻が表せる範囲を超える。Tick とリースの長さを小さくする")]
    TimeOverflow,
    /// トークンの桁あふれ
    #[error("トークンをこれ以上大きくできない。小さい番号に戻すことはしない")]
    TokenOverflow,
}
