use super::*;

const GRID: Dim3 = Dim3::new(3, 2, 1);

fn thread(hardware_thread: u16) -> GroupTableInputs {
    GroupTableInputs { hardware_thread, ..Default::default() }
}

fn allocate(hardware_thread: u16, parameter_address: u32) -> GroupTableInputs {
    let allocate = true;
    GroupTableInputs { allocate, grid: GRID, parameter_address, ..thread(hardware_thread) }
}

/// A cycle in which nothing happens and entry `next_current` is the one that is distributed next.
fn next(next_current: u32) -> GroupTableInputs {
    GroupTableInputs { next_current, ..Default::default() }
}

/// A block of the current group, `current`, which stays current.
fn dispatched(current: u32, last: bool) -> GroupTableInputs {
    GroupTableInputs { dispatched: true, last, ..next(current) }
}

/// A block of the group in this entry is counted in the next cycle.
fn served(index: u32) -> GroupTableInputs {
    GroupTableInputs { served: Some(index), ..Default::default() }
}

/// A table of `entries` in which entry `entry` holds a group that is fully distributed.
fn distributed(entries: u32, entry: u16, blocks: u32) -> GroupTable {
    let mut table = GroupTable::new(entries);
    distribute(&mut table, entry, blocks);
    table
}

/// Allocates a group of `blocks` blocks and dispatches them all.
fn distribute(table: &mut GroupTable, entry: u16, blocks: u32) {
    let index = u32::from(entry);
    table.clock(&GroupTableInputs { next_current: index, ..allocate(entry, 0) });
    for block in 1..=blocks {
        assert_eq!(table.clock(&dispatched(index, block == blocks)), Activity::Busy);
    }
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
fn an_entry_is_free_in_the_second_cycle_after_its_last_block_was_served() {
    let mut table = distributed(8, 3, 3);
    for _ in 0..2 {
        assert_eq!(table.clock(&served(3)), Activity::Busy);
    }
    let last = GroupTableInputs { hardware_thread: 3, ..served(3) };
    assert!(!table.evaluate(&last).free, "served now");
    table.clock(&last);
    assert!(!is_free(&table, 3), "counted now");
    assert_eq!(table.clock(&next(0)), Activity::Busy);
    assert!(is_free(&table, 3));
    assert_eq!(table.clock(&next(0)), Activity::Quiet);
}

#[test]
fn a_group_whose_last_block_runs_is_not_released() {
    let mut table = distributed(8, 3, 3);
    table.clock(&served(3));
    table.clock(&served(3));
    table.clock(&next(0));
    assert!(!is_free(&table, 3), "two of three were counted");
}

#[test]
fn a_group_of_one_block_is_released_when_it_was_counted() {
    let mut table = distributed(8, 7, 1);
    table.clock(&served(7));
    assert!(!is_free(&table, 7));
    table.clock(&next(0));
    assert!(is_free(&table, 7));
}

#[test]
fn a_group_whose_earlier_blocks_are_all_counted_before_its_last_one_goes_is_not_released() {
    let mut table = GroupTable::new(8);
    table.clock(&allocate(0, 0));
    table.clock(&dispatched(0, false));
    table.clock(&served(0));
    table.clock(&next(0));
    assert!(!is_free(&table, 0), "one of one that was dispatched so far");
    table.clock(&dispatched(0, true));
    table.clock(&served(0));
    assert!(!is_free(&table, 0));
    table.clock(&next(0));
    assert!(is_free(&table, 0));
}

#[test]
fn a_block_is_counted_in_the_cycle_that_dispatches_another_one_of_its_group() {
    for last in [false, true] {
        let mut table = GroupTable::new(8);
        table.clock(&allocate(5, 0));
        table.clock(&next(5));
        table.clock(&dispatched(5, false));
        table.clock(&GroupTableInputs { served: Some(5), ..next(5) });
        table.clock(&dispatched(5, last));
        assert!(!is_free(&table, 5), "one of two");
        table.clock(&GroupTableInputs { served: Some(5), ..next(5) });
        table.clock(&next(5));
        assert_eq!(is_free(&table, 5), last);
    }
}

#[test]
fn blocks_of_several_groups_are_counted_one_a_cycle_without_a_bubble() {
    let mut table = distributed(2, 0, 16);
    distribute(&mut table, 1, 16);
    for turn in 0..31 {
        table.clock(&served(turn % 2));
    }
    assert!(!is_free(&table, 0), "fifteen of sixteen");
    table.clock(&next(0));
    assert!(is_free(&table, 0), "sixteen of sixteen");
    assert!(!is_free(&table, 1), "fifteen of sixteen");
}

#[test]
fn the_current_group_is_the_one_that_was_named_a_cycle_ago() {
    let mut table = GroupTable::new(4);
    table.clock(&allocate(1, 0));
    let other = Dim3::new(9, 1, 1);
    table.clock(&GroupTableInputs { grid: other, ..allocate(2, 0) });
    assert_eq!(table.clock(&next(1)), Activity::Busy);
    assert_eq!(table.evaluate(&next(2)).current_grid, GRID, "not yet the one that comes");
    assert_eq!(table.clock(&next(2)), Activity::Busy);
    assert_eq!(table.evaluate(&next(1)).current_grid, other);
    // The block of this cycle is one of group 2, though 1 comes next.
    table.clock(&GroupTableInputs { next_current: 1, ..dispatched(2, true) });
    table.clock(&served(2));
    table.clock(&next(0));
    assert!(is_free(&table, 2) && !is_free(&table, 1));
}

#[test]
fn a_group_is_current_in_the_cycle_after_its_allocation_if_it_was_named_in_it() {
    let mut table = GroupTable::new(4);
    table.clock(&GroupTableInputs { next_current: 6, ..allocate(10, 0) });
    assert_eq!(table.evaluate(&next(0)).current_grid, GRID, "the lowest two bits count");
}

#[test]
fn next_is_none_after_allocation_until_a_link_is_made() {
    let mut table = GroupTable::new(4);
    let next = Some(GroupReference::in_memory(5));
    let link = GroupTableInputs { link: true, link_index: 2, link_next: next, ..self::next(2) };
    distribute(&mut table, 2, 1);
    assert_eq!(table.evaluate(&link).current_next, None, "not in that cycle");
    assert_eq!(table.clock(&link), Activity::Busy);
    let outputs = table.evaluate(&GroupTableInputs::default());
    assert_eq!((outputs.current_next, outputs.current_grid), (next, GRID));
    assert_eq!(table.clock(&link), Activity::Quiet);
    table.clock(&served(2));
    table.clock(&GroupTableInputs::default());
    distribute(&mut table, 2, 1);
    assert_eq!(table.evaluate(&link).current_next, None, "the old one's Next is gone");
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
    table.clock(&dispatched(0, true));
    table.clock(&served(0));
    table.clock(&next(0));
    let outputs = table.evaluate(&GroupTableInputs::default());
    assert_eq!((outputs.free, outputs.current_grid, outputs.lookup_parameter), (true, GRID, 9));
}

#[test]
fn reset_frees_every_entry_whatever_else_the_cycle_carries() {
    let mut table = distributed(4, 1, 2);
    table.clock(&served(1));
    let reset = GroupTableInputs { reset: true, next_current: 3, ..allocate(2, 0) };
    let reset = GroupTableInputs { served: Some(1), ..reset };
    assert_eq!(table.clock(&reset), Activity::Busy);
    assert_eq!(table, GroupTable::new(4));
    assert_eq!(table.clock(&reset), Activity::Quiet);
}

#[test]
fn what_was_served_before_a_reset_does_not_count_for_a_group_after_it() {
    let mut table = distributed(4, 1, 1);
    table.clock(&served(1));
    table.clock(&GroupTableInputs { reset: true, ..Default::default() });
    distribute(&mut table, 1, 1);
    table.clock(&next(0));
    assert!(!is_free(&table, 1));
}

#[test]
#[should_panic(expected = "3 entries: expected a power of two to 2048")]
fn a_table_whose_hash_is_no_mask_is_refused() {
    GroupTable::new(3);
}
