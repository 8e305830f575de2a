//! What a stuck run is told, suspended kernels, and use that is refused; the rules are tested over
//! whole runs, in `sched/tests`.

use super::*;
use crate::port::{Dim3, KernelLaunch, Parent, RecordFetch};

const LIMITS: SmxLimits =
    SmxLimits { threads: 64, registers: 64, shared_memory: 64, thread_block_slots: 2 };

fn kernel(blocks: u32) -> KernelLaunch {
    let grid = Dim3::new(blocks, 1, 1);
    let needs = BlockNeeds { threads: 32, ..BlockNeeds::default() };
    KernelLaunch { grid, blocks, needs, ..KernelLaunch::default() }
}

fn scheduler(smx: usize) -> NestedScheduler {
    NestedScheduler::new(smx, LIMITS, Nesting::Four, 4, Vec::new())
}

fn cycle(scheduler: &mut NestedScheduler, change: impl FnOnce(&mut Inputs)) -> Outputs {
    let (mut inputs, mut outputs) = (Inputs::idle(scheduler.smx()), Outputs::default());
    change(&mut inputs);
    scheduler.cycle(&inputs, &mut outputs);
    outputs
}

#[test]
fn a_suspended_kernel_is_asked_for_first_and_comes_back_as_one_of_the_host() {
    let mut scheduler = scheduler(2);
    let outputs = cycle(&mut scheduler, |inputs| {
        inputs.device.management.suspend = true;
        inputs.device.management.device_launch = true;
        inputs.device.parents.launch_parent = Parent { smx: 1, level: 2 };
    });
    let fetch = Some(RecordFetch { suspended: true, index: 0 });
    assert_eq!(outputs.device.management.fetch_record, fetch);
    let parents = outputs.device.parents;
    assert_eq!(parents.launch_place, QueuePlace { queue: 1, level: 3 });
    assert_eq!(parents.fetch_place, QueuePlace::default());
    let outputs = cycle(&mut scheduler, |inputs| inputs.device.management.record = Some(kernel(2)));
    assert_eq!(
        (outputs.launch_ready, outputs.device.management.record_entry),
        (None, Some(KernelEntry(0)))
    );
    // Chunks of one block each.
    let outputs = (0..65).map(|_| cycle(&mut scheduler, |_| ())).last().unwrap();
    let blocks: Vec<_> = outputs.dispatch.iter().map(|block| block.map(|of| of.block.x)).collect();
    assert_eq!(blocks, [Some(0), Some(1)]);
}

#[test]
fn a_record_goes_before_the_host_s_kernel_which_waits() {
    let mut scheduler = scheduler(2);
    let both = |inputs: &mut Inputs| {
        inputs.launch = Some(kernel(2));
        inputs.device.management.record = Some(kernel(1));
        inputs.device.parents.record_place = QueuePlace { queue: 1, level: 1 };
    };
    let outputs = cycle(&mut scheduler, both);
    assert_eq!(
        (outputs.launch_ready, outputs.device.management.record_entry),
        (None, Some(KernelEntry(0)))
    );
    let outputs = cycle(&mut scheduler, |inputs| inputs.launch = Some(kernel(2)));
    assert_eq!(outputs.launch_ready, Some(KernelEntry(1)));
    let outputs = cycle(&mut scheduler, |_| ());
    assert_eq!(outputs.dispatch[1].map(|of| of.kernel), Some(KernelEntry(0)));
}

#[test]
fn a_stuck_run_is_told_what_waits_what_is_left_and_what_runs() {
    let mut scheduler = scheduler(2);
    cycle(&mut scheduler, |inputs| inputs.launch = Some(kernel(9)));
    (0..66).for_each(|_| drop(cycle(&mut scheduler, |_| ())));
    let explained = scheduler.explain();
    let lines: Vec<_> = explained.lines().collect();
    assert!(lines[0].starts_with("the Kernel Management Unit: 1 entries"), "{explained}");
    let kernels =
        "the scheduler has 1 host kernels and 0 device kernels in line; blocks in execution: 4 \
        of entry 0";
    assert_eq!(lines[1..], [kernels, "something is left in chunks or queues of SMXs [0, 1]"]);
}

#[test]
fn reset_forgets_everything_whatever_else_the_cycle_carries() {
    let mut scheduler = scheduler(2);
    cycle(&mut scheduler, |inputs| inputs.launch = Some(kernel(9)));
    (0..66).for_each(|_| drop(cycle(&mut scheduler, |_| ())));
    let reset = |inputs: &mut Inputs| {
        (inputs.reset, inputs.launch) = (true, Some(kernel(1)));
    };
    cycle(&mut scheduler, reset);
    // From the first cycle on thieves look for work.
    let mut fresh = self::scheduler(2);
    let (mut got, mut expected) = (Outputs::default(), Outputs::default());
    let mut inputs = Inputs::idle(2);
    for number in 0..200 {
        inputs.launch = (number == 50).then(|| kernel(3));
        let activity = fresh.cycle(&inputs, &mut expected);
        assert_eq!(scheduler.cycle(&inputs, &mut got), activity, "cycle {number}");
        assert_eq!(got, expected, "cycle {number}");
    }
    assert_eq!(scheduler.cycle(&inputs, &mut got), Activity::Quiet);
    inputs.reset = true;
    assert_eq!(scheduler.cycle(&inputs, &mut got), Activity::Busy);
    assert_eq!(scheduler.cycle(&inputs, &mut got), Activity::Quiet);
}

#[test]
fn thieves_scan_to_their_end_after_reset_and_then_it_is_quiet() {
    let mut scheduler = scheduler(3);
    let mut activity = || scheduler.cycle(&Inputs::idle(3), &mut Outputs::default());
    // Queues and chunks of four levels of two victims, of two cycles each, and one cycle that moves
    // on.
    for number in 0..4 * 2 * 2 * 2 + 1 {
        assert_eq!(activity(), Activity::Busy, "cycle {number}");
    }
    assert_eq!(activity(), Activity::Quiet);
}

#[test]
#[should_panic(expected = "145 SMXs: expected 1 to 144")]
fn more_smxs_than_the_ports_serve_are_refused() {
    scheduler(145);
}

#[test]
#[should_panic(expected = "one `finished` for each SMX")]
fn inputs_for_another_number_of_smxs_are_refused() {
    scheduler(2).cycle(&Inputs::idle(3), &mut Outputs::default());
}
