//! メモリーの限りを、本当に超えない。割り当てのいちばん多かった量を数える。

use std::ops::ControlFlow;

use check::{End, Limits, Model, Part, Strategy, Unwatched, check};
use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// 状態ごとに新しい部品のできる模型。棚も、状態と同じ速さで伸びる。
struct Growing {
    /// 部品を大きくするための、詰めもの
    width: usize,
}

impl Model for Growing {
    type State = (Part<[u64; 8]>, Part<u64>);
    type Action = usize;
    type Event = ();

    fn start(&self) -> Self::State {
        (Part::new([1; 8]), Part::new(0))
    }

    fn actions(&self, _: &Self::State, out: &mut Vec<usize>) {
        out.extend(0..self.width);
    }

    fn step(&self, (numbers, count): &mut Self::State, action: usize, _: &mut Vec<()>) -> bool {
        let at = action % 8;
        numbers[at] = numbers[at].wrapping_mul(6_364_136_223_846_793_005) + action as u64;
        **count += 1;
        true
    }
}

/// 限り `bytes` で調べ、終わりかたと、増えた割り当てのいちばん多かった量を返す。
fn peak(bytes: usize, width: usize) -> (End, usize, usize) {
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let limits = Limits { bytes, states: 3_000_000, ..Limits::NONE };
    let model = Growing { width };
    let report =
        check(&model, &Unwatched, Strategy::Breadth, limits, |_| ControlFlow::Continue(()));
    (report.end, report.states, MEMORY.peak_usage() - before)
}

#[test]
fn the_limit_of_memory_holds_and_most_of_it_is_used() {
    for (bytes, width) in [(1 << 20, 2), (5_000_000, 9), (20_000_000, 3), (60_000_000, 200)] {
        let (end, states, peak) = peak(bytes, width);
        assert_eq!(end, End::Memory, "{bytes}");
        // 手と出来事を並べる所は数えない。
        let buffers = 16 * width.next_power_of_two() + 4096;
        assert!(peak <= bytes + buffers, "限り {bytes} に、{peak} を使った");
        assert!(4 * peak > bytes, "限り {bytes} に、{states} 状態、{peak} で終わった");
    }
}
