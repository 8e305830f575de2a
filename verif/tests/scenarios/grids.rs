//! Empty grids and grids of one block at the ports: no scenario can state an empty grid.

use blockyard::engine::{Lockstep, RtlScheduler};
use blockyard_sim::port::{
    BlockNeeds, Dim3, Inputs, KernelEntry, KernelLaunch, Outputs, Scheduler, SmxLimits,
};
use blockyard_sim::sched;

const LIMITS: SmxLimits =
    SmxLimits { threads: 64, registers: 1024, shared_memory: 1024, thread_block_slots: 2 };

/// The engines of one scheduler, by name.
fn engines(scheduler: &str, smx: usize) -> Vec<(&'static str, Box<dyn Scheduler>)> {
    let composition = scheduler.parse().expect("a known scheduler");
    let hardware = || RtlScheduler::build(&composition, smx, LIMITS).expect("hardware");
    let twin = || sched::build(&composition, smx, LIMITS);
    vec![
        ("golden", twin()),
        ("rtl", Box::new(hardware())),
        ("lockstep", Box::new(Lockstep::new(twin(), hardware()))),
    ]
}

fn kernel(grid: Dim3) -> KernelLaunch {
    KernelLaunch {
        grid,
        block: Dim3::new(32, 1, 1),
        blocks: grid.volume() as u32,
        needs: BlockNeeds { threads: 32, registers: 0, shared_memory: 0 },
        ..KernelLaunch::default()
    }
}

#[test]
fn an_empty_grid_ends_two_cycles_after_its_launch_without_a_dispatch() {
    let empty = [Dim3::new(0, 1, 1), Dim3::new(3, 0, 1), Dim3::new(1, 1, 0), Dim3::default()];
    for scheduler in ["rr", "rr+claso(pa=1,pl=0)"] {
        for grid in empty {
            for (name, mut engine) in engines(scheduler, 3) {
                let (mut inputs, mut outputs) = (Inputs::idle(3), Outputs::idle(3));
                for cycle in 0..6 {
                    inputs.launch = (cycle == 0).then(|| kernel(grid));
                    engine.cycle(&inputs, &mut outputs);
                    assert_eq!(outputs.dispatch, [None; 3], "{name} {grid} in {cycle}");
                    assert_eq!(outputs.finished_kernels, u32::from(cycle == 2), "{name} {cycle}");
                    // The entry is taken in 1 and 2 and free again from 3 on.
                    let free = KernelEntry(u8::from(cycle == 1 || cycle == 2));
                    assert_eq!(outputs.launch_ready, Some(free), "{name} in {cycle}");
                }
            }
        }
    }
}

#[test]
fn a_grid_of_one_block_runs_it_once_and_ends_one_cycle_after_it() {
    for scheduler in ["rr", "rr+claso(pa=1,pl=0)"] {
        for smx in [1, 4] {
            for (name, mut engine) in engines(scheduler, smx) {
                let (mut inputs, mut outputs) = (Inputs::idle(smx), Outputs::idle(smx));
                for cycle in 0..12 {
                    inputs.launch = (cycle == 0).then(|| kernel(Dim3::new(1, 1, 1)));
                    inputs.finished[0] = (cycle == 8).then_some(KernelEntry(0));
                    engine.cycle(&inputs, &mut outputs);
                    let dispatched: Vec<usize> =
                        (0..smx).filter(|&smx| outputs.dispatch[smx].is_some()).collect();
                    let expected: &[usize] = if cycle == 1 { &[0] } else { &[] };
                    assert_eq!(dispatched, expected, "{name} in {cycle}");
                    assert_eq!(outputs.finished_kernels, u32::from(cycle == 9), "{name} {cycle}");
                }
            }
        }
    }
}

#[test]
fn an_empty_grid_does_not_hold_up_the_kernel_behind_it() {
    for (name, mut engine) in engines("rr+claso(pa=1,pl=0)", 2) {
        let (mut inputs, mut outputs) = (Inputs::idle(2), Outputs::idle(2));
        let mut first = None;
        for cycle in 0..6 {
            inputs.launch = match cycle {
                0 => Some(kernel(Dim3::default())),
                1 => Some(kernel(Dim3::new(1, 1, 1))),
                _ => None,
            };
            engine.cycle(&inputs, &mut outputs);
            if outputs.dispatch.iter().any(Option::is_some) {
                first = first.or(Some(cycle));
            }
        }
        // The controller needs cycle 1 for the empty one.
        assert_eq!(first, Some(2), "{name}");
    }
}
