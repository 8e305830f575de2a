//! Twin of `claso/allocator`: how many credits a kernel gets (section 3.1).
//!
//! Algorithm 1 prints a floor in the number of local credits; the text and the worked example
//! round up, and so does the page. Combinational: there is no clock edge.

use super::Levels;

/// Input ports of [`Allocator`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AllocatorInputs {
    /// Thread blocks of the kernel; 31 bits.
    pub blocks: u32,
}

/// Output ports of [`Allocator`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AllocatorOutputs {
    /// Credits that each core gets; 32 bits.
    pub local_credits: u64,
    /// Credits that the cores share; 32 bits.
    pub global_credits: u64,
}

/// The constants of the two formulas.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Allocator {
    cores: u64,
    levels: Levels,
}

impl Allocator {
    /// An allocator for `cores` cores (at least one).
    pub fn new(cores: usize, levels: Levels) -> Self {
        Self { cores: cores as u64, levels }
    }

    /// The credits of a kernel with that many blocks; an empty grid gets none.
    pub fn evaluate(&self, inputs: &AllocatorInputs) -> AllocatorOutputs {
        let blocks = u64::from(inputs.blocks);
        if blocks == 0 {
            return AllocatorOutputs::default();
        }
        let full_layers = u64::from(self.levels.active.get()) - 1;
        AllocatorOutputs {
            local_credits: blocks.div_ceil(self.cores) + u64::from(self.levels.loose),
            global_credits: (blocks - 1) % self.cores + 1 + full_layers * self.cores,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::port::MAX_BLOCKS;
    use std::num::NonZeroU16;

    fn credits(cores: usize, active: u16, loose: u16, blocks: u32) -> (u64, u64) {
        let levels = Levels { active: NonZeroU16::new(active).unwrap(), loose };
        let outputs = Allocator::new(cores, levels).evaluate(&AllocatorInputs { blocks });
        (outputs.local_credits, outputs.global_credits)
    }

    #[test]
    fn the_worked_example_gets_five_local_credits_a_core_and_one_global_credit() {
        assert_eq!(credits(4, 1, 0, 17), (5, 1));
    }

    #[test]
    fn an_empty_grid_gets_nothing_even_with_loose_and_active_levels() {
        assert_eq!(credits(4, 3, 7, 0), (0, 0));
    }

    #[test]
    fn allocation_around_one_block_a_core() {
        for cores in [1u32, 2, 13, 30, 32] {
            let d = cores as usize;
            assert_eq!(credits(d, 1, 0, 1), (1, 1));
            if cores > 1 {
                assert_eq!(credits(d, 1, 0, cores - 1), (1, u64::from(cores) - 1));
            }
            assert_eq!(credits(d, 1, 0, cores), (1, u64::from(cores)));
            assert_eq!(credits(d, 1, 0, cores + 1), (2, 1));
        }
    }

    #[test]
    fn each_level_adds_what_the_paper_says() {
        assert_eq!(credits(4, 1, 2, 17), (7, 1), "loose levels: local credits only");
        assert_eq!(credits(4, 3, 0, 17), (5, 1 + 2 * 4), "active levels: a layer of four each");
    }

    #[test]
    fn the_largest_grid_and_the_largest_levels_fit_into_32_bits() {
        let (local, global) = credits(1, u16::MAX, u16::MAX, MAX_BLOCKS);
        assert_eq!((local, global), ((1 << 31) - 1 + 65_535, 65_535));
        assert_eq!(credits(32, u16::MAX, 0, MAX_BLOCKS), (1 << 26, 31 + 65_534 * 32));
        assert_eq!(credits(144, u16::MAX, 0, MAX_BLOCKS), (14_913_081, 127 + 65_534 * 144));
        assert!(local < 1 << 32);
    }

    #[test]
    fn free_and_global_credits_together_are_the_blocks_of_the_kernel() {
        // Of the local credits of a core, those above p_A + p_L are free. As long as there are
        // as many layers as active levels, nothing is left over and nothing is missing.
        for cores in 1..=8u32 {
            for blocks in 1..=64u32 {
                for active in 1..=blocks.div_ceil(cores) {
                    for loose in 0..3 {
                        let (local, global) = credits(cores as usize, active as u16, loose, blocks);
                        let free = local - u64::from(active) - u64::from(loose);
                        assert_eq!(free * u64::from(cores) + global, u64::from(blocks));
                    }
                }
            }
        }
    }
}
