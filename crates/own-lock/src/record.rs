//! 帳面。錠の返事だけから、誰がいつまで持っているかを控え、次の返事が規則に合うかを判定する。
//!
//! 手本の錠と比べるのではない。害のない違い(トークンの飛び、断るときに期限を言わないこと、中の控えかた)は
//! 通す。

use stage::{Action, Client, Event, Holder, Impossible, Lock, Time, Token};

use crate::rule::Rule;

/// 破れた規則と、どこが違ったか。
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Breach {
    pub(crate) rule: Rule,
    pub(crate) detail: String,
}

/// 錠への頼み。
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Request {
    pub(crate) action: Action,
    /// 延長と解放に添えるトークン。客が、返事で聞いて覚えているもの
    pub(crate) token: Option<Token>,
}

/// 錠の返事。
pub(crate) type Reply = Result<Option<Event>, Impossible>;

/// 外から見えるもの。
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Sight {
    now: Time,
    holder: Option<Holder>,
    expiry: Option<Time>,
    issued: Token,
}

impl Sight {
    pub(crate) fn of(lock: &impl Lock) -> Sight {
        Sight {
            now: lock.now(),
            holder: lock.holder(),
            expiry: lock.expiry(),
            issued: lock.issued(),
        }
    }

    fn words(&self) -> [(&'static str, String); 4] {
        let holder = self.holder.map(|held| format!("{}(トークン {})", held.client, held.token));
        let expiry = self.expiry.map(|time| time.to_string());
        let none = || "なし".to_owned();
        [
            ("now", self.now.to_string()),
            ("holder", holder.unwrap_or_else(none)),
            ("expiry", expiry.unwrap_or_else(none)),
            ("issued", self.issued.to_string()),
        ]
    }

    /// `expected` と違う所。
    fn unlike(&self, expected: &Sight) -> String {
        let pairs = self.words().into_iter().zip(expected.words());
        let differing = pairs.filter(|((_, own), (_, expected))| own != expected);
        let sentences = differing.map(|((name, own), (_, expected))| {
            format!("{name} は「{own}」だが、返事からは「{expected}」のはずである。")
        });
        sentences.collect()
    }
}

/// 終わっていない保持。
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Held {
    holder: Holder,
    expiry: Time,
}

/// 返事だけから付ける控え。
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Record {
    now: Time,
    length: Time,
    held: Option<Held>,
    issued: Token,
}

fn breach<O>(rule: Rule, detail: impl Into<String>) -> Result<O, Breach> {
    Err(Breach { rule, detail: detail.into() })
}

/// 何も変えないはずの返事か。
fn refuses(reply: &Reply) -> bool {
    use Event::{Busy, ReleaseRefused, RenewRefused};
    matches!(reply, Err(_) | Ok(Some(Busy { .. } | RenewRefused { .. } | ReleaseRefused { .. })))
}

/// 返事を言葉にする。
fn said(reply: &Reply) -> String {
    match reply {
        Ok(Some(event)) => format!("返事は「{}」だった。", event.sentence()),
        Ok(None) => "何も起きなかった。".to_owned(),
        Err(error) => format!("返事は誤り「{error}」だった。"),
    }
}

impl Record {
    /// 長さ `length` のリースの、まだ何も起きていない控え。1 より短い長さは 1 とみなす。
    pub(crate) fn new(length: Time) -> Record {
        Record { now: 0, length: length.max(1), held: None, issued: Token::NONE }
    }

    pub(crate) fn now(&self) -> Time {
        self.now
    }

    pub(crate) fn length(&self) -> Time {
        self.length
    }

    pub(crate) fn is_free(&self) -> bool {
        self.held.is_none()
    }

    fn held_by(&self, client: Client) -> Option<Held> {
        self.held.filter(|held| held.holder.client == client)
    }

    /// 見えるはずのもの。
    fn sight(&self) -> Sight {
        Sight {
            now: self.now,
            holder: self.held.map(|held| held.holder),
            expiry: self.held.map(|held| held.expiry),
            issued: self.issued,
        }
    }

    /// 作ったばかりの錠が、空いて見えるか。
    pub(crate) fn begins_with(&self, sight: &Sight) -> Result<(), Breach> {
        if *sight == self.sight() {
            return Ok(());
        }
        breach(Rule::StartsFree, sight.unlike(&self.sight()))
    }

    /// `request` への返事と、そのあとに見えるものを判定し、新しい控えを返す。
    pub(crate) fn after(
        &self,
        request: Request,
        reply: &Reply,
        sight: &Sight,
    ) -> Result<Record, Breach> {
        let next = self.heard(request, reply, sight)?;
        if *sight == next.sight() {
            return Ok(next);
        }
        let rule = match (request.action, reply) {
            (Action::Tick(0), _) => Rule::ZeroTickChangesNothing,
            (_, reply) if refuses(reply) => Rule::RefusalChangesNothing,
            _ => Rule::SightAgrees,
        };
        breach(rule, sight.unlike(&next.sight()))
    }

    /// 返事だけを判定する。見えるものは、返事の違いを言い分けるときにだけ使う。
    pub(crate) fn heard(
        &self,
        request: Request,
        reply: &Reply,
        sight: &Sight,
    ) -> Result<Record, Breach> {
        if self.may_refuse(request) && refuses(reply) && reply.is_ok() {
            return Ok(*self);
        }
        match request.action {
            Action::Acquire(client) | Action::AcquireReplyLost(client) => {
                self.acquire(client, reply)
            }
            Action::Renew(client) => self.renew(client, reply),
            Action::Release(client) => self.release(client, reply),
            Action::Tick(ticks) => self.tick(ticks, reply, sight),
            _ => Ok(*self),
        }
    }

    /// 持ち主が、前の保持のトークンを添えて延長か解放を頼んだか。名前で見分ける錠は認め、保持で見分ける錠は
    /// 断る。どちらも害はない。
    fn may_refuse(&self, request: Request) -> bool {
        let (Action::Renew(client) | Action::Release(client)) = request.action else {
            return false;
        };
        let held = self.held_by(client);
        held.is_some_and(|held| request.token.is_some_and(|token| token != held.holder.token))
    }

    fn acquire(&self, by: Client, reply: &Reply) -> Result<Record, Breach> {
        if let Some(held) = self.held {
            return self.refuse_acquire(by, held, reply);
        }
        let Some(end) = self.end() else { return self.must_fail("期限", reply) };
        match *reply {
            Ok(Some(Event::Acquired { client, token, expiry })) if client == by => {
                self.check_token(token)?;
                self.check_expiry(end, expiry)?;
                let held = Held { holder: Holder { client, token }, expiry: end };
                Ok(Record { held: Some(held), issued: token, ..*self })
            }
            Ok(Some(Event::Busy { client, .. })) if client == by => {
                breach(Rule::GrantsWhenFree, format!("持ち主がいないのに、{by} の取得を断った。"))
            }
            Err(_) => breach(
                Rule::GrantsWhenFree,
                format!("{by} の取得を認めるはずである。{}", said(reply)),
            ),
            _ => self.answers("取得", by, reply),
        }
    }

    fn refuse_acquire(&self, by: Client, held: Held, reply: &Reply) -> Result<Record, Breach> {
        let Held { holder, expiry: end } = held;
        match *reply {
            Ok(Some(Event::Acquired { client, .. })) if client == by => breach(
                Rule::RefusesWhileHeld,
                format!("{} が期限 {end} まで持っているのに、{by} の取得を認めた。", holder.client),
            ),
            Ok(Some(Event::Busy { client, holder: told, expiry }))
                if client == by && told == holder.client && expiry.is_none_or(|it| it == end) =>
            {
                Ok(*self)
            }
            _ => self.may_fail("取得", by, reply),
        }
    }

    fn check_token(&self, token: Token) -> Result<(), Breach> {
        if token > self.issued {
            return Ok(());
        }
        let before = match self.issued {
            Token::NONE => "初めのトークンは 1 以上である。".to_owned(),
            issued => format!("前に配った {issued} より大きくない。"),
        };
        breach(Rule::TokensGrow, format!("配ったトークンは {token} だった。{before}"))
    }

    fn check_expiry(&self, end: Time, told: Option<Time>) -> Result<(), Breach> {
        let (now, length) = (self.now, self.length);
        match told {
            Some(expiry) if expiry == end => Ok(()),
            Some(expiry) => breach(
                Rule::LeaseLength,
                format!("時刻 {now} に長さ {length} で貸したのに、期限は {expiry} だった。"),
            ),
            None => breach(Rule::LeaseLength, "期限のない返事だった。"),
        }
    }

    fn renew(&self, by: Client, reply: &Reply) -> Result<Record, Breach> {
        if *reply == Err(Impossible::NotRenewable) {
            let detail = "いつも延長できないと答える。renew を書いていなければ、書く。";
            return breach(Rule::RenewsForHolder, detail);
        }
        let Some(held) = self.held_by(by) else { return self.refuse_renew(by, reply) };
        let Some(end) = self.end() else { return self.must_fail("期限", reply) };
        match *reply {
            Ok(Some(Event::Renewed { client, token, expiry })) if client == by => {
                if token != held.holder.token {
                    let own = held.holder.token;
                    let detail = format!("トークン {own} の保持が、延長で {token} に変わった。");
                    return breach(Rule::RenewsForHolder, detail);
                }
                self.check_expiry(end, expiry)?;
                Ok(Record { held: Some(Held { expiry: end, ..held }), ..*self })
            }
            Ok(Some(Event::RenewRefused { client })) if client == by => {
                let until = held.expiry;
                breach(Rule::RenewsForHolder, format!("期限 {until} の前なのに、断った。"))
            }
            Err(_) => breach(Rule::RenewsForHolder, said(reply)),
            _ => self.answers("延長", by, reply),
        }
    }

    fn refuse_renew(&self, by: Client, reply: &Reply) -> Result<Record, Breach> {
        match *reply {
            Ok(Some(Event::RenewRefused { client })) if client == by => Ok(*self),
            Ok(Some(Event::Renewed { client, .. })) if client == by => breach(
                Rule::RenewsForNobodyElse,
                format!("{by} は時刻 {} の持ち主ではないのに、延長を認めた。", self.now),
            ),
            _ => self.may_fail("延長", by, reply),
        }
    }

    fn release(&self, by: Client, reply: &Reply) -> Result<Record, Breach> {
        let holds = self.held_by(by).is_some();
        match *reply {
            Ok(Some(Event::Released { client })) if client == by && holds => {
                Ok(Record { held: None, ..*self })
            }
            Ok(Some(Event::ReleaseRefused { client })) if client == by && !holds => Ok(*self),
            Ok(Some(Event::Released { client })) if client == by => breach(
                Rule::ReleasesForNobodyElse,
                format!("{by} は時刻 {} の持ち主ではないのに、解放を認めた。", self.now),
            ),
            Ok(Some(Event::ReleaseRefused { client })) if client == by => {
                breach(Rule::ReleasesForHolder, format!("{by} は持ち主なのに、断った。"))
            }
            _ => self.answers("解放", by, reply),
        }
    }

    fn tick(&self, ticks: Time, reply: &Reply, sight: &Sight) -> Result<Record, Breach> {
        let Some(now) = self.now.checked_add(ticks) else { return self.must_fail("時刻", reply) };
        let ended = self.held.filter(|held| held.expiry <= now);
        match (*reply, ended) {
            (Ok(None), None) => Ok(Record { now, ..*self }),
            (Ok(Some(Event::Expired { client, at })), Some(Held { holder, expiry }))
                if client == holder.client && at == expiry =>
            {
                Ok(Record { now, held: None, ..*self })
            }
            (Ok(None), Some(held)) => breach(Rule::ExpiresAtExpiry, silent(held, now, sight)),
            (Ok(Some(Event::Expired { at, .. })), Some(held)) => breach(
                Rule::ExpiresAtExpiry,
                format!("期限は {} なのに、時刻 {at} に失効したと知らせた。", held.expiry),
            ),
            (Ok(Some(Event::Expired { .. })), None) => breach(
                Rule::NeverExpiresEarly,
                format!("時刻 {now} に迎える期限はない。{}", said(reply)),
            ),
            _ => breach(Rule::Answers, format!("時刻を {ticks} 進めた。{}", said(reply))),
        }
    }

    /// 今から始まるリースの期限。
    fn end(&self) -> Option<Time> {
        self.now.checked_add(self.length)
    }

    fn must_fail(&self, what: &str, reply: &Reply) -> Result<Record, Breach> {
        match reply {
            Err(_) => Ok(*self),
            Ok(_) => breach(
                Rule::NothingWraps,
                format!("{what}が表せる範囲を超えるのに、誤りを返さない。{}", said(reply)),
            ),
        }
    }

    /// 断るかわりの誤り。期限が表せない時刻でなら、持ち主を見る前に誤りを返してもよい。
    fn may_fail(&self, what: &str, by: Client, reply: &Reply) -> Result<Record, Breach> {
        match (reply, self.end()) {
            (Err(_), None) => Ok(*self),
            _ => self.answers(what, by, reply),
        }
    }

    fn answers(&self, what: &str, by: Client, reply: &Reply) -> Result<Record, Breach> {
        let held = self.held.map(|held| {
            format!("持ち主は {} で、期限は {} である。", held.holder.client, held.expiry)
        });
        let held = held.unwrap_or_else(|| "持ち主はいない。".to_owned());
        breach(Rule::Answers, format!("{by} が{what}を頼んだ。{held}{}", said(reply)))
    }
}

/// 期限を迎えたのに、知らせがなかった。
fn silent(held: Held, now: Time, sight: &Sight) -> String {
    let Held { holder: Holder { client, .. }, expiry } = held;
    match sight.holder {
        Some(_) => format!("{client} の期限 {expiry} が時刻 {now} までに来たのに、失効しない。"),
        None => {
            format!("{client} の期限 {expiry} が時刻 {now} までに来たが、tick が失効を返さない。")
        }
    }
}
