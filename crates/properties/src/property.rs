//! 性質の名前と集まり。

use check::Broken;

// ANCHOR: property
/// 確かめる性質。
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Property {
    /// 前の保持が解放されるか期限を迎えるまで、次の取得を認めない
    GrantAfterEnd,
    /// 同時に有効な持ち主は、一人まで。有効なのは、自分の時計で期限を過ぎたと知るまでである
    OneValid,
    /// 同時に持っているつもりの客は、一人まで
    OneBeliever,
    /// 配るトークンは、前に配ったものより大きい
    TokensIncrease,
    /// 受理した書き込みの保持は、前に受理したものより先に認められたものにならない
    AcceptedNeverGoBack,
    /// 登録された保持より古い書き込みを受理しない
    NothingOlderThanRegistered,
    /// もとにした値が今の値でない書き込みを受理しない
    NoLostUpdate,
    /// いちばん新しい保持を、古いものとして断らない
    NewestServed,
    /// 誰も持っているつもりがなくなってから、リースの長さの二倍が過ぎれば、取得できる
    Frees,
}
// ANCHOR_END: property

impl Property {
    /// すべての性質。番号の順。
    pub const ALL: [Property; 9] = [
        Property::GrantAfterEnd,
        Property::OneValid,
        Property::OneBeliever,
        Property::TokensIncrease,
        Property::AcceptedNeverGoBack,
        Property::NothingOlderThanRegistered,
        Property::NoLostUpdate,
        Property::NewestServed,
        Property::Frees,
    ];

    /// 表と端末に出す名前。
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Property::GrantAfterEnd => "終わるまで与えない",
            Property::OneValid => "有効な持ち主は一人まで",
            Property::OneBeliever => "つもりは一人まで",
            Property::TokensIncrease => "番号は増える",
            Property::AcceptedNeverGoBack => "受理は戻らない",
            Property::NothingOlderThanRegistered => "登録より古くない",
            Property::NoLostUpdate => "更新は消えない",
            Property::NewestServed => "最新は断らない",
            Property::Frees => "いつかは空く",
        }
    }
}

/// 性質の集まり。
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Properties(Broken);

impl Properties {
    /// すべての性質。
    #[must_use]
    pub fn all() -> Properties {
        Property::ALL.into_iter().collect()
    }

    /// `property` を加える。
    pub fn add(&mut self, property: Property) {
        self.0.add(property as usize);
    }

    /// `property` が入っているか。
    #[must_use]
    pub fn has(self, property: Property) -> bool {
        self.0.has(property as usize)
    }

    /// `other` にもある性質。
    #[must_use]
    pub fn within(self, other: Properties) -> Properties {
        Properties(self.0.within(other.0))
    }

    /// 入っている性質。[`Property::ALL`] の順。
    pub fn iter(self) -> impl Iterator<Item = Property> {
        Property::ALL.into_iter().filter(move |property| self.has(*property))
    }
}

impl FromIterator<Property> for Properties {
    fn from_iter<I: IntoIterator<Item = Property>>(properties: I) -> Properties {
        Properties(properties.into_iter().map(|property| property as usize).collect())
    }
}

impl From<Properties> for Broken {
    fn from(Properties(broken): Properties) -> Broken {
        broken
    }
}

impl From<Broken> for Properties {
    fn from(broken: Broken) -> Properties {
        Properties(broken)
    }
}
