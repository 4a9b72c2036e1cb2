//! 探索を、stateright、素朴な探索、総当たりと突き合わせる。

mod agreement;
mod first;
mod nodes;
mod wrong;
