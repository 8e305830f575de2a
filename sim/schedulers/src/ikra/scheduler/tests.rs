//! What a stuck run is told, and use that is refused; the rules are tested over whole runs, in
//! `sched/tests`.

use super::super::StealConfig;
use super::*;
use crate::port::{BlockNeeds, KernelLaunch};

const LIMITS: SmxLimits =
    SmxLimits { threads: 64, registers: 64, shared_memory: 64, thread_block_slots: 2 };

/// A kernel of that many blocks, offered in this cycle.
fn offer(scheduler: &mut IkraScheduler, blocks: u32) {
    let grid = Dim3::new(blocks, 1, 1);
    let needs = BlockNeeds { threads: 32, ..BlockNeeds::default() };
    let launch = Some(KernelLaunch { grid, blocks, needs, ..KernelLaunch::default() });
    scheduler.cycle(&Inputs { launch, ..Inputs::idle(2) }, &mut Outputs::idle(2));
}

fn idle(scheduler: &mut IkraScheduler, cycles: usize) {
    for _ in 0..cycles {
        scheduler.cycle(&Inputs::idle(2), &mut Outputs::idle(2));
    }
}

#[test]
fn a_stuck_run_is_told_the_phase_what_is_left_and_where_blocks_are() {
    let config = IkraConfig::Steal(StealConfig::default());
    let mut scheduler = IkraScheduler::new(2, LIMITS, config, Vec::new());
    assert_eq!(scheduler.explain(), "the scheduler has no kernel to distribute");
    offer(&mut scheduler, 9);
    idle(&mut scheduler, 63);
    assert_eq!(scheduler.explain(), "the scheduler has not begun the kernel in entry 0");
    idle(&mut scheduler, 2);
    let explained = scheduler.explain();
    let lines: Vec<_> = explained.lines().collect();
    let left =
        "the scheduler distributes the kernel in entry 0; something is left in the chunks of \
        SMXs [0, 1] and in the queues of SMXs []";
    assert_eq!(lines[0], left);
    assert_eq!(lines[1..], scheduler.resources.explain().collect::<Vec<_>>());
    assert_eq!(lines.len(), 3, "both SMXs have blocks");
}

#[test]
#[should_panic(expected = "145 SMXs: expected 1 to 144")]
fn more_smxs_than_the_ports_serve_are_refused() {
    IkraScheduler::new(145, LIMITS, IkraConfig::Reset, Vec::new());
}

#[test]
#[should_panic(expected = "one `finished` for each SMX")]
fn inputs_for_another_number_of_smxs_are_refused() {
    let mut scheduler = IkraScheduler::new(2, LIMITS, IkraConfig::Chunk, Vec::new());
    scheduler.cycle(&Inputs::idle(3), &mut Outputs::default());
}
