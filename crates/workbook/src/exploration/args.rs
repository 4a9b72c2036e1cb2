//! `explore` の書き方。

use clap::{Args, ValueEnum};
use explore::Bounds;

/// リースの長さ(刻み)。指定がないとき。
const LEASE: u64 = 2;
/// 客の数。指定がないとき。
const CLIENTS: u8 = 2;
/// メモリーの上限(MB)。指定がないとき。
const MEMORY: u64 = 1024;

/// 説明の終わりに添える、反例の選びかたと終了コード。
pub const NOTES: &str = "\
反例の選びかた:
  手数のいちばん少ないものを選ぶ。同じ手数なら、手を前から比べ、先に並ぶ手のものを選ぶ。
  手は、客の手(客の名前の順)、届くもの、再起動、時刻の順に並ぶ。
  一人の客の手は、再開、再起動、取得、登録、読み取り、時計、延長、解放、解放の頼み、送信、
  停止、クラッシュの順に並ぶ。届くものは、書き込み、写し、解放の頼みの順に並ぶ。

終了コード:
  0  範囲の中をすべて調べた。反例が見つかっても 0 である
  1  その名前の相手や性質がない
  2  選択肢を読めない。または、その範囲は調べられない
  3  途中で終わった。それまでに分かったことは見せる";

/// `cargo run -- explore` のあとに書くもの。
#[derive(Args, Debug)]
#[command(disable_help_flag = true, next_help_heading = "選択肢")]
pub struct Explore {
    /// 調べる相手(例: late-release)。省けば一覧を見せる
    #[arg(value_name = "名前", help_heading = "引数")]
    pub name: Option<String>,
    /// リースの長さ(省けば 2)
    #[arg(
        long,
        value_name = "刻み",
        default_value_t = LEASE,
        hide_default_value = true,
        value_parser = clap::value_parser!(u64).range(1..)
    )]
    pub lease: u64,
    /// 客の数。2 か 3(省けば 2)
    #[arg(
        long,
        value_name = "人数",
        default_value_t = CLIENTS,
        hide_default_value = true,
        value_parser = clap::value_parser!(u8).range(2..=3)
    )]
    pub clients: u8,
    /// 使うメモリーのおよその上限(省けば 1024 MB)
    #[arg(
        long,
        value_name = "MB",
        default_value_t = MEMORY,
        hide_default_value = true,
        value_parser = clap::value_parser!(u64).range(1..)
    )]
    pub memory: u64,
    /// 一つの性質だけを見せる(例: 受理は戻らない)
    #[arg(long, value_name = "性質")]
    pub property: Option<String>,
    /// 範囲
    #[command(flatten)]
    pub range: Range,
}

/// 調べる範囲の変更。
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "調べる範囲(省けば、相手ごとに決めた範囲)")]
pub struct Range {
    /// 取得が認められる回数。全員を合わせて数える
    #[arg(long, value_name = "回数")]
    pub grants: Option<u8>,
    /// 一度の保持で送る書き込みの数
    #[arg(long, value_name = "個数")]
    pub writes: Option<u8>,
    /// 書き込みの写しが届く回数。全部を合わせて数える
    #[arg(long, value_name = "回数")]
    pub copies: Option<u8>,
    /// 時刻をここまで進める
    #[arg(long, value_name = "時刻")]
    pub horizon: Option<u64>,
    /// 持っている客が止まるか
    #[arg(long, value_name = "on|off", hide_possible_values = true)]
    pub pauses: Option<Switch>,
    /// 持っている客が落ちるか
    #[arg(long, value_name = "on|off", hide_possible_values = true)]
    pub crashes: Option<Switch>,
    /// リースを延長するか
    #[arg(long, value_name = "on|off", hide_possible_values = true)]
    pub renews: Option<Switch>,
    /// 解放の頼みが途中にとどまるか
    #[arg(long, value_name = "on|off", hide_possible_values = true)]
    pub slow_releases: Option<Switch>,
    /// ロックサービスと資源が再起動するか
    #[arg(long, value_name = "on|off", hide_possible_values = true)]
    pub restarts: Option<Switch>,
}

/// 起こるか、起こらないか。
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Switch {
    /// 起こる
    On,
    /// 起こらない
    Off,
}

impl Range {
    /// `usual` のうち、指定されたところだけを変えた範囲。
    #[must_use]
    pub fn over(&self, usual: Bounds) -> Bounds {
        let on = |switch: Option<Switch>, usual| switch.map_or(usual, |one| one == Switch::On);
        Bounds {
            grants: self.grants.unwrap_or(usual.grants),
            writes: self.writes.unwrap_or(usual.writes),
            copies: self.copies.unwrap_or(usual.copies),
            horizon: self.horizon.unwrap_or(usual.horizon),
            pauses: on(self.pauses, usual.pauses),
            crashes: on(self.crashes, usual.crashes),
            renews: on(self.renews, usual.renews),
            slow_releases: on(self.slow_releases, usual.slow_releases),
            restarts: on(self.restarts, usual.restarts),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_given_changes() {
        assert_eq!(Range::default().over(Bounds::PAGE), Bounds::PAGE);
        let range = Range {
            grants: Some(1),
            writes: Some(5),
            copies: Some(6),
            horizon: Some(7),
            pauses: Some(Switch::Off),
            crashes: Some(Switch::Off),
            renews: Some(Switch::Off),
            slow_releases: Some(Switch::On),
            restarts: Some(Switch::Off),
        };
        let expected = Bounds {
            grants: 1,
            writes: 5,
            copies: 6,
            horizon: 7,
            pauses: false,
            crashes: false,
            renews: false,
            slow_releases: true,
            restarts: false,
        };
        assert_eq!(range.over(Bounds::PAGE), expected);
        assert_eq!(Range::default().over(expected), expected);
    }
}
