//! Rationale: 1. the state is 32 caps; an entry that was never loaded since reset is undefined and
//! not asked about. 2. 1 to 32 SMXs and 33, 65, 132 and 144, with the blocks at which the cap
//! steps.

use crate::harness::{random, Lockstep, Twinned};
use crate::ports;
use blockyard_rtl::gpgpusim::CapTable;
use blockyard_rtl::module::Module;
use blockyard_rtl::word::U;
use blockyard_sim::port::{Activity, KernelEntry, MAX_BLOCKS};
use blockyard_sim::sched::gpgpusim as twin;
use rand::RngExt;
use twin::{CapTableInputs as Inputs, CapTableOutputs as Outputs};

impl Twinned for CapTable {
    type Twin = twin::CapTable;
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn apply(&mut self, inputs: &Inputs) {
        self.drive_reset(inputs.reset);
        self.launch.next = ports::tagged(inputs.launch);
        self.blocks.next = U::new(inputs.blocks.into());
        self.kernel.next = U::new(inputs.kernel.0.into());
    }
    fn observe(&self) -> Outputs {
        Outputs { cap: self.cap.val().raw() as u32 }
    }
    fn evaluate(twin: &Self::Twin, inputs: &Inputs) -> Outputs {
        twin.evaluate(inputs)
    }
    fn clock(twin: &mut Self::Twin, inputs: &Inputs) -> Activity {
        twin.clock(inputs)
    }
    fn resets(inputs: &Inputs) -> bool {
        inputs.reset
    }
}

/// A table whose entries all hold an empty grid.
fn caps(smx: u32) -> Lockstep<CapTable> {
    let mut caps = Lockstep::new(CapTable::new(smx.into()), twin::CapTable::new(smx as usize));
    load_all(&mut caps);
    caps
}

fn load_all(caps: &mut Lockstep<CapTable>) {
    (0..32).for_each(|entry| caps.unobserved_cycle(&load(entry, 0)));
}

fn load(entry: u8, blocks: u32) -> Inputs {
    Inputs { launch: Some(KernelEntry(entry)), blocks, ..Inputs::default() }
}

fn ask(entry: u8) -> Inputs {
    Inputs { kernel: KernelEntry(entry), ..Inputs::default() }
}

/// The cap of a kernel of that many blocks.
#[track_caller]
fn cap(caps: &mut Lockstep<CapTable>, blocks: u32) -> u32 {
    caps.cycle(&load(31, blocks));
    caps.cycle(&ask(31)).cap
}

#[test]
fn every_number_of_smxs_has_its_even_share_on_both_sides_of_each_step() {
    for smx in (1..=32).chain([33, 65, 132, 144]) {
        let mut caps = caps(smx);
        assert_eq!(cap(&mut caps, 0), 0);
        for share in 1..=70 {
            assert_eq!(cap(&mut caps, (share - 1) * smx + 1), share.min(63), "{smx} SMXs");
            assert_eq!(cap(&mut caps, share * smx), share.min(63), "{smx} SMXs");
        }
        for blocks in [1 << 16, (1 << 30) + 1, MAX_BLOCKS - 1, MAX_BLOCKS] {
            assert_eq!(cap(&mut caps, blocks), 63, "{blocks} blocks on {smx} SMXs");
        }
    }
}

#[test]
fn hardware_and_twin_agree_on_random_loads() {
    for smx in [1, 3, 13, 14, 15, 16, 30, 32, 33, 65, 132] {
        let mut random = random(smx.into());
        let mut caps = caps(smx);
        for _ in 0..5_000 {
            let mut inputs = ask(random.random_range(0..32));
            inputs.blocks = random.random_range(0..smx * 66);
            let entry = KernelEntry(random.random_range(0..32));
            inputs.launch = random.random_bool(0.5).then_some(entry);
            inputs.reset = random.random_range(0..1_000) == 0;
            caps.cycle(&inputs);
            if inputs.reset {
                load_all(&mut caps);
            }
        }
    }
}

#[test]
fn a_load_is_read_one_cycle_later_and_in_its_entry_alone() {
    let mut caps = caps(4);
    let at_once = Inputs { kernel: KernelEntry(7), ..load(7, 9) };
    assert_eq!(caps.cycle(&at_once).cap, 0);
    for entry in 0..32 {
        assert_eq!(caps.cycle(&ask(entry)).cap, if entry == 7 { 3 } else { 0 });
    }
    // Blocks without a launch mean nothing.
    assert_eq!(caps.cycle(&Inputs { blocks: 40, ..ask(7) }).cap, 3);
    assert_eq!(caps.cycle(&ask(7)).cap, 3);
}
