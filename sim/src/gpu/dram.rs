//! The memory behind the L2: a fixed latency, no contention.

use super::config::DramConfig;

/// See the module.
#[derive(Debug)]
pub struct Dram {
    latency: u64,
    /// Lines read.
    pub reads: u64,
    /// Lines written back.
    pub writes: u64,
}

impl Dram {
    /// A memory with the latency of `config`.
    pub fn new(config: &DramConfig) -> Self {
        Self { latency: u64::from(config.latency), reads: 0, writes: 0 }
    }

    /// A line is requested in `cycle`; returns the cycle of its data.
    pub fn read(&mut self, cycle: u64) -> u64 {
        self.reads += 1;
        cycle + self.latency
    }

    /// A line is written back; nobody waits for it.
    pub fn write(&mut self) {
        self.writes += 1;
    }
}
