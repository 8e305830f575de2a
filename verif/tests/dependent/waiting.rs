//! Rationale: the state is a pending count of each entry, who waits and for whom; random kernels
//! come to entries that nobody is in, follow what is there, and their blocks trigger. Entries are
//! used again while a dependent of their last kernel waits to be marked.

use crate::harness::{mask, random, twin_calls, Lockstep, Twinned};
use crate::ports;
use blockyard_rtl::dependent::Waiting;
use blockyard_rtl::module::Module;
use blockyard_rtl::word::U;
use blockyard_sim::port::KernelEntry;
use blockyard_sim::sched::{dependent as twin, SmxMask};
use rand::RngExt;
use rand_pcg::Pcg64;
use twin::{WaitingInputs as Inputs, WaitingOutputs as Outputs};

impl Twinned for Waiting {
    type Twin = twin::Waiting;
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn apply(&mut self, inputs: &Inputs) {
        self.drive_reset(inputs.reset);
        self.accepted.next = ports::tagged(inputs.accepted);
        self.blocks.next = U::new(inputs.blocks.into());
        let dependents = &mut self.dependent_ports;
        dependents.follows.next = ports::tagged(inputs.follows);
        let mut triggered = SmxMask::ZERO;
        for (smx, port) in dependents.triggered_kernel.iter_mut().enumerate() {
            let entry = ports::tagged(inputs.triggered[smx]);
            triggered.set(smx, entry.valid);
            port.next = entry.entry;
        }
        mask::drive(&mut dependents.triggered, triggered);
    }
    fn observe(&self) -> Outputs {
        let mark = self.mark.val();
        Outputs {
            mark: mark.valid.then(|| ports::entry(mark.entry)),
            waits: self.waits.val().raw() as u32,
        }
    }
    twin_calls!();
}

fn waiting(smxs: usize) -> Lockstep<Waiting> {
    Lockstep::new(Waiting::new(smxs), twin::Waiting::new())
}

/// Kernels by entry, as the module's surroundings know them.
#[derive(Default)]
struct Kernels {
    /// Blocks that have not triggered, of a kernel that is there.
    pending: [Option<u32>; 32],
    marked: u32,
}

impl Kernels {
    fn some(&self, random: &mut Pcg64, wanted: impl Fn(usize) -> bool) -> Option<KernelEntry> {
        let first = random.random_range(0..32);
        let entry = (first..first + 32).map(|entry| entry % 32).find(|&entry| wanted(entry))?;
        Some(KernelEntry(entry as u8))
    }
}

#[test]
fn hardware_and_twin_agree_on_random_kernels_that_follow_others() {
    for smxs in [1, 2, 5, 33, 132] {
        let (mut both, mut random) = (waiting(smxs), random(smxs as u64));
        let mut kernels = Kernels::default();
        let (mut waited, mut late, mut again) = (0, 0, 0);
        for round in 0..if smxs > 32 { 4_000 } else { 12_000 } {
            let busy = round / 300 % 2 == 0;
            // What has triggered altogether and was marked ends, some of it at the end of this
            // cycle.
            let mut leaving = 0u32;
            for (entry, pending) in kernels.pending.iter().enumerate() {
                let done = *pending == Some(0) && kernels.marked >> entry & 1 == 1;
                leaving |= u32::from(done && random.random_bool(0.5)) << entry;
            }
            let follows = match random.random_bool(0.3) {
                true => kernels.some(&mut random, |entry| leaving >> entry & 1 == 1),
                false => kernels.some(&mut random, |entry| kernels.pending[entry].is_some()),
            };
            let wanted = random.random_bool(if busy { 0.6 } else { 0.1 });
            let free = kernels.some(&mut random, |entry| kernels.pending[entry].is_none());
            let mut inputs = Inputs {
                reset: random.random_range(0..2_000) == 0,
                accepted: free.filter(|_| wanted),
                blocks: [0, 1, 2, 5, 40][random.random_range(0..5)],
                follows: follows.filter(|_| random.random_bool(0.7)),
                ..Inputs::default()
            };
            for smx in 0..smxs {
                let pending = |entry: usize| {
                    let of_before = kernels.pending[entry].unwrap_or(0);
                    kernels.marked >> entry & 1 == 1 && of_before > 0
                };
                if random.random_bool(0.3) {
                    let entry = kernels.some(&mut random, pending);
                    inputs.triggered[smx] = entry;
                    if let Some(entry) = entry {
                        kernels.pending[entry.index()] =
                            kernels.pending[entry.index()].map(|left| left - 1);
                    }
                }
            }
            let seen = both.cycle(&inputs);
            if inputs.reset {
                kernels = Kernels::default();
                continue;
            }
            waited += seen.waits.count_ones();
            late += u32::from(seen.mark.is_some_and(|mark| seen.waits >> mark.0 & 1 == 1));
            again += u32::from(seen.waits != 0 && inputs.accepted.is_some());
            for (entry, pending) in kernels.pending.iter_mut().enumerate() {
                if leaving >> entry & 1 == 1 {
                    *pending = None;
                    kernels.marked &= !(1 << entry);
                }
            }
            if let Some(mark) = seen.mark {
                kernels.marked |= 1 << mark.0;
            }
            if let Some(entry) = inputs.accepted {
                kernels.pending[entry.index()] = Some(inputs.blocks);
            }
        }
        assert!(waited > 500 && late > 100 && again > 100, "{smxs}: {waited}, {late}, {again}");
    }
}

/// A launch: its entry, its blocks, and whom it follows.
fn launch(entry: u8, blocks: u32, follows: Option<u8>) -> Inputs {
    let (accepted, follows) = (Some(KernelEntry(entry)), follows.map(KernelEntry));
    Inputs { accepted, blocks, follows, ..Inputs::default() }
}

/// Blocks that trigger, of SMX 0 and on.
fn triggers(kernels: &[u8]) -> Inputs {
    let mut inputs = Inputs::default();
    for (smx, kernel) in kernels.iter().enumerate() {
        inputs.triggered[smx] = Some(KernelEntry(*kernel));
    }
    inputs
}

/// One cycle; who is marked, and who waits.
#[track_caller]
fn step(both: &mut Lockstep<Waiting>, inputs: &Inputs) -> (Option<u8>, u32) {
    let seen = both.cycle(inputs);
    (seen.mark.map(|entry| entry.0), seen.waits)
}

#[test]
fn a_dependent_is_marked_in_the_cycle_after_its_predecessors_last_trigger() {
    let mut both = waiting(2);
    let idle = Inputs::default();
    assert_eq!(step(&mut both, &launch(0, 3, None)), (Some(0), 0));
    assert_eq!(step(&mut both, &launch(1, 1, Some(0))), (None, 0));
    assert_eq!(step(&mut both, &triggers(&[0, 0])), (None, 1 << 1));
    assert_eq!(step(&mut both, &idle), (None, 1 << 1));
    assert_eq!(step(&mut both, &triggers(&[0])), (None, 1 << 1));
    assert_eq!(step(&mut both, &idle), (Some(1), 1 << 1));
    assert_eq!(step(&mut both, &idle), (None, 0));
}

#[test]
fn of_several_the_lowest_entry_is_marked_and_none_beside_a_launch_without_predecessor() {
    let mut both = waiting(1);
    let idle = Inputs::default();
    step(&mut both, &launch(4, 1, None));
    for entry in [9, 2, 7] {
        assert_eq!(step(&mut both, &launch(entry, 1, Some(4))).0, None);
    }
    step(&mut both, &triggers(&[4]));
    assert_eq!(step(&mut both, &launch(0, 1, None)), (Some(0), 1 << 2 | 1 << 7 | 1 << 9));
    assert_eq!(step(&mut both, &launch(1, 1, Some(0))).0, Some(2), "beside one that waits");
    assert_eq!(step(&mut both, &idle).0, Some(7));
    assert_eq!(step(&mut both, &idle).0, Some(9));
    assert_eq!(step(&mut both, &idle), (None, 1 << 1));
}

#[test]
fn a_dependent_does_not_follow_the_kernel_that_comes_to_its_predecessors_entry() {
    let mut both = waiting(1);
    let idle = Inputs::default();
    step(&mut both, &launch(4, 1, None));
    step(&mut both, &triggers(&[4]));
    // The kernel of entry 4 ends here; 9 follows it.
    assert_eq!(step(&mut both, &launch(9, 1, Some(4))), (None, 0));
    assert_eq!(step(&mut both, &launch(4, 5, None)), (Some(4), 1 << 9));
    assert_eq!(
        step(&mut both, &idle),
        (Some(9), 1 << 9),
        "for all that entry 4 has blocks pending"
    );
    assert_eq!(step(&mut both, &idle), (None, 0));
}

#[test]
fn a_kernel_that_comes_to_the_predecessors_entry_and_follows_the_one_that_waits_is_no_deadlock() {
    let mut both = waiting(1);
    let idle = Inputs::default();
    step(&mut both, &launch(4, 1, None));
    for entry in [2, 9] {
        step(&mut both, &launch(entry, 1, Some(4)));
    }
    step(&mut both, &triggers(&[4]));
    assert_eq!(step(&mut both, &launch(4, 5, Some(9))), (Some(2), 1 << 2 | 1 << 9));
    assert_eq!(step(&mut both, &idle), (Some(9), 1 << 4 | 1 << 9));
    assert_eq!(step(&mut both, &triggers(&[9])), (None, 1 << 4));
    assert_eq!(step(&mut both, &idle), (Some(4), 1 << 4));
}
