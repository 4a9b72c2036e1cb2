//! 限りを守り、止めれば止まる。

use std::ops::ControlFlow;

use check::{Broken, End, Limits, Model, Part, Parts, Strategy, Tally, Unwatched, Visitor, check};

/// いくつもの数を、それぞれ `base` まで数える。状態の数は base の `N` 乗。
struct Counters<const N: usize> {
    base: u32,
}

impl<const N: usize> Model for Counters<N> {
    type State = [Part<u32>; N];
    type Action = usize;
    type Event = ();

    fn start(&self) -> Self::State {
        [Part::new(0); N]
    }

    fn actions(&self, state: &Self::State, out: &mut Vec<usize>) {
        out.extend((0..N).filter(|index| *state[*index] + 1 < self.base));
    }

    fn step(&self, state: &mut Self::State, action: usize, _: &mut Vec<()>) -> bool {
        *state[action] += 1;
        true
    }
}

fn run<const N: usize>(base: u32, limits: Limits) -> (End, usize, usize) {
    let model = Counters::<N> { base };
    let report =
        check(&model, &Unwatched, Strategy::Breadth, limits, |_| ControlFlow::Continue(()));
    (report.end, report.states, report.depth)
}

#[test]
fn every_width_of_numbers_is_counted_exactly() {
    assert_eq!(run::<1>(70_000, Limits::NONE), (End::Complete, 70_000, 69_999));
    assert_eq!(run::<2>(300, Limits::NONE), (End::Complete, 90_000, 598));
    assert_eq!(run::<16>(2, Limits::NONE), (End::Complete, 65_536, 16));
    assert_eq!(run::<10>(3, Limits::NONE), (End::Complete, 59_049, 20));
}

#[test]
fn the_limit_of_states_is_never_passed() {
    for states in [1, 2, 63, 64, 65, 100, 1000, 4095] {
        let limits = Limits { states, ..Limits::NONE };
        let (end, seen, _) = run::<12>(2, limits);
        assert_eq!((end, seen), (End::States, states));
    }
    let limits = Limits { states: 4096, ..Limits::NONE };
    assert_eq!(run::<12>(2, limits), (End::Complete, 4096, 12));
}

#[test]
fn the_limit_of_depth_is_never_passed() {
    for (depth, states) in [(0, 1), (1, 13), (2, 79)] {
        let limits = Limits { depth, ..Limits::NONE };
        assert_eq!(run::<12>(2, limits), (End::Depth, states, depth));
    }
    assert_eq!(run::<12>(2, Limits { depth: 13, ..Limits::NONE }), (End::Complete, 4096, 12));
}

#[test]
fn parts_that_do_not_fit_into_the_key_end_the_search() {
    // 一つの部品に一ビットでも、百二十八を超えれば収まらない。
    assert_eq!(run::<129>(2, Limits::NONE), (End::TooMany, 0, 0));
    // 六十五の部品は、三つ目の値で二ビットずつになり、収まらなくなる。
    let (end, states, _) = run::<65>(4, Limits { states: 100_000, ..Limits::NONE });
    assert_eq!(end, End::TooMany);
    assert!(states > 65, "{states}");
}

#[test]
fn the_watcher_hears_on_the_way_and_may_stop() {
    let model = Counters::<16> { base: 2 };
    let mut tallies: Vec<Tally> = Vec::new();
    let report = check(&model, &Unwatched, Strategy::Breadth, Limits::NONE, |tally| {
        tallies.push(*tally);
        match tallies.len() {
            3 => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    });
    assert_eq!(report.end, End::Stopped);
    assert_eq!(tallies.iter().map(|tally| tally.done).collect::<Vec<_>>(), [4096, 8192, 12_288]);
    assert!(tallies.is_sorted_by_key(|tally| (tally.states, tally.depth)));
    assert!(tallies.iter().all(|tally| tally.bytes > 20 * tally.states));
    assert_eq!(tallies[2].broken, Broken::NONE);
}

/// 数が増えると、部品の訪ねかたを変える、誤った状態。
#[derive(Clone)]
struct Fickle {
    number: Part<u8>,
    hidden: Part<u8>,
}

impl Parts for Fickle {
    fn visit(&mut self, visitor: &mut impl Visitor) {
        self.number.visit(visitor);
        if *self.number < 2 {
            self.hidden.visit(visitor);
        }
    }
}

struct Growing;

impl Model for Growing {
    type State = Fickle;
    type Action = ();
    type Event = ();

    fn start(&self) -> Fickle {
        Fickle { number: Part::new(0), hidden: Part::new(0) }
    }

    fn actions(&self, _: &Fickle, out: &mut Vec<()>) {
        out.push(());
    }

    fn step(&self, state: &mut Fickle, (): (), _: &mut Vec<()>) -> bool {
        *state.number += 1;
        true
    }
}

#[test]
fn a_state_that_hides_a_part_is_found_out() {
    let report =
        check(&Growing, &Unwatched, Strategy::Breadth, Limits::NONE, |_| ControlFlow::Continue(()));
    assert_eq!((report.end, report.states), (End::Unlike, 3));
}
