//! Rationale: 1. the state is a command in each of two stages; random kernels fill and leave the
//! entries that are searched. 2. There is no parameter.

use crate::harness::{random, twin_calls, Lockstep, Twinned};
use crate::ports;
use blockyard_rtl::dtbl::Coalescer;
use blockyard_rtl::module::Module;
use blockyard_rtl::port::{Context, Extent};
use blockyard_rtl::word::U;
use blockyard_sim::port::{AggregationCommand, Dim3, KernelContext, KernelEntry, KERNEL_ENTRIES};
use blockyard_sim::sched::dtbl as twin;
use rand::RngExt;
use twin::{CoalescerInputs as Inputs, CoalescerOutputs as Outputs};

impl Twinned for Coalescer {
    type Twin = twin::Coalescer;
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn apply(&mut self, inputs: &Inputs) {
        self.drive_reset(inputs.reset);
        self.command.next = ports::command(inputs.command.as_ref());
        let probe = inputs.probe.unwrap_or_default();
        self.probe_valid.next = inputs.probe.is_some();
        let Dim3 { x, y, z } = probe.block;
        self.probe_context.next = Context {
            entry_pc: U::new(probe.entry_pc.into()),
            parameter_address: U::new(probe.parameter_address.into()),
            block: Extent { x: U::new(x.into()), y: U::new(y.into()), z: U::new(z.into()) },
        };
        self.finished_kernels.next = U::new(inputs.finished_kernels.into());
        self.group_valid.next = inputs.group_valid;
        self.stall.next = inputs.stall;
    }
    fn observe(&self) -> Outputs {
        Outputs {
            command_ready: self.command_ready.val(),
            probe: match self.command_ready.val() {
                true => KernelEntry(0),
                false => ports::entry(self.probe.val()),
            },
            take: self.take.val(),
            kernel: self.matched.val().then(|| ports::entry(self.kernel.val())),
            hold: self.hold.val().raw() as u32,
        }
    }
    /// Which entry is looked at matters while there is a search, and which kernel when a group
    /// goes.
    fn evaluate(twin: &Self::Twin, inputs: &Inputs) -> Outputs {
        let mut outputs = twin.evaluate(inputs);
        outputs.kernel = outputs.kernel.filter(|_| outputs.take);
        outputs
    }
    twin_calls!(edge);
}

/// A coalescer before a Kernel Distributor.
struct Bench {
    coalescer: Lockstep<Coalescer>,
    kernels: [Option<KernelContext>; KERNEL_ENTRIES],
}

impl Bench {
    fn new() -> Self {
        let coalescer = Lockstep::new(Coalescer::new(), twin::Coalescer::new());
        Self { coalescer, kernels: [None; KERNEL_ENTRIES] }
    }

    #[track_caller]
    fn cycle(&mut self, mut inputs: Inputs) -> Outputs {
        let at = self.coalescer.peek(&inputs).probe;
        inputs.probe = self.kernels[at.index()];
        self.coalescer.cycle(&inputs)
    }

    /// After a command that is accepted, the number of the cycle in which its first group is taken,
    /// counted from the acceptance, and the kernel.
    #[track_caller]
    fn first_taken(&mut self, command: AggregationCommand) -> (u32, Option<u8>) {
        let accepted = self.cycle(Inputs { command: Some(command), ..waiting() });
        assert!(accepted.command_ready);
        for cycle in 1..200 {
            let outputs = self.cycle(waiting());
            if outputs.take {
                return (cycle, outputs.kernel.map(|kernel| kernel.0));
            }
        }
        panic!("no group is taken");
    }
}

fn waiting() -> Inputs {
    Inputs { group_valid: true, ..Inputs::default() }
}

fn command(groups: u8, wait: u8) -> AggregationCommand {
    AggregationCommand { entry_pc: 7, block: Dim3::new(64, 1, 1), groups, wait }
}

fn kernel(entry_pc: u32, x: u32) -> Option<KernelContext> {
    Some(KernelContext { entry_pc, parameter_address: 3, block: Dim3::new(x, 1, 1) })
}

#[test]
fn the_search_takes_one_cycle_an_entry_and_then_the_first_group_goes() {
    for entry in 0..32 {
        let mut bench = Bench::new();
        bench.kernels[usize::from(entry)] = kernel(7, 64);
        let taken = bench.first_taken(command(1, 0));
        assert_eq!(taken, (u32::from(entry) + 2, Some(entry)));
    }
}

#[test]
fn without_an_eligible_kernel_all_32_entries_are_searched() {
    let mut bench = Bench::new();
    bench.kernels = [kernel(7, 32); KERNEL_ENTRIES];
    bench.kernels[4] = kernel(8, 64);
    assert_eq!(bench.first_taken(command(1, 0)), (33, None));
}

#[test]
fn the_lowest_of_several_eligible_kernels_gets_the_groups_one_a_cycle() {
    let mut bench = Bench::new();
    bench.kernels[9] = kernel(7, 64);
    bench.kernels[3] = kernel(7, 64);
    assert_eq!(bench.first_taken(command(3, 0)), (5, Some(3)));
    assert!(bench.cycle(waiting()).take && bench.cycle(waiting()).take);
    assert!(!bench.cycle(waiting()).take, "three groups");
}

#[test]
fn the_slower_of_search_and_parameter_allocation_counts() {
    for (wait, expected) in [(0, 3), (2, 3), (3, 3), (4, 4), (40, 40), (63, 63)] {
        let mut bench = Bench::new();
        bench.kernels[1] = kernel(7, 64);
        assert_eq!(bench.first_taken(command(1, wait)).0, expected, "wait {wait}");
    }
}

#[test]
fn a_kernel_that_ends_in_the_cycle_of_its_search_is_not_eligible_and_one_cycle_later_it_is_held() {
    let mut bench = Bench::new();
    bench.kernels[0] = kernel(7, 64);
    bench.kernels[5] = kernel(7, 64);
    bench.cycle(Inputs { command: Some(command(1, 0)), ..waiting() });
    bench.cycle(Inputs { finished_kernels: 1, ..waiting() });
    for _ in 0..6 {
        assert_eq!(bench.cycle(waiting()).hold & 1, 0, "kernel 0 may go");
    }
    let mut bench = Bench::new();
    bench.kernels[0] = kernel(7, 64);
    bench.cycle(Inputs { command: Some(command(1, 9)), ..waiting() });
    assert_eq!(bench.cycle(waiting()).hold, 0, "the cycle of the match");
    for _ in 0..7 {
        assert_eq!(bench.cycle(waiting()).hold, 1);
    }
    let last = bench.cycle(waiting());
    assert!(last.take && last.hold == 1, "the cycle of the last group");
    assert_eq!(bench.cycle(waiting()).hold, 0);
}

#[test]
fn no_group_is_taken_while_a_kernel_enters() {
    let mut bench = Bench::new();
    bench.kernels[0] = kernel(7, 64);
    bench.cycle(Inputs { command: Some(command(1, 0)), ..waiting() });
    bench.cycle(waiting());
    assert!(!bench.cycle(Inputs { stall: true, ..waiting() }).take);
    assert!(bench.cycle(waiting()).take);
}

#[test]
fn a_second_command_is_searched_while_the_first_ones_groups_are_allocated() {
    let mut bench = Bench::new();
    bench.kernels[0] = kernel(7, 64);
    bench.cycle(Inputs { command: Some(command(32, 0)), ..waiting() });
    assert!(!bench.cycle(waiting()).command_ready, "the search stage is taken");
    let second = bench.cycle(Inputs { command: Some(command(2, 0)), ..waiting() });
    assert!(second.command_ready && second.take);
    for _ in 0..33 {
        assert!(bench.cycle(waiting()).take, "34 groups without a gap");
    }
    assert!(!bench.cycle(waiting()).take);
}

#[test]
fn reset_forgets_both_stages() {
    let mut bench = Bench::new();
    bench.kernels[0] = kernel(7, 64);
    bench.cycle(Inputs { command: Some(command(4, 0)), ..waiting() });
    bench.cycle(waiting());
    bench.cycle(Inputs { command: Some(command(4, 0)), ..waiting() });
    bench.cycle(Inputs { reset: true, ..waiting() });
    let outputs = bench.cycle(waiting());
    assert!(outputs.command_ready && !outputs.take && outputs.hold == 0);
}

#[test]
fn hardware_and_twin_agree_on_random_commands() {
    for seed in 0..20 {
        let (mut random, mut bench) = (random(seed), Bench::new());
        let (mut matched, mut refused) = (0, 0);
        let mut held = 0;
        for _ in 0..3_000 {
            let mut finished_kernels = 0u32;
            for (entry, kernel_in) in bench.kernels.iter_mut().enumerate() {
                match kernel_in {
                    Some(_) if held >> entry & 1 == 0 && random.random_bool(0.02) => {
                        finished_kernels |= 1 << entry;
                    }
                    None if random.random_bool(0.01) => {
                        *kernel_in =
                            kernel(random.random_range(0..4), 32 * random.random_range(1..=2));
                    }
                    _ => {}
                }
            }
            let offered = AggregationCommand {
                entry_pc: random.random_range(0..4),
                block: Dim3::new(32 * random.random_range(1..=2), 1, 1),
                groups: random.random_range(1..=32),
                wait: if random.random() { 0 } else { random.random_range(0..64) },
            };
            let inputs = Inputs {
                reset: random.random_range(0..1_000) == 0,
                command: random.random_bool(0.2).then_some(offered),
                probe: None,
                finished_kernels,
                group_valid: random.random_bool(0.8),
                stall: random.random_bool(0.1),
            };
            let reset = inputs.reset;
            let outputs = bench.cycle(inputs);
            held = outputs.hold;
            for (entry, kernel) in bench.kernels.iter_mut().enumerate() {
                kernel.take_if(|_| finished_kernels >> entry & 1 == 1);
            }
            if !reset && outputs.take {
                matched += u32::from(outputs.kernel.is_some());
                refused += u32::from(outputs.kernel.is_none());
            }
        }
        assert!(matched > 100 && refused > 50, "seed {seed}: {matched} matched, {refused} not");
    }
}
