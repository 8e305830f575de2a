//! What child blocks share with their relatives (LaPerm, section III-A): the lines that both touch,
//! and hits on lines that a relative brought. Only on request, for it takes memory and time.
//!
//! ```text
//!   block that launched       direct parent of every block of what it launched
//!   what it launched          its child blocks, siblings of each other, whatever kernel or group they are of
//! ```
//!
//! Blocks are counted when they start; an SMX keeps what its blocks touch, by their numbers.

mod footprint;
mod line_set;
mod relatives;

pub use footprint::{Average, Footprint};
pub use relatives::RelativeHits;

use std::collections::BTreeMap;

use line_set::LineSet;
pub(crate) use relatives::{L1Access, SmxSharing};

/// A block among all blocks of the run, and its direct parent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BlockIdentity {
    /// Its number in order of dispatch, from 0; 0 for all while nobody counts.
    pub number: u32,
    /// The number of the block that launched its kernel or group; `None`: the host launched it.
    pub parent: Option<u32>,
}

/// All blocks of the run.
#[derive(Debug, Default)]
pub(crate) struct Sharing {
    blocks: Vec<Block>,
}

#[derive(Clone, Copy, Debug)]
struct Block {
    parent: Option<u32>,
    /// The number of its kernel, or of its group counted from the other end.
    unit: usize,
}

impl Sharing {
    /// A block of the kernel or group `unit` starts, which the block with the number `parent`
    /// launched.
    pub fn started(&mut self, parent: Option<u32>, unit: usize) -> BlockIdentity {
        self.blocks.push(Block { parent, unit });
        BlockIdentity { number: self.blocks.len() as u32 - 1, parent }
    }

    /// What they share, from what each of the SMXs kept.
    pub fn footprint<'a>(&self, smxs: impl Iterator<Item = &'a SmxSharing>) -> Footprint {
        // A block that was suspended may have been on several.
        let mut touched: BTreeMap<u32, LineSet> = BTreeMap::new();
        for (number, lines) in smxs.flat_map(SmxSharing::touched) {
            touched.entry(*number).or_default().extend(lines);
        }
        let mut lines = vec![Vec::new(); self.blocks.len()];
        for (number, set) in touched {
            lines[number as usize] = set.into_sorted();
        }
        footprint::of(&self.blocks, &lines)
    }
}
