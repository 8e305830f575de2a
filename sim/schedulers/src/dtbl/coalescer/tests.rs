use super::*;
use crate::port::Dim3;

const BLOCK: Dim3 = Dim3::new(32, 2, 1);

fn command(groups: u8, wait: u8) -> AggregationCommand {
    AggregationCommand { entry_pc: 64, block: BLOCK, groups, wait }
}

fn context(entry_pc: u32, block: Dim3) -> Option<KernelContext> {
    Some(KernelContext { entry_pc, parameter_address: 5, block })
}

/// A coalescer beside a Kernel Distributor whose entries in `same` hold the command's function.
struct Bench {
    coalescer: Coalescer,
    same: u32,
    cycle: u64,
    /// Cycle and kernel of each group taken.
    taken: Vec<(u64, Option<u8>)>,
    /// Cycles in which entries are held.
    held: Vec<(u64, u32)>,
}

impl Bench {
    fn new(same: u32) -> Self {
        let (taken, held) = (Vec::new(), Vec::new());
        Self { coalescer: Coalescer::new(), same, cycle: 0, taken, held }
    }

    /// One cycle with a group at the port; whether a command is accepted.
    fn step(&mut self, command: Option<AggregationCommand>, finished_kernels: u32) -> bool {
        let inputs = CoalescerInputs { command, finished_kernels, ..CoalescerInputs::default() };
        self.step_with(CoalescerInputs { group_valid: true, ..inputs })
    }

    fn step_with(&mut self, mut inputs: CoalescerInputs) -> bool {
        let entry = self.coalescer.evaluate(&inputs).probe;
        let other = context(65, BLOCK);
        inputs.probe = if self.same >> entry.index() & 1 == 1 { context(64, BLOCK) } else { other };
        let outputs = self.coalescer.evaluate(&inputs);
        if outputs.take {
            self.taken.push((self.cycle, outputs.kernel.map(|kernel| kernel.0)));
        } else {
            assert_eq!(outputs.kernel, None, "zero without a group");
        }
        if outputs.hold != 0 {
            self.held.push((self.cycle, outputs.hold));
        }
        self.coalescer.clock(&inputs);
        self.cycle += 1;
        outputs.command_ready && inputs.command.is_some()
    }

    fn idle(&mut self, cycles: u64) {
        for _ in 0..cycles {
            self.step(None, 0);
        }
    }
}

#[test]
fn a_match_with_entry_e_has_its_first_group_e_plus_2_cycles_after_the_acceptance() {
    for e in [0, 1, 17, 31] {
        let mut bench = Bench::new(1 << e);
        assert!(bench.step(Some(command(1, 0)), 0));
        bench.idle(50);
        assert_eq!(bench.taken, [(u64::from(e) + 2, Some(e))]);
        assert_eq!(bench.held, [(u64::from(e) + 2, 1 << e)], "from the match to the last group");
    }
}

#[test]
fn without_a_match_groups_come_back_one_a_cycle_after_33_cycles_and_nothing_is_held() {
    let mut bench = Bench::new(0);
    bench.step(Some(command(3, 0)), 0);
    bench.idle(50);
    assert_eq!(bench.taken, [(33, None), (34, None), (35, None)]);
    assert_eq!(bench.held, []);
}

#[test]
fn the_first_eligible_entry_is_matched() {
    let mut bench = Bench::new(0b1010_0000);
    bench.step(Some(command(1, 0)), 0);
    bench.idle(50);
    assert_eq!(bench.taken, [(7, Some(5))]);
}

#[test]
fn entry_pc_and_all_of_the_block_extent_have_to_be_equal() {
    let Dim3 { x, y, z } = BLOCK;
    for (probe, eligible) in [
        (context(64, BLOCK), true),
        (context(63, BLOCK), false),
        (context(64, Dim3::new(x + 1, y, z)), false),
        (context(64, Dim3::new(x, y + 1, z)), false),
        (context(64, Dim3::new(x, y, z + 1)), false),
        (context(64, Dim3::new(y, x, z)), false),
        (None, false),
    ] {
        let mut coalescer = Coalescer::new();
        let accept = CoalescerInputs { command: Some(command(1, 0)), ..Default::default() };
        coalescer.clock(&accept);
        coalescer.clock(&CoalescerInputs { probe, ..Default::default() });
        let held = coalescer.evaluate(&CoalescerInputs::default()).hold;
        assert_eq!(held, u32::from(eligible), "{probe:?}");
    }
}

#[test]
fn a_kernel_that_ends_in_the_cycle_of_its_comparison_is_passed_over() {
    for (finished, expected) in [(1 << 2, (6, Some(4))), (!(1 << 2), (4, Some(2)))] {
        let mut bench = Bench::new(0b1_0100);
        bench.step(Some(command(1, 0)), 0);
        bench.idle(2);
        bench.step(None, finished);
        bench.idle(50);
        assert_eq!(bench.taken, [expected]);
    }
}

#[test]
fn a_wait_counts_from_the_acceptance_and_the_slower_of_wait_and_search_decides() {
    for (wait, first) in [(0, 7), (1, 7), (7, 7), (8, 8), (32, 32), (63, 63)] {
        let mut bench = Bench::new(1 << 5);
        bench.step(Some(command(2, wait)), 0);
        bench.idle(80);
        assert_eq!(bench.taken, [(first, Some(5)), (first + 1, Some(5))], "wait {wait}");
        let held: Vec<_> = (7..=first + 1).map(|cycle| (cycle, 1 << 5)).collect();
        assert_eq!(bench.held, held, "from the match on");
    }
}

#[test]
fn a_group_is_taken_when_it_is_there_and_no_kernel_enters() {
    let mut bench = Bench::new(1);
    bench.step(Some(command(2, 0)), 0);
    bench.idle(1);
    for (group_valid, stall) in [(false, false), (true, true), (true, false), (false, true)] {
        bench.step_with(CoalescerInputs { group_valid, stall, ..Default::default() });
    }
    bench.idle(3);
    assert_eq!(bench.taken, [(4, Some(0)), (6, Some(0))]);
    assert_eq!(bench.held, [(2, 1), (3, 1), (4, 1), (5, 1), (6, 1)]);
}

#[test]
fn groups_without_a_match_wait_for_a_kernel_that_enters_too() {
    let mut bench = Bench::new(0);
    bench.step(Some(command(1, 0)), 0);
    bench.idle(32);
    bench.step_with(CoalescerInputs { group_valid: true, stall: true, ..Default::default() });
    bench.idle(3);
    assert_eq!(bench.taken, [(34, None)]);
}

#[test]
fn a_command_is_accepted_while_the_search_stage_is_free_and_not_before() {
    let mut bench = Bench::new(1 << 3);
    let accepted: Vec<_> = (0..8).map(|_| bench.step(Some(command(32, 0)), 0)).collect();
    // Compared in 1 to 4; the second one is searched for while the first one's groups go.
    assert_eq!(accepted, [true, false, false, false, false, true, false, false]);
    assert_eq!(bench.taken[0], (5, Some(3)));
}

#[test]
fn a_result_waits_for_the_groups_before_it_and_follows_without_a_bubble() {
    let mut bench = Bench::new(0b10);
    assert!(bench.step(Some(command(5, 0)), 0));
    bench.idle(2);
    assert!(bench.step(Some(command(1, 0)), 0));
    // The first command's groups go in 3 to 7, the second one's result is there at the end of 5.
    bench.idle(3);
    assert!(!bench.step(Some(command(1, 0)), 0), "in cycle 7");
    assert!(bench.step(Some(command(1, 0)), 0), "in cycle 8");
    bench.idle(1);
    let cycles: Vec<_> = bench.taken.iter().map(|(cycle, _)| *cycle).collect();
    assert_eq!(cycles, [3, 4, 5, 6, 7, 8]);
    let held: Vec<_> = bench.held.iter().map(|(cycle, _)| *cycle).collect();
    assert_eq!(held, [3, 4, 5, 6, 7, 8]);
}

#[test]
fn two_matched_kernels_are_held_at_once() {
    let mut bench = Bench::new(0b10);
    bench.step(Some(command(9, 60)), 0);
    bench.idle(2);
    bench.same = 0b1000;
    assert!(bench.step(Some(command(1, 0)), 0));
    bench.idle(5);
    assert_eq!(bench.held.last(), Some(&(8, 0b1010)));
}

#[test]
fn the_wait_of_a_command_runs_on_while_it_waits_for_the_stage() {
    let mut bench = Bench::new(1);
    bench.step(Some(command(8, 0)), 0);
    bench.idle(1);
    // Accepted in 2: its wait is over in 9, before the first command's last group went in that
    // cycle.
    assert!(bench.step(Some(command(1, 7)), 0));
    bench.idle(10);
    let cycles: Vec<_> = bench.taken.iter().map(|(cycle, _)| *cycle).collect();
    assert_eq!(cycles, (2..=10).collect::<Vec<_>>());
}

#[test]
fn thirty_two_groups_of_one_command_are_all_taken() {
    let mut bench = Bench::new(1);
    bench.step(Some(command(32, 0)), 0);
    bench.idle(50);
    assert_eq!(bench.taken.len(), 32);
    assert_eq!(bench.coalescer, Coalescer::new());
}

#[test]
fn a_command_whose_groups_are_not_there_waits_quietly() {
    let mut bench = Bench::new(1);
    bench.step(Some(command(1, 0)), 0);
    bench.idle(1);
    assert_eq!(bench.coalescer.clock(&CoalescerInputs::default()), Activity::Quiet);
    assert_eq!(Coalescer::new().clock(&CoalescerInputs::default()), Activity::Quiet);
    let explain = bench.coalescer.explain().unwrap();
    assert!(explain.contains("1 groups of a command that matches entry 0"), "{explain}");
}

#[test]
fn reset_empties_both_stages_whatever_else_the_cycle_carries() {
    let mut bench = Bench::new(1);
    bench.step(Some(command(3, 0)), 0);
    bench.idle(1);
    bench.step(Some(command(3, 0)), 0);
    let command = Some(command(1, 0));
    let reset = CoalescerInputs { reset: true, command, ..CoalescerInputs::default() };
    assert_eq!(bench.coalescer.clock(&reset), Activity::Busy);
    assert_eq!(bench.coalescer, Coalescer::new());
    assert_eq!(bench.coalescer.clock(&reset), Activity::Quiet);
}
