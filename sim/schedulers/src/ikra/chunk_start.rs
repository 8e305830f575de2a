//! Twin of `ikra/chunk_start`: the first block of one SMX's chunk (`docs/ikra.md`, rules 3, 4, 17
//! and 18).
//!
//! Latency: `begins` to `ready` 63 cycles, which this twin counts down after a plain division;
//! `first_id` 0 (same cycle).
//!
//! Undefined, and not to be compared: everything from a `begins` with no blocks, without `derived`
//! a position of no SMX, with it a `derived_first` above `blocks`, a grid with a dimension of zero
//! or one that does not hold `blocks` blocks, or from a change of `grid` before `ready`, up to the
//! next `begins`; `first_id` in a cycle without `begins` or with `derived`.

use super::block_of;
use crate::port::{Activity, Dim3};

/// Input ports of [`ChunkStart`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChunkStartInputs {
    /// Synchronous reset.
    pub reset: bool,
    /// Takes the other inputs and starts, whatever was under way.
    pub begins: bool,
    /// The position of the SMX; valid with `begins`.
    pub position: usize,
    /// With `begins`: the chunk is `derived_first` and `derived_vacant`, not the share of
    /// `position`.
    pub derived: bool,
    /// Its first linear id; valid with `derived`.
    pub derived_first: u32,
    /// It has no block; valid with `derived`.
    pub derived_vacant: bool,
    /// Blocks of the kernel, at least 1; valid with `begins`.
    pub blocks: u32,
    /// Its extent; the same from `begins` until `ready`.
    pub grid: Dim3,
}

/// Output ports of [`ChunkStart`]; but for `first_id` they depend on the state alone: in the cycle
/// of a `begins` they are still those of the one before.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChunkStartOutputs {
    /// `start` and `vacant` are valid.
    pub ready: bool,
    /// The chunk's first block; (0, 0, grid z) if the chunk is empty; zero when not `ready`.
    pub start: Dim3,
    /// The chunk has no block; low when not `ready`.
    pub vacant: bool,
    /// With `begins` and without `derived`: the first linear id of the share. This twin gives zero
    /// otherwise.
    pub first_id: u32,
}

/// What was computed.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Quotient {
    /// Cycles until it is shown.
    wait: u32,
    start: Dim3,
    vacant: bool,
}

/// The start of a chunk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChunkStart {
    smx: usize,
    quotient: Option<Quotient>,
}

impl ChunkStart {
    /// Cycles from `begins` to `ready`: 1 for the division by the number of SMXs, 31 for that by
    /// the grid's x, 31 for that by its y.
    pub const LATENCY: u32 = 1 + 31 + 31;

    /// That of one of `smx` SMXs, of which nothing is known.
    pub fn new(smx: usize) -> Self {
        Self { smx, quotient: None }
    }

    /// The outputs of this cycle.
    pub fn evaluate(&self, inputs: &ChunkStartInputs) -> ChunkStartOutputs {
        let mut outputs = ChunkStartOutputs::default();
        if let Some(Quotient { wait: 0, start, vacant }) = &self.quotient {
            (outputs.ready, outputs.start, outputs.vacant) = (true, *start, *vacant);
        }
        if inputs.begins && !inputs.derived {
            outputs.first_id = self.share(inputs).0;
        }
        outputs
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &ChunkStartInputs) -> Activity {
        let before = self.quotient.clone();
        if inputs.reset {
            self.quotient = None;
        } else if inputs.begins {
            self.quotient = Some(self.quotient_of(inputs));
        } else if let Some(quotient) = &mut self.quotient {
            quotient.wait = quotient.wait.saturating_sub(1);
        }
        Activity::from(self.quotient != before)
    }

    fn quotient_of(&self, inputs: &ChunkStartInputs) -> Quotient {
        let (first, vacant) = if inputs.derived {
            (inputs.derived_first, inputs.derived_vacant)
        } else {
            self.share(inputs)
        };
        // One of the cycles is the edge that stores this.
        let wait = Self::LATENCY - 1;
        Quotient { wait, start: block_of(first.into(), inputs.grid), vacant }
    }

    /// Rule 4: the first linear id of the share, and whether it is empty.
    fn share(&self, inputs: &ChunkStartInputs) -> (u32, bool) {
        let (smx, position) = (self.smx as u64, inputs.position as u64);
        let blocks = u64::from(inputs.blocks);
        let (share, rest) = (blocks / smx, blocks % smx);
        let first = position * share + position.min(rest);
        (first as u32, share == 0 && position >= rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn begin(position: usize, grid: (u32, u32, u32)) -> ChunkStartInputs {
        let grid = Dim3::new(grid.0, grid.1, grid.2);
        let blocks = grid.volume() as u32;
        ChunkStartInputs { begins: true, position, blocks, grid, ..Default::default() }
    }

    fn after(start: &mut ChunkStart, inputs: &ChunkStartInputs, cycles: u32) -> ChunkStartOutputs {
        start.clock(inputs);
        let idle = ChunkStartInputs { begins: false, position: 9, blocks: 9, ..inputs.clone() };
        for _ in 1..cycles {
            assert_eq!(start.evaluate(&idle), ChunkStartOutputs::default());
            assert_eq!(start.clock(&idle), Activity::Busy);
        }
        start.evaluate(&idle)
    }

    /// `start` and `vacant` of every position.
    fn chunks(smx: usize, grid: (u32, u32, u32)) -> Vec<(Dim3, bool)> {
        let of = |position| {
            let outputs = after(&mut ChunkStart::new(smx), &begin(position, grid), 63);
            assert!(outputs.ready);
            (outputs.start, outputs.vacant)
        };
        (0..smx).map(of).collect()
    }

    fn starts(smx: usize, grid: (u32, u32, u32)) -> Vec<(u32, u32, u32)> {
        chunks(smx, grid).iter().map(|(start, _)| (start.x, start.y, start.z)).collect()
    }

    #[test]
    fn a_start_is_ready_63_cycles_after_begin_and_not_one_before() {
        let inputs = begin(1, (6, 4, 1));
        let mut start = ChunkStart::new(4);
        assert_eq!(after(&mut start, &inputs, 62), ChunkStartOutputs::default());
        let idle = ChunkStartInputs { begins: false, ..inputs };
        start.clock(&idle);
        let ready =
            ChunkStartOutputs { ready: true, start: Dim3::new(0, 1, 0), ..Default::default() };
        assert_eq!(start.evaluate(&idle), ready);
        assert_eq!(start.clock(&idle), Activity::Quiet, "it stays ready");
        assert_eq!(start.evaluate(&idle), ready);
    }

    #[test]
    fn figure_2_gives_each_of_four_smxs_a_row_of_the_grid() {
        assert_eq!(starts(4, (6, 4, 1)), [(0, 0, 0), (0, 1, 0), (0, 2, 0), (0, 3, 0)]);
    }

    #[test]
    fn the_first_remainder_positions_have_one_block_more() {
        // 11 blocks on 4 SMXs: 3, 3, 3, 2.
        assert_eq!(starts(4, (11, 1, 1)), [(0, 0, 0), (3, 0, 0), (6, 0, 0), (9, 0, 0)]);
        // 13 blocks: 4, 3, 3, 3.
        assert_eq!(starts(4, (13, 1, 1)), [(0, 0, 0), (4, 0, 0), (7, 0, 0), (10, 0, 0)]);
        assert_eq!(starts(1, (13, 1, 1)), [(0, 0, 0)]);
        assert_eq!(starts(3, (2, 2, 2)), [(0, 0, 0), (1, 1, 0), (0, 1, 1)]);
    }

    #[test]
    fn with_fewer_blocks_than_smxs_the_chunks_behind_the_last_block_are_empty() {
        let chunks = chunks(4, (1, 2, 1));
        let beyond = Dim3::new(0, 0, 1);
        assert_eq!(chunks[..2], [(Dim3::new(0, 0, 0), false), (Dim3::new(0, 1, 0), false)]);
        assert_eq!(chunks[2..], [(beyond, true), (beyond, true)]);
        let full = self::chunks(3, (3, 1, 1));
        assert!(full.iter().all(|(_, empty)| !empty), "as many blocks as SMXs");
    }

    #[test]
    fn the_largest_grids_in_each_dimension_are_divided_without_overflow() {
        let (x, yz) = ((1 << 31) - 1, 65_535);
        assert_eq!(starts(3, (x, 1, 1))[2], (1_431_655_765, 0, 0), "x = 3 * 715827882 + 1");
        assert_eq!(starts(32, (1, yz, 1))[31], (0, 63_488, 0), "65535 = 32 * 2047 + 31");
        assert_eq!(starts(32, (1, 1, yz))[31], (0, 0, 63_488));
        assert_eq!(starts(144, (x, 1, 1))[143], (2_132_570_567, 0, 0), "x = 144 * 14913080 + 127");
        let outputs = after(&mut ChunkStart::new(2), &begin(1, (1, yz, 32_768)), 63);
        assert_eq!(outputs.start, Dim3::new(0, 0, 16_384));
        let beyond = chunks(32, (1, 1, 31))[31];
        assert_eq!(beyond, (Dim3::new(0, 0, 31), true));
    }

    #[test]
    fn the_first_id_of_a_share_is_known_in_the_cycle_of_its_begin() {
        let first_ids = |smx: usize, blocks: u32| -> Vec<u32> {
            let of = |position| begin(position, (blocks, 1, 1));
            (0..smx).map(|p| ChunkStart::new(smx).evaluate(&of(p)).first_id).collect()
        };
        assert_eq!(first_ids(4, 11), [0, 3, 6, 9]);
        assert_eq!(first_ids(4, 13), [0, 4, 7, 10]);
        assert_eq!(first_ids(4, 2), [0, 1, 2, 2], "those of empty chunks are the number of blocks");
        assert_eq!(first_ids(1, 13), [0]);
        assert_eq!(first_ids(3, (1 << 31) - 1)[2], 1_431_655_765);
        // Whatever was under way or is ready.
        let mut start = ChunkStart::new(4);
        assert!(after(&mut start, &begin(1, (6, 4, 1)), 63).ready);
        let outputs = start.evaluate(&begin(2, (6, 4, 1)));
        assert_eq!(
            (outputs.ready, outputs.start, outputs.first_id),
            (true, Dim3::new(0, 1, 0), 12)
        );
    }

    /// A derived chunk in a grid; the position and the share do not matter.
    fn derive(first: u32, vacant: bool, grid: (u32, u32, u32)) -> ChunkStartInputs {
        ChunkStartInputs {
            derived: true,
            derived_first: first,
            derived_vacant: vacant,
            ..begin(1, grid)
        }
    }

    #[test]
    fn a_derived_chunk_begins_at_the_id_that_is_given_after_63_cycles_as_well() {
        for (first, vacant, start) in [
            (0, false, (0, 0, 0)),
            (7, false, (1, 1, 0)),
            (23, false, (5, 3, 0)),
            (7, true, (1, 1, 0)),
            (0, true, (0, 0, 0)),
            (24, true, (0, 0, 1)),
        ] {
            let mut twin = ChunkStart::new(4);
            let inputs = derive(first, vacant, (6, 4, 1));
            assert_eq!(twin.evaluate(&inputs), ChunkStartOutputs::default());
            assert!(!after(&mut twin, &inputs, 62).ready);
            twin.clock(&ChunkStartInputs { begins: false, ..inputs });
            let (x, y, z) = start;
            let (ready, start) = (true, Dim3::new(x, y, z));
            let expected = ChunkStartOutputs { ready, start, vacant, ..Default::default() };
            assert_eq!(twin.evaluate(&ChunkStartInputs::default()), expected, "{first}");
        }
    }

    #[test]
    fn a_derived_chunk_takes_the_place_of_a_share_that_is_under_way_or_ready() {
        for cycles in [1, 40, 63] {
            let mut start = ChunkStart::new(4);
            after(&mut start, &begin(3, (6, 4, 1)), cycles);
            let outputs = after(&mut start, &derive(7, false, (6, 4, 1)), 63);
            assert_eq!((outputs.ready, outputs.start), (true, Dim3::new(1, 1, 0)));
        }
        // What is derived without a begin is not seen.
        let mut start = ChunkStart::new(4);
        let idle = ChunkStartInputs { begins: false, ..derive(7, false, (6, 4, 1)) };
        assert_eq!(start.clock(&idle), Activity::Quiet);
    }

    #[test]
    fn a_second_begin_starts_anew_and_what_was_ready_is_no_more() {
        let mut start = ChunkStart::new(4);
        assert!(after(&mut start, &begin(3, (6, 4, 1)), 63).ready);
        assert!(start.evaluate(&begin(2, (6, 4, 1))).ready, "until the edge");
        // In the middle of the next one, once more.
        assert!(!after(&mut start, &begin(1, (6, 4, 1)), 40).ready);
        let outputs = after(&mut start, &begin(2, (6, 4, 1)), 63);
        assert_eq!((outputs.ready, outputs.start), (true, Dim3::new(0, 2, 0)));
    }

    #[test]
    fn reset_in_the_middle_stops_it_and_reset_when_ready_takes_it_back() {
        for cycles in [1, 40, 63, 70] {
            let mut start = ChunkStart::new(4);
            start.clock(&begin(1, (6, 4, 1)));
            let idle = ChunkStartInputs { begins: false, ..begin(1, (6, 4, 1)) };
            (1..cycles).for_each(|_| {
                start.clock(&idle);
            });
            let reset = ChunkStartInputs { reset: true, ..begin(2, (6, 4, 1)) };
            assert_eq!(start.clock(&reset), Activity::Busy);
            assert_eq!(start, ChunkStart::new(4));
            assert_eq!(start.clock(&reset), Activity::Quiet);
            assert_eq!(start.clock(&idle), Activity::Quiet, "nothing is under way");
        }
    }

    proptest! {
        #[test]
        fn chunks_follow_each_other_and_differ_by_one_block_at_most(
            (x, y, z) in (1u32..9, 1u32..9, 1u32..9),
            smx in prop_oneof![1usize..=32, Just(65), Just(144)],
        ) {
            let grid = Dim3::new(x, y, z);
            let blocks = grid.volume() as u64;
            let chunks = chunks(smx, (x, y, z));
            let mut at = 0;
            for (position, (start, empty)) in chunks.iter().enumerate() {
                let size = blocks / smx as u64 + u64::from((position as u64) < blocks % smx as u64);
                prop_assert_eq!(start.linear(grid), at);
                prop_assert_eq!(*empty, size == 0);
                at += size;
            }
            prop_assert_eq!(at, blocks);
        }
    }
}
