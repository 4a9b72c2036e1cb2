//! 誤答: A の手を並べる。B には、A を止めることができない。

use exercises::{Verdict, checks};
use timeline::Action::{self, *};
use timeline::Client::B;

fn takeover() -> Vec<Action> {
    vec![Pause(timeline::Client::A), Read(B), Write(B, 1)]
}

pub fn main() -> Verdict {
    checks::read_modify_write_takeover::check(takeover).into()
}
