//! LaPerm, section II-B: 100 blocks on 13 SMXs with 3 slots, round robin.

use super::command::worked_example;
use super::run_file;

#[test]
fn the_first_blocks_go_around_and_the_next_one_to_the_first_smx_with_room() {
    for scheduler in ["rr", "fifo"] {
        let seen = run_file(scheduler, &worked_example("round-robin-100-blocks"), &[]);
        let of = |smx: usize| -> Vec<u64> {
            let mine = seen.blocks().into_iter().filter(|&(cycle, on, _)| on == smx && cycle < 500);
            mine.map(|(_, _, block)| block).collect()
        };
        assert_eq!(of(0), [0, 13, 26]);
        assert_eq!(of(1), [1, 14, 27]);
        let blocks = seen.blocks();
        for (number, &(cycle, smx, block)) in blocks[..39].iter().enumerate() {
            assert_eq!((cycle, smx, block), (1 + number as u64, number % 13, number as u64));
        }
        // Block 17 starts in cycle 18 on SMX 4 and runs for 500 cycles; block 39 comes then and
        // there, not a cycle earlier or later.
        assert_eq!(blocks[17], (18, 4, 17));
        assert_eq!(blocks[39], (518, 4, 39));
        let mut ids: Vec<u64> = blocks.iter().map(|block| block.2).collect();
        ids.sort_unstable();
        assert!(ids.into_iter().eq(0..100), "every block once");
    }
}
