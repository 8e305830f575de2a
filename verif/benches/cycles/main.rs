//! How fast the hardware is simulated, as ratios within one run: the driver against rust-hdl's own
//! threaded simulation, the whole scheduler at several sizes, Verilator on its exported Verilog,
//! and the effective rate of a search over a graph when quiet cycles are skipped.
//!
//! `cargo bench -p blockyard` prints cycles a second (criterion's `elem/s`).

mod search;
mod threaded;
mod verilated;

use blockyard::engine::RtlScheduler;
use blockyard::traffic::{Intensity, Traffic};
use blockyard_sim::port::{Inputs, Outputs, Scheduler, SmxLimits};
use blockyard_sim::sched::{self, Composition};
use criterion::{criterion_group, criterion_main, Criterion, Throughput};
use std::hint::black_box;

const LIMITS: SmxLimits =
    SmxLimits { threads: 1536, registers: 32_768, shared_memory: 49_152, thread_block_slots: 8 };

/// Cycles of recorded traffic that every engine is given.
const CYCLES: usize = 4_000;

/// Dense traffic, recorded once so that its making is not measured.
fn recorded(composition: &Composition, smx: usize) -> Vec<Inputs> {
    let mut twin = sched::build(composition, smx, LIMITS);
    let intensity = Intensity { reset: 0, giant: 0, ..Intensity::DENSE };
    let mut traffic = Traffic::new(smx, LIMITS, intensity, 1);
    let mut outputs = Outputs::idle(smx);
    (0..CYCLES)
        .map(|_| {
            let mut inputs = Inputs::idle(smx);
            traffic.next(&mut inputs);
            twin.cycle(&inputs, &mut outputs);
            traffic.observe(&inputs, &outputs);
            inputs
        })
        .collect()
}

fn play(scheduler: &mut dyn Scheduler, inputs: &[Inputs], outputs: &mut Outputs) {
    for inputs in inputs {
        black_box(scheduler.cycle(inputs, outputs));
    }
}

/// Twin and hardware on dense traffic: no cycle is quiet.
fn dense(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("dense");
    group.throughput(Throughput::Elements(CYCLES as u64)).sample_size(10);
    for name in ["rr", "rr+claso"] {
        let composition: Composition = name.parse().expect("a known scheduler");
        for smx in [4, 15, 30, 80, 132] {
            let inputs = recorded(&composition, smx);
            let mut outputs = Outputs::idle(smx);
            group.bench_function(format!("{name}/n{smx}/twin"), |bencher| {
                bencher.iter(|| {
                    play(&mut *sched::build(&composition, smx, LIMITS), &inputs, &mut outputs)
                });
            });
            group.bench_function(format!("{name}/n{smx}/hardware"), |bencher| {
                bencher.iter(|| {
                    let hardware = RtlScheduler::build(&composition, smx, LIMITS);
                    play(&mut hardware.expect("there is hardware"), &inputs, &mut outputs)
                });
            });
        }
    }
}

criterion_group!(benches, threaded::bench, dense, verilated::bench, search::bench);
criterion_main!(benches);
