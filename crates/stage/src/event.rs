//! 起きたこと。出来事と、その短い言葉、述べる文、図の置き場所を、一つのファイルに置く。
//!
//! 種類を足すと、[`Event::told`] が足りないと言って組み立てられない。ほかのファイルで図や文を足す所はない。

#![deny(clippy::wildcard_enum_match_arm)]

use crate::vocabulary::{Client, Time, Token, Value};

/// 資源のレーンの名前。
pub const RESOURCE: &str = "row-42";

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
    /// 資源が、届いたものを拒否した。状態は変わらない
    Rejected {
        /// 頼まれたこと
        asked: Asked,
        /// 添えられていたトークン
        token: Token,
        /// 拒否した理由
        reason: Refusal,
    },
    /// 客が資源の値を読んだ
    Read {
        /// 読んだ客
        client: Client,
        /// 読んだ値。空なら `None`
        value: Option<Value>,
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

/// 資源に頼んだこと。
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Asked {
    /// 値を書く
    Write(Value),
    /// 値を読む
    Read(Client),
    /// トークンを登録する
    Register(Client),
}

impl Asked {
    /// 頼んだ客。
    #[must_use]
    pub fn client(self) -> Client {
        match self {
            Asked::Write(value) => value.by,
            Asked::Read(client) | Asked::Register(client) => client,
        }
    }

    /// 書こうとした値。書き込みでなければ `None`。
    #[must_use]
    pub fn value(self) -> Option<Value> {
        match self {
            Asked::Write(value) => Some(value),
            Asked::Read(_) | Asked::Register(_) => None,
        }
    }
}

/// 資源が拒否した理由。
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Refusal {
    /// トークンが、それまでの最大より小さい
    Older {
        /// 比べた相手(それまでの最大)
        max: Token,
    },
    /// トークンが、求めたものと等しくない
    Unequal {
        /// 等しいことを求めたトークン
        wanted: Token,
    },
    /// 読んだときから値が変わった
    Changed {
        /// 書いた客が読んでいた値
        base: Option<Value>,
        /// 今の値
        current: Option<Value>,
    },
    /// 順番でない
    OutOfOrder {
        /// 添えられていた順番(1 から数える)
        sequence: u64,
        /// 次に来るはずの順番
        next: u64,
    },
}

impl Refusal {
    /// 頼んだ客のトークンが、もう使えないと分かる理由か。
    #[must_use]
    pub fn tells_stale(self) -> bool {
        match self {
            Refusal::Older { .. } | Refusal::Unequal { .. } => true,
            Refusal::Changed { .. } | Refusal::OutOfOrder { .. } => false,
        }
    }

    /// 判定に添える理由。
    fn verdict(self, token: Token) -> String {
        match self {
            Refusal::Older { max } => format!("拒否 {token} < {max}"),
            Refusal::Unequal { wanted } => format!("拒否 {token} != {wanted}"),
            Refusal::Changed { base, current } => {
                format!("拒否 {} でなく {}", value_or_empty(base), value_or_empty(current))
            }
            Refusal::OutOfOrder { sequence, next } => {
                format!("拒否 {sequence} 番 次は {next} 番")
            }
        }
    }

    /// 書き込みが拒否されたことを述べる文。
    fn of_write(self, value: Value, token: Token) -> String {
        let with = with(token);
        match self {
            Refusal::Older { max } => format!(
                "{RESOURCE} に {value} が{with}届いた。{token} < {max} なので拒否され、値は変わらない。"
            ),
            Refusal::Unequal { wanted } => format!(
                "{RESOURCE} に {value} が{with}届いた。{token} は {wanted} と等しくないので拒否され、値は変わらない。"
            ),
            Refusal::Changed { base, current } => format!(
                "{RESOURCE} に {value} が届いた。読んだ値は {} だったが、今は {} なので拒否された。",
                value_or_empty(base),
                value_or_empty(current)
            ),
            Refusal::OutOfOrder { sequence, next } => format!(
                "{RESOURCE} に {value} が {sequence} 番として届いた。次は {next} 番なので拒否された。"
            ),
        }
    }

    /// `client` の読み取りや登録が拒否された理由を述べる文。
    fn of_other(self, client: Client, token: Token) -> String {
        match self {
            Refusal::Older { max } => {
                format!("{token} < {max} で、{client} のトークンは古い。")
            }
            Refusal::Unequal { wanted } => format!("{token} は {wanted} と等しくない。"),
            Refusal::Changed { current, .. } => {
                format!("値は {} に変わっていた。", value_or_empty(current))
            }
            Refusal::OutOfOrder { next, .. } => format!("次は {next} 番である。"),
        }
    }
}

/// 起きたことの語りかた。
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// レーンに置く短い言葉
    pub label: String,
    /// 起きたことを述べる文
    pub sentence: String,
    /// 図の置き場所
    pub place: Place,
}

/// 図の置き場所。
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// 客の印
    Client(Client),
    /// ロックサービスの印
    Service,
    /// 資源の印
    Resource,
    /// 客から資源に届いたものと、その判定
    Judged {
        /// 頼んだ客
        client: Client,
        /// 受理されたか
        accepted: bool,
        /// 判定の言葉
        verdict: String,
    },
}

impl Event {
    /// レーンに置く短い言葉。
    #[must_use]
    pub fn label(&self) -> String {
        self.told().label
    }

    /// 起きたことを述べる文。
    #[must_use]
    pub fn sentence(&self) -> String {
        self.told().sentence
    }

    /// 資源が下した判定の言葉。資源に届いたものでなければ `None`。
    #[must_use]
    pub fn verdict(&self) -> Option<String> {
        match self.told().place {
            Place::Judged { verdict, .. } => Some(verdict),
            Place::Client(_) | Place::Service | Place::Resource => None,
        }
    }

    /// 語りかた。図、表、デモの言葉は、すべてここから来る。
    #[must_use]
    pub fn told(&self) -> Told {
        match *self {
            Event::Acquired { client, token, expiry } => {
                let with = match token {
                    Token::NONE => String::new(),
                    token => format!("トークンは {token}、"),
                };
                let sentence = format!("{client} がロックを取得した。{with}{}。", until(expiry));
                by(client, format!("取得{}", number(token)), sentence)
            }
            Event::Busy { client, holder, expiry } => {
                let until = until(expiry);
                let sentence =
                    format!("{client} の取得は断られた。持ち主は {holder} で、{until}。");
                by(client, "取得 断", sentence)
            }
            Event::ReplyLost { client } => {
                by(client, "返事なし", format!("その返事は {client} に届かなかった。"))
            }
            Event::Renewed { client, token, expiry } => {
                let until = until(expiry);
                let sentence =
                    format!("{client} がリースを延長した。トークンは {token} のまま、{until}。");
                by(client, "延長", sentence)
            }
            Event::RenewRefused { client } => {
                let sentence = format!("{client} の延長は断られた。{client} は持ち主ではない。");
                by(client, "延長 断", sentence)
            }
            Event::Released { client } => {
                by(client, "解放", format!("{client} がロックを解放した。"))
            }
            Event::ReleaseRefused { client } => {
                by(client, "解放 断", format!("{client} の解放は断られた。ロックは変わらない。"))
            }
            Event::Expired { client, .. } => {
                let sentence = format!("{client} のリースが期限を迎え、失効した。");
                Told { label: "失効".to_owned(), sentence, place: Place::Service }
            }
            Event::CheckPassed { client, at, deadline } => {
                let sentence = format!(
                    "{client} が時計を見た。時刻 {at} は期限 {deadline} より前なので、書くと決めた。"
                );
                by(client, "時計 前", sentence)
            }
            Event::CheckFailed { client, at, deadline } => {
                let sentence = format!(
                    "{client} が時計を見た。時刻 {at} は期限 {deadline} より前ではないので、持っていないと知った。"
                );
                by(client, "時計 過", sentence)
            }
            Event::DeadlineReached { client, at } => {
                by(client, "期限", format!("{client} が返事で聞いていた期限 {at} が来た。"))
            }
            Event::Withheld { client } => {
                let sentence =
                    format!("{client} は持っているつもりがないので、書き込みを見送った。");
                by(client, "見送り", sentence)
            }
            Event::Sent { value, token } => {
                let sentence = format!(
                    "{} が {value} を{}送り出した。まだ届いていない。",
                    value.by,
                    with(token)
                );
                by(value.by, format!("送信 {value}"), sentence)
            }
            Event::Accepted { value, token, compared } => {
                let (how, verdict) = match compared {
                    Some(max) => (
                        format!("{token} >= {max} なので受理され"),
                        format!("受理 {token} >= {max}"),
                    ),
                    None => ("比べずに受理され".to_owned(), "受理".to_owned()),
                };
                let sentence = format!(
                    "{RESOURCE} に {value} が{}届いた。{how}、値は {value} になった。",
                    with(token)
                );
                judged(value.by, format!("書込 {value}"), sentence, Ok(verdict))
            }
            Event::Rejected { asked, token, reason } => {
                let client = asked.client();
                let why = reason.of_other(client, token);
                let (label, sentence) = match asked {
                    Asked::Write(value) => (format!("書込 {value}"), reason.of_write(value, token)),
                    Asked::Read(_) => {
                        ("読取 断".to_owned(), format!("{client} の読み取りは拒否された。{why}"))
                    }
                    Asked::Register(_) => {
                        ("登録 断".to_owned(), format!("{client} の登録は拒否された。{why}"))
                    }
                };
                judged(client, label, sentence, Err(reason.verdict(token)))
            }
            Event::Read { client, value } => {
                let value = value_or_empty(value);
                let sentence = format!("{client} が {RESOURCE} を読んだ。値は {value} だった。");
                by(client, format!("読取 {value}"), sentence)
            }
            Event::Registered { client, token, max } => {
                let sentence = format!(
                    "{client} がトークン {token} を {RESOURCE} に登録した。{token} >= {max} なので、最大は {token} になった。"
                );
                let verdict = Ok(format!("登録 {token} >= {max}"));
                judged(client, format!("登録 #{token}"), sentence, verdict)
            }
            Event::ReleaseSent { client, token } => {
                let sentence =
                    format!("{client} がトークン {token} の解放を頼んだ。頼みはまだ届いていない。");
                by(client, "解放 送信", sentence)
            }
            Event::ServiceRestarted { issued } => {
                let sentence = format!(
                    "ロックサービスが再起動した。最後に配ったトークンの記録は {issued} になった。"
                );
                Told { label: "再起動".to_owned(), sentence, place: Place::Service }
            }
            Event::ResourceRestarted { max } => {
                let sentence = format!("{RESOURCE} が再起動した。最大の記録は {max} になった。");
                Told { label: "再起動".to_owned(), sentence, place: Place::Resource }
            }
            Event::Paused { client } => by(
                client,
                "停止",
                format!("{client} が止まった。止まったことに自分では気づけない。"),
            ),
            Event::Resumed { client } => {
                by(client, "再開", format!("{client} が再開した。止まった所から続ける。"))
            }
            Event::Crashed { client } => {
                by(client, "クラッシュ", format!("{client} が落ちた。持っていた記憶は失われた。"))
            }
            Event::Restarted { client } => {
                by(client, "再起動", format!("{client} が記憶のない状態で動き出した。"))
            }
        }
    }
}

/// 客のしたこと。
fn by(client: Client, label: impl Into<String>, sentence: String) -> Told {
    Told { label: label.into(), sentence, place: Place::Client(client) }
}

/// 資源に届いたもの。`verdict` は、受理なら `Ok`、拒否なら `Err` に入れた判定の言葉。
fn judged(
    client: Client,
    label: String,
    sentence: String,
    verdict: Result<String, String>,
) -> Told {
    let accepted = verdict.is_ok();
    let (Ok(verdict) | Err(verdict)) = verdict;
    Told { label, sentence, place: Place::Judged { client, accepted, verdict } }
}

/// 棒や印に添える番号。番号のないロックでは空。
pub(crate) fn number(token: Token) -> String {
    if token == Token::NONE { String::new() } else { format!(" #{token}") }
}

fn until(expiry: Option<Time>) -> String {
    match expiry {
        Some(time) => format!("期限は時刻 {time}"),
        None => "期限はない".to_owned(),
    }
}

fn with(token: Token) -> String {
    if token == Token::NONE { String::new() } else { format!("トークン {token} とともに") }
}

/// 値。まだ書かれていなければ「(空)」。
pub(crate) fn value_or_empty(value: Option<Value>) -> String {
    value.map_or("(空)".to_owned(), |value| value.to_string())
}
