//! Whether a configuration can be built.

mod shape;

use super::{GpuConfig, Protocol, Topology, WritePolicy};
use crate::diagnostic::InputError;
use crate::port::{GroupStorage, MAX_SMX};

/// Largest latency in cycles: far beyond any hardware, and far from overflowing a cycle number.
const MAX_LATENCY: u32 = 1_000_000;

/// Most flits of a packet that crosses a crossbar.
pub const MAX_FLITS: u32 = 254;

/// Most inputs and outputs of a crossbar: one for each SMX, or slice.
pub const MAX_PORTS: usize = MAX_SMX;

/// Most entries of the Aggregated Group Table: its indices have 11 bits.
const MAX_TABLE: u32 = 2048;

/// Largest slowdown of an SMX.
const MAX_SLOWDOWN: f64 = 1000.0;

/// Smallest slowdown of an SMX: one unit of the six decimals that count.
const MIN_SLOWDOWN: f64 = 0.000_001;

impl GpuConfig {
    /// Checks every number against what the model and the scheduler's ports can carry.
    ///
    /// # Errors
    /// The first key that is out of range, with its value and what was expected.
    pub fn validate(&self) -> Result<(), InputError> {
        let smx = &self.smx;
        if smx.count == 0 {
            return Err(InputError::new("the GPU has zero cores (smx.count = 0)")
                .help(format!("expected 1 to {MAX_SMX} SMXs")));
        }
        within("smx.count", smx.count, 1, MAX_SMX as u32)?;
        within("smx.threads", smx.threads, 32, 2048)?;
        if !smx.threads.is_multiple_of(32) {
            return Err(refused("smx.threads", smx.threads, "a multiple of 32"));
        }
        within("smx.thread_block_slots", smx.thread_block_slots, 1, 63)?;
        within("smx.registers", smx.registers, 1, (1 << 17) - 1)?;
        self.validate_slowdown()?;
        self.partitions()?;
        self.validate_domains()?;
        self.validate_shape()?;
        within("warp.schedulers", self.warp.schedulers, 1, 16)?;
        within("warp.issue_width", self.warp.issue_width, 1, 8)?;
        within("warp.group", self.warp.group, 1, 64)?;
        within("units.integer", self.units.integer, 0, 64)?;
        within("units.single", self.units.single, 1, 64)?;
        within("units.double", self.units.double, 1, 64)?;
        within("units.special", self.units.special, 1, 64)?;
        within("units.tensor", self.units.tensor, 1, 64)?;
        within("units.memory", self.units.memory, 1, 64)?;
        for (key, cycles, least) in self.cycles() {
            within(key, cycles, least, MAX_LATENCY)?;
        }
        self.validate_sub_cores()?;
        self.validate_clocks()?;
        self.validate_launch()?;
        self.energy.validate()?;
        self.validate_memory()?;
        self.validate_read_only()?;
        self.validate_coherence()
    }

    fn validate_slowdown(&self) -> Result<(), InputError> {
        let list = &self.smx.slowdown;
        if !list.is_empty() && list.len() != self.smx.count as usize {
            let message = format!("{} slowdowns for {} SMXs", list.len(), self.smx.count);
            return Err(InputError::new(message)
                .help("expected one entry of smx.slowdown for each SMX, or an empty list"));
        }
        for (smx, &factor) in list.iter().enumerate() {
            if !(MIN_SLOWDOWN..=MAX_SLOWDOWN).contains(&factor) {
                return Err(InputError::new(format!("slowdown {factor} of SMX {smx}"))
                    .help(format!("expected a number from {MIN_SLOWDOWN} to {MAX_SLOWDOWN}")));
            }
        }
        Ok(())
    }

    /// Latencies and intervals, each with the least that makes sense.
    fn cycles(&self) -> Vec<(&'static str, u32, u32)> {
        let (latency, initiation) = (&self.latency, &self.initiation);
        vec![
            ("latency.integer", latency.integer, 1),
            ("latency.single", latency.single, 1),
            ("latency.double", latency.double, 1),
            ("latency.special", latency.special, 1),
            ("latency.tensor", latency.tensor, 1),
            ("latency.shared", latency.shared, 1),
            ("latency.cluster", latency.cluster, 0),
            ("latency.constant", latency.constant, 1),
            ("latency.texture", latency.texture, 1),
            ("latency.pipeline", latency.pipeline, 0),
            ("latency.bank_conflict", latency.bank_conflict, 0),
            ("latency.memory_issue", latency.memory_issue, 1),
            ("latency.memory_return", latency.memory_return, 0),
            ("initiation.integer", initiation.integer, 1),
            ("initiation.single", initiation.single, 1),
            ("initiation.double", initiation.double, 1),
            ("initiation.special", initiation.special, 1),
            ("initiation.tensor", initiation.tensor, 1),
            ("fetch.latency", self.fetch.latency, 1),
            ("l1.latency", self.l1.latency, 1),
            ("l1.store_latency", self.l1.store_latency, 0),
            ("interconnect.latency", self.interconnect.latency, 0),
            ("interconnect.hop", self.interconnect.hop, 0),
            ("interconnect.between", self.interconnect.between, 0),
            ("l2.latency", self.l2.latency, 1),
            ("dram.latency", self.dram.latency, 1),
            ("launch.host", self.launch.host, 0),
            ("launch.stream", self.launch.stream, 0),
            ("launch.parameters", self.launch.parameters, 0),
            ("launch.parameters_thread", self.launch.parameters_thread, 0),
            ("launch.device", self.launch.device, 0),
            ("launch.device_thread", self.launch.device_thread, 0),
            ("launch.dispatch", self.launch.dispatch, 0),
            ("launch.group_fetch", self.launch.group_fetch, 2),
            ("launch.context", self.launch.context, 0),
            ("launch.cancel", self.launch.cancel, 0),
        ]
    }

    fn validate_memory(&self) -> Result<(), InputError> {
        let (l1, l2) = (&self.l1, &self.l2);
        one_of("l1.line", l1.line, &[32, 64, 128])?;
        for (key, bytes, least) in [
            ("l1.sector", l1.sector, 4),
            ("l1.transaction", l1.transaction, 32),
            ("l2.sector", l2.sector, 32),
        ] {
            if !bytes.is_power_of_two() || !(least..=l1.line).contains(&bytes) {
                let expected = format!("a power of two from {least} to l1.line = {}", l1.line);
                return Err(refused(key, bytes, &expected));
            }
        }
        within("l1.mshrs", l1.mshrs, 1, 1 << 16)?;
        within("l1.merges", l1.merges, 1, 1 << 16)?;
        within("l1.queue", l1.queue, 1, 1 << 16)?;
        within("l1.miss_queue", l1.miss_queue, 0, 1 << 16)?;
        within("fetch.width", self.fetch.width, 0, 64)?;
        within("fetch.bytes", self.fetch.bytes, 0, 128)?;
        within("fetch.instructions", self.fetch.instructions, 1, 128)?;
        within("fetch.mshrs", self.fetch.mshrs, 1, 1 << 16)?;
        within("fetch.merges", self.fetch.merges, 1, 1 << 16)?;
        within("interconnect.speedup", self.interconnect.speedup, 1, 8)?;
        within("interconnect.flit", self.interconnect.flit, 1, 1 << 16)?;
        within("interconnect.header", self.interconnect.header, 1, 1 << 16)?;
        let packet = u64::from(l1.line) + u64::from(self.interconnect.header);
        if packet.div_ceil(u64::from(self.interconnect.flit)) > u64::from(MAX_FLITS) {
            let least = packet.div_ceil(u64::from(MAX_FLITS));
            let expected = format!("at least {least}: a packet has at most {MAX_FLITS} flits");
            return Err(refused("interconnect.flit", self.interconnect.flit, &expected));
        }
        within("interconnect.columns", self.interconnect.columns, 1, MAX_SMX as u32)?;
        within("interconnect.memory_node", self.interconnect.memory_node, 0, MAX_SMX as u32 - 1)?;
        within("interconnect.virtual_channels", self.interconnect.virtual_channels, 0, 64)?;
        within("interconnect.channel_flits", self.interconnect.channel_flits, 0, 64)?;
        within("dram.channels", self.dram.channels, 1, 128)?;
        within("l2.slices", l2.slices, 1, 64)?;
        if self.interconnect.topology == Topology::Crossbar && self.slices() > MAX_PORTS as u32 {
            let channels = self.dram.channels;
            let expected =
                format!("at most {MAX_PORTS} over all {channels} channels of a crossbar");
            return Err(refused("l2.slices", l2.slices, &expected));
        }
        within("l2.merges", l2.merges, 1, 1 << 16)?;
        let sectors = l1.line / l2.sector;
        within("l2.mshrs", l2.mshrs, sectors, 1 << 16)?;
        within("coherence.store_buffer", self.coherence.store_buffer, 0, 1 << 16)?;
        self.channel.validate()?;
        self.validate_placement()?;
        let map = self.address_map();
        map.validate()?;
        if map.interleave < l1.line {
            let expected = format!("at least l1.line = {}", l1.line);
            return Err(refused("address.interleave", map.interleave, &expected));
        }
        if map.banks() != self.channel.banks {
            let expected = format!("{}, as many as address.bank numbers", map.banks());
            return Err(refused("channel.banks", self.channel.banks, &expected));
        }
        let line = l1.line.trailing_zeros();
        if let Some(bit) =
            self.address.bank[..l2.slices.trailing_zeros() as usize].iter().find(|&&bit| bit < line)
        {
            let expected = format!("bits of {line} and above: a line lies in one slice");
            return Err(refused("address.bank", *bit, &expected));
        }
        cache("l1.size", l1.size, "l1.ways", l1.ways, l1.line, 1)?;
        self.validate_carveouts()?;
        cache("l2.size", l2.size, "l2.ways", l2.ways, l1.line, self.slices())?;
        cache("fetch.size", self.fetch.size, "fetch.ways", self.fetch.ways, l1.line, 1)
    }

    /// A protocol that lets an L1 keep what it must not would be none.
    fn validate_coherence(&self) -> Result<(), InputError> {
        match self.coherence.protocol {
            Protocol::Gpu if self.l1.global && self.l1.write == WritePolicy::Back => {
                Err(InputError::new("coherence.protocol = gpu with l1.write = back")
                    .help("expected l1.write = through or evict: its stores go to the L2"))
            }
            Protocol::Denovo if self.interconnect.topology == Topology::Crossbar => {
                Err(InputError::new("coherence.protocol = denovo with interconnect.topology = crossbar")
                    .help("expected interconnect.topology = mesh: crossbars lead from SMX to slice and back, not from SMX to SMX"))
            }
            Protocol::Denovo if !self.l1.global => {
                Err(InputError::new("coherence.protocol = denovo with l1.global = false")
                    .help("expected l1.global = true: what is owned is in an L1"))
            }
            Protocol::Denovo if self.l1.miss_queue > 0 => {
                let limit = self.l1.miss_queue;
                Err(InputError::new(format!("coherence.protocol = denovo with l1.miss_queue = {limit}"))
                    .help("expected l1.miss_queue = 0: coherence.store_buffer limits what is sent there"))
            }
            _ => Ok(()),
        }
    }

    fn validate_launch(&self) -> Result<(), InputError> {
        let table = self.launch.table;
        if !table.is_power_of_two() || table > MAX_TABLE {
            let expected = format!("a power of two from 1 to {MAX_TABLE}");
            return Err(refused("launch.table", table, &expected));
        }
        within("launch.ahead", self.launch.ahead, 1, GroupStorage::MOST_AHEAD)?;
        within("launch.record_bytes", self.launch.record_bytes, 1, 1 << 20)?;
        within("launch.group_bytes", self.launch.group_bytes, 1, 1 << 20)
    }

    fn validate_clocks(&self) -> Result<(), InputError> {
        let clock = &self.clock;
        for (key, frequency) in [
            ("clock.core", clock.core),
            ("clock.interconnect", clock.interconnect),
            ("clock.l2", clock.l2),
            ("clock.dram", clock.dram),
        ] {
            if !(1.0..=100_000.0).contains(&frequency) {
                return Err(InputError::new(format!("{key} = {frequency}"))
                    .help("expected 1 to 100000 MHz"));
            }
        }
        Ok(())
    }
}

pub(super) fn refused(key: &str, value: u32, expected: &str) -> InputError {
    InputError::new(format!("{key} = {value}")).help(format!("expected {expected}"))
}

pub(super) fn within(key: &str, value: u32, low: u32, high: u32) -> Result<(), InputError> {
    if (low..=high).contains(&value) {
        return Ok(());
    }
    Err(refused(key, value, &format!("{low} to {high}")))
}

fn one_of(key: &str, value: u32, values: &[u32]) -> Result<(), InputError> {
    if values.contains(&value) {
        return Ok(());
    }
    let values: Vec<_> = values.iter().map(u32::to_string).collect();
    Err(refused(key, value, &values.join(", ")))
}

/// A cache of `parts` equal parts, each of a whole number of sets of `line` bytes a way.
pub(super) fn cache(
    size_key: &str,
    size: u32,
    ways_key: &str,
    ways: u32,
    line: u32,
    parts: u32,
) -> Result<(), InputError> {
    within(ways_key, ways, 1, 1 << 10)?;
    let set = ways * line * parts;
    if size == 0 || !size.is_multiple_of(set) {
        let slices = if parts > 1 { format!(" x {parts} slices") } else { String::new() };
        let expected = format!("a multiple of {set} bytes ({ways_key} {ways} x {line} B{slices})");
        return Err(refused(size_key, size, &expected));
    }
    Ok(())
}
