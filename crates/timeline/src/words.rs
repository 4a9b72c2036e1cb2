//! 起きたことを日本語にする。図・表・コマの言葉は、すべてここから来る。

use crate::vocabulary::{Action, Event, Observation, ResourceView, Time, Token, Value};

/// 資源のレーンの名前。
pub(crate) const RESOURCE: &str = "row-42";

fn number(token: Token) -> String {
    if token == Token::NONE { String::new() } else { format!(" #{token}") }
}

fn until(expiry: Option<Time>) -> String {
    match expiry {
        Some(time) => format!("期限は時刻 {time}"),
        None => "期限はない".to_owned(),
    }
}

/// 資源が下した判定。書き込みの届いた手でなければ `None`。
#[must_use]
pub fn verdict(event: &Event) -> Option<String> {
    match event {
        Event::Accepted { token, compared: Some(max), .. } => {
            Some(format!("受理 {token} >= {max}"))
        }
        Event::Accepted { compared: None, .. } => Some("受理".to_owned()),
        Event::Rejected { token, max, .. }
        | Event::ReadRefused { token, max, .. }
        | Event::RegisterRefused { token, max, .. } => Some(format!("拒否 {token} < {max}")),
        Event::Registered { token, max, .. } => Some(format!("登録 {token} >= {max}")),
        Event::Mismatched { token, wanted, .. } => Some(format!("拒否 {token} != {wanted}")),
        Event::Conflicted { base, current, .. } => {
            Some(format!("拒否 {} でなく {}", empty(*base), empty(*current)))
        }
        Event::OutOfOrder { sequence, next, .. } => {
            Some(format!("拒否 {sequence} 番 次は {next} 番"))
        }
        _ => None,
    }
}

/// レーンに置く短い言葉。
#[must_use]
pub fn label(event: &Event) -> String {
    match event {
        Event::Acquired { token, .. } => format!("取得{}", number(*token)),
        Event::Busy { .. } => "取得 断".to_owned(),
        Event::ReplyLost { .. } => "返事なし".to_owned(),
        Event::Renewed { .. } => "延長".to_owned(),
        Event::RenewRefused { .. } => "延長 断".to_owned(),
        Event::Released { .. } => "解放".to_owned(),
        Event::ReleaseRefused { .. } => "解放 断".to_owned(),
        Event::Expired { .. } => "失効".to_owned(),
        Event::CheckPassed { .. } => "時計 前".to_owned(),
        Event::CheckFailed { .. } => "時計 過".to_owned(),
        Event::DeadlineReached { .. } => "期限".to_owned(),
        Event::Withheld { .. } => "見送り".to_owned(),
        Event::Sent { value, .. } => format!("送信 {value}"),
        Event::Accepted { value, .. }
        | Event::Rejected { value, .. }
        | Event::Mismatched { value, .. }
        | Event::Conflicted { value, .. }
        | Event::OutOfOrder { value, .. } => format!("書込 {value}"),
        Event::Read { value, .. } => format!("読取 {}", empty(*value)),
        Event::ReadRefused { .. } => "読取 断".to_owned(),
        Event::Registered { token, .. } => format!("登録 #{token}"),
        Event::RegisterRefused { .. } => "登録 断".to_owned(),
        Event::ReleaseSent { .. } => "解放 送信".to_owned(),
        Event::ServiceRestarted { .. } | Event::ResourceRestarted { .. } => "再起動".to_owned(),
        Event::Paused { .. } => "停止".to_owned(),
        Event::Resumed { .. } => "再開".to_owned(),
        Event::Crashed { .. } => "クラッシュ".to_owned(),
        Event::Restarted { .. } => "再起動".to_owned(),
    }
}

/// 起きたことを述べる文。
#[must_use]
pub fn sentence(event: &Event) -> String {
    match event {
        Event::Acquired { client, token, expiry } if *token == Token::NONE => {
            format!("{client} がロックを取得した。{}。", until(*expiry))
        }
        Event::Acquired { client, token, expiry } => {
            format!("{client} がロックを取得した。トークンは {token}、{}。", until(*expiry))
        }
        Event::Busy { client, holder, expiry } => {
            format!("{client} の取得は断られた。持ち主は {holder} で、{}。", until(*expiry))
        }
        Event::ReplyLost { client } => format!("その返事は {client} に届かなかった。"),
        Event::Renewed { client, token, expiry } => {
            format!("{client} がリースを延長した。トークンは {token} のまま、{}。", until(*expiry))
        }
        Event::RenewRefused { client } => {
            format!("{client} の延長は断られた。{client} は持ち主ではない。")
        }
        Event::Released { client } => format!("{client} がロックを解放した。"),
        Event::ReleaseRefused { client } => {
            format!("{client} の解放は断られた。ロックは変わらない。")
        }
        Event::Expired { client, .. } => format!("{client} のリースが期限を迎え、失効した。"),
        Event::CheckPassed { client, at, deadline } => {
            format!(
                "{client} が時計を見た。時刻 {at} は期限 {deadline} より前なので、書くと決めた。"
            )
        }
        Event::CheckFailed { client, at, deadline } => format!(
            "{client} が時計を見た。時刻 {at} は期限 {deadline} より前ではないので、持っていないと知った。"
        ),
        Event::DeadlineReached { client, at } => {
            format!("{client} が返事で聞いていた期限 {at} が来た。")
        }
        Event::Withheld { client } => {
            format!("{client} は持っているつもりがないので、書き込みを見送った。")
        }
        Event::Sent { value, token } => {
            let by = value.by;
            format!("{by} が {value} を{}送り出した。まだ届いていない。", with(*token))
        }
        Event::Accepted { value, token, compared: Some(max) } => format!(
            "{RESOURCE} に {value} が{}届いた。{token} >= {max} なので受理され、値は {value} になった。",
            with(*token)
        ),
        Event::Accepted { value, token, compared: None } => format!(
            "{RESOURCE} に {value} が{}届いた。比べずに受理され、値は {value} になった。",
            with(*token)
        ),
        Event::Rejected { value, token, max } => format!(
            "{RESOURCE} に {value} が{}届いた。{token} < {max} なので拒否され、値は変わらない。",
            with(*token)
        ),
        Event::Mismatched { value, token, wanted } => format!(
            "{RESOURCE} に {value} が{}届いた。{token} は {wanted} と等しくないので拒否され、値は変わらない。",
            with(*token)
        ),
        Event::Read { client, value } => {
            format!("{client} が {RESOURCE} を読んだ。値は {} だった。", empty(*value))
        }
        Event::ReadRefused { client, token, max } => format!(
            "{client} の読み取りは拒否された。{token} < {max} で、{client} のトークンは古い。"
        ),
        Event::Registered { client, token, max } => format!(
            "{client} がトークン {token} を {RESOURCE} に登録した。{token} >= {max} なので、最大は {token} になった。"
        ),
        Event::RegisterRefused { client, token, max } => {
            format!("{client} の登録は拒否された。{token} < {max} で、{client} のトークンは古い。")
        }
        Event::Conflicted { value, base, current } => format!(
            "{RESOURCE} に {value} が届いた。読んだ値は {} だったが、今は {} なので拒否された。",
            empty(*base),
            empty(*current)
        ),
        Event::OutOfOrder { value, sequence, next } => format!(
            "{RESOURCE} に {value} が {sequence} 番として届いた。次は {next} 番なので拒否された。"
        ),
        Event::ReleaseSent { client, token } => {
            format!("{client} がトークン {token} の解放を頼んだ。頼みはまだ届いていない。")
        }
        Event::ServiceRestarted { issued } => {
            format!("ロックサービスが再起動した。最後に配ったトークンの記録は {issued} になった。")
        }
        Event::ResourceRestarted { max } => {
            format!("{RESOURCE} が再起動した。最大の記録は {max} になった。")
        }
        Event::Paused { client } => {
            format!("{client} が止まった。止まったことに自分では気づけない。")
        }
        Event::Resumed { client } => format!("{client} が再開した。止まった所から続ける。"),
        Event::Crashed { client } => format!("{client} が落ちた。持っていた記憶は失われた。"),
        Event::Restarted { client } => format!("{client} が記憶のない状態で動き出した。"),
    }
}

fn with(token: Token) -> String {
    if token == Token::NONE { String::new() } else { format!("トークン {token} とともに") }
}

/// 筋書きの一手を述べる短い文。
#[must_use]
pub fn action(action: &Action) -> String {
    match action {
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

/// ロックのレーンに置く、持ち主の言葉。
#[must_use]
pub fn holding(observation: &Observation) -> String {
    let Some(holder) = observation.holder else {
        return "(空き)".to_owned();
    };
    let until = observation.expiry.map(|time| format!(" ~{time}")).unwrap_or_default();
    format!("{}{}{until}", holder.client, number(holder.token))
}

/// 資源のレーンに置く、値と最大の言葉。
#[must_use]
pub fn stored(resource: &ResourceView) -> String {
    format!("{} 最大{}", value(resource), resource.max_token)
}

/// 資源の値。
#[must_use]
pub fn value(resource: &ResourceView) -> String {
    empty(resource.value)
}

fn empty(value: Option<Value>) -> String {
    value.map_or("(空)".to_owned(), |value| value.to_string())
}
