//! 錠だけを相手に確かめる規則。

/// 錠の規則。
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rule {
    /// 作ったばかりの錠は、時刻 0 で、空いている
    StartsFree,
    /// 返事の種類と客が、頼みに合う
    Answers,
    /// 空いていれば、取得を認める
    GrantsWhenFree,
    /// 持ち主がいる間は、持ち主自身の取得も断る
    RefusesWhileHeld,
    /// トークンは 1 以上で、取得のたびに大きくなる
    TokensGrow,
    /// 期限は、取得か延長の時刻に、リースの長さを足したもの
    LeaseLength,
    /// 今の持ち主の延長を認め、トークンを変えない
    RenewsForHolder,
    /// 持ち主でない客の延長を断る。失効した持ち主も含む
    RenewsForNobodyElse,
    /// 今の持ち主の解放を認める
    ReleasesForHolder,
    /// 持ち主でない客の解放を断る。失効した持ち主も含む
    ReleasesForNobodyElse,
    /// 期限ちょうどに失効し、失効した時刻として期限を知らせる
    ExpiresAtExpiry,
    /// 期限の前には失効しない
    NeverExpiresEarly,
    /// 断ったときと、誤りを返したときは、何も変えない
    RefusalChangesNothing,
    /// 0 刻み進めても、何も変わらない
    ZeroTickChangesNothing,
    /// 時刻とトークンの桁あふれは誤りにし、折り返さない
    NothingWraps,
    /// `now`、`holder`、`expiry`、`issued` が、起きたことと合う
    SightAgrees,
    /// 同じ状態に同じ手を演じれば、同じ結果になる
    Repeats,
    /// パニックしない
    NeverPanics,
}

impl Rule {
    /// すべての規則。
    pub const ALL: [Rule; 18] = [
        Rule::StartsFree,
        Rule::Answers,
        Rule::GrantsWhenFree,
        Rule::RefusesWhileHeld,
        Rule::TokensGrow,
        Rule::LeaseLength,
        Rule::RenewsForHolder,
        Rule::RenewsForNobodyElse,
        Rule::ReleasesForHolder,
        Rule::ReleasesForNobodyElse,
        Rule::ExpiresAtExpiry,
        Rule::NeverExpiresEarly,
        Rule::RefusalChangesNothing,
        Rule::ZeroTickChangesNothing,
        Rule::NothingWraps,
        Rule::SightAgrees,
        Rule::Repeats,
        Rule::NeverPanics,
    ];

    /// 読者に見せる名前。
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Rule::StartsFree => "初めは空いている",
            Rule::Answers => "返事は頼みに合う",
            Rule::GrantsWhenFree => "空いていれば取得を認める",
            Rule::RefusesWhileHeld => "持ち主がいる間は誰の取得も断る",
            Rule::TokensGrow => "トークンは取得のたびに大きくなる",
            Rule::LeaseLength => "期限は今に長さを足した時刻である",
            Rule::RenewsForHolder => "持ち主の延長を認め、トークンを変えない",
            Rule::RenewsForNobodyElse => "持ち主でない客の延長を断る",
            Rule::ReleasesForHolder => "持ち主の解放を認める",
            Rule::ReleasesForNobodyElse => "持ち主でない客の解放を断る",
            Rule::ExpiresAtExpiry => "期限ちょうどに失効し、期限を知らせる",
            Rule::NeverExpiresEarly => "期限の前には失効しない",
            Rule::RefusalChangesNothing => "断ったら何も変えない",
            Rule::ZeroTickChangesNothing => "時刻が進まなければ何も変わらない",
            Rule::NothingWraps => "桁あふれは誤りにする",
            Rule::SightAgrees => "見えるものは起きたことと合う",
            Rule::Repeats => "同じ手からは同じ結果が出る",
            Rule::NeverPanics => "パニックしない",
        }
    }

    /// 破れていると、運用で何に気づくか。
    #[must_use]
    pub fn symptom(self) -> &'static str {
        match self {
            Rule::StartsFree => "起動した直後から、持ち主や時刻の表示が実際と合わない。",
            Rule::Answers => "客が返事を読み違え、持っているかどうかを取り違える。",
            Rule::GrantsWhenFree => "空いているのに誰も取得できず、仕事が止まったままになる。",
            Rule::RefusesWhileHeld => "二人が同時に取得し、同じ仕事が二度動く。",
            Rule::TokensGrow => {
                "資源が新旧の持ち主を番号で見分けられず、ゾンビの書き込みを受理する。"
            }
            Rule::LeaseLength => {
                "決めた長さより早く仕事中のロックを失うか、落ちた持ち主を長く待つ。"
            }
            Rule::RenewsForHolder => "延長しながら働く持ち主が、途中でロックを失う。",
            Rule::RenewsForNobodyElse => {
                "失効した客が延長の返事を聞き、持っているつもりで書き続ける。"
            }
            Rule::ReleasesForHolder => "仕事が済んでも解放できず、次の客が期限まで待たされる。",
            Rule::ReleasesForNobodyElse => "よその客の解放で、仕事中の持ち主がロックを失う。",
            Rule::ExpiresAtExpiry => {
                "落ちた持ち主のロックが、期限に空かないか、いつ空いたのかが分からない。"
            }
            Rule::NeverExpiresEarly => "期限の前に失効し、仕事中の持ち主がロックを失う。",
            Rule::RefusalChangesNothing => {
                "断られたはずの頼みが効き、待つ客が試すたびに持ち主や期限が変わる。"
            }
            Rule::ZeroTickChangesNothing => "時計が進んでいないのに、持ち主や期限が変わる。",
            Rule::NothingWraps => {
                "長く動かしたあとで番号か時刻が小さくなり、古い持ち主が新しく見える。"
            }
            Rule::SightAgrees => "監視の画面に出る持ち主や期限が、客の聞いた返事と食い違う。",
            Rule::Repeats => "同じ操作を繰り返しても障害が再現せず、原因を追えない。",
            Rule::NeverPanics => "ロックサービスか資源が落ち、使う客が皆止まる。",
        }
    }
}
