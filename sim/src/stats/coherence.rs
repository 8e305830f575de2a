//! DeNovo: what L1s own and ask of one another.

use serde::Serialize;

use super::ratio::sum;
use crate::gpu::config::{GpuConfig, Protocol};
use crate::gpu::smx::SmxCounts;

/// Messages of DeNovo by what they did, of all SMXs; see `docs/coherence.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct CoherenceStats {
    /// Forwarded loads that the L1 of another SMX answered: IKRA's remote L1 hits.
    pub remote_hits: u64,
    /// Forwarded loads that found some of their words gone and went back to the home bank.
    pub bounced_loads: u64,
    /// Requests for ownership: store transactions with words that their SMX did not own.
    pub ownership_requests: u64,
    /// Messages that took words from an owner for another SMX.
    pub transfers: u64,
    /// Messages with which an L1 gave words up to the L2: evictions and atomic operations.
    pub give_ups: u64,
    /// Lines of which an L1 forgot words, not owned, at the start of a kernel.
    pub self_invalidations: u64,
}

impl CoherenceStats {
    /// Of the SMXs with these counts together, if they own words.
    pub(super) fn new(smxs: &[SmxCounts], config: &GpuConfig) -> Option<Self> {
        (config.coherence.protocol == Protocol::Denovo).then(|| Self {
            remote_hits: sum(smxs, |smx| smx.coherence.remote_hits),
            bounced_loads: sum(smxs, |smx| smx.coherence.bounces),
            ownership_requests: sum(smxs, |smx| smx.coherence.registrations),
            transfers: sum(smxs, |smx| smx.coherence.transfers),
            give_ups: sum(smxs, |smx| smx.coherence.write_backs),
            self_invalidations: sum(smxs, |smx| smx.coherence.invalidations),
        })
    }
}
