//! The driver against rust-hdl's threaded `Simulation`, on the same small block.

use blockyard_rtl::module::{clock_edge, settle, Fresh, Module};
use blockyard_rtl::prim::Fifo;
use blockyard_rtl::word::U;
use criterion::{Criterion, Throughput};
use rust_hdl::prelude::*;

const CYCLES: u64 = 2_000;

type Queue = Fifo<U<8>, 4>;

/// What is pushed and popped in a cycle.
fn stimulus(cycle: u64) -> (bool, bool, U<8>) {
    (!cycle.is_multiple_of(3), cycle.is_multiple_of(2), U::wrap(cycle))
}

fn queue() -> Queue {
    let mut queue = Queue::fresh();
    queue.connect_all();
    queue
}

/// One thread, one settled evaluation a cycle.
fn driven() -> u64 {
    let mut queue = queue();
    let mut sum = 0;
    for cycle in 0..CYCLES {
        queue.drive_reset(cycle == 0);
        let (push, pop, data) = stimulus(cycle);
        queue.push.next = push;
        queue.pop.next = pop;
        queue.data.next = data;
        settle(&mut queue);
        sum += queue.head.val().raw();
        clock_edge(&mut queue);
    }
    sum
}

/// rust-hdl's way: a clock and a test bench, each in a thread of its own.
fn threaded() {
    let mut simulation: Simulation<Queue> = Simulation::new();
    simulation.add_clock(5, |queue: &mut Box<Queue>| {
        let level = !queue.control.clock.val().clk;
        queue.drive_clock(level);
    });
    simulation.add_testbench(move |mut sim: Sim<Queue>| {
        let mut queue = sim.init()?;
        for cycle in 0..CYCLES {
            queue.drive_reset(cycle == 0);
            let (push, pop, data) = stimulus(cycle);
            queue.push.next = push;
            queue.pop.next = pop;
            queue.data.next = data;
            queue = sim.watch(|queue| queue.control.clock.val().clk, queue)?;
            queue = sim.watch(|queue| !queue.control.clock.val().clk, queue)?;
        }
        sim.done(queue)
    });
    simulation.run(Box::new(queue()), CYCLES * 20).expect("the simulation ends");
}

/// Both, side by side.
pub fn bench(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("fifo");
    group.throughput(Throughput::Elements(CYCLES)).sample_size(10);
    group.bench_function("driver", |bencher| bencher.iter(driven));
    group.bench_function("rust-hdl Simulation", |bencher| bencher.iter(threaded));
}
