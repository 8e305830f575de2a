//! Rationale: 1. the state is a queue for each SMX and a pointer; random ends in bursts, so that
//! queues fill, and as the rule of room has it no block comes to a crowded SMX. 2. One SMX and a
//! number that is no power of two, one slot, few, and the most; more SMXs than a word has bits.

use crate::harness::{mask, random, twin_calls, Lockstep, Twinned};
use blockyard_rtl::dtbl::EndedBlocks;
use blockyard_rtl::module::Module;
use blockyard_rtl::word::U;
use blockyard_sim::sched::{dtbl as twin, PerSmx};
use rand::RngExt;
use twin::{EndedBlocksInputs as Inputs, EndedBlocksOutputs as Outputs};

impl Twinned for EndedBlocks {
    type Twin = twin::EndedBlocks;
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn apply(&mut self, inputs: &Inputs) {
        self.drive_reset(inputs.reset);
        mask::drive(&mut self.ended, inputs.ended);
        for (smx, port) in self.ended_index.iter_mut().enumerate() {
            port.next = U::new(inputs.ended_index[smx].into());
        }
    }
    fn observe(&self) -> Outputs {
        let served = self.served.val();
        Outputs {
            served: served.valid.then(|| served.index.raw() as u32),
            crowded: mask::from_rtl(self.crowded.val()),
        }
    }
    twin_calls!();
}

fn queues(smxs: usize, slots: u32) -> Lockstep<EndedBlocks> {
    Lockstep::new(EndedBlocks::new(smxs, slots.into()), twin::EndedBlocks::new(smxs, slots))
}

/// Blocks of groups at these entries ended in the cycle before, on SMX 0 and so on.
fn ends(entries: &[u32]) -> Inputs {
    Inputs {
        ended: mask::from_bits((1 << entries.len()) - 1),
        ended_index: entries.iter().copied().collect(),
        ..Inputs::default()
    }
}

#[test]
fn a_block_is_served_in_the_cycle_after_its_end_and_the_smxs_take_turns() {
    let mut queues = queues(3, 4);
    assert_eq!(queues.cycle(&ends(&[5, 6, 7])).served, Some(5));
    assert_eq!(queues.cycle(&ends(&[8])).served, Some(6));
    let served: Vec<_> = (0..3).map(|_| queues.cycle(&ends(&[])).served).collect();
    assert_eq!(served, [Some(7), Some(8), None]);
}

#[test]
fn an_smx_is_crowded_with_as_many_blocks_as_slots_and_not_with_one_less() {
    let mut queues = queues(2, 2);
    assert_eq!(queues.cycle(&ends(&[1, 2])).crowded, mask::from_bits(0));
    // SMX 0 was served, SMX 1 not.
    assert_eq!(queues.cycle(&ends(&[1, 2])).crowded, mask::from_bits(0b10));
    assert_eq!(queues.cycle(&ends(&[])).crowded, mask::from_bits(0));
}

/// All slots are full at first, and each is filled again until the SMX is crowded: the longest
/// queue that the rule of room allows, of an SMX that all others are served before.
#[test]
fn a_queue_holds_twice_as_many_blocks_as_there_are_slots_and_forgets_none() {
    for slots in [1, 2, 5, 32] {
        let (last, most) = (2 * slots as usize, 2 * slots);
        let mut queues = queues(last + 1, slots);
        for block in 0..most {
            let mut inputs = Inputs::default();
            inputs.ended.set(last, true);
            inputs.ended_index[last] = 100 + block;
            for other in (0..last).filter(|_| block == 0) {
                inputs.ended.set(other, true);
            }
            let seen = queues.cycle(&inputs);
            assert_eq!(seen.crowded[last], block + 1 >= slots, "{block} of {most}");
            assert_eq!(seen.served, Some(0), "one of the others");
        }
        let rest: Vec<_> = (0..=most).map(|_| queues.cycle(&Inputs::default()).served).collect();
        let expected = (0..most).map(|block| Some(100 + block)).chain([None]);
        assert_eq!(rest, expected.collect::<Vec<_>>(), "{slots} slots");
    }
}

#[test]
fn reset_forgets_what_waits_and_whose_turn_it_is() {
    let mut queues = queues(3, 4);
    queues.cycle(&ends(&[5, 6, 7]));
    queues.cycle(&ends(&[]));
    queues.cycle(&Inputs { reset: true, ..ends(&[]) });
    assert_eq!(queues.cycle(&ends(&[1, 2, 3])).served, Some(1));
}

/// Blocks come and end as fast as the rule of room lets them.
fn random_ends(smxs: usize, slots: u32, seed: u64) {
    let (mut random, mut queues) = (random(seed), queues(smxs, slots));
    let mut resident = vec![0; smxs];
    let (mut crowded, mut served) = (0, 0);
    for cycle in 0..6_000 {
        let resets = random.random_range(0..997) == 0;
        let bursts = cycle / 200 % 3;
        let mut inputs = Inputs { reset: resets, ..Inputs::default() };
        let mut indices = PerSmx::<u32>::default();
        for (smx, resident) in resident.iter_mut().enumerate() {
            if *resident > 0 && random.random_bool([0.9, 0.2, 0.01][bursts]) {
                *resident -= 1;
                inputs.ended.set(smx, true);
                indices[smx] = random.random_range(0..2048);
            }
        }
        inputs.ended_index = indices;
        let seen = queues.cycle(&inputs);
        if resets {
            resident.fill(0);
            continue;
        }
        crowded += seen.crowded.count_ones();
        served += usize::from(seen.served.is_some());
        // Several blocks come in a cycle: more than a scheduler dispatches.
        for (smx, resident) in resident.iter_mut().enumerate() {
            if *resident < slots && !seen.crowded[smx] && random.random_bool(0.5) {
                *resident += 1;
            }
        }
    }
    assert!(served > 500 && (smxs == 1 || crowded > 0), "{served} served, {crowded} crowded");
}

#[test]
fn hardware_and_twin_agree_on_random_ends() {
    for (smxs, slots) in [(1, 1), (1, 5), (3, 5), (13, 16), (33, 32), (65, 2)] {
        random_ends(smxs, slots, 7);
    }
}
