//! The network between SMXs and L2: a fixed latency in each direction, no contention.

use super::config::InterconnectConfig;

/// See the module.
#[derive(Debug)]
pub struct Interconnect {
    latency: u64,
}

impl Interconnect {
    /// A network with the latency of `config`.
    pub fn new(config: &InterconnectConfig) -> Self {
        Self { latency: u64::from(config.latency) }
    }

    /// The cycle in which what enters the network in `cycle` arrives at the other side.
    pub fn arrival(&self, cycle: u64) -> u64 {
        cycle + self.latency
    }
}
