//! DRAM, all channels together and each.

use serde::Serialize;

use super::ratio::{ratio, sum};
use crate::gpu::channel::ChannelCounts;
use crate::gpu::clock::Clock;
use crate::gpu::config::GpuConfig;

/// Figures of one DRAM channel, or of all together; an access is a burst (`channel.burst_bytes`
/// bytes).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DramStats {
    /// Bursts read and written.
    pub accesses: u64,
    /// Bursts read.
    pub reads: u64,
    /// Bursts written.
    pub writes: u64,
    /// Rows opened.
    pub activates: u64,
    /// Rows closed.
    pub precharges: u64,
    /// Bursts that were not the first of their row since it was opened.
    pub row_hits: u64,
    /// Row hits by accesses, `null` without accesses.
    pub row_hit_rate: Option<f64>,
    /// DRAM cycles with data on the bus.
    pub data_cycles: u64,
    /// DRAM cycles in which a request was on its way, from its arrival to the end of its data.
    pub pending_cycles: u64,
    /// Accesses by pending cycles: DTBL's DRAM efficiency (section 5.2.A). At most one burst in
    /// `channel.burst_cycles`.
    pub efficiency: Option<f64>,
    /// Data cycles by all DRAM cycles of the run.
    pub bus_utilization: Option<f64>,
    /// Bytes read and written in an SMX cycle of the run.
    pub bytes_per_cycle: Option<f64>,
    /// The same for each channel; empty, and not in the JSON, in a channel's own figures.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub channels: Vec<DramStats>,
}

impl DramStats {
    /// Of `channels` over a run of `cycles` SMX cycles.
    pub fn new(channels: &[ChannelCounts], cycles: u64, config: &GpuConfig) -> Self {
        let each = channels.chunks(1).map(|channel| Self::together(channel, cycles, config));
        Self { channels: each.collect(), ..Self::together(channels, cycles, config) }
    }

    fn together(channels: &[ChannelCounts], cycles: u64, config: &GpuConfig) -> Self {
        let reads = sum(channels, |channel| channel.reads);
        let writes = sum(channels, |channel| channel.writes);
        let accesses = reads + writes;
        let row_hits = sum(channels, |channel| channel.row_hits);
        let data_cycles = sum(channels, |channel| channel.data_cycles);
        let pending_cycles = sum(channels, |channel| channel.pending_cycles);
        let clock = Clock::new(config.clock.dram, config.clock.core);
        let dram_cycles = clock.ticks(cycles) * channels.len() as u64;
        Self {
            accesses,
            reads,
            writes,
            activates: sum(channels, |channel| channel.activates),
            precharges: sum(channels, |channel| channel.precharges),
            row_hits,
            row_hit_rate: ratio(row_hits, accesses),
            data_cycles,
            pending_cycles,
            efficiency: ratio(accesses, pending_cycles),
            bus_utilization: ratio(data_cycles, dram_cycles),
            bytes_per_cycle: ratio(accesses * u64::from(config.channel.burst_bytes), cycles),
            channels: Vec::new(),
        }
    }
}
