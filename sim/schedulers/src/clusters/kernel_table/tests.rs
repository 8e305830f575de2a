use super::*;
use crate::port::KernelLaunch;

const NEEDS: BlockNeeds = BlockNeeds { threads: 64, registers: 1024, shared_memory: 256 };

fn launch(grid: (u32, u32, u32), cluster: (u8, u8, u8)) -> KernelLaunch {
    let grid = Dim3::new(grid.0, grid.1, grid.2);
    let cluster = Cluster { x: cluster.0, y: cluster.1, z: cluster.2 };
    let blocks = grid.volume() as u32;
    KernelLaunch { grid, cluster, blocks, needs: NEEDS, entry_pc: 8, ..Default::default() }
}

fn enter(table: &mut KernelTable, launch: KernelLaunch) {
    let inputs = KernelTableInputs { launch: Some(launch), marked: u32::MAX, ..Default::default() };
    assert_eq!(table.clock(&inputs), Activity::Busy);
}

/// Its head is entry 0 and all entries are marked.
fn head() -> KernelTableInputs {
    KernelTableInputs { head: Some(KernelEntry(0)), marked: u32::MAX, ..Default::default() }
}

fn step(table: &mut KernelTable) -> KernelTableOutputs {
    let inputs = KernelTableInputs { step: true, ..head() };
    let outputs = table.evaluate(&inputs);
    assert_eq!(table.clock(&inputs), Activity::Busy);
    outputs
}

#[test]
fn blocks_go_cluster_after_cluster_and_the_last_of_each_closes_it() {
    let mut table = KernelTable::new();
    enter(&mut table, launch((4, 2, 1), (2, 2, 1)));
    let went: Vec<_> = (0..8).map(|_| step(&mut table)).collect();
    let blocks: Vec<_> =
        went.iter().map(|block| (block.head_block.x, block.head_block.y)).collect();
    let expected = [(0, 0), (1, 0), (0, 1), (1, 1), (2, 0), (3, 0), (2, 1), (3, 1)];
    assert_eq!(blocks, expected);
    let closes: Vec<_> = (0..8).filter(|&at| went[at].head_closes).collect();
    assert_eq!(closes, [3, 7]);
    let last: Vec<_> = (0..8).filter(|&at| went[at].head_last).collect();
    assert_eq!(last, [7], "the last block of the last cluster");
    assert!(went.iter().all(|block| block.head_cluster == 4 && block.head_needs == NEEDS));
}

#[test]
fn a_cluster_that_is_cancelled_is_passed_over_whole_and_none_of_it_is_in_execution() {
    let mut table = KernelTable::new();
    enter(&mut table, launch((4, 2, 1), (2, 1, 1)));
    // Whether a cluster is open, and whether it is the last one.
    assert_eq!(table.next_cluster(&head()), (false, false));
    step(&mut table);
    assert_eq!(table.next_cluster(&head()), (true, false));
    step(&mut table);
    let cancel = KernelTableInputs { step: true, cancelled: true, ..head() };
    for expected in [(2, 0), (0, 1)] {
        assert_eq!(table.next_cluster(&head()), (false, false));
        let block = table.evaluate(&cancel).head_block;
        assert_eq!((block.x, block.y), expected);
        assert_eq!(table.clock(&cancel), Activity::Busy);
        assert_eq!(table.executing(KernelEntry(0)), 2);
    }
    assert_eq!(table.next_cluster(&head()), (false, true));
    step(&mut table);
    assert_eq!(table.next_cluster(&head()), (true, true));
    let mut empty = KernelTable::new();
    enter(&mut empty, launch((0, 2, 1), (2, 1, 1)));
    assert_eq!(empty.next_cluster(&head()), (false, false));
    assert_eq!(empty.next_cluster(&KernelTableInputs::default()), (false, false));
}

#[test]
fn without_a_step_the_same_block_is_shown_and_nothing_is_stored() {
    let mut table = KernelTable::new();
    enter(&mut table, launch((4, 1, 1), (2, 1, 1)));
    step(&mut table);
    let before = table.evaluate(&head());
    assert_eq!(table.clock(&head()), Activity::Quiet);
    assert_eq!(table.evaluate(&head()), before);
}

#[test]
fn a_cluster_of_one_block_closes_at_once_and_one_of_sixteen_with_its_last() {
    let mut table = KernelTable::new();
    enter(&mut table, launch((3, 1, 1), (1, 1, 1)));
    for x in 0..3 {
        let block = step(&mut table);
        let shown = (block.head_cluster, block.head_closes, block.head_last);
        assert_eq!(shown, (1, true, x == 2));
    }
    let mut table = KernelTable::new();
    enter(&mut table, launch((8, 2, 1), (8, 2, 1)));
    for place in 0..16 {
        let block = step(&mut table);
        let shown = (block.head_cluster, block.head_closes, block.head_last);
        assert_eq!(shown, (16, place == 15, place == 15));
    }
}

#[test]
fn each_entry_keeps_the_cluster_of_its_own_kernel() {
    let mut table = KernelTable::new();
    for entry in 0..32 {
        let x = entry % 16 + 1;
        enter(&mut table, launch((u32::from(x), 1, 1), (x, 1, 1)));
    }
    for entry in 0..32 {
        let inputs = KernelTableInputs { head: Some(KernelEntry(entry)), ..head() };
        assert_eq!(table.evaluate(&inputs).head_cluster, u32::from(entry % 16 + 1));
    }
}

#[test]
fn a_kernel_that_takes_a_used_entry_begins_at_its_first_block_with_its_own_cluster() {
    let mut table = KernelTable::new();
    enter(&mut table, launch((2, 1, 1), (2, 1, 1)));
    step(&mut table);
    step(&mut table);
    let finished = |marked| KernelTableInputs {
        finished: [Some(KernelEntry(0))].into_iter().collect(),
        marked,
        ..Default::default()
    };
    table.clock(&finished(u32::MAX));
    table.clock(&finished(0));
    let idle = KernelTableInputs::default();
    assert_eq!(table.evaluate(&idle).finished_kernels, 1);
    table.clock(&idle);
    enter(&mut table, launch((3, 3, 1), (1, 3, 1)));
    let block = table.evaluate(&head());
    assert_eq!((block.head_block, block.head_cluster), (Dim3::default(), 3));
    assert!(!block.head_closes);
}

#[test]
fn an_empty_grid_is_empty_and_neither_closes_nor_ends() {
    let mut table = KernelTable::new();
    enter(&mut table, launch((0, 2, 1), (4, 2, 1)));
    let shown = table.evaluate(&head());
    assert!(shown.head_empty && !shown.head_last && !shown.head_closes);
    assert_eq!(shown.head_cluster, 8);
}

#[test]
fn without_a_head_nothing_is_shown_of_one() {
    let mut table = KernelTable::new();
    enter(&mut table, launch((4, 2, 1), (4, 2, 1)));
    let shown = table.evaluate(&KernelTableInputs { head: None, ..head() });
    let nothing = KernelTableOutputs { launch_ready: shown.launch_ready, ..Default::default() };
    assert_eq!(shown, nothing);
}

#[test]
fn reset_within_a_cluster_returns_to_free_entries_whatever_else_the_cycle_carries() {
    let mut table = KernelTable::new();
    enter(&mut table, launch((4, 2, 1), (4, 2, 1)));
    step(&mut table);
    let another = Some(launch((1, 1, 1), (1, 1, 1)));
    let reset = KernelTableInputs { reset: true, step: true, launch: another, ..head() };
    assert_eq!(table.clock(&reset), Activity::Busy);
    assert_eq!(table, KernelTable::new());
    assert_eq!(table.clock(&reset), Activity::Quiet);
}
