//! What each counted event costs: the table of the dynamic-energy estimate.

use serde::{Deserialize, Serialize};

use crate::diagnostic::InputError;

/// Largest energy of an event in picojoules: far beyond any, and far from losing precision.
const MAX_ENERGY: f64 = 1e9;

/// Dynamic energy of single events, in picojoules. Idle lanes of a warp instruction cost as much as
/// active ones.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EnergyConfig {
    /// A warp instruction's way through fetch, decode and scheduling; the pipeline's share as well
    /// where `busy` is 0.
    pub instruction: f64,
    /// A cycle of an SMX's pipeline in which it has a block.
    #[serde(default)]
    pub busy: f64,
    /// The register accesses of a warp instruction.
    pub registers: f64,
    /// A warp instruction of [`Unit::Integer`](crate::program::Unit::Integer).
    pub integer: f64,
    /// One of [`Unit::Single`](crate::program::Unit::Single).
    pub single: f64,
    /// One of [`Unit::Double`](crate::program::Unit::Double).
    pub double: f64,
    /// One of [`Unit::Special`](crate::program::Unit::Special).
    pub special: f64,
    /// One of [`Unit::Tensor`](crate::program::Unit::Tensor).
    pub tensor: f64,
    /// An access of shared memory; an instruction makes one for each cycle that it takes there.
    pub shared: f64,
    /// An access of constant memory.
    pub constant: f64,
    /// A transaction's look-up in an L1, load or store.
    pub l1: f64,
    /// A sector's look-up in the L2, read or write.
    pub l2: f64,
    /// A flit's way over one hop.
    pub flit_hop: f64,
    /// Opening a DRAM row, and closing it later.
    pub dram_activate: f64,
    /// Reading a burst.
    pub dram_read: f64,
    /// Writing a burst.
    pub dram_write: f64,
}

impl EnergyConfig {
    /// Checks that every energy is a number from 0 to 1e9 pJ.
    ///
    /// # Errors
    /// The first key that is out of range, with its value and what was expected.
    pub fn validate(&self) -> Result<(), InputError> {
        for (key, energy) in [
            ("energy.instruction", self.instruction),
            ("energy.busy", self.busy),
            ("energy.registers", self.registers),
            ("energy.integer", self.integer),
            ("energy.single", self.single),
            ("energy.double", self.double),
            ("energy.special", self.special),
            ("energy.tensor", self.tensor),
            ("energy.shared", self.shared),
            ("energy.constant", self.constant),
            ("energy.l1", self.l1),
            ("energy.l2", self.l2),
            ("energy.flit_hop", self.flit_hop),
            ("energy.dram_activate", self.dram_activate),
            ("energy.dram_read", self.dram_read),
            ("energy.dram_write", self.dram_write),
        ] {
            if !(0.0..=MAX_ENERGY).contains(&energy) {
                return Err(InputError::new(format!("{key} = {energy}"))
                    .help(format!("expected 0 to {MAX_ENERGY} pJ")));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::config::GpuConfig;

    #[test]
    fn every_energy_is_set_by_its_name_and_refused_out_of_range() {
        let keys = GpuConfig::preset("k20c").unwrap().keys();
        let keys: Vec<_> = keys.iter().filter(|key| key.starts_with("energy.")).collect();
        assert_eq!(keys.len(), 16);
        for key in keys {
            let with = |value: &str| {
                let mut config = GpuConfig::preset("k20c").unwrap();
                config.set(key, value).and_then(|()| config.validate())
            };
            for good in ["0", "0.5", "1000000000"] {
                assert!(with(good).is_ok(), "{key} = {good}");
            }
            for bad in ["-0.1", "1000000000.1", "nan", "inf", "\"much\""] {
                let error = with(bad).expect_err(bad).to_string();
                assert!(error.contains(key.as_str()), "{error}");
            }
        }
    }
}
