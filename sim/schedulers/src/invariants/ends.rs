//! A kernel of which every block has run ends.

use super::occupant::Occupant;
use crate::port::{KernelEntry, KERNEL_ENTRIES};

/// Most cycles from the end of a kernel's last block until the kernel is reported. Policies take
/// one.
const LATEST: u32 = 8;

/// For how many cycles each kernel that is over has not been reported as such: one that had blocks,
/// for an empty one may have to wait for its turn. Not where there are groups, of which more may
/// come.
#[derive(Clone, PartialEq)]
pub(super) struct Ends {
    over: [u32; KERNEL_ENTRIES],
}

impl Ends {
    pub(super) const fn new() -> Self {
        Self { over: [0; KERNEL_ENTRIES] }
    }

    /// Whether a kernel is over, so that something will still happen.
    pub(super) fn are_awaited(&self) -> bool {
        self.over.iter().any(|&cycles| cycles > 0)
    }

    /// A cycle in which `finished` are reported, behind its ends and dispatches.
    pub(super) fn check(
        &mut self,
        entries: &[Option<Occupant>; KERNEL_ENTRIES],
        finished: u32,
    ) -> Result<(), String> {
        for (entry, (occupant, over)) in entries.iter().zip(&mut self.over).enumerate() {
            let is_over = |kernel: &Occupant| {
                kernel.blocks() > 0 && kernel.left() == 0 && kernel.running == 0
            };
            let waits = finished >> entry & 1 == 0 && occupant.as_ref().is_some_and(is_over);
            *over = if waits { *over + 1 } else { 0 };
            if *over > LATEST {
                let KernelEntry(entry) = KernelEntry(entry as u8);
                return Err(format!(
                    "all blocks of entry {entry} ended {LATEST} cycles ago, and its kernel has not"
                ));
            }
        }
        Ok(())
    }
}
