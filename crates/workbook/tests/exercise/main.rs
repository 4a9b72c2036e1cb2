//! 演習の命令を、端末から動かして確かめる。
//!
//! [`real`] のほかは、cargo の代わりに、答えをシェルの筋書きとして動かす `cargo.sh` を使う。Rust を
//! 組み立てないので速く、遅い組み立てや終わらない答えも作れる。
#![cfg(unix)]

mod fixture;
mod once;
mod pages;
mod reader;
mod real;
mod running;
mod watch;
