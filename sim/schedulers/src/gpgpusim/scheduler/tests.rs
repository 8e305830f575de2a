//! What a stuck run is told, and use that is refused; the rules are tested over whole runs, in
//! `sched/tests`.

use super::*;
use crate::port::{Dim3, KernelLaunch};

const LIMITS: SmxLimits =
    SmxLimits { threads: 64, registers: 64, shared_memory: 64, thread_block_slots: 2 };

/// A kernel of that many blocks, offered in this cycle.
fn offer(scheduler: &mut GpgpuSim, blocks: u32) {
    let grid = Dim3::new(blocks, 1, 1);
    let needs = BlockNeeds { threads: 32, ..BlockNeeds::default() };
    let launch = Some(KernelLaunch { grid, blocks, needs, ..KernelLaunch::default() });
    scheduler.cycle(&Inputs { launch, ..Inputs::idle(2) }, &mut Outputs::idle(2));
}

fn first_line(scheduler: &GpgpuSim) -> String {
    scheduler.explain().lines().next().unwrap_or_default().to_owned()
}

#[test]
fn a_stuck_run_is_told_the_head_and_its_cap_or_which_kernel_is_waited_for() {
    let mut scheduler = GpgpuSim::new(2, LIMITS, Vec::new());
    assert_eq!(first_line(&scheduler), "the scheduler has no kernel to distribute");
    offer(&mut scheduler, 3);
    let head = "the scheduler distributes the kernel in entry 0, at most 2 blocks an SMX";
    assert_eq!(first_line(&scheduler), head);
    offer(&mut scheduler, 1);
    assert_eq!(first_line(&scheduler), head, "two went, one is left");
    scheduler.cycle(&Inputs::idle(2), &mut Outputs::idle(2));
    let waits = "the scheduler waits for the kernel in entry 0 to finish";
    assert_eq!(first_line(&scheduler), waits, "entry 1 must wait");
}

#[test]
fn a_stuck_run_is_told_where_the_scheduler_believes_that_blocks_are() {
    let mut scheduler = GpgpuSim::new(2, LIMITS, Vec::new());
    offer(&mut scheduler, 1);
    let before = scheduler.explain();
    scheduler.cycle(&Inputs::idle(2), &mut Outputs::idle(2));
    assert_ne!(scheduler.explain().lines().nth(1), before.lines().nth(1));
    let resources: Vec<_> = scheduler.resources.explain().collect();
    assert_eq!(scheduler.explain().lines().skip(1).collect::<Vec<_>>(), resources);
}

#[test]
#[should_panic(expected = "145 SMXs: expected 1 to 144")]
fn more_smxs_than_the_ports_serve_are_refused() {
    GpgpuSim::new(145, LIMITS, Vec::new());
}

#[test]
#[should_panic(expected = "one `finished` for each SMX")]
fn inputs_for_another_number_of_smxs_are_refused() {
    GpgpuSim::new(2, LIMITS, Vec::new()).cycle(&Inputs::idle(3), &mut Outputs::default());
}
