//! Launches from the device: from the API call of a thread to the scheduler's ports, and what
//! global memory holds of them. The rules are on `docs/dtbl.md`, the latencies on `docs/gpu.md`.
//!
//! ```text
//!   call --> [timeline] --> kernels --> port of the KMU, pool, record --> Kernel Distributor
//!               ^   |
//!               |   +-----> command, groups --> coalesced: in the table or a queue, or in memory
//!               +---------- no eligible kernel
//! ```

mod calls;
mod commands;
mod counts;
mod families;
mod groups;
mod kept;
mod memory;
mod overflow;
mod pool;
mod ports;
mod steps;
mod suspended;
mod timeline;

use super::config::LaunchConfig;
use crate::diagnostic::InputError;
use crate::port::{GroupReference, LaunchMode, SchedulerPorts};
pub use calls::{of_warp as calls_of_warp, Call, CallLatency};
use commands::Commands;
pub use counts::{LaunchCounts, Pending};
pub use families::{Families, Member, Waiter};
pub use groups::{Group, Groups};
use memory::GroupMemory;
use overflow::OverflowMemory;
use pool::Pools;
pub use suspended::{Returning, SuspendedBlock, SuspendedBlocks};
pub use timeline::Launcher;
use timeline::{Step, Timeline};

/// See the module. Under `--launch flat` it does nothing.
pub struct Device {
    mode: LaunchMode,
    /// What of it the scheduler has.
    ports: SchedulerPorts,
    /// Of a thread's call.
    latency: CallLatency,
    /// Of the call by which a group becomes a device kernel.
    fallback: CallLatency,
    /// Cycles from a pool to the Kernel Distributor; at least 1.
    dispatch: u64,
    record_bytes: u32,
    group_bytes: u32,
    timeline: Timeline,
    pools: Pools,
    /// Who launched what.
    pub(crate) families: Families,
    /// Blocks that wait for it off the SMXs.
    pub(crate) suspended: SuspendedBlocks,
    commands: Commands,
    groups: Groups,
    memory: GroupMemory,
    overflow: OverflowMemory,
    counts: LaunchCounts,
    /// SMXs that share a queue of launches.
    cluster: usize,
    /// Launches that have not reached a kernel: calls that have not begun, and groups that are not
    /// coalesced.
    pending: usize,
    /// Device kernels that have not finished.
    unfinished: usize,
    /// What [`crate::port::Inputs::lookup`] is about.
    lookup_group: Option<GroupReference>,
    /// Why the run cannot go on.
    failure: Option<InputError>,
}

impl Device {
    /// Nothing launched so far.
    pub fn new(mode: LaunchMode, config: &LaunchConfig) -> Self {
        Self {
            mode,
            ports: mode.into(),
            latency: CallLatency::of_launch(mode, config),
            fallback: CallLatency::of_fallback(config),
            dispatch: u64::from(if config.ideal { 0 } else { config.dispatch }).max(1),
            record_bytes: config.record_bytes,
            group_bytes: config.group_bytes,
            timeline: Timeline::default(),
            pools: Pools::default(),
            families: Families::default(),
            suspended: SuspendedBlocks::default(),
            commands: Commands::default(),
            groups: Groups::default(),
            memory: GroupMemory::new(config.group_fetch),
            overflow: OverflowMemory::new(config.group_fetch),
            counts: LaunchCounts::default(),
            cluster: 1,
            pending: 0,
            unfinished: 0,
            lookup_group: None,
            failure: None,
        }
    }

    /// How launches reach the scheduler.
    pub fn mode(&self) -> LaunchMode {
        self.mode
    }

    /// The scheduler has these ports.
    pub fn ports(&self) -> SchedulerPorts {
        self.ports
    }

    /// As [`super::Gpu::drive`].
    pub fn drive(&mut self, ports: SchedulerPorts) {
        self.ports = ports;
    }

    /// As [`super::Gpu::share_queues`].
    pub fn share_queues(&mut self, cluster: usize) {
        self.cluster = cluster;
    }

    /// What was launched so far.
    pub fn counts(&self) -> &LaunchCounts {
        &self.counts
    }

    /// Launches that have not become kernels, nor been coalesced to one.
    pub fn pending(&self) -> usize {
        self.pending
    }

    /// Whether every launch has finished, or belongs to a kernel that has not.
    pub fn is_idle(&self) -> bool {
        self.pending == 0 && self.unfinished == 0
    }

    /// The run cannot go on. What is said first counts.
    pub fn fail(&mut self, error: InputError) {
        self.failure.get_or_insert(error);
    }

    /// The next cycle after `now` in which something happens here, as far as that is known.
    pub fn next_change(&self, now: u64) -> Option<u64> {
        if self.mode == LaunchMode::Flat {
            return None;
        }
        [
            self.timeline.next(),
            self.pools.next_change(now),
            self.commands.next_change(now),
            self.memory.next_change(),
            self.overflow.next_change(now),
        ]
        .into_iter()
        .flatten()
        .min()
    }
}
