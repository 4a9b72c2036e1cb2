//! 探索を、状態をまるごと覚える素朴な探索と突き合わせる。

mod limits;
mod naive;
mod same;
mod table;
mod walks;
