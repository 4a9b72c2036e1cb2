//! 同じ模型を調べ終えるまでの CPU 時間を、stateright と比べる。
//!
//! 経った時間ではなく CPU 時間を測る。ほかのプロセスを待った時間は数えない。

use std::hint::black_box;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context as _;
use comparison::measure::{FASTER, is_strict, median, verdict};
use comparison::steps::{Engine, model};
use cpu_time::ProcessTime;
use criterion::measurement::{Measurement, ValueFormatter, WallTime};
use criterion::{Criterion, SamplingMode, Throughput};

/// このプロセスの CPU 時間。利用者とカーネルの和。
struct CpuTime;

impl Measurement for CpuTime {
    type Intermediate = ProcessTime;
    type Value = Duration;

    fn start(&self) -> ProcessTime {
        ProcessTime::now()
    }

    fn end(&self, start: ProcessTime) -> Duration {
        start.elapsed()
    }

    fn add(&self, one: &Duration, other: &Duration) -> Duration {
        *one + *other
    }

    fn zero(&self) -> Duration {
        Duration::ZERO
    }

    fn to_f64(&self, value: &Duration) -> f64 {
        WallTime.to_f64(value)
    }

    fn formatter(&self) -> &dyn ValueFormatter {
        WallTime.formatter()
    }
}

/// `engine` で調べ終えるまでの、CPU 時間一秒あたりの状態の数。真ん中の値。
fn per_second(criterion: &mut Criterion<CpuTime>, engine: Engine, states: usize) -> Option<f64> {
    let mut speeds = Vec::new();
    let mut group = criterion.benchmark_group("一秒あたりの状態の数");
    group.sample_size(10).sampling_mode(SamplingMode::Flat);
    group.warm_up_time(Duration::from_millis(1)).measurement_time(Duration::from_secs(10));
    group.throughput(Throughput::Elements(states as u64));
    group.bench_function(engine.name(), |bencher| {
        bencher.iter_custom(|times| {
            let start = ProcessTime::now();
            for _ in 0..times {
                black_box(engine.states(black_box(model())));
            }
            let spent = start.elapsed();
            speeds.push(states as f64 * times as f64 / spent.as_secs_f64());
            spent
        });
    });
    group.finish();
    median(speeds)
}

fn main() -> anyhow::Result<ExitCode> {
    let mut criterion = Criterion::default().with_measurement(CpuTime).configure_from_args();
    let states = Engine::Check.states(model());
    let both = [Engine::Stateright, Engine::Check];
    let [theirs, ours] = both.map(|engine| per_second(&mut criterion, engine, states));
    let ratio =
        ours.context("探索を測っていない")? / theirs.context("stateright を測っていない")?;
    let is_kept = ratio >= FASTER;
    println!("状態 {states} 個。比 {ratio:.2}、約束は {FASTER} 以上。{}", verdict(is_kept));
    Ok(if is_kept || !is_strict() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
