//! The network between SMXs and L2.

use serde::Serialize;

use crate::gpu::memory::Traffic;

/// Flits (`interconnect.flit` bytes) by kind, as IKRA divides them (section 6.1, Fig. 4(c)),
/// replies apart.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TrafficStats {
    /// Of requests for data or instructions.
    pub read_flits: u64,
    /// Of stores and atomics.
    pub write_flits: u64,
    /// Of dirty lines that L1s evict.
    pub write_back_flits: u64,
    /// Of replies: data, and acknowledgements of stores.
    pub reply_flits: u64,
    /// Of what the home bank of a word asks of the word's owner, under DeNovo.
    pub forward_flits: u64,
    /// All of these.
    pub flits: u64,
    /// Flits times the hops that they travel; a crossbar has one.
    pub flit_hops: u64,
}

impl TrafficStats {
    pub(super) fn new(traffic: Traffic) -> Self {
        let Traffic {
            read_flits,
            write_flits,
            write_back_flits,
            reply_flits,
            forward_flits,
            flit_hops,
        } = traffic;
        let flits = read_flits + write_flits + write_back_flits + reply_flits + forward_flits;
        Self {
            read_flits,
            write_flits,
            write_back_flits,
            reply_flits,
            forward_flits,
            flits,
            flit_hops,
        }
    }
}
