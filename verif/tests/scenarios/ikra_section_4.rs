//! IKRA, section 4, Figures 2 and 3: chunk entries while a grid of 6 x 4 blocks runs on 4 SMXs, and
//! a theft.

use super::command::worked_example;
use super::{run_file, Seen};

/// The first dispatch of a kernel that is launched in cycle 0, for which chunks are assigned.
const FIRST: u64 = 65;

/// What an SMX runs of one instance: cycle, and the block's first and second index.
fn of_smx(seen: &Seen, instance: u32, smx: usize) -> Vec<(u64, (u64, u64))> {
    let of = seen.lines.iter().filter(|line| (line.instance, line.smx) == (instance, smx));
    of.map(|line| (line.cycle, (line.x, line.y))).collect()
}

/// The chunk entry (start and end) of an SMX under `ikra/chunk` in `cycle`: the first and the last
/// block of the chunk that it has not received yet; `None` when it has received all.
fn chunk_entry(seen: &Seen, smx: usize, cycle: u64) -> Option<((u64, u64), (u64, u64))> {
    let blocks = of_smx(seen, 0, smx);
    let left = blocks.iter().filter(|(at, _)| *at > cycle);
    let left: Vec<_> = left.map(|(_, block)| *block).collect();
    Some((*left.first()?, *left.last()?))
}

#[test]
fn figure_2_chunk_gives_each_smx_a_row_and_moves_its_start() {
    let seen = run_file("ikra/chunk", &worked_example("ikra-figure-2"), &[]);
    for smx in 0..4 {
        let row = smx as u64;
        // T = 0: all of it is there. Rounds of 100 cycles.
        assert_eq!(chunk_entry(&seen, smx, FIRST - 1), Some(((0, row), (5, row))));
        // T = 1: each has executed one block, and the next one starts.
        let after_one = chunk_entry(&seen, smx, FIRST + 99);
        assert_eq!(after_one, Some(((1, row), (5, row))));
        // T = 6: all have executed their chunks.
        assert_eq!(chunk_entry(&seen, smx, FIRST + 599), None);
        let cycles: Vec<u64> = of_smx(&seen, 0, smx).iter().map(|(cycle, _)| *cycle).collect();
        assert_eq!(cycles, [65, 165, 265, 365, 465, 565]);
    }
    assert_eq!(seen.kernel("K", 0, "finish"), FIRST + 601);
}

#[test]
fn without_stealing_the_fast_smx_waits() {
    let path = worked_example("ikra-figure-3");
    for scheduler in ["ikra/chunk", "ikra/reset", "ikra/flip"] {
        let seen = run_file(scheduler, &path, &[]);
        assert_eq!(seen.blocks_by_smx(), [12; 4], "{scheduler}");
        // Six blocks of 125 cycles each.
        assert_eq!(seen.kernel("K", 0, "finish"), FIRST + 751, "{scheduler}");
    }
}

#[test]
fn figure_3_smx_0_steals_from_smx_1_and_runs_the_block_again() {
    let seen = run_file("ikra/steal", &worked_example("ikra-figure-3"), &[]);
    let blocks = |instance, smx| -> Vec<(u64, u64)> {
        of_smx(&seen, instance, smx).iter().map(|(_, block)| *block).collect()
    };
    let row = |y, columns: [u64; 5]| columns.map(|x| (x, y)).to_vec();
    // (5, 1, 0) is stolen from the end of SMX 1's chunk.
    let own: Vec<_> = (0..6).map(|x| (x, 0)).collect();
    assert_eq!(blocks(0, 0), [&own[..], &[(5, 1)]].concat());
    assert_eq!(blocks(0, 1), row(1, [0, 1, 2, 3, 4]));
    for (smx, y) in [(2, 2), (3, 3)] {
        assert_eq!(blocks(0, smx), (0..6).map(|x| (x, y)).collect::<Vec<_>>());
    }
    // Its last own block ends in 665. From the next cycle on it asks the others for their queues,
    // and SMX 1 for its chunk: 2 cycles each.
    assert_eq!(of_smx(&seen, 0, 0)[6].0, FIRST + 601 + 4 * 2);

    // The next kernel: the steal queue first, and everything in the other direction.
    let reversed: Vec<_> = own.iter().rev().copied().collect();
    assert_eq!(blocks(1, 0), [&[(5, 1)], &reversed[..]].concat());
    assert_eq!(blocks(1, 1), row(1, [4, 3, 2, 1, 0]));
    for (smx, y) in [(2, 2), (3, 3)] {
        assert_eq!(blocks(1, smx), (0..6).rev().map(|x| (x, y)).collect::<Vec<_>>());
    }
    // No chunks are assigned: the first block comes 2 cycles after the launch.
    let arrive = seen.kernel("K", 1, "arrive");
    assert_eq!(seen.kernel("K", 1, "first_dispatch"), arrive + 2);
}

#[test]
fn figure_3_smx_0_has_finished_executing_its_chunk_when_it_steals() {
    let path = worked_example("ikra-figure-3");
    // Room for four blocks: SMX 0 dispatches its last two in 165 and 166, when the others have two
    // left each until 190, and has executed them in 266.
    let room = &["--set", "thread_block_slots=4"];
    let seen = run_file("ikra/steal", &path, room);
    assert_eq!(seen.blocks_by_smx(), [12; 4], "nothing is left by then");
    let eager = run_file("ikra/steal(thief=dispatched)", &path, room);
    assert!(of_smx(&eager, 0, 0).len() > 6);
    assert!(of_smx(&eager, 0, 0)[6].0 < FIRST + 201, "beside its own");
}

#[test]
fn figure_3_a_thief_with_one_slot_asks_a_cycle_sooner_if_dispatch_is_enough() {
    let path = worked_example("ikra-figure-3");
    let seen = run_file("ikra/steal(thief=dispatched)", &path, &[]);
    assert_eq!(of_smx(&seen, 0, 0)[6].0, FIRST + 600 + 4 * 2, "the block that ends leaves room");
}
