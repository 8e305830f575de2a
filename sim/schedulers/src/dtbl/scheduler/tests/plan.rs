//! Work for a [`super::machine::Machine`], and what it saw.

use crate::port::*;

/// A kernel of the host.
#[derive(Clone, Debug)]
pub(super) struct HostKernel {
    pub(super) arrive: u64,
    pub(super) entry_pc: u32,
    pub(super) grid: Dim3,
    pub(super) queue: u8,
}

/// An aggregation command and its groups.
#[derive(Clone, Debug)]
pub(super) struct Command {
    pub(super) arrive: u64,
    pub(super) entry_pc: u32,
    pub(super) wait: u8,
    /// Hardware thread and extent.
    pub(super) groups: Vec<(u16, Dim3)>,
}

/// What happens, and how long it takes.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub(super) launch: LaunchMode,
    pub(super) hosts: Vec<HostKernel>,
    pub(super) commands: Vec<Command>,
    /// Cycles that blocks take, in the order in which they are dispatched, over and over.
    pub(super) durations: Vec<u64>,
    /// From `fetch_record` to `record`.
    pub(super) record_latency: u64,
    /// From `fetch_group` to `fetched`, and how much of it passes before memory is read.
    pub(super) fetch_latency: (u64, u64),
    /// Cycles in which the next group is late: every how many.
    pub(super) late_groups: u64,
    pub(super) storage: GroupStorage,
    /// For each entry the cycle up to which its kernel is kept.
    pub(super) kept: Vec<(u8, u64)>,
}

/// An event on the ports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Event {
    Accepted { entry: u8 },
    Record { entry: u8 },
    Command,
    Taken(GroupOutcome),
    Dispatch { entry: u8, group: Option<GroupReference>, block: u64 },
    FetchGroup(RingPlace),
    Ended { entry: u8 },
}
