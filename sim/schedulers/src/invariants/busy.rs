//! No cycle passes without a block where one fits, if a policy promises that.

use super::held::Held;
use super::Invariants;
use crate::port::KernelEntry;

impl Invariants {
    /// The kernel whose turn it is, and an SMX that has room for a block of it, where the policy
    /// promises that one is dispatched then.
    pub(super) fn must_dispatch(&self) -> Option<(KernelEntry, usize)> {
        if !self.rules.busy || self.rules.gated || self.groups.is_some() {
            return None;
        }
        let head = self.turn.head()?;
        let kernel = self.entries[head.index()].as_ref().filter(|kernel| kernel.left() > 0)?;
        let fits = |smx: &Held| smx.has_room(kernel.launch.needs, self.limits);
        self.smxs.iter().position(fits).map(|smx| (head, smx))
    }

    /// Something was dispatched if it had to be.
    pub(super) fn check_idle(&self, due: Option<(KernelEntry, usize)>) -> Result<(), String> {
        match due {
            Some((KernelEntry(entry), smx)) if self.dispatched.is_empty() => Err(format!(
                "SMX {smx} has room for a block of entry {entry}, and none is dispatched"
            )),
            _ => Ok(()),
        }
    }
}
