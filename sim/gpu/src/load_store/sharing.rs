//! What the unit tells of its accesses where it is asked what blocks share.

use super::queued::Work;
use super::LoadStore;
use crate::l1::L1Load;
use crate::sharing::{BlockIdentity, L1Access};

impl LoadStore {
    /// The instruction that was queued last is of `block`.
    #[cold]
    pub fn share(&mut self, block: BlockIdentity) {
        let Some(sharing) = &mut self.sharing else { return };
        let global =
            matches!(self.queue.back(), Some(entry) if matches!(entry.work, Work::Global { .. }));
        let lines = if global { &*self.coalesced } else { &[] };
        sharing.queue(block, lines.iter().map(|access| access.line));
    }

    /// The first instruction has made this access of `line` in the L1.
    #[inline]
    pub(super) fn shared(&mut self, line: u64, access: L1Access) {
        if let Some(sharing) = &mut self.sharing {
            sharing.access(line, access);
        }
    }

    /// As [`LoadStore::shared`], of a load.
    #[inline]
    pub(super) fn shared_load(&mut self, line: u64, outcome: L1Load) {
        if self.sharing.is_none() {
            return;
        }
        match outcome {
            L1Load::Hit => self.shared(line, L1Access::Hit),
            L1Load::Miss { .. } => self.shared(line, L1Access::Miss),
            L1Load::Merged => self.shared(line, L1Access::Merged),
            L1Load::Stalled => {}
        }
    }
}
