//! 筋書きの語彙。誰が何をしたか([`Action`])、何が起きたか([`Event`])、
//! 外から何が見えるか([`Observation`])だけを決める。ロックの規則はここにはない。

use std::fmt;

use serde::Serialize;
use smallvec::SmallVec;

/// 論理時刻。単位は刻み(tick)で、実時間との対応は筋書きごとに読み替える。
pub type Time = u64;

/// フェンシングトークン。取得のたびにロックサービスが大きくして配る番号。
///
/// 出典: Burrows 2006 の sequencer(lock generation number)、Kleppmann 2016 の fencing token。
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Token(pub u64);

impl Token {
    /// まだ番号がないこと。番号を配らないロックと、何も受け付けていない資源が使う。
    pub const NONE: Token = Token(0);

    /// 次に配る番号。もう大きくできないときは `None` で、折り返して小さくなることはない。
    #[must_use]
    pub fn next(self) -> Option<Token> {
        self.0.checked_add(1).map(Token)
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// ロックを使うプロセス(客)。第 I 部では、名前だけで見分けられる。
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub enum Client {
    /// 客 A
    A,
    /// 客 B
    B,
    /// 客 C
    C,
}

impl Client {
    /// 名前の順に並べた、すべての客。
    pub const ALL: [Client; 3] = [Client::A, Client::B, Client::C];
}

impl fmt::Display for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

/// 資源に書く値。「誰の、何番目の値か」だけを持ち、`A1` のように表示する。
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Value {
    /// 書いた客
    pub by: Client,
    /// その客の何番目の値か
    pub nth: u8,
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.by, self.nth)
    }
}

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
}

/// 一手の結果として起きたこと。
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Event {
    /// ロックサービスが取得を認めた
    Acquired {
        /// 新しい持ち主
        client: Client,
        /// 配ったトークン
        token: Token,
        /// リースの期限(この時刻には失効している)。期限のないロックでは `None`
        expiry: Option<Time>,
    },
    /// 取得が断られた。状態は変わらない
    Busy {
        /// 断られた客
        client: Client,
        /// 今の持ち主
        holder: Client,
        /// 今の持ち主の期限
        expiry: Option<Time>,
    },
    /// 取得の返事が客に届かなかった
    ReplyLost {
        /// 返事を受け取れなかった客
        client: Client,
    },
    /// リースが延長された。トークンは変わらない
    Renewed {
        /// 持ち主
        client: Client,
        /// 変わらないトークン
        token: Token,
        /// 新しい期限。期限のないロックでは `None`
        expiry: Option<Time>,
    },
    /// 延長が断られた
    RenewRefused {
        /// 断られた客
        client: Client,
    },
    /// ロックが解放された
    Released {
        /// 解放した客
        client: Client,
    },
    /// 解放が断られた。状態は変わらない
    ReleaseRefused {
        /// 断られた客
        client: Client,
    },
    /// リースが期限を迎えて失効した
    Expired {
        /// それまでの持ち主
        client: Client,
        /// 失効した時刻(= 期限)。時刻を進めた先ではない
        at: Time,
    },
    /// 客が自分の時計を見て、まだ期限の前だと判断した
    CheckPassed {
        /// 確かめた客
        client: Client,
        /// 確かめた時刻
        at: Time,
        /// 取得や延長の返事で聞いた期限
        deadline: Time,
    },
    /// 客が自分の時計を見て、期限を過ぎていると知った
    CheckFailed {
        /// 確かめた客
        client: Client,
        /// 確かめた時刻
        at: Time,
        /// 取得や延長の返事で聞いた期限
        deadline: Time,
    },
    /// 自分の時計を見る客が、聞いていた期限を迎えた
    DeadlineReached {
        /// 期限を迎えた客
        client: Client,
        /// 聞いていた期限
        at: Time,
    },
    /// 持っているつもりのない客が、書き込みを見送った
    Withheld {
        /// 見送った客
        client: Client,
    },
    /// 書き込みが送り出された。まだ資源には届いていない
    Sent {
        /// 書く値
        value: Value,
        /// 添えたトークン
        token: Token,
    },
    /// 資源が書き込みを受理した
    Accepted {
        /// 書かれた値
        value: Value,
        /// 添えられていたトークン
        token: Token,
        /// 比べた相手(受理する前の最大)。比べない資源では `None`
        compared: Option<Token>,
    },
    /// 資源が書き込みを拒否した
    Rejected {
        /// 書かれなかった値
        value: Value,
        /// 添えられていたトークン
        token: Token,
        /// 比べた相手(それまでの最大)
        max: Token,
    },
    /// 資源が、番号が等しくない書き込みを拒否した
    Mismatched {
        /// 書かれなかった値
        value: Value,
        /// 添えられていたトークン
        token: Token,
        /// 等しいことを求めたトークン
        wanted: Token,
    },
    /// 客が資源の値を読んだ
    Read {
        /// 読んだ客
        client: Client,
        /// 読んだ値。空なら `None`
        value: Option<Value>,
    },
    /// 資源が、古いトークンの読み取りを拒否した
    ReadRefused {
        /// 読めなかった客
        client: Client,
        /// 添えたトークン
        token: Token,
        /// 比べた相手(それまでの最大)
        max: Token,
    },
    /// 資源がトークンを登録した
    Registered {
        /// 登録した客
        client: Client,
        /// 登録したトークン
        token: Token,
        /// 比べた相手(登録する前の最大)
        max: Token,
    },
    /// 資源が、古いトークンの登録を拒否した
    RegisterRefused {
        /// 登録できなかった客
        client: Client,
        /// 添えたトークン
        token: Token,
        /// 比べた相手(それまでの最大)
        max: Token,
    },
    /// 資源が、読んだときから値が変わった書き込みを拒否した
    Conflicted {
        /// 書かれなかった値
        value: Value,
        /// 書いた客が読んでいた値
        base: Option<Value>,
        /// 今の値
        current: Option<Value>,
    },
    /// 資源が、順番でない書き込みを拒否した
    OutOfOrder {
        /// 書かれなかった値
        value: Value,
        /// 添えられていた順番(1 から数える)
        sequence: u64,
        /// 次に来るはずの順番
        next: u64,
    },
    /// 解放の頼みが送り出された。まだロックサービスには届いていない
    ReleaseSent {
        /// 頼んだ客
        client: Client,
        /// 添えたトークン
        token: Token,
    },
    /// ロックサービスが再起動した
    ServiceRestarted {
        /// 再起動したあとの、最後に配ったトークン
        issued: Token,
    },
    /// 資源が再起動した
    ResourceRestarted {
        /// 再起動したあとの最大
        max: Token,
    },
    /// 客が止まった
    Paused {
        /// 止まった客
        client: Client,
    },
    /// 客が再開した
    Resumed {
        /// 再開した客
        client: Client,
    },
    /// 客が落ちた
    Crashed {
        /// 落ちた客
        client: Client,
    },
    /// 客が記憶のない状態で動き出した
    Restarted {
        /// 動き出した客
        client: Client,
    },
}

/// ロックの持ち主。
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Holder {
    /// 持っている客
    pub client: Client,
    /// そのとき配られたトークン
    pub token: Token,
}

/// 客の動作の状態。
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Condition {
    /// 動いている
    Running,
    /// 止まっている。再開できる
    Paused,
    /// 落ちている。記憶はない
    Crashed,
}

/// ある時点の、一人の客の見え方。
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ClientView {
    /// 客
    pub client: Client,
    /// 動作の状態
    pub condition: Condition,
    /// 持っているつもりなら、そのトークン
    pub belief: Option<Token>,
}

/// ある時点の、資源の見え方。
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ResourceView {
    /// 今の値
    pub value: Option<Value>,
    /// これまでに受理した、または見たうちで最大のトークン
    pub max_token: Token,
}

/// ある時点で、外から見えるもののすべて。図と表はこれだけから描かれる。
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Observation {
    /// 現在の論理時刻
    pub now: Time,
    /// ロックサービスから見た持ち主
    pub holder: Option<Holder>,
    /// 今のリースの期限
    pub expiry: Option<Time>,
    /// 最後に配ったトークン
    pub issued: Token,
    /// 資源。資源のない舞台では `None`
    pub resource: Option<ResourceView>,
    /// 客。名前の順
    pub clients: Vec<ClientView>,
}

impl Observation {
    /// この時点で、持っているつもりの客。
    pub fn believers(&self) -> impl Iterator<Item = Client> {
        let believing = self.clients.iter().filter(|view| view.belief.is_some());
        believing.map(|view| view.client)
    }

    /// 二重取得か。二人以上が同時に、持っているつもりでいること。
    #[must_use]
    pub fn is_double(&self) -> bool {
        self.believers().count() >= 2
    }

    /// `client` の見え方。この舞台にいなければ `None`。
    #[must_use]
    pub fn client(&self, client: Client) -> Option<&ClientView> {
        self.clients.iter().find(|view| view.client == client)
    }
}

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
    /// 時刻の桁あふれ
    #[error("論理時刻が表せる範囲を超える。Tick とリースの長さを小さくする")]
    TimeOverflow,
    /// トークンの桁あふれ
    #[error("トークンをこれ以上大きくできない。小さい番号に戻すことはしない")]
    TokenOverflow,
}

/// 一手で起きたこと。起きた順。
///
/// たいていは一つなので、一つまではメモリーを借りない。何百万手を演じる章がある。
pub type Events = SmallVec<[Event; 1]>;

/// 筋書きを演じられるもの。状態は小さく、同じ手の列からはいつも同じ結果が出る。
pub trait System {
    /// 一手を演じて、起きたことを返す。時刻が進む手では、ロックの失効が先、客の期限があと。
    /// 何も起きなければ空。
    ///
    /// # Errors
    /// 起こりえない手には [`Impossible`] を返す。
    fn apply(&mut self, action: Action) -> Result<Events, Impossible>;

    /// 今、外から見えるもの。
    fn observe(&self) -> Observation;
}
