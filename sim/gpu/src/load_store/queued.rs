//! The instructions in the unit, and the accesses that they are split into.

use super::LoadStore;
use crate::coalescer::{sectors, LineAccess, WordMask};
use crate::l1::expand;
use crate::memory::FirstLevel;
use crate::program::Access;

/// What an instruction in the unit still has to do.
#[derive(Clone, Copy, Debug)]
pub(super) enum Work {
    /// Accesses of global memory to make.
    Global { access: Access, accesses: u32 },
    /// Cycles of shared memory left, and whether it is that of another block.
    Shared { cycles: u32, elsewhere: bool },
    /// Constant memory, which hits.
    Constant,
    /// Accesses of a cache for what is only read to make.
    ReadOnly { cache: FirstLevel, accesses: u32 },
}

/// An instruction in the unit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Queued {
    /// The cycle from which the unit may take it up.
    pub ready: u64,
    pub warp: u8,
    /// What waits for it, if anything does.
    pub load: Option<u32>,
    pub work: Work,
}

impl LoadStore {
    /// Splits the coalesced accesses at the unit's grain and queues them. Returns how many.
    #[inline]
    pub(super) fn queue_accesses(&mut self) -> u32 {
        let before = self.accesses.len();
        for access in &self.coalesced {
            // The unit takes up the first one next, and the others behind that.
            match self.accesses.is_empty() {
                true => self.l1.announce_soon(access.line),
                false => self.l1.announce(access.line),
            }
            let parts = sectors(access.words, self.transaction_words);
            if self.transaction_words >= 32 || parts.is_power_of_two() {
                self.accesses.push(*access);
                continue;
            }
            let mut left = parts;
            while left != 0 {
                let words: WordMask = expand(left & left.wrapping_neg(), self.transaction_words);
                self.accesses.push(LineAccess { line: access.line, words: access.words & words });
                left &= left - 1;
            }
        }
        (self.accesses.len() - before) as u32
    }
}
