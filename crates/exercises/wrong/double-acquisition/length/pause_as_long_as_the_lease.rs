//! 誤答: リースと同じ長さの停止には耐えると考える。

use exercises::checks::double_acquisition_length::Choice;
use exercises::{Verdict, checks};

fn choose() -> Choice {
    Choice { length: 20, breaking: vec![90] }
}

pub fn main() -> Verdict {
    checks::double_acquisition_length::check(choose).into()
}
