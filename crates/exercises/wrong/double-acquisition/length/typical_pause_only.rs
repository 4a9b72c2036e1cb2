//! 誤答: ふだんの停止にだけ合わせて、短くする。

use exercises::checks::double_acquisition_length::Choice;
use exercises::{Verdict, checks};

fn choose() -> Choice {
    Choice { length: 10, breaking: vec![13, 20, 90] }
}

pub fn main() -> Verdict {
    checks::double_acquisition_length::check(choose).into()
}
