//! 誤答: 上限まで延ばせば、もう壊れないと考える。

use exercises::checks::double_acquisition_length::Choice;
use exercises::{Verdict, checks};

fn choose() -> Choice {
    Choice { length: 20, breaking: vec![] }
}

pub fn main() -> Verdict {
    checks::double_acquisition_length::check(choose).into()
}
