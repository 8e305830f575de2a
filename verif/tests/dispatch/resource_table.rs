//! Rationale: 1. the state is four sums an SMX; each is brought to its limit and one past it.
//! 2. N = 1, 3, 4, 13, 32, and masks of several words: 33, 65 and 132; limits of a preset, and the
//!    largest that fit into their words.

use crate::harness::{mask, random, Lockstep, Twinned};
use crate::ports;
use blockyard_rtl::dispatch::ResourceTable;
use blockyard_rtl::module::Module;
use blockyard_rtl::port::Needs;
use blockyard_rtl::word::U;
use blockyard_sim::port::{Activity, BlockNeeds, SmxLimits};
use blockyard_sim::sched::{dispatch as twin, SmxMask};
use rand::RngExt;
use rand_pcg::Pcg64;
use twin::{ResourceTableInputs as Inputs, ResourceTableOutputs as Outputs};

fn words(needs: BlockNeeds) -> Needs {
    Needs {
        threads: U::new(needs.threads.into()),
        registers: U::new(needs.registers.into()),
        shared_memory: U::new(needs.shared_memory.into()),
    }
}

impl Twinned for ResourceTable {
    type Twin = twin::ResourceTable;
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn apply(&mut self, inputs: &Inputs) {
        self.drive_reset(inputs.reset);
        self.needs.next = words(inputs.needs);
        mask::drive(&mut self.finished, inputs.finished);
        for (smx, port) in self.freed.iter_mut().enumerate() {
            port.next = words(inputs.freed[smx]);
        }
        mask::drive(&mut self.take, inputs.take);
    }
    fn observe(&self) -> Outputs {
        Outputs { room: mask::from_rtl(self.room.val()) }
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

const LIMITS: SmxLimits =
    SmxLimits { threads: 2048, registers: 65_536, shared_memory: 49_152, thread_block_slots: 16 };

/// As large as the ports' words allow.
const LARGEST: SmxLimits = SmxLimits {
    threads: 4_095,
    registers: 131_071,
    shared_memory: 131_071,
    thread_block_slots: 63,
};

fn table(smxs: usize, limits: SmxLimits) -> Lockstep<ResourceTable> {
    Lockstep::new(
        ResourceTable::new(smxs, ports::limits(limits)),
        twin::ResourceTable::new(smxs, limits),
    )
}

const fn block(threads: u32, registers: u32, shared_memory: u32) -> BlockNeeds {
    BlockNeeds { threads, registers, shared_memory }
}

/// A cycle in which a block with `needs` goes to the SMXs `take`, and others end.
fn inputs(needs: BlockNeeds, take: SmxMask, ends: &[(usize, BlockNeeds)]) -> Inputs {
    let mut inputs = Inputs { needs, take, ..Inputs::default() };
    for &(smx, freed) in ends {
        inputs.finished.set(smx, true);
        inputs.freed[smx] = freed;
    }
    inputs
}

/// One cycle; who has room in it.
#[track_caller]
fn step(
    table: &mut Lockstep<ResourceTable>,
    needs: BlockNeeds,
    take: u32,
    ends: &[(usize, BlockNeeds)],
) -> u32 {
    mask::to_bits(table.cycle(&inputs(needs, mask::from_bits(take), ends)).room)
}

fn random_needs(random: &mut Pcg64, limits: SmxLimits) -> BlockNeeds {
    let mut part = |most: u32| match random.random_range(0..8) {
        0 | 1 => 0,
        2 => most,
        3 => most / 2,
        4 => most / 2 + 1,
        5 => most / limits.thread_block_slots,
        _ => random.random_range(0..=most / 4),
    };
    block(part(limits.threads), part(limits.registers), part(limits.shared_memory))
}

fn sample(smxs: usize, limits: SmxLimits) {
    let mut random = random(smxs as u64);
    let mut table = table(smxs, limits);
    let mut resident: Vec<Vec<BlockNeeds>> = vec![Vec::new(); smxs];
    let mut needs = BlockNeeds::default();
    let (mut takes, mut refusals) = (0, 0);
    for cycle in 0..6_000 {
        if cycle % 25 == 0 {
            needs = random_needs(&mut random, limits);
        }
        let mut ends = Vec::new();
        for (smx, held) in resident.iter_mut().enumerate() {
            if !held.is_empty() && random.random_bool(0.15) {
                ends.push((smx, held.swap_remove(random.random_range(0..held.len()))));
            }
        }
        let room = table.peek(&inputs(needs, SmxMask::ZERO, &ends)).room;
        let take = room & mask::random_smxs(smxs, &mut random);
        let reset = random.random_range(0..800) == 0;
        table.cycle(&Inputs { reset, ..inputs(needs, take, &ends) });
        takes += take.count_ones();
        refusals += smxs - room.count_ones();
        for (smx, held) in resident.iter_mut().enumerate() {
            if reset {
                held.clear();
            } else if take[smx] {
                held.push(needs);
            }
        }
    }
    assert!(takes > 500 && refusals > 500, "{takes} taken, {refusals} refused");
}

#[test]
fn hardware_and_twin_agree_on_random_residents() {
    sample(1, LIMITS);
    sample(3, LIMITS);
    sample(4, LARGEST);
    sample(13, LIMITS);
    sample(32, LARGEST);
    sample(33, LIMITS);
    sample(65, LARGEST);
    sample(132, LIMITS);
}

#[test]
fn a_block_that_exactly_fills_the_smx_fits_and_one_of_any_resource_more_does_not() {
    for limits in [
        LIMITS,
        SmxLimits { threads: 4_094, registers: 131_070, shared_memory: 131_070, ..LARGEST },
    ] {
        let SmxLimits { threads, registers, shared_memory, .. } = limits;
        let mut table = table(2, limits);
        assert_eq!(step(&mut table, block(threads, registers, shared_memory), 0, &[]), 0b11);
        assert_eq!(step(&mut table, block(threads + 1, registers, shared_memory), 0, &[]), 0);
        assert_eq!(step(&mut table, block(threads, registers + 1, shared_memory), 0, &[]), 0);
        assert_eq!(step(&mut table, block(threads, registers, shared_memory + 1), 0, &[]), 0);
    }
}

#[test]
fn beside_a_resident_block_the_rest_fits_exactly_and_one_more_does_not() {
    let resident = block(1_000, 30_000, 20_000);
    let mut table = table(2, LIMITS);
    step(&mut table, resident, 0b01, &[]);
    let rest = block(1_048, 35_536, 29_152);
    assert_eq!(step(&mut table, rest, 0, &[]), 0b11);
    assert_eq!(step(&mut table, block(1_049, 35_536, 29_152), 0, &[]), 0b10);
    assert_eq!(step(&mut table, block(1_048, 35_537, 29_152), 0, &[]), 0b10);
    assert_eq!(step(&mut table, block(1_048, 35_536, 29_153), 0, &[]), 0b10);
}

#[test]
fn the_last_slot_is_given_and_no_more() {
    for limits in [LIMITS, LARGEST, SmxLimits { thread_block_slots: 1, ..LIMITS }] {
        let mut table = table(1, limits);
        for _ in 0..limits.thread_block_slots {
            assert_eq!(step(&mut table, BlockNeeds::default(), 1, &[]), 1);
        }
        assert_eq!(step(&mut table, BlockNeeds::default(), 0, &[]), 0);
        let end = [(0, BlockNeeds::default())];
        assert_eq!(step(&mut table, BlockNeeds::default(), 0, &end), 1, "room in that cycle");
        assert_eq!(step(&mut table, BlockNeeds::default(), 1, &[]), 1, "and after it");
        assert_eq!(step(&mut table, BlockNeeds::default(), 0, &[]), 0);
    }
}

#[test]
fn the_largest_sums_do_not_wrap() {
    let whole = block(LARGEST.threads, LARGEST.registers, LARGEST.shared_memory);
    let mut table = table(1, LARGEST);
    assert_eq!(step(&mut table, whole, 1, &[]), 1);
    assert_eq!(step(&mut table, whole, 0, &[]), 0);
    for needs in [block(1, 0, 0), block(0, 1, 0), block(0, 0, 1)] {
        assert_eq!(step(&mut table, needs, 0, &[]), 0, "{needs:?}");
    }
    assert_eq!(step(&mut table, block(0, 0, 0), 0, &[]), 1);
}

#[test]
fn room_that_a_finish_frees_is_room_in_the_same_cycle_and_can_be_taken_in_it() {
    let whole = block(LIMITS.threads, LIMITS.registers, LIMITS.shared_memory);
    let mut table = table(1, LIMITS);
    step(&mut table, whole, 1, &[]);
    assert_eq!(step(&mut table, whole, 0, &[]), 0);
    for _ in 0..20 {
        assert_eq!(step(&mut table, whole, 1, &[(0, whole)]), 1);
        assert_eq!(step(&mut table, whole, 0, &[]), 0, "it is taken again");
    }
    assert_eq!(step(&mut table, whole, 0, &[(0, whole)]), 1);
    assert_eq!(step(&mut table, whole, 0, &[]), 1);
}

#[test]
fn completions_of_all_smxs_in_one_cycle_all_free_their_own() {
    let mut table = table(32, LIMITS);
    let of = |smx: u32| block(64 * smx, 1_000 * smx, 1_500 * smx);
    for smx in 0..32 {
        step(&mut table, of(smx), 1 << smx, &[]);
    }
    let ends: Vec<_> = (0..32).map(|smx| (smx as usize, of(smx))).collect();
    let whole = block(LIMITS.threads, LIMITS.registers, LIMITS.shared_memory);
    assert_eq!(step(&mut table, whole, 0, &[]), 1, "SMX 0 holds a block that takes a slot alone");
    assert_eq!(step(&mut table, whole, 0, &ends), u32::MAX);
    assert_eq!(step(&mut table, whole, u32::MAX, &[]), u32::MAX);
    assert_eq!(step(&mut table, block(1, 0, 0), 0, &[]), 0);
}

#[test]
fn reset_empties_all_smxs_whatever_else_the_cycle_carries() {
    let whole = block(LIMITS.threads, LIMITS.registers, LIMITS.shared_memory);
    let mut table = table(4, LIMITS);
    step(&mut table, whole, 0b0111, &[]);
    table.cycle(&Inputs { reset: true, ..inputs(whole, mask::from_bits(0b1000), &[(0, whole)]) });
    assert_eq!(step(&mut table, whole, 0, &[]), 0b1111);
}
