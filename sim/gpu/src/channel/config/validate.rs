//! Whether a channel can be built.

use super::{ChannelConfig, Policy};
use crate::diagnostic::InputError;

/// Largest time in cycles: far beyond any device, and far from overflowing a cycle number.
const MAX_TIME: u32 = 10_000;

impl ChannelConfig {
    /// Checks every number against what the model can carry.
    ///
    /// # Errors
    /// The first key that is out of range, with its value and what was expected.
    pub fn validate(&self) -> Result<(), InputError> {
        within("banks", self.banks, 1, 64)?;
        within("bank_groups", self.bank_groups, 1, 16)?;
        if !self.banks.is_multiple_of(self.bank_groups) {
            let expected = format!("a divisor of the number of banks, {}", self.banks);
            return Err(refused("bank_groups", self.bank_groups, &expected));
        }
        within("queue", self.queue, 1, 4096)?;
        if self.scheduler == Policy::OpenRow && self.row_hit_cap != 0 {
            return Err(refused("row_hit_cap", self.row_hit_cap, "0 with scheduler = open-row"));
        }
        if ![32, 64, 128].contains(&self.burst_bytes) {
            return Err(refused("burst_bytes", self.burst_bytes, "32, 64 or 128"));
        }
        within("burst_cycles", self.burst_cycles, 1, MAX_TIME)?;
        for (key, cycles) in self.times() {
            within(key, cycles, 0, MAX_TIME)?;
        }
        Ok(())
    }

    fn times(&self) -> [(&'static str, u32); 15] {
        [
            ("cl", self.cl),
            ("wl", self.wl),
            ("rcd", self.rcd),
            ("rcd_write", self.rcd_write),
            ("rp", self.rp),
            ("ras", self.ras),
            ("rc", self.rc),
            ("rrd", self.rrd),
            ("ccd", self.ccd),
            ("ccdl", self.ccdl),
            ("wr", self.wr),
            ("wtr", self.wtr),
            ("rtp", self.rtp),
            ("rtpl", self.rtpl),
            ("turnaround", self.turnaround),
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
