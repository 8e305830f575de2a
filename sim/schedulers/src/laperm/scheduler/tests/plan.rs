//! Work for a [`super::machine::Machine`], and what it saw.

use super::super::super::super::tests::harness::Sampling;
use super::super::super::super::{build_for, Composition};
use super::super::super::{Binding, LapermConfig};
use crate::port::*;

/// A kernel of the host.
#[derive(Clone, Debug)]
pub(super) struct HostKernel {
    pub(super) arrive: u64,
    pub(super) entry_pc: u32,
    pub(super) grid: Dim3,
    pub(super) queue: u8,
}

/// When something is launched.
#[derive(Clone, Copy, Debug)]
pub(super) enum When {
    /// In that cycle, by whatever block this may be.
    At(u64, Parent),
    /// By the block that is dispatched as the n-th of all (from 0), so many cycles later; not at
    /// all when there is no such block.
    Dispatched(usize, u64),
    /// By that block of the first kernel of the host, so many cycles after its dispatch.
    Native(u64, u64),
}

/// A call: one command with its groups, or as many device kernels.
#[derive(Clone, Debug)]
pub(super) struct Call {
    pub(super) when: When,
    pub(super) entry_pc: u32,
    pub(super) wait: u8,
    pub(super) grids: Vec<Dim3>,
}

/// What happens, on which machine.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub(super) launch: LaunchMode,
    pub(super) config: LapermConfig,
    /// As they stand in the scheduler's name.
    pub(super) gates: &'static str,
    /// What the SMXs send, if a gate looks at it.
    pub(super) sampling: Option<Sampling>,
    pub(super) smx: usize,
    pub(super) limits: SmxLimits,
    pub(super) hosts: Vec<HostKernel>,
    /// Kernels that were suspended, and when they come back to their pool; in order.
    pub(super) suspended: Vec<(u64, Dim3)>,
    pub(super) calls: Vec<Call>,
    /// Cycles that blocks take, in the order in which they are dispatched, over and over.
    pub(super) durations: Vec<u64>,
    /// From `fetch_record` to `record`.
    pub(super) record_latency: u64,
    /// From `fetch_entry` to `refill`.
    pub(super) refill_latency: u64,
    /// Cycles in which the next group is late: every how many.
    pub(super) late_groups: u64,
}

impl Plan {
    pub(super) fn scheduler(&self) -> Box<dyn Scheduler> {
        let composition: Composition = format!("{}{}", self.config, self.gates).parse().unwrap();
        build_for(&composition, self.launch, 0, self.smx, self.limits).unwrap()
    }

    /// Whether the machine knows which block has to go in each cycle: no gate is there, and nothing
    /// leaves its queue unseen.
    pub(super) fn is_strict(&self) -> bool {
        let grids = self.calls.iter().flat_map(|call| &call.grids);
        let grids = grids.chain(self.hosts.iter().map(|host| &host.grid));
        let mut grids = grids.chain(self.suspended.iter().map(|(_, grid)| grid));
        self.gates.is_empty() && grids.all(|grid| grid.volume() > 0)
    }

    pub(super) fn binds(&self) -> bool {
        self.config.binding == Binding::Bound
    }
}

/// Where a kernel or group comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Origin {
    /// The n-th kernel of the host.
    Host(usize),
    /// The n-th one that was suspended.
    Suspended(usize),
    /// A call, and which of its kernels or groups.
    Called(usize, usize),
}

/// An event on the ports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Event {
    Dispatch { smx: usize, origin: Origin, block: u64, level: u8 },
    Spill(Spill),
    Ended(u8),
}
