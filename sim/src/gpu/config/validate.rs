//! Whether a configuration can be built.

use super::GpuConfig;
use crate::diagnostic::InputError;
use crate::gpu::coalescer::LINE_BYTES;
use crate::port::MAX_SMX;

/// Largest latency in cycles: far beyond any hardware, and far from overflowing a cycle number.
const MAX_LATENCY: u32 = 1_000_000;

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
        within("smx.shared_memory", smx.shared_memory, 0, (1 << 17) - 1)?;
        self.validate_slowdown()?;
        within("warp.schedulers", self.warp.schedulers, 1, 16)?;
        within("warp.issue_width", self.warp.issue_width, 1, 8)?;
        for (key, cycles) in self.cycles() {
            within(key, cycles, 1, MAX_LATENCY)?;
        }
        within("l1.mshrs", self.l1.mshrs, 1, 1 << 16)?;
        within("l1.merges", self.l1.merges, 1, 1 << 16)?;
        within("l1.queue", self.l1.queue, 1, 1 << 16)?;
        cache("l1.size", self.l1.size, "l1.ways", self.l1.ways)?;
        cache("l2.size", self.l2.size, "l2.ways", self.l2.ways)
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

    fn cycles(&self) -> [(&'static str, u32); 15] {
        let (latency, initiation) = (&self.latency, &self.initiation);
        [
            ("latency.integer", latency.integer),
            ("latency.single", latency.single),
            ("latency.double", latency.double),
            ("latency.special", latency.special),
            ("latency.tensor", latency.tensor),
            ("latency.shared", latency.shared),
            ("initiation.integer", initiation.integer),
            ("initiation.single", initiation.single),
            ("initiation.double", initiation.double),
            ("initiation.special", initiation.special),
            ("initiation.tensor", initiation.tensor),
            ("l1.latency", self.l1.latency),
            ("interconnect.latency", self.interconnect.latency),
            ("l2.latency", self.l2.latency),
            ("dram.latency", self.dram.latency),
        ]
    }
}

fn refused(key: &str, value: u32, expected: &str) -> InputError {
    InputError::new(format!("{key} = {value}")).help(format!("expected {expected}"))
}

fn within(key: &str, value: u32, low: u32, high: u32) -> Result<(), InputError> {
    if (low..=high).contains(&value) {
        return Ok(());
    }
    Err(refused(key, value, &format!("{low} to {high}")))
}

fn cache(size_key: &str, size: u32, ways_key: &str, ways: u32) -> Result<(), InputError> {
    within(ways_key, ways, 1, 1 << 10)?;
    let set = ways * LINE_BYTES as u32;
    if size == 0 || !size.is_multiple_of(set) {
        let expected = format!("a multiple of {set} bytes ({ways_key} {ways} x {LINE_BYTES} B)");
        return Err(refused(size_key, size, &expected));
    }
    Ok(())
}
