//! 筋書きの一手。手と、それを述べる短い文を、一つのファイルに置く。

use crate::vocabulary::{Client, Time};

/// 筋書きの一手。
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// ロックの取得を頼む
    Acquire(Client),
    /// ロックの取得を頼むが、返事だけが途中で失われる
    AcquireReplyLost(Client),
    /// リースの延長を頼む
    Renew(Client),
    /// ロックの解放を頼む
    Release(Client),
    /// 自分の時計で、まだ期限の前かを確かめる
    Check(Client),
    /// 値を書く。送った書き込みは、その場で資源に届く
    Write(Client, u8),
    /// 値を書く。送った書き込みは、[`Action::Deliver`] まで途中にとどまる
    Send(Client, u8),
    /// 途中にとどまっていた書き込みが資源に届く
    Deliver(Client, u8),
    /// 客を止める(GC、VM の一時停止など)。止まった客は自分では気づけない
    Pause(Client),
    /// 止まっていた客が、止まった所から続ける
    Resume(Client),
    /// 客が落ちる。持っていた記憶は失われる
    Crash(Client),
    /// 落ちた客が、記憶のない状態で動き出す
    Restart(Client),
    /// 資源の値を読む
    Read(Client),
    /// 自分のトークンを資源に登録する
    Register(Client),
    /// 途中の書き込みの写しが届く。元は途中に残る
    DeliverCopy(Client, u8),
    /// 解放を頼む。頼みは [`Action::DeliverRelease`] まで途中にとどまる
    SendRelease(Client),
    /// 途中にとどまっていた解放の頼みが届く
    DeliverRelease(Client),
    /// ロックサービスが再起動する
    RestartService,
    /// 資源が再起動する
    RestartResource,
    /// 論理時刻を進める。単位は刻み
    Tick(Time),
}

impl Action {
    /// この手の主。客の手でなければ `None`。
    #[must_use]
    pub fn client(&self) -> Option<Client> {
        match *self {
            Action::Acquire(client)
            | Action::AcquireReplyLost(client)
            | Action::Renew(client)
            | Action::Release(client)
            | Action::Check(client)
            | Action::Write(client, _)
            | Action::Send(client, _)
            | Action::Deliver(client, _)
            | Action::Pause(client)
            | Action::Resume(client)
            | Action::Crash(client)
            | Action::Restart(client)
            | Action::Read(client)
            | Action::Register(client)
            | Action::DeliverCopy(client, _)
            | Action::SendRelease(client)
            | Action::DeliverRelease(client) => Some(client),
            Action::RestartService | Action::RestartResource | Action::Tick(_) => None,
        }
    }

    /// この手を述べる短い文。
    #[must_use]
    pub fn words(&self) -> String {
        match self {
            Action::Acquire(client) => format!("{client}: 取得する"),
            Action::AcquireReplyLost(client) => format!("{client}: 取得する(返事は失われる)"),
            Action::Renew(client) => format!("{client}: 延長する"),
            Action::Release(client) => format!("{client}: 解放する"),
            Action::Check(client) => format!("{client}: 時計を見る"),
            Action::Write(client, nth) => format!("{client}: {client}{nth} を書く"),
            Action::Send(client, nth) => format!("{client}: {client}{nth} を送る"),
            Action::Deliver(client, nth) => format!("{client}{nth} が届く"),
            Action::Pause(client) => format!("{client}: 止まる"),
            Action::Resume(client) => format!("{client}: 再開する"),
            Action::Crash(client) => format!("{client}: 落ちる"),
            Action::Restart(client) => format!("{client}: 再起動する"),
            Action::Read(client) => format!("{client}: 読む"),
            Action::Register(client) => format!("{client}: 登録する"),
            Action::DeliverCopy(client, nth) => format!("{client}{nth} の写しが届く"),
            Action::SendRelease(client) => format!("{client}: 解放の頼みを送る"),
            Action::DeliverRelease(client) => format!("{client} の解放の頼みが届く"),
            Action::RestartService => "ロックサービスが再起動する".to_owned(),
            Action::RestartResource => "資源が再起動する".to_owned(),
            Action::Tick(ticks) => format!("時刻を {ticks} 進める"),
        }
    }
}
