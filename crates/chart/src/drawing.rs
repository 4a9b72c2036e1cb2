//! 時系列ではない絵。状態のつながりや、数の増えかたを描く。

/// 絵。
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawing {
    /// 題
    pub title: String,
    /// ページに置く SVG。色と線は、ページのスタイルシートがクラスで決める
    pub svg: String,
    /// 絵を見なくても同じことが分かる文
    pub words: Vec<String>,
}

impl Drawing {
    /// スナップショットに固定する文字列。
    #[must_use]
    pub fn record(&self) -> String {
        format!("{}\n\n{}\n\n{}", self.title, self.words.join("\n"), self.svg)
    }
}
