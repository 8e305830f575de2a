use super::super::super::mask;
use super::super::super::tests::harness::SMXS;
use super::*;
use crate::most_room::room_in_blocks;

const LIMITS: SmxLimits =
    SmxLimits { threads: 2048, registers: 65536, shared_memory: 49152, thread_block_slots: 16 };

fn needs(threads: u32, registers: u32, shared_memory: u32) -> BlockNeeds {
    BlockNeeds { threads, registers, shared_memory }
}

fn room(table: &ResourceTable, needs: BlockNeeds) -> Vec<usize> {
    let inputs = ResourceTableInputs { needs, ..ResourceTableInputs::default() };
    table.evaluate(&inputs).room.iter_ones().collect()
}

fn take(table: &mut ResourceTable, smx: usize, needs: BlockNeeds) {
    let take = mask::of([smx]);
    table.clock(&ResourceTableInputs { needs, take, ..ResourceTableInputs::default() });
}

fn finish(smx: usize, freed: BlockNeeds) -> ResourceTableInputs {
    let mut inputs =
        ResourceTableInputs { finished: mask::of([smx]), ..ResourceTableInputs::default() };
    inputs.freed[smx] = freed;
    inputs
}

#[test]
fn a_block_that_exactly_fills_the_smx_fits_and_one_more_of_anything_does_not() {
    let table = ResourceTable::new(2, LIMITS);
    assert_eq!(room(&table, needs(2048, 65536, 49152)), [0, 1]);
    assert!(room(&table, needs(2049, 0, 0)).is_empty());
    assert!(room(&table, needs(0, 65537, 0)).is_empty());
    assert!(room(&table, needs(0, 0, 49153)).is_empty());
}

#[test]
fn what_is_left_beside_a_resident_block_can_be_filled_to_the_last_unit() {
    let mut table = ResourceTable::new(2, LIMITS);
    take(&mut table, 1, needs(1000, 60000, 40000));
    assert_eq!(room(&table, needs(1048, 5536, 9152)), [0, 1]);
    assert_eq!(room(&table, needs(1049, 0, 0)), [0]);
    assert_eq!(room(&table, needs(0, 5537, 0)), [0]);
    assert_eq!(room(&table, needs(0, 0, 9153)), [0]);
}

#[test]
fn slots_run_out_even_when_blocks_need_nothing_else() {
    let mut table = ResourceTable::new(1, LIMITS);
    for _ in 0..16 {
        assert_eq!(room(&table, needs(0, 0, 0)), [0]);
        take(&mut table, 0, needs(0, 0, 0));
    }
    assert!(room(&table, needs(0, 0, 0)).is_empty());
}

#[test]
fn no_slots_at_all_is_room_for_nothing() {
    let table = ResourceTable::new(3, SmxLimits { thread_block_slots: 0, ..LIMITS });
    assert!(room(&table, needs(0, 0, 0)).is_empty());
}

#[test]
fn what_a_block_gives_back_is_room_in_the_same_cycle() {
    let mut table = ResourceTable::new(2, LIMITS);
    let block = needs(2048, 0, 0);
    take(&mut table, 0, block);
    take(&mut table, 1, block);
    assert!(room(&table, block).is_empty());
    let inputs = ResourceTableInputs { needs: block, ..finish(1, block) };
    assert_eq!(table.evaluate(&inputs).room, mask::of([1]));
    assert_eq!(table.clock(&inputs), Activity::Busy);
    assert_eq!(room(&table, block), [1]);
}

#[test]
fn a_freed_place_refilled_in_the_same_cycle_leaves_the_table_as_it_was() {
    let mut table = ResourceTable::new(1, LIMITS);
    let block = needs(2048, 7, 9);
    take(&mut table, 0, block);
    let before = table.clone();
    let take = mask::of([0]);
    let inputs = ResourceTableInputs { needs: block, take, ..finish(0, block) };
    assert_eq!(table.clock(&inputs), Activity::Quiet);
    assert_eq!(table, before);
}

#[test]
fn an_unknown_value_of_freed_without_its_valid_bit_is_ignored() {
    let mut table = ResourceTable::new(1, LIMITS);
    take(&mut table, 0, needs(64, 64, 64));
    let inputs = ResourceTableInputs { finished: SmxMask::ZERO, ..finish(0, needs(64, 64, 64)) };
    assert_eq!(table.clock(&inputs), Activity::Quiet);
}

#[test]
fn smxs_that_are_not_there_have_no_room() {
    for smx in SMXS {
        let all: Vec<_> = (0..smx).collect();
        assert_eq!(room(&ResourceTable::new(smx, LIMITS), needs(1, 1, 1)), all);
    }
}

#[test]
fn an_smx_that_is_full_has_no_room_whatever_its_number() {
    for full in [0, 31, 32, 63, 64, 127, 128, 143] {
        let mut table = ResourceTable::new(144, LIMITS);
        take(&mut table, full, needs(2048, 0, 0));
        let others: Vec<_> = (0..144).filter(|&smx| smx != full).collect();
        assert_eq!(room(&table, needs(1, 0, 0)), others);
        table.clock(&finish(full, needs(2048, 0, 0)));
        assert_eq!(table, ResourceTable::new(144, LIMITS));
    }
}

#[test]
fn reset_gives_everything_back_whatever_else_the_cycle_carries() {
    let mut table = ResourceTable::new(2, LIMITS);
    take(&mut table, 1, needs(1, 2, 3));
    let take = mask::of([0]);
    let inputs = ResourceTableInputs { reset: true, take, ..ResourceTableInputs::default() };
    assert_eq!(table.clock(&inputs), Activity::Busy);
    assert_eq!(table, ResourceTable::new(2, LIMITS));
    assert_eq!(table.clock(&inputs), Activity::Quiet);
}

#[test]
fn room_in_blocks_counts_what_ends_in_this_cycle_as_free() {
    let mut table = ResourceTable::new(2, LIMITS);
    take(&mut table, 1, needs(1024, 0, 40_000));
    let room = |inputs: ResourceTableInputs| {
        let count = room_in_blocks(&table.free(&inputs), needs(256, 0, 3000));
        [count[0], count[1]]
    };
    assert_eq!(room(ResourceTableInputs::default()), [8, 3]);
    assert_eq!(room(finish(1, needs(1024, 0, 40_000))), [8, 8]);
}

#[test]
fn an_smx_is_vacant_from_the_cycle_after_the_one_in_which_its_last_block_ends() {
    let mut table = ResourceTable::new(3, LIMITS);
    assert_eq!(table.vacant(), mask::of(0..3));
    take(&mut table, 1, needs(0, 0, 0));
    take(&mut table, 1, needs(0, 0, 0));
    for vacant in [false, false, true] {
        let mut expected = mask::of(0..3);
        expected.set(1, vacant);
        assert_eq!(table.vacant(), expected);
        table.clock(&finish(1, needs(0, 0, 0)));
    }
}
