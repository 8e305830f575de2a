//! Rationale: 1. each SMX has up to 32 slots that are free or hold a block; SMXs fill up and drain,
//! and a slot is taken again in the cycle in which its block ends. 2. 1, 2, 13, 33, 65 and 132
//! SMXs; 1, 3, 4, 16 and 32 slots.

use super::{chip, memory};
use crate::harness::{mask, random, twin_calls, Lockstep, Twinned};
use crate::ports;
use blockyard_rtl::dtbl::{BlockControl, BlockRegister};
use blockyard_rtl::module::Module;
use blockyard_rtl::word::U;
use blockyard_sim::port::{Dim3, GroupReference, KernelEntry};
use blockyard_sim::sched::mask::of;
use blockyard_sim::sched::{dtbl as twin, PerSmx, SmxMask};
use rand::RngExt;
use twin::{BlockControlInputs as Inputs, BlockControlOutputs as Outputs};

impl Twinned for BlockControl {
    type Twin = twin::BlockControl;
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn apply(&mut self, inputs: &Inputs) {
        self.drive_reset(inputs.reset);
        mask::drive(&mut self.finished, inputs.finished);
        for (smx, port) in self.finished_slot.iter_mut().enumerate() {
            port.next = U::new(inputs.finished_slot[smx].into());
        }
        mask::drive(&mut self.taken, inputs.taken);
        self.block.next = BlockRegister {
            kernel: U::new(inputs.kernel.0.into()),
            group: ports::reference(inputs.group),
            block: ports::block_id(inputs.block),
        };
    }
    fn observe(&self) -> Outputs {
        let ended = mask::from_rtl(self.ended.val());
        let mut outputs = Outputs { ended, slot: PerSmx::all(Some(0)), ..Outputs::default() };
        for smx in 0..self.slot.len() {
            if self.finished.val().get_bit(smx) {
                outputs.finished_kernel[smx] = Some(ports::entry(self.finished_kernel[smx].val()));
            }
            if self.ended.val().get_bit(smx) {
                let group = self.ended_group[smx].val().raw() as u32;
                outputs.ended_group[smx] = GroupReference::from_word(group);
            }
            outputs.slot[smx] = Some(self.slot[smx].val().raw() as u8);
        }
        outputs
    }
    /// Without a free slot the hardware names slot 0, which means nothing, and so does the twin's
    /// answer here, also for an SMX that there is not.
    fn evaluate(twin: &Self::Twin, inputs: &Inputs) -> Outputs {
        let mut outputs = twin.evaluate(inputs);
        let mut slot = PerSmx::all(Some(0));
        for (smx, named) in outputs.slot.stated().iter().enumerate() {
            slot[smx] = named.or(Some(0));
        }
        outputs.slot = slot;
        outputs
    }
    twin_calls!(edge);
}

fn control(smxs: usize, slots: u32) -> Lockstep<BlockControl> {
    let hardware = BlockControl::new(smxs, slots.into());
    Lockstep::new(hardware, twin::BlockControl::new(smxs, slots))
}

fn take(smx: usize) -> Inputs {
    Inputs { taken: of([smx]), ..Inputs::default() }
}

fn ends(smx: usize, slot: u8) -> Inputs {
    let mut inputs = Inputs { finished: of([smx]), ..Inputs::default() };
    inputs.finished_slot[smx] = slot;
    inputs
}

#[test]
fn a_block_takes_the_lowest_free_slot_of_its_smx() {
    let mut control = control(2, 3);
    for slot in 0..3 {
        assert_eq!(control.cycle(&take(1)).slot[1], Some(slot));
    }
    let slots = control.cycle(&ends(1, 1)).slot;
    assert_eq!((slots[0], slots[1]), (Some(0), Some(1)));
    assert_eq!(control.cycle(&take(1)).slot[1], Some(1));
}

#[test]
fn the_slot_of_a_block_that_ends_is_taken_again_in_that_cycle() {
    let mut control = control(1, 1);
    control.cycle(&Inputs { kernel: KernelEntry(4), group: chip(9), ..take(0) });
    let both = Inputs {
        kernel: KernelEntry(5),
        group: memory(2),
        taken: mask::from_bits(1),
        ..ends(0, 0)
    };
    let outputs = control.cycle(&both);
    assert_eq!(outputs.finished_kernel[0], Some(KernelEntry(4)));
    assert_eq!((outputs.ended, outputs.slot[0]), (SmxMask::ZERO, Some(0)));
    let outputs = control.cycle(&ends(0, 0));
    assert_eq!(outputs.finished_kernel[0], Some(KernelEntry(5)));
    assert_eq!((outputs.ended, outputs.ended_group[0]), (of([0]), chip(9)), "not the new one's");
    let outputs = control.cycle(&Inputs::default());
    assert_eq!((outputs.ended, outputs.ended_group[0]), (of([0]), memory(2)));
    assert_eq!(control.cycle(&Inputs::default()).ended, SmxMask::ZERO);
}

#[test]
fn reset_frees_every_slot() {
    let mut control = control(1, 16);
    for _ in 0..16 {
        control.cycle(&take(0));
    }
    control.cycle(&Inputs { reset: true, ..ends(0, 3) });
    assert_eq!(control.cycle(&Inputs::default()).slot[0], Some(0));
}

/// Kernel and group of a block.
type Held = (KernelEntry, Option<GroupReference>);

fn random_blocks(smxs: usize, slots: u32, seed: u64) {
    let (mut random, mut control) = (random(seed), control(smxs, slots));
    let mut held: Vec<Vec<Option<Held>>> = vec![vec![None; slots as usize]; smxs];
    // What shall show of the blocks that ended in the cycle before.
    let mut ended: Vec<(usize, Option<GroupReference>)> = Vec::new();
    let mut full = 0;
    for cycle in 0..2_000 {
        let filling = cycle / 200 % 2 == 0;
        let mut inputs = Inputs::default();
        let mut finished = SmxMask::ZERO;
        for (smx, held) in held.iter().enumerate() {
            let slot = random.random_range(0..slots as usize);
            if held[slot].is_some() && random.random_bool(if filling { 0.1 } else { 0.6 }) {
                finished.set(smx, true);
                inputs.finished_slot[smx] = slot as u8;
            }
        }
        inputs.finished = finished;
        (inputs.kernel, inputs.block) =
            (KernelEntry(random.random_range(0..32)), Dim3::new(1, 2, 3));
        inputs.group = if random.random() { None } else { chip(random.random_range(0..2048)) };
        let free = control.peek(&inputs);
        let smx = random.random_range(0..smxs);
        let ends_there = finished[smx];
        let room = ends_there || held[smx].iter().any(Option::is_none);
        let takes = room && random.random_bool(if filling { 0.9 } else { 0.3 });
        inputs.taken = of(takes.then_some(smx));
        full += u32::from(!room);
        let outputs = control.cycle(&inputs);
        assert_eq!(outputs.ended, of(ended.iter().map(|&(smx, _)| smx)));
        for (smx, group) in ended.drain(..) {
            assert_eq!(outputs.ended_group[smx], group);
        }
        for (smx, held) in held.iter_mut().enumerate() {
            if finished[smx] {
                let block = held[usize::from(inputs.finished_slot[smx])].take();
                let (kernel, group) = block.expect("a block");
                assert_eq!(outputs.finished_kernel[smx], Some(kernel));
                ended.push((smx, group));
            }
        }
        if takes {
            let slot = usize::from(free.slot[smx].expect("a free slot"));
            assert_eq!(Some(slot), held[smx].iter().position(Option::is_none));
            held[smx][slot] = Some((inputs.kernel, inputs.group));
        }
    }
    assert!(full > 0, "{smxs} SMXs, {slots} slots: never full");
}

#[test]
fn hardware_and_twin_agree_on_random_blocks() {
    for seed in 0..4 {
        random_blocks(1, 1, seed);
        random_blocks(2, 3, seed);
        random_blocks(1, 16, seed);
        random_blocks(1, 32, seed);
    }
    random_blocks(13, 4, 5);
    random_blocks(33, 4, 6);
    random_blocks(65, 1, 7);
    random_blocks(132, 1, 8);
}
