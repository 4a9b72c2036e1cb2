//! 誤答: A の手を並べる。B には、A を止めることができない。

use exercises::{Verdict, checks};
use stage::Action::{self, *};
use stage::Client::B;

fn takeover() -> Vec<Action> {
    vec![Pause(stage::Client::A), Read(B), Write(B, 1)]
}

pub fn main() -> Verdict {
    checks::read_modify_write_takeover::check(takeover).into()
}
