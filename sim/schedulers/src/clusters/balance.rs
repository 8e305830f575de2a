//! Twin of `clusters/balance`: an SMX may have several blocks of a cluster (`docs/clusters.md`,
//! rules 5, 6, 8 and 9).
//!
//! Undefined, and not to be compared: everything when `size` is not 1 to 16 with a bit of `ready`.

use super::pointers::Pointers;
use crate::most_room::{Most, MostInputs};
use crate::port::{Activity, FloorPlan};
use crate::{PerSmx, SmxMask};

/// Input ports of [`Balance`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BalanceInputs {
    /// Synchronous reset.
    pub reset: bool,
    /// The SMXs that have room and that all gates allow.
    pub ready: SmxMask,
    /// The room of each of them in blocks; 6 bits.
    pub count: PerSmx<u32>,
    /// Blocks of the cluster, 1 to 16; 5 bits.
    pub size: u32,
    /// The next block is the last one of its cluster.
    pub closes: bool,
}

/// Output ports of [`Balance`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BalanceOutputs {
    /// The SMX that receives the block: one bit, or none.
    pub grant: SmxMask,
}

/// The open cluster, and the pointers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Balance {
    pointers: Pointers,
    /// The GPC of the open cluster; `None` while none is open.
    open: Option<usize>,
}

impl Balance {
    /// No cluster open on the SMXs of `plan`, after reset.
    pub fn new(plan: &FloorPlan) -> Self {
        Self { pointers: Pointers::new(plan), open: None }
    }

    /// The GPC of the open cluster.
    pub(super) fn open_gpc(&self) -> Option<usize> {
        self.open
    }

    /// The outputs of this cycle.
    pub fn evaluate(&self, inputs: &BalanceInputs) -> BalanceOutputs {
        let mut grant = SmxMask::ZERO;
        if let Some((_, smx)) = self.choice(inputs) {
            grant.set(smx, true);
        }
        BalanceOutputs { grant }
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &BalanceInputs) -> Activity {
        let before = self.clone();
        if inputs.reset {
            self.open = None;
            self.pointers.reset();
        } else if let Some((gpc, smx)) = self.choice(inputs) {
            self.pointers.served(smx, self.open.is_none());
            self.open = (!inputs.closes).then_some(gpc);
        }
        Activity::from(*self != before)
    }

    /// The GPC of the cluster, and the SMX that receives the block.
    fn choice(&self, inputs: &BalanceInputs) -> Option<(usize, usize)> {
        let BalanceInputs { ready, ref count, size, .. } = *inputs;
        let room = |smxs: SmxMask| (smxs & ready).iter_ones().map(|smx| count[smx]).sum::<u32>();
        let gpc = match self.open {
            Some(gpc) => gpc,
            None => self.pointers.gpc(|smxs| room(smxs) >= size)?,
        };
        let request = ready & self.pointers.smxs(gpc);
        let most = Most.evaluate(&MostInputs { request, count: count.clone() }).most;
        Some((gpc, self.pointers.smx(gpc, most)?))
    }
}

#[cfg(test)]
mod tests;
