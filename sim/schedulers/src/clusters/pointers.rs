//! Whose turn it is, among the GPCs and among the SMXs of each (`docs/clusters.md`, rules 6 and 9):
//! what both policies share.

use crate::mask::{self, round};
use crate::port::FloorPlan;
use crate::SmxMask;
use std::ops::Range;

/// The GPC pointer, and a pointer of each GPC.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pointers {
    gpcs: Vec<Range<usize>>,
    /// The GPC that is asked first.
    first_gpc: usize,
    /// The SMX of each GPC that is asked first.
    first_smx: Vec<usize>,
}

impl Pointers {
    /// The pointers after reset.
    pub(super) fn new(plan: &FloorPlan) -> Self {
        let gpcs: Vec<_> = plan.ranges().collect();
        let first_smx = gpcs.iter().map(|gpc| gpc.start).collect();
        Self { gpcs, first_gpc: 0, first_smx }
    }

    /// The first GPC whose turn it is and of whose SMXs `has_room` is true.
    pub(super) fn gpc(&self, has_room: impl Fn(SmxMask) -> bool) -> Option<usize> {
        let mut gpcs = round(self.first_gpc, self.gpcs.len());
        gpcs.find(|&gpc| has_room(self.smxs(gpc)))
    }

    /// The first SMX of that GPC whose turn it is and that is in `request`.
    pub(super) fn smx(&self, gpc: usize, request: SmxMask) -> Option<usize> {
        let Range { start, end } = self.gpcs[gpc];
        let turns = round(self.first_smx[gpc] - start, end - start);
        turns.map(|offset| start + offset).find(|&smx| request[smx])
    }

    /// The SMXs of a GPC.
    pub(super) fn smxs(&self, gpc: usize) -> SmxMask {
        mask::of(self.gpcs[gpc].clone())
    }

    /// The GPC of an SMX.
    pub(super) fn gpc_of(&self, smx: usize) -> usize {
        self.gpcs.iter().position(|gpc| gpc.contains(&smx)).expect("every SMX is in a GPC")
    }

    /// The clock edge of a cycle in which that SMX received a block, the first of a cluster if it
    /// `opens` one.
    pub(super) fn served(&mut self, smx: usize, opens: bool) {
        let gpc = self.gpc_of(smx);
        let Range { start, end } = self.gpcs[gpc];
        self.first_smx[gpc] = if smx + 1 == end { start } else { smx + 1 };
        if opens {
            self.first_gpc = (gpc + 1) % self.gpcs.len();
        }
    }

    /// The clock edge of a reset cycle.
    pub(super) fn reset(&mut self) {
        self.first_gpc = 0;
        self.first_smx = self.gpcs.iter().map(|gpc| gpc.start).collect();
    }
}
