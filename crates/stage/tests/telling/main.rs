//! 語彙と、記録と、記録の語りかたの規則。

mod narrate;
mod parts;
mod run;
mod scene;
mod story;
mod vocabulary;
mod words;
