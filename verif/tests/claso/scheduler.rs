//! `rr+claso` as a whole, in lockstep: what its levels mean at their two ends.

use blockyard::engine::{Lockstep, RtlScheduler};
use blockyard_sim::port::{
    BlockNeeds, Dim3, Inputs, KernelEntry, KernelLaunch, Outputs, Scheduler, SmxLimits,
};
use blockyard_sim::sched::{self, Composition};

const LIMITS: SmxLimits =
    SmxLimits { threads: 1536, registers: 32_768, shared_memory: 49_152, thread_block_slots: 1 };
const CORES: usize = 4;

/// Runs a kernel whose blocks take `durations[smx]` cycles; cycle and SMX of every dispatch.
fn run(scheduler: &str, blocks: u32, durations: [u64; CORES]) -> Vec<(u64, usize)> {
    let composition: Composition = scheduler.parse().expect("a known scheduler");
    let hardware = RtlScheduler::build(&composition, CORES, LIMITS).expect("there is hardware");
    let mut lockstep = Lockstep::new(sched::build(&composition, CORES, LIMITS), hardware);
    let mismatch = lockstep.mismatch();
    let mut inputs = Inputs::idle(CORES);
    let mut outputs = Outputs::idle(CORES);
    inputs.launch = Some(KernelLaunch {
        grid: Dim3::new(blocks, 1, 1),
        block: Dim3::new(32, 1, 1),
        blocks,
        needs: BlockNeeds { threads: 32, ..BlockNeeds::default() },
        ..KernelLaunch::default()
    });
    let mut ends = [None; CORES];
    let mut log = Vec::new();
    for cycle in 0..1_000 {
        for (port, end) in inputs.finished.iter_mut().zip(&mut ends) {
            *port = end.take_if(|end| *end == cycle).map(|_| KernelEntry(0));
        }
        lockstep.cycle(&inputs, &mut outputs);
        assert!(mismatch.borrow().is_none(), "{scheduler}: hardware and twin differ");
        inputs.launch = None;
        for smx in (0..CORES).filter(|&smx| outputs.dispatch[smx].is_some()) {
            ends[smx] = Some(cycle + durations[smx]);
            log.push((cycle, smx));
        }
    }
    assert_eq!(log.len(), blocks as usize, "{scheduler}: every block goes");
    log
}

fn shares(log: &[(u64, usize)]) -> [usize; CORES] {
    std::array::from_fn(|smx| log.iter().filter(|(_, to)| *to == smx).count())
}

#[test]
fn tight_levels_share_evenly_however_fast_a_core_is() {
    let log = run("rr+claso(pa=1,pl=0)", 17, [1, 40, 40, 40]);
    assert_eq!(shares(&log), [5, 4, 4, 4]);
    let plain = run("rr", 17, [1, 40, 40, 40]);
    assert_eq!(shares(&plain), [14, 1, 1, 1], "without credits the fast core takes what it can");
}

#[test]
fn levels_as_wide_as_the_grid_are_the_plain_round_robin() {
    // p_A = ceil(17 / 4) and p_L = 17 - ceil(17 / 4).
    for durations in [[1, 40, 40, 40], [3, 5, 7, 11], [9, 9, 9, 9]] {
        assert_eq!(run("rr+claso(pa=5,pl=12)", 17, durations), run("rr", 17, durations));
    }
}
