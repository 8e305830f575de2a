use super::super::super::mask;
use super::*;

const GRID: Dim3 = Dim3::new(3, 2, 1);

fn thread(hardware_thread: u16) -> GroupTableInputs {
    GroupTableInputs { hardware_thread, ..Default::default() }
}

fn allocate(hardware_thread: u16, parameter_address: u32) -> GroupTableInputs {
    let allocate = true;
    GroupTableInputs { allocate, grid: GRID, parameter_address, ..thread(hardware_thread) }
}

fn dispatched(current: u32) -> GroupTableInputs {
    GroupTableInputs { current, dispatched: true, ..Default::default() }
}

/// A block of each of these entries ends, on SMX 0 and up.
fn finished(entries: &[u32]) -> GroupTableInputs {
    let mut inputs =
        GroupTableInputs { finished: mask::of(0..entries.len()), ..Default::default() };
    inputs.finished_index = entries.iter().copied().collect();
    inputs
}

fn is_free(table: &GroupTable, entry: u16) -> bool {
    table.evaluate(&thread(entry)).free
}

#[test]
fn the_index_is_the_lowest_bits_of_the_hardware_thread() {
    for (entries, thread_number, index) in
        [(1, 65_535, 0), (2, 65_535, 1), (1024, 0x1403, 3), (2048, 65_535, 2047)]
    {
        let outputs = GroupTable::new(entries).evaluate(&thread(thread_number));
        assert_eq!((outputs.index, outputs.free), (index, true));
    }
}

#[test]
fn a_taken_entry_is_not_free_for_any_thread_that_names_it_and_its_neighbours_are() {
    let mut table = GroupTable::new(8);
    assert!(table.evaluate(&allocate(3, 0)).free, "still in the cycle itself");
    assert_eq!(table.clock(&allocate(3, 0)), Activity::Busy);
    assert!(!is_free(&table, 3) && !is_free(&table, 11) && !is_free(&table, 0xfffb));
    assert!(is_free(&table, 2) && is_free(&table, 4));
    assert_eq!(table.in_use(), 1);
}

#[test]
fn an_entry_is_free_in_the_cycle_after_its_last_block_ended() {
    let mut table = GroupTable::new(8);
    table.clock(&allocate(3, 0));
    // Three blocks: the last one turns the count of the distribution into its own.
    assert_eq!(table.clock(&dispatched(3)), Activity::Busy);
    assert_eq!(table.clock(&dispatched(3)), Activity::Busy);
    table.clock(&finished(&[3, 3]));
    assert!(!is_free(&table, 3), "the last one runs");
    let last = GroupTableInputs { hardware_thread: 3, ..finished(&[3]) };
    assert!(!table.evaluate(&last).free, "not yet in that cycle");
    table.clock(&last);
    assert!(is_free(&table, 3));
}

#[test]
fn an_entry_is_kept_while_it_has_blocks_to_distribute_and_none_in_execution() {
    let mut table = GroupTable::new(8);
    table.clock(&allocate(0, 0));
    table.clock(&dispatched(0));
    table.clock(&finished(&[0]));
    assert!(!is_free(&table, 0));
}

#[test]
fn a_block_that_replaces_one_of_its_group_changes_nothing() {
    let mut table = GroupTable::new(8);
    table.clock(&allocate(0, 0));
    table.clock(&dispatched(0));
    let both = GroupTableInputs { current: 0, dispatched: true, ..finished(&[0]) };
    assert_eq!(table.clock(&both), Activity::Quiet);
    assert!(!is_free(&table, 0));
    table.clock(&finished(&[0]));
    assert!(!is_free(&table, 0), "it has blocks to distribute");
}

#[test]
fn blocks_of_several_groups_end_on_all_smxs_in_one_cycle() {
    let mut table = GroupTable::new(2);
    table.clock(&allocate(0, 0));
    table.clock(&allocate(1, 0));
    (0..15).for_each(|_| assert_eq!(table.clock(&dispatched(0)), Activity::Busy));
    (0..16).for_each(|_| assert_eq!(table.clock(&dispatched(1)), Activity::Busy));
    let entries: Vec<_> = (0..32).map(|smx| smx % 2).collect();
    table.clock(&finished(&entries));
    assert!(is_free(&table, 0), "sixteen of sixteen");
    assert!(!is_free(&table, 1), "sixteen of seventeen");
}

#[test]
fn next_is_none_after_allocation_until_a_link_is_made() {
    let mut table = GroupTable::new(4);
    let next = Some(GroupReference::in_memory(5));
    let link =
        GroupTableInputs { link: true, link_index: 2, link_next: next, ..Default::default() };
    let current = GroupTableInputs { current: 2, ..Default::default() };
    table.clock(&allocate(2, 0));
    assert_eq!(table.evaluate(&current).current_next, None);
    assert_eq!(table.clock(&link), Activity::Busy);
    let outputs = table.evaluate(&current);
    assert_eq!((outputs.current_next, outputs.current_grid), (next, GRID));
    assert_eq!(table.clock(&link), Activity::Quiet);
    table.clock(&finished(&[2]));
    table.clock(&allocate(2, 0));
    assert_eq!(table.evaluate(&current).current_next, None, "the old one's Next is gone");
}

#[test]
fn an_entry_is_allocated_while_another_one_is_linked_to_it() {
    let mut table = GroupTable::new(4);
    table.clock(&allocate(0, 0));
    let next = Some(GroupReference::on_chip(1));
    let both = GroupTableInputs { link: true, link_index: 0, link_next: next, ..allocate(1, 9) };
    table.clock(&both);
    assert_eq!((table.next(0), table.next(1)), (next, None));
    let lookup = GroupTableInputs { lookup_index: 1, ..Default::default() };
    assert_eq!(table.evaluate(&lookup).lookup_parameter, 9);
}

#[test]
fn a_released_entry_still_shows_what_it_held() {
    let mut table = GroupTable::new(1);
    table.clock(&allocate(0, 9));
    table.clock(&finished(&[0]));
    let outputs = table.evaluate(&GroupTableInputs::default());
    assert_eq!((outputs.free, outputs.current_grid, outputs.lookup_parameter), (true, GRID, 9));
}

#[test]
fn reset_frees_every_entry_whatever_else_the_cycle_carries() {
    let mut table = GroupTable::new(4);
    table.clock(&allocate(1, 0));
    let reset = GroupTableInputs { reset: true, ..allocate(2, 0) };
    assert_eq!(table.clock(&reset), Activity::Busy);
    assert_eq!(table, GroupTable::new(4));
    assert_eq!(table.clock(&reset), Activity::Quiet);
}

#[test]
#[should_panic(expected = "3 entries: expected a power of two to 2048")]
fn a_table_whose_hash_is_no_mask_is_refused() {
    GroupTable::new(3);
}
