//! 受け取ったトークンを、どこで比べるか。実物の部品に比べさせる書き方を並べる。
//!
//! | 比べる所 | 書き方 | 動かし方 |
//! |---|---|---|
//! | SQL の `WHERE` | [`sql`] | SQLite そのもの |
//! | Redis の中のスクリプト | [`FENCED_SET`] | Lua 5.1 の処理系と、試験の中の代わりの `redis.call` |
//! | 客と、オブジェクトストレージの条件 | [`object`] | `object_store` のメモリーの中の保存先 |
//!
//! どれも `fencing::FencedResource` と同じ判定になることを、試験 `places` が確かめる。

pub mod object;
pub mod sql;

/// Redis に一つの処理として渡すスクリプト。`KEYS[1]` はハッシュの名前、`ARGV` はトークンと値である。
///
/// 書けば 1 を、拒否すれば何も変えずに 0 を返す。トークンは 2 の 53 乗までに限る。Lua の数は倍精度の
/// 浮動小数点数なので、それより大きい番号は、隣の番号と見分けられないことがある。
pub const FENCED_SET: &str = include_str!("fenced_set.lua");
