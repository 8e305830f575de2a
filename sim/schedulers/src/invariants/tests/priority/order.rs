//! Which SMX gets which block, and with which level.

use super::*;

const BIND: &str = "laperm/smx-bind";
const ADAPTIVE: &str = "laperm/adaptive-bind";

#[test]
fn a_child_stays_on_the_smxs_of_its_parent() {
    let mut bench = Bench::new(BIND, 0);
    bench.add((0, 0), 5);
    refused(bench.refill(1, child(5), 1), "leaves the SMXs of queue 0 for SMX 1");
    let mut bench = Bench::new("laperm/smx-bind(cluster=2)", 0);
    bench.add((0, 0), 5);
    bench.refill(1, child(5), 1).unwrap();
    let mut bench = Bench::new("laperm/smx-bind(cluster=2)", 0);
    bench.add((0, 0), 5);
    refused(bench.refill(2, child(5), 1), "leaves the SMXs of queue 0 for SMX 2");
}

#[test]
fn children_go_before_the_host_s_kernels() {
    for scheduler in [BIND, "laperm/tb-pri", ADAPTIVE] {
        let mut bench = Bench::new(scheduler, 1);
        bench.add((0, 0), 5);
        refused(bench.refill(0, native(3), 0), "whose queue 0 has a unit of level 1");
        let mut bench = Bench::new(scheduler, 1);
        bench.add((0, 0), 5);
        bench.refill(0, child(5), 1).unwrap();
        bench.refill(0, native(3), 0).unwrap();
    }
}

#[test]
fn a_higher_level_is_not_passed_over() {
    let bench = || {
        let mut bench = Bench::new(BIND, 0);
        bench.add((0, 0), 5);
        bench.add((0, 1), 6);
        bench
    };
    refused(bench().refill(0, child(5), 1), "level 1, passes over entry 0, level 2");
    let mut bench = bench();
    bench.refill(0, child(6), 2).unwrap();
    bench.refill(0, child(5), 1).unwrap();
}

#[test]
fn a_level_is_first_come_first_served() {
    let mut bench = Bench::new(BIND, 0);
    bench.add((0, 0), 5);
    bench.add((0, 0), 6);
    refused(bench.refill(0, child(6), 1), "level 1, passes over entry 0, level 1");
}

#[test]
fn the_blocks_of_a_unit_go_in_order() {
    let second = Dispatch { block: Dim3::new(1, 0, 0), ..child(5) };
    let bench = || {
        let mut bench = Bench::new(BIND, 0);
        bench.group((0, 0), (5, 2), |_, _| ()).unwrap();
        bench
    };
    refused(bench().refill(0, second, 1), "has number 1 in its unit, 0 is next");
    let mut bench = bench();
    bench.refill(0, child(5), 1).unwrap();
    bench.refill(0, second, 1).unwrap();
    refused(bench.refill_again(second), "of which no queue has anything");
}

#[test]
fn another_queue_gives_only_when_there_is_nothing_else() {
    let bench = |more| {
        let mut bench = Bench::new(ADAPTIVE, more);
        bench.add((0, 0), 5);
        bench
    };
    bench(0).refill(1, child(5), 1).unwrap();
    refused(
        bench(1).refill(1, child(5), 1),
        "of queue 0 goes to SMX 1 before queue 0 with entry 0",
    );
    let mut own = bench(0);
    own.add((1, 0), 6);
    refused(own.refill(1, child(5), 1), "whose queue 1 has a unit of level 1");
}

#[test]
fn a_backup_is_kept_until_it_is_empty() {
    let bench = || {
        let mut bench = Bench::new(ADAPTIVE, 0);
        bench.add((0, 0), 5);
        bench.add((0, 0), 6);
        bench.add((1, 0), 7);
        bench.refill(2, child(5), 1).unwrap();
        bench
    };
    refused(bench().refill(2, child(7), 1), "is of queue 1, SMX 2 has the backup 0");
    let mut bench = bench();
    bench.refill(2, child(6), 1).unwrap();
    bench.refill(2, child(7), 1).unwrap();
    // The first backup is the first queue behind the SMX's own.
    let mut first = Bench::new(ADAPTIVE, 0);
    first.add((1, 0), 5);
    first.add((2, 0), 6);
    refused(first.refill(0, child(6), 1), "is of queue 2, SMX 0 has the backup 1");
}

#[test]
fn a_cycle_has_one_block_and_one_smx_s_turn() {
    let mut bench = Bench::new(BIND, 2);
    bench.wait_for(0);
    let two = |inputs: &mut Inputs, outputs: &mut Outputs| {
        replace(inputs, outputs, 0, native(3), 0);
        replace(inputs, outputs, 1, native(4), 0);
    };
    refused(bench.cycle(two), "2 blocks dispatched in one cycle");
    let mut bench = Bench::new(BIND, 1);
    bench.wait_for(1);
    let wrong = |inputs: &mut Inputs, outputs: &mut Outputs| {
        replace(inputs, outputs, 2, native(3), 0);
    };
    refused(bench.cycle(wrong), "goes to SMX 2, it is the turn of SMX 1");
}

#[test]
fn the_turn_moves_on_in_each_cycle_with_something_to_distribute_and_in_no_other() {
    // The three first blocks have moved it around once, and nothing waits.
    let mut bench = Bench::new(BIND, 0);
    bench.quiet();
    bench.add((2, 0), 5);
    // The unit is there from now on: turn 0, 1, 2, 0, 1, 2.
    for _ in 0..5 {
        bench.quiet();
    }
    let last = |inputs: &mut Inputs, outputs: &mut Outputs| {
        replace(inputs, outputs, 2, child(5), 1);
    };
    bench.cycle(last).unwrap();
    bench.add((0, 0), 6);
    let first = |inputs: &mut Inputs, outputs: &mut Outputs| {
        replace(inputs, outputs, 0, child(6), 1);
    };
    bench.cycle(first).unwrap();
}

#[test]
fn a_block_that_fits_goes_unless_a_gate_keeps_it() {
    let free = |bench: &mut Bench| {
        bench.wait_for(0);
        bench.cycle(|inputs, _| inputs.finished[0] = Some(KernelEntry(0)))
    };
    let with = |scheduler| {
        let mut bench = Bench::new(scheduler, 1);
        bench.add((0, 0), 5);
        bench
    };
    refused(free(&mut with(ADAPTIVE)), "SMX 0 has room for the next block of entry 0, and no gate");
    // A refused SMX looks at the next stages in its next visit, and only then.
    let gated = || {
        let mut bench = with("laperm/adaptive-bind+claso(pa=1,pl=0)");
        free(&mut bench).unwrap();
        bench.wait_for(0);
        bench
    };
    let go = |bench: &mut Bench, next, level| {
        bench.cycle(|_, outputs| {
            outputs.dispatch[0] = Some(next);
            outputs.device.queues.level = level;
        })
    };
    refused(go(&mut gated(), child(5), 1), "of queue 0 goes to SMX 0 before queue 0 with entry 0");
    go(&mut gated(), native(3), 0).unwrap();
    let mut later = gated();
    later.quiet();
    later.wait_for(0);
    go(&mut later, child(5), 1).unwrap();
}

#[test]
fn a_block_has_the_level_of_its_unit() {
    let bench = || {
        let mut bench = Bench::new("laperm/smx-bind(levels=2)", 0);
        bench.add((0, 1), 5);
        bench
    };
    refused(bench().refill(0, child(5), 1), "a block of level 2 is dispatched with level 1");
    bench().refill(0, child(5), 2).unwrap();
    // Levels end at the last one.
    let mut clamped = Bench::new("laperm/smx-bind(levels=2)", 0);
    clamped.add((0, 2), 5);
    refused(clamped.refill(0, child(5), 3), "a block of level 2 is dispatched with level 3");
    let quiet = bench().cycle(|_, outputs| outputs.device.queues.level = 1);
    refused(quiet, "level 1 without a block");
    let mut host = Bench::new(BIND, 1);
    refused(host.refill(0, native(3), 1), "a block of level 0 is dispatched with level 1");
}

impl Bench {
    /// A block of what is not there any more.
    fn refill_again(&mut self, next: Dispatch) -> Result<(), String> {
        self.cycle(|inputs, outputs| replace(inputs, outputs, 0, next, 1))
    }
}
