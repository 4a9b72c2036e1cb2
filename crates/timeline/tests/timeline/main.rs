//! 語彙、演じ方、図、コマ、言葉の規則。一つの規則に一つの試験。

mod drawing;
mod frames;
mod layout;
mod play;
mod scene;
mod story;
mod svg;
mod text;
mod vocabulary;
mod words;
