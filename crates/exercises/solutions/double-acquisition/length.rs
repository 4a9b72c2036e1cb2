//! 解答: 上限まで延ばしても、上限と同じ長さの停止と、それより長い停止が残る。

use exercises::checks::double_acquisition_length::Choice;
use exercises::{Verdict, checks};

fn choose() -> Choice {
    Choice { length: 20, breaking: vec![20, 90] }
}

pub fn main() -> Verdict {
    checks::double_acquisition_length::check(choose).into()
}
