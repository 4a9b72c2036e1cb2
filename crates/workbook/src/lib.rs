//! 『動かして学ぶ分散ロック』を組み、手元で配り、筋書きを端末に見せる。
//!
//! 本の図・表・数・出力は、どれも章のクレートを動かして得る。原稿は [`directives`] の書き方で
//! それらを名指しし、[`preprocess`] が置き換える。保存された記録と違えば、本は組めない。
//!
//! - [`build`] は一時の場所に組み、すべての検査を通ったときだけ、今ある本と入れ替える。
//! - [`serve`] は組んだ本を手元だけに配り、[`watch`] の知らせで組み直す。
//! - [`show`] は筋書きを文字で見せる。
//! - [`exercise`] は読者の答えを確かめる。
//! - [`exploration`] はすべての順序を調べ、見つかった反例を文字で見せる。
//! - [`own_lock`] は読者の錠を確かめる。

pub mod build;
pub mod cli;
pub mod code;
pub mod commands;
pub mod directives;
pub mod exercise;
pub mod exploration;
pub mod figures;
pub mod includes;
mod interrupt;
pub mod library;
pub mod links;
pub mod numbering;
pub mod own_lock;
pub mod player;
pub mod predictions;
pub mod preprocess;
pub mod rendered;
pub mod root;
pub mod search;
pub mod serve;
pub mod show;
pub mod snapshots;
pub mod tables;
pub mod typography;
pub mod values;
pub mod warnings;
pub mod watch;

/// 本に載せる章。並びは `show` の一覧の並びで、本の並びは `book/SUMMARY.md` が決める。
///
/// # Errors
/// 探索の章で、反例が見つからないとき。
pub fn chapters() -> Result<Vec<stage::Chapter>, stage::ChapterError> {
    Ok(vec![
        plain_lock::chapter(),
        lease::chapter(),
        double_acquisition::chapter(),
        fencing::chapter(),
        read_modify_write::chapter(),
        explore::chapter()?,
        wrong_locks::chapter(),
    ])
}
