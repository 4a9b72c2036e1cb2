//! 小さな本を一時のフォルダーに作り、組む・断る・配るところを端から端まで確かめる。

mod build;
mod errors;
mod exploration;
mod fixture;
mod search;
mod server;
mod show;
mod terminal;
