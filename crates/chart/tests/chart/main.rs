//! データの読み方、文字の図、図の組み立て、二つの SVG、コマの規則。一つの規則に一つの試験。

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "試験の中だけでなく道具の中でも、失敗の知らせ方として unwrap と panic を使う"
)]

mod across;
mod down;
mod frames;
mod golden;
mod invented;
mod json;
mod layout;
mod ordinary;
mod plate;
mod scene;
mod svg;
mod table;
mod text;
mod words;
