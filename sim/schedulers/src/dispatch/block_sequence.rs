//! Twin of `dispatch/block_sequence` (`docs/gpgpusim.md`): the next blocks of a grid, x fastest.
//!
//! Undefined, and not to be compared: everything but `empty` when `at` is outside its grid, and
//! everything but `empty`, `count` and `ends` of an empty grid. Combinational: there is no clock
//! edge.

use crate::port::Dim3;

/// Input ports of [`BlockSequence`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BlockSequenceInputs {
    /// The next block of a kernel.
    pub at: Dim3,
    /// The extent of its grid.
    pub grid: Dim3,
}

/// Output ports of [`BlockSequence`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BlockSequenceOutputs {
    /// `block[i]` and `count`: the blocks from `at` on, as many as are left, at most M.
    pub block: Vec<Dim3>,
    /// `beyond` and `ends`: the block after the last of those; `None` (`ends`) when there is none.
    pub beyond: Option<Dim3>,
    /// The grid holds no block.
    pub empty: bool,
}

/// The number of blocks that it looks ahead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockSequence {
    most: usize,
}

impl BlockSequence {
    /// A sequence of up to `most` blocks (M).
    pub fn new(most: usize) -> Self {
        Self { most }
    }

    /// The outputs of this cycle.
    pub fn evaluate(&self, inputs: &BlockSequenceInputs) -> BlockSequenceOutputs {
        let grid = inputs.grid;
        // The extents have 31, 16 and 16 bits.
        let blocks = grid.volume() as u64;
        if blocks == 0 {
            return BlockSequenceOutputs { empty: true, ..Default::default() };
        }
        let mut ids = inputs.at.linear(grid)..blocks;
        let block: Vec<_> = ids.by_ref().take(self.most).map(|id| index(id, grid)).collect();
        BlockSequenceOutputs { block, beyond: ids.next().map(|id| index(id, grid)), empty: false }
    }
}

/// The block of linear id `id` in a grid that is not empty.
fn index(id: u64, grid: Dim3) -> Dim3 {
    let (x, y) = (u64::from(grid.x), u64::from(grid.y));
    Dim3::new((id % x) as u32, (id / x % y) as u32, (id / x / y) as u32)
}

#[cfg(test)]
mod tests {
    use super::super::Entry;
    use super::*;
    use proptest::prelude::*;

    fn from(most: usize, at: (u32, u32, u32), grid: (u32, u32, u32)) -> BlockSequenceOutputs {
        let dim = |(x, y, z)| Dim3::new(x, y, z);
        BlockSequence::new(most).evaluate(&BlockSequenceInputs { at: dim(at), grid: dim(grid) })
    }

    #[test]
    fn x_runs_fastest_then_y_then_z() {
        let outputs = from(5, (1, 1, 0), (3, 2, 2));
        let expected = [(1, 1, 0), (2, 1, 0), (0, 0, 1), (1, 0, 1), (2, 0, 1)];
        assert_eq!(outputs.block, expected.map(|(x, y, z)| Dim3::new(x, y, z)));
        assert_eq!(outputs.beyond, Some(Dim3::new(0, 1, 1)));
        assert!(!outputs.empty);
    }

    #[test]
    fn it_ends_when_no_block_is_left_and_not_one_block_before() {
        for (left, beyond) in [(4, None), (5, Some(Dim3::new(9, 0, 0)))] {
            let outputs = from(4, (10 - left, 0, 0), (10, 1, 1));
            assert_eq!((outputs.block.len(), outputs.beyond), (4, beyond), "{left} left");
        }
        let last = from(4, (9, 0, 0), (10, 1, 1));
        assert_eq!((last.block, last.beyond), (vec![Dim3::new(9, 0, 0)], None));
    }

    #[test]
    fn an_empty_grid_has_no_block_and_ends() {
        for grid in [(0, 1, 1), (1, 0, 1), (1, 1, 0), (0, 0, 0)] {
            let outputs = from(3, (0, 0, 0), grid);
            assert_eq!(outputs, BlockSequenceOutputs { empty: true, ..Default::default() });
        }
    }

    #[test]
    fn the_largest_grid_in_each_dimension_does_not_overflow() {
        let (x, yz) = ((1 << 31) - 1, 65_535);
        assert_eq!(from(1, (x - 1, 0, 0), (x, 1, 1)).beyond, None);
        let outputs = from(2, (x - 1, yz - 1, 0), (x, yz, yz));
        assert_eq!(outputs.block[1], Dim3::new(0, 0, 1));
        assert_eq!(outputs.beyond, Some(Dim3::new(1, 0, 1)));
    }

    proptest! {
        #[test]
        fn each_block_follows_the_one_before_as_in_the_kernel_table(
            (x, y, z) in (1u32..6, 1u32..6, 1u32..6), start in any::<u32>(), most in 1usize..=32,
        ) {
            let grid = Dim3::new(x, y, z);
            let start = u64::from(start) % grid.volume() as u64;
            let mut entry = Entry { grid, next_block: index(start, grid), ..Entry::default() };
            let inputs = BlockSequenceInputs { at: entry.next_block, grid };
            let outputs = BlockSequence::new(most).evaluate(&inputs);
            prop_assert_eq!(outputs.block.len() as u64, (grid.volume() as u64 - start).min(most as u64));
            for (i, block) in outputs.block.iter().enumerate() {
                prop_assert_eq!(*block, entry.next_block);
                prop_assert!(!entry.is_last() || i + 1 == outputs.block.len());
                prop_assert_eq!(entry.is_last() && outputs.beyond.is_some(), false);
                entry.next_block = entry.following();
            }
            prop_assert!(outputs.beyond.is_none_or(|beyond| beyond == entry.next_block));
        }
    }
}
