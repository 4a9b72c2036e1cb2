//! `exercise` の書き方。

use clap::{Args, Subcommand};

use super::LIMIT;

const TEMPLATE: &str = "{about}\n\n使い方: {usage}\n\n{all-args}";

/// `cargo run -- exercise` のあとに書くもの。
#[derive(Args, Debug)]
#[command(
    args_conflicts_with_subcommands = true,
    disable_help_flag = true,
    subcommand_help_heading = "命令",
    next_help_heading = "選択肢"
)]
pub struct Exercise {
    /// 確かめる演習(例: lease/expiry)。省けば一覧を見せる
    #[arg(value_name = "名前", help_heading = "引数")]
    pub name: Option<String>,
    /// 保存するたびに確かめ、解けたら次へ進む
    #[arg(long)]
    pub watch: bool,
    /// 変更の知らせを OS に頼らず、短い間をおいて見に行く
    #[arg(long, requires = "watch")]
    pub poll: bool,
    /// 答えを動かす時間の上限(省けば 10 秒)
    #[arg(
        long,
        value_name = "秒",
        default_value_t = LIMIT,
        hide_default_value = true,
        value_parser = clap::value_parser!(u64).range(1..)
    )]
    pub limit: u64,
    /// 一覧と確認のほかにすること
    #[command(subcommand)]
    pub action: Option<Action>,
}

/// 一覧と確認のほかにすること。
#[derive(Debug, Subcommand)]
#[command(disable_help_flag = true, next_help_heading = "選択肢")]
pub enum Action {
    /// 次に解く演習と、その問題を見せる
    #[command(help_template = TEMPLATE, override_usage = "cargo run -- exercise next")]
    Next,
    /// ヒントを見せる。もう一度打つと、次の段階も見せる
    #[command(
        help_template = TEMPLATE,
        override_usage = "cargo run -- exercise hint [名前] [--more]"
    )]
    Hint {
        /// 演習の名前。省けば、次に解く演習
        #[arg(value_name = "名前", help_heading = "引数")]
        name: Option<String>,
        /// 次の段階まで、一度に見せる
        #[arg(long)]
        more: bool,
    },
    /// 解答を見せる。その前に、よいかを尋ねる
    #[command(
        help_template = TEMPLATE,
        override_usage = "cargo run -- exercise solution 名前 [--yes]"
    )]
    Solution {
        /// 演習の名前
        #[arg(value_name = "名前", help_heading = "引数")]
        name: String,
        /// 尋ねずに見せる
        #[arg(long)]
        yes: bool,
    },
    /// 答えを問題に戻す。その前に、よいかを尋ねる。今の答えは控えに残す
    #[command(
        help_template = TEMPLATE,
        override_usage = "cargo run -- exercise reset 名前 [--yes]"
    )]
    Reset {
        /// 演習の名前
        #[arg(value_name = "名前", help_heading = "引数")]
        name: String,
        /// 尋ねずに戻す
        #[arg(long)]
        yes: bool,
    },
    /// すべての演習の部品がそろい、正しいことを確かめる(演習を書く人のための命令)
    #[command(help_template = TEMPLATE, override_usage = "cargo run -- exercise verify")]
    Verify,
}
