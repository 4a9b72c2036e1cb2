//! 確かめる性質。どれも一手ごとに、その手の前後と、起きたことから決まる。

// ANCHOR: property
/// 確かめる性質。
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Property {
    /// 前の保持が解放されるか期限を迎えるまで、次の取得を認めない
    GrantAfterEnd,
    /// 同時に持っているつもりの客は、一人まで
    OneBeliever,
    /// 配るトークンは、前に配ったものより大きい
    TokensIncrease,
    /// 受理した書き込みのトークンは、前に受理したものより小さくならない
    AcceptedNeverGoBack,
    /// 登録されたトークンより古い書き込みを受理しない
    NothingOlderThanRegistered,
    /// もとにした値が今の値でない書き込みを受理しない
    NoLostUpdate,
}
// ANCHOR_END: property

impl Property {
    /// すべての性質。
    pub const ALL: [Property; 6] = [
        Property::GrantAfterEnd,
        Property::OneBeliever,
        Property::TokensIncrease,
        Property::AcceptedNeverGoBack,
        Property::NothingOlderThanRegistered,
        Property::NoLostUpdate,
    ];

    /// 表と端末に出す名前。
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Property::GrantAfterEnd => "終わるまで与えない",
            Property::OneBeliever => "つもりは一人まで",
            Property::TokensIncrease => "番号は増える",
            Property::AcceptedNeverGoBack => "受理は戻らない",
            Property::NothingOlderThanRegistered => "登録より古くない",
            Property::NoLostUpdate => "更新は消えない",
        }
    }
}

/// 破られた性質の集まり。
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Violations(u8);

impl Violations {
    /// 何も破られていない。
    pub const NONE: Violations = Violations(0);

    /// 破られた性質を加える。
    pub fn add(&mut self, property: Property) {
        self.0 |= 1 << property as u8;
    }

    /// その性質が破られたか。
    #[must_use]
    pub fn has(self, property: Property) -> bool {
        self.0 & (1 << property as u8) != 0
    }

    /// 破られた性質。[`Property::ALL`] の順。
    pub fn iter(self) -> impl Iterator<Item = Property> {
        Property::ALL.into_iter().filter(move |property| self.has(*property))
    }
}
