//! Twin of `clusters/spread`: each block of a cluster on an SMX of its own (`docs/clusters.md`,
//! rules 5 to 7 and 9).
//!
//! Undefined, and not to be compared: everything when `size` is not 1 to 16 with a bit of `ready`,
//! and after a cluster whose blocks up to the one that `closes` it are not as many as `size` said
//! when it opened.

use super::pointers::Pointers;
use crate::port::{Activity, FloorPlan};
use crate::SmxMask;

/// Input ports of [`Spread`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SpreadInputs {
    /// Synchronous reset.
    pub reset: bool,
    /// The SMXs that have room and that all gates allow.
    pub ready: SmxMask,
    /// The SMXs that held no block at the end of the cycle before.
    pub vacant: SmxMask,
    /// Blocks of the cluster, 1 to 16; 5 bits.
    pub size: u32,
    /// The next block is the last one of its cluster.
    pub closes: bool,
}

/// Output ports of [`Spread`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SpreadOutputs {
    /// The SMX that receives the block: one bit, or none.
    pub grant: SmxMask,
}

/// The open cluster, and the pointers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spread {
    pointers: Pointers,
    /// Of the open cluster, the members that have no block of it yet; `None` while none is open.
    open: Option<SmxMask>,
}

impl Spread {
    /// No cluster open on the SMXs of `plan`, after reset.
    pub fn new(plan: &FloorPlan) -> Self {
        Self { pointers: Pointers::new(plan), open: None }
    }

    /// The GPC of the open cluster.
    pub(super) fn open_gpc(&self) -> Option<usize> {
        Some(self.pointers.gpc_of(self.open?.first_one()?))
    }

    /// The outputs of this cycle.
    pub fn evaluate(&self, inputs: &SpreadInputs) -> SpreadOutputs {
        let mut grant = SmxMask::ZERO;
        if let Some((smx, _)) = self.choice(inputs) {
            grant.set(smx, true);
        }
        SpreadOutputs { grant }
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &SpreadInputs) -> Activity {
        let before = self.clone();
        if inputs.reset {
            self.open = None;
            self.pointers.reset();
        } else if let Some((smx, mut members)) = self.choice(inputs) {
            self.pointers.served(smx, self.open.is_none());
            members.set(smx, false);
            self.open = (!inputs.closes).then_some(members);
        }
        Activity::from(*self != before)
    }

    /// The SMX that receives the block, and the members that have none yet, with it.
    fn choice(&self, inputs: &SpreadInputs) -> Option<(usize, SmxMask)> {
        let members = match self.open {
            Some(members) => members,
            None => self.members(inputs)?,
        };
        let gpc = self.pointers.gpc_of(members.first_one()?);
        let smx = self.pointers.smx(gpc, members & inputs.ready)?;
        Some((smx, members))
    }

    /// The members of a cluster that opens now.
    fn members(&self, inputs: &SpreadInputs) -> Option<SmxMask> {
        let SpreadInputs { ready, vacant, size, .. } = *inputs;
        let enough = |smxs: SmxMask| smxs.count_ones() >= size as usize;
        let gpc = self.pointers.gpc(|smxs| enough(smxs & ready))?;
        let ready = ready & self.pointers.smxs(gpc);
        [ready & vacant, ready - vacant, ready].into_iter().find(|&smxs| enough(smxs))
    }
}

#[cfg(test)]
mod tests;
