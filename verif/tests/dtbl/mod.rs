//! DTBL's modules against their twins: rules 6 to 16 of `docs/dtbl.md`.

mod block_control;
mod coalescer;
mod ended_blocks;
mod fcfs_control;
mod group_fetch;
mod group_lists;
mod group_sequence;
mod group_table;
mod held_groups;
mod ring_counts;

use blockyard_sim::port::GroupReference;

/// A group on chip.
fn chip(index: u32) -> Option<GroupReference> {
    Some(GroupReference::on_chip(index))
}

/// A group in memory.
fn memory(pointer: u32) -> Option<GroupReference> {
    Some(GroupReference::in_memory(pointer))
}
