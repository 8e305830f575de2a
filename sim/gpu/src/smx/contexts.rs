//! The contexts of kernels on an SMX (DTBL, section 4.2): before the first block of an entry of the
//! Kernel Distributor begins there, its context is set up. Blocks that come meanwhile wait as well;
//! groups share the context of their kernel (section 4.3).

use super::Smx;
use crate::port::{KernelEntry, KERNEL_ENTRIES};

/// See the module.
pub struct Contexts {
    /// Cycles to set one up.
    latency: u64,
    /// The cycle from which on that of each entry is ready, if a block of it is resident.
    ready: [u64; KERNEL_ENTRIES],
}

impl Contexts {
    /// None is set up; each takes `latency` cycles.
    pub fn new(latency: u32) -> Self {
        Self { latency: latency.into(), ready: [0; KERNEL_ENTRIES] }
    }
}

impl Smx {
    /// How many cycles a block of `entry` that comes in `cycle` waits for its context.
    pub fn context_wait(&mut self, entry: KernelEntry, cycle: u64) -> u64 {
        let latency = self.contexts.latency;
        if latency == 0 {
            return 0;
        }
        let is_new = self.blocks().all(|block| block.entry != entry);
        let ready = &mut self.contexts.ready[entry.index()];
        if is_new {
            *ready = cycle + latency;
        }
        ready.saturating_sub(cycle)
    }
}
