//! Two SMXs with nesting levels, and a scheduler that is told what to say.

use super::super::Invariants;
use crate::composition::Composition;
use crate::port::*;
use std::collections::BTreeMap;

const LIMITS: SmxLimits =
    SmxLimits { threads: 2048, registers: 1000, shared_memory: 500, thread_block_slots: 9 };

struct Bench {
    invariants: Invariants,
    /// The entry of the next kernel.
    free: u8,
    /// Records that each pool has had.
    records: BTreeMap<QueuePlace, u32>,
}

fn kernel(blocks: u32) -> KernelLaunch {
    let needs = BlockNeeds { threads: 32, registers: 1, shared_memory: 1 };
    let (grid, block) = (Dim3::new(blocks, 1, 1), Dim3::new(32, 1, 1));
    KernelLaunch { grid, block, blocks, needs, ..Default::default() }
}

fn place(queue: u8, level: u8) -> QueuePlace {
    QueuePlace { queue, level }
}

impl Bench {
    fn new() -> Self {
        let composition: Composition = "ikra/steal(nesting=2)".parse().unwrap();
        let invariants = Invariants::new(LIMITS, 2, (&composition).into());
        Self { invariants, free: 0, records: BTreeMap::new() }
    }

    fn cycle(&mut self, change: impl FnOnce(&mut Inputs, &mut Outputs)) -> Result<(), String> {
        let (mut inputs, mut outputs) = (Inputs::idle(2), Outputs::idle(2));
        outputs.launch_ready = Some(KernelEntry(self.free));
        // Each kernel of the host is of a queue that is not looked at again.
        outputs.device.management.inspect = !0;
        inputs.device.management.work_queue = 31;
        change(&mut inputs, &mut outputs);
        self.invariants.check(&inputs, &outputs)
    }

    /// A block of SMX `home` launches a kernel of so many blocks, which comes back as a record; its
    /// entry.
    fn child(&mut self, home: u8, blocks: u32) -> KernelEntry {
        let place = place(home, 1);
        let index = *self.records.entry(place).and_modify(|index| *index += 1).or_insert(0);
        self.cycle(|inputs, outputs| {
            inputs.device.management.device_launch = true;
            inputs.device.parents.launch_parent = Parent { smx: home, level: 0 };
            outputs.device.parents.launch_place = place;
        })
        .unwrap();
        self.cycle(|_, outputs| {
            outputs.device.management.fetch_record = Some(RecordFetch { suspended: false, index });
            outputs.device.parents.fetch_place = place;
        })
        .unwrap();
        let entry = KernelEntry(self.free);
        self.cycle(|inputs, outputs| {
            inputs.device.management.record = Some(kernel(blocks));
            inputs.device.parents.record_place = place;
            (outputs.launch_ready, outputs.device.management.record_entry) = (None, Some(entry));
        })
        .unwrap();
        self.free += 1;
        entry
    }

    /// A block of a grid of one row is dispatched, and ends in the next cycle.
    fn block(&mut self, kernel: KernelEntry, smx: usize, x: u32) -> Result<(), String> {
        let block = Dim3::new(x, 0, 0);
        let dispatch = Dispatch { kernel, block, ..Default::default() };
        self.cycle(|_, outputs| outputs.dispatch[smx] = Some(dispatch))?;
        self.cycle(|inputs, _| inputs.finished[smx] = Some(kernel))
    }

    fn end(&mut self, kernels: &[KernelEntry]) -> Result<(), String> {
        let bits = kernels.iter().map(|kernel| 1 << kernel.0).sum();
        self.cycle(|_, outputs| outputs.finished_kernels = bits)
    }
}

fn refused(result: Result<(), String>, why: &str) {
    let message = result.expect_err("a broken rule");
    assert!(message.contains(why), "{message}");
}

#[test]
fn a_launch_waits_in_the_pool_of_its_parent_s_smx_and_the_next_level_up_to_the_last() {
    for (level, placed) in [(0, place(1, 1)), (1, place(1, 1)), (0, place(0, 1)), (0, place(1, 0))]
    {
        let result = Bench::new().cycle(|inputs, outputs| {
            inputs.device.management.device_launch = true;
            inputs.device.parents.launch_parent = Parent { smx: 1, level };
            outputs.device.parents.launch_place = placed;
        });
        if placed == place(1, 1) {
            result.unwrap();
        } else {
            refused(result, "of levels the scheduler says");
        }
    }
}

#[test]
fn the_level_of_a_block_is_not_told_and_overflow_queues_are_not_there() {
    let level = |outputs: &mut Outputs| outputs.device.queues.level = 1;
    let spill = |outputs: &mut Outputs| outputs.device.queues.spill = Some(Spill::default());
    let refill = |outputs: &mut Outputs| outputs.device.queues.refill_taken = true;
    for change in [level as fn(&mut Outputs), spill, refill] {
        refused(Bench::new().cycle(|_, outputs| change(outputs)), "of levels the scheduler says");
    }
}

#[test]
fn several_kernels_dispatch_and_end_in_one_cycle_and_their_blocks_go_anywhere() {
    let mut bench = Bench::new();
    let [first, second] = [0, 1].map(|home| bench.child(home, 1));
    let both = |outputs: &mut Outputs| {
        for (smx, kernel) in [second, first].into_iter().enumerate() {
            outputs.dispatch[smx] = Some(Dispatch { kernel, ..Default::default() });
        }
    };
    bench.cycle(|_, outputs| both(outputs)).unwrap();
    bench.cycle(|inputs, _| inputs.finished = vec![Some(second), Some(first)]).unwrap();
    bench.end(&[first, second]).unwrap();
}

#[test]
fn a_kernel_of_a_taken_place_waits_for_the_end_of_the_one_before() {
    let mut bench = Bench::new();
    let [first, second] = [0, 0].map(|home| bench.child(home, 1));
    refused(bench.block(second, 0, 0), "has not finished");
    let mut bench = Bench::new();
    let [first_, second_] = [0, 0].map(|home| bench.child(home, 1));
    assert_eq!((first, second), (first_, second_));
    bench.block(first, 1, 0).unwrap();
    bench.end(&[first]).unwrap();
    bench.free = first.0;
    bench.block(second, 0, 0).unwrap();
}

#[test]
fn a_kernel_waits_for_those_before_it_in_line_to_begin_and_not_for_empty_ones() {
    let mut bench = Bench::new();
    let line = [0, 0, 1].map(|home| bench.child(home, 1));
    refused(bench.block(line[2], 1, 0), "has not finished");
    let mut bench = Bench::new();
    let line = [bench.child(0, 1), bench.child(0, 0), bench.child(1, 1)];
    bench.block(line[2], 1, 0).unwrap();
}

#[test]
fn a_kernel_of_the_host_waits_for_the_one_before_and_not_for_those_of_blocks() {
    let mut bench = Bench::new();
    let child = bench.child(0, 1);
    let mut hosts = Vec::new();
    for queue in [0u8, 1] {
        let busy: u32 = (0..queue).map(|queue| 1 << queue).sum();
        bench
            .cycle(|inputs, outputs| {
                inputs.launch = Some(kernel(1));
                inputs.device.management.work_queue = queue;
                outputs.device.management.inspect = !busy;
            })
            .unwrap();
        hosts.push(KernelEntry(bench.free));
        bench.free += 1;
    }
    let dispatch = |bench: &mut Bench, kernel| {
        bench.cycle(|_, outputs| {
            outputs.device.management.inspect = !0b11;
            outputs.dispatch[0] = Some(Dispatch { kernel, ..Default::default() });
        })
    };
    dispatch(&mut bench, hosts[0]).unwrap();
    refused(dispatch(&mut bench, hosts[1]), "has not finished");
    assert_eq!(child, KernelEntry(0), "it has not ended");
}

#[test]
fn a_record_of_no_level_is_refused() {
    let mut bench = Bench::new();
    let result = bench.cycle(|inputs, outputs| {
        inputs.device.management.record = Some(kernel(1));
        inputs.device.parents.record_place = place(0, 2);
        (outputs.launch_ready, outputs.device.management.record_entry) =
            (None, Some(KernelEntry(0)));
    });
    refused(result, "that was not asked for");
}
