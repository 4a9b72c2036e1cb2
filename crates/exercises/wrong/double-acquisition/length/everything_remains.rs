//! 誤答: 無事な停止まで、壊れると言う。

use exercises::checks::double_acquisition_length::Choice;
use exercises::{Verdict, checks};

fn choose() -> Choice {
    Choice { length: 20, breaking: vec![13, 20, 90] }
}

pub fn main() -> Verdict {
    checks::double_acquisition_length::check(choose).into()
}
