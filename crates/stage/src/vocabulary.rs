//! 筋書きの語彙。時刻、トークン、クライアント、値と、外から見えるもの。ロックの規則はここにはない。

use std::fmt;

/// 論理時刻。単位は刻み(tick)で、実時間との対応は筋書きごとに読み替える。
pub type Time = u64;

/// フェンシングトークン。取得のたびにロックサービスが大きくして配る番号。
///
/// 出典: Burrows 2006 の sequencer(lock generation number)、Kleppmann 2016 の fencing token。
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
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
