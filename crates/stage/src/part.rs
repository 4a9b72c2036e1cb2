//! 章のクレートが差し替える二つの部品、錠([`Lock`])と資源([`Resource`])。

use crate::event::Event;
use crate::impossible::Impossible;
use crate::network::Packet;
use crate::vocabulary::{Client, Holder, Time, Token, Value};

/// ロックサービス。呼び出しは不可分で、結果を [`Event`] として返す。
pub trait Lock: Clone {
    /// `client` のために取得する。
    ///
    /// # Errors
    /// 時刻かトークンが桁あふれするとき。状態は変わらない。
    fn acquire(&mut self, client: Client) -> Result<Event, Impossible>;

    /// `client` の保持を延長する。
    ///
    /// # Errors
    /// 時刻が桁あふれするとき。状態は変わらない。期限のないロックでは、いつも。
    fn renew(&mut self, _client: Client) -> Result<Event, Impossible> {
        Err(Impossible::NotRenewable)
    }

    /// `client` の、`token` のついた保持を延長する。
    ///
    /// 客を名前だけで見分けるロックでは、`token` を見ない。
    ///
    /// # Errors
    /// [`Lock::renew`] と同じ。
    fn renew_held(&mut self, client: Client, _token: Token) -> Result<Event, Impossible> {
        self.renew(client)
    }

    /// `client` の保持を解放する。
    fn release(&mut self, client: Client) -> Event;

    /// `client` の、`token` のついた保持を解放する。
    ///
    /// 客を名前だけで見分けるロックでは、`token` を見ない。
    fn release_held(&mut self, client: Client, _token: Token) -> Event {
        self.release(client)
    }

    /// 再起動する。記録を失わないロックでは、何も変わらない。
    fn restart(&mut self) {}

    /// 論理時刻を `ticks` 刻み進める。途中で失効したら、それを返す。
    ///
    /// # Errors
    /// 時刻が桁あふれするとき。状態は変わらない。
    fn tick(&mut self, ticks: Time) -> Result<Option<Event>, Impossible>;

    /// 現在の論理時刻。単位は刻み。
    fn now(&self) -> Time;

    /// 今の持ち主。失効か解放のあとは `None`。
    fn holder(&self) -> Option<Holder>;

    /// 今の持ち主の期限。持ち主がいないか、期限のないロックでは `None`。
    fn expiry(&self) -> Option<Time> {
        None
    }

    /// 最後に配ったトークン。番号を配らないロックでは [`Token::NONE`]。
    fn issued(&self) -> Token {
        Token::NONE
    }
}

/// ロックで守りたい資源。書き込みを受理するか拒否するかは、資源が決める。
pub trait Resource: Clone {
    /// `token` を添えて届いた `value` の書き込みを、受理または拒否する。
    fn write(&mut self, token: Token, value: Value) -> Event;

    /// 届いた書き込みを、添えられたもののすべてを見て、受理または拒否する。
    ///
    /// トークンのほかを見ない資源では、[`Resource::write`] と同じ。
    fn deliver(&mut self, packet: &Packet) -> Event {
        self.write(packet.token, packet.value)
    }

    /// `client` に今の値を読ませる。トークンを比べない資源では、いつも読める。
    fn read(&mut self, client: Client, _token: Token) -> Event {
        Event::Read { client, value: self.value() }
    }

    /// `client` の `token` を、書く前に登録する。
    ///
    /// # Errors
    /// 登録のない資源では、いつも。
    fn register(&mut self, _client: Client, _token: Token) -> Result<Event, Impossible> {
        Err(Impossible::NotRegistrable)
    }

    /// 再起動する。記録を失わない資源では、何も変わらない。
    fn restart(&mut self) {}

    /// 今の値。まだ書かれていなければ `None`。
    fn value(&self) -> Option<Value>;

    /// これまでに見た最大のトークン。
    fn max_token(&self) -> Token;
}

/// 資源のない舞台。値を作れない型なので、書き込みは決して届かない。
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NoResource {}

impl Resource for NoResource {
    fn write(&mut self, _: Token, _: Value) -> Event {
        match *self {}
    }

    fn value(&self) -> Option<Value> {
        match *self {}
    }

    fn max_token(&self) -> Token {
        match *self {}
    }
}
