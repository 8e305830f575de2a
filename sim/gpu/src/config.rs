//! What GPU is modelled: presets from the papers' tables, and overrides of single keys.

mod domains;
mod energy;
mod execution;
mod key;
mod launch;
mod memory;
mod partitions;
mod placement;
mod preset;
mod read_only;
mod shared_memory;
mod sources;
mod unit;
mod validate;

pub use energy::EnergyConfig;
pub use execution::{
    FetchConfig, InitiationConfig, LatencyConfig, SmxConfig, UnitsConfig, WarpConfig, WarpPolicy,
};
pub use launch::LaunchConfig;
pub use memory::{
    AddressConfig, CoherenceConfig, DramConfig, IndexFunction, InterconnectConfig, L1Config,
    L2Config, Protocol, Topology, WritePolicy,
};
pub use placement::{MemoryConfig, Placement};
pub use read_only::ReadOnlyConfig;
use serde::{Deserialize, Serialize};
pub use sources::{PresetFile, SourcedValue, Standing};
pub use validate::{MAX_FLITS, MAX_PORTS};

use super::channel::{AddressMapConfig, ChannelConfig};
use crate::port::{BlockNeeds, FloorPlan, SmxLimits};
use crate::program::Unit;

/// The presets by name, in alphabetical order, with their text.
const PRESETS: [(&str, &str); 12] = [
    ("a100", include_str!("../presets/a100.toml")),
    ("accelsim-gtx480", include_str!("../presets/accelsim-gtx480.toml")),
    ("accelsim-k20c", include_str!("../presets/accelsim-k20c.toml")),
    ("accelsim-qv100", include_str!("../presets/accelsim-qv100.toml")),
    ("c2050", include_str!("../presets/c2050.toml")),
    ("denovo15", include_str!("../presets/denovo15.toml")),
    ("denovo3", include_str!("../presets/denovo3.toml")),
    ("gtx480", include_str!("../presets/gtx480.toml")),
    ("h100", include_str!("../presets/h100.toml")),
    ("k20c", include_str!("../presets/k20c.toml")),
    ("laperm", include_str!("../presets/laperm.toml")),
    ("v100", include_str!("../presets/v100.toml")),
];

/// A GPU. Every preset states every key, with the paper and table that it comes from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GpuConfig {
    /// Frequencies.
    pub clock: ClockConfig,
    /// How many SMXs, and what each can hold.
    pub smx: SmxConfig,
    /// How warps issue.
    pub warp: WarpConfig,
    /// How instructions reach them.
    pub fetch: FetchConfig,
    /// Execution units of an SMX.
    pub units: UnitsConfig,
    /// Cycles from issue to result.
    pub latency: LatencyConfig,
    /// Cycles between two instructions on one unit.
    pub initiation: InitiationConfig,
    /// First-level data cache, one an SMX.
    pub l1: L1Config,
    /// Constant cache, one an SMX. Without it constants always hit.
    pub constant: ReadOnlyConfig,
    /// Texture cache, one an SMX. Without it textures are read by the special-function units.
    pub texture: ReadOnlyConfig,
    /// Who may keep what across kernels.
    pub coherence: CoherenceConfig,
    /// Network between SMXs and L2.
    pub interconnect: InterconnectConfig,
    /// Shared second-level cache.
    pub l2: L2Config,
    /// Where an address lies in L2 and DRAM.
    pub address: AddressConfig,
    /// Near which SMXs it lies.
    #[serde(default)]
    pub memory: MemoryConfig,
    /// Memory behind the L2.
    pub dram: DramConfig,
    /// Each of its channels.
    pub channel: ChannelConfig,
    /// Launches from the device.
    pub launch: LaunchConfig,
    /// What each event costs.
    pub energy: EnergyConfig,
}

/// Frequencies in MHz, to three decimals. Cycles of a run are those of the SMXs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClockConfig {
    /// The SMXs and their L1s.
    pub core: f64,
    /// The network.
    pub interconnect: f64,
    /// The L2.
    pub l2: f64,
    /// The DRAM's commands.
    pub dram: f64,
}

/// Parts into which a unit of slowdown is divided: six decimals.
const SLOWDOWN_UNIT: u128 = 1_000_000;

impl GpuConfig {
    /// The names of the presets, in alphabetical order.
    pub fn names() -> impl Iterator<Item = &'static str> {
        PRESETS.iter().map(|(name, _)| *name)
    }

    /// What each SMX can hold, as the scheduler needs it: shared memory in units.
    pub fn limits(&self) -> SmxLimits {
        SmxLimits {
            threads: self.smx.threads,
            registers: self.smx.registers,
            shared_memory: self.smx.shared_memory / self.smx.shared_memory_unit,
            thread_block_slots: self.smx.thread_block_slots,
        }
    }

    /// Which SMXs belong together.
    ///
    /// # Panics
    /// When the configuration is not sound.
    pub fn floor_plan(&self) -> FloorPlan {
        let plan = FloorPlan::new(self.smx.count as usize, &self.smx.gpcs);
        let plan = self.in_domains(plan).expect("a sound configuration");
        let partitions = self.partitions().expect("a sound configuration");
        if partitions.is_empty() {
            return plan;
        }
        plan.partitioned(&partitions).expect("a sound configuration")
    }

    /// The resource of which an empty SMX has too little for a block with `needs`, with both
    /// numbers; `None` when the block fits. Shared memory is in bytes.
    pub fn lack(&self, needs: BlockNeeds) -> Option<String> {
        let limits = self.limits();
        [
            ("threads", needs.threads, limits.threads),
            ("registers", needs.registers, limits.registers),
            ("bytes of shared memory", needs.shared_memory, self.smx.shared_memory),
        ]
        .into_iter()
        .find(|(_, need, limit)| need > limit)
        .map(|(what, need, limit)| format!("it needs {need} {what}, an SMX has {limit}"))
    }

    /// How many cycles a block with the stated `duration` runs on `smx`: the product with its
    /// slowdown, rounded up; nothing of nothing. The factor counts as the decimal number that was
    /// written, so that 10 times 1.1 is 11.
    pub fn slowed(&self, smx: usize, duration: u64) -> u64 {
        let Some(&factor) = self.smx.slowdown.get(smx) else {
            return duration;
        };
        let parts = (factor * SLOWDOWN_UNIT as f64).round() as u128;
        let cycles = (u128::from(duration) * parts).div_ceil(SLOWDOWN_UNIT);
        u64::try_from(cycles).unwrap_or(u64::MAX).max(duration.min(1))
    }

    /// Cycles from issue until the result of `unit` can be used.
    pub fn unit_latency(&self, unit: Unit) -> u64 {
        u64::from(self.latency.pipeline)
            + u64::from(match unit {
                Unit::Integer => self.latency.integer,
                Unit::Single => self.latency.single,
                Unit::Double => self.latency.double,
                Unit::Special => self.latency.special,
                Unit::Tensor => self.latency.tensor,
            })
    }

    /// Number of the SMX's units that execute instructions for `unit`, by [`Unit`].
    pub fn unit_count(&self, unit: Unit) -> u32 {
        match unit {
            Unit::Integer => self.units.integer,
            Unit::Single => self.units.single,
            Unit::Double => self.units.double,
            Unit::Special => self.units.special,
            Unit::Tensor => self.units.tensor,
        }
    }

    /// How addresses are spread over slices, banks and rows: where a domain or partition has whole
    /// pages, over what it has of them.
    pub fn address_map(&self) -> AddressMapConfig {
        let parts = match self.memory.placement {
            Placement::FirstTouch | Placement::Partitions => self.memory_domains(),
            Placement::Interleaved | Placement::Domains => 1,
        };
        AddressMapConfig {
            interleave: self.address.interleave,
            channels: self.dram.channels / parts,
            slices: self.l2.slices,
            bank_bits: self.address.bank.clone(),
            row_low: self.address.row[0],
            row_high: self.address.row[1],
        }
    }

    /// Slices of the L2 in all.
    pub fn slices(&self) -> u32 {
        self.dram.channels * self.l2.slices
    }

    /// Cycles for which an instruction keeps `unit` from the next one.
    pub fn unit_initiation(&self, unit: Unit) -> u64 {
        u64::from(match unit {
            Unit::Integer => self.initiation.integer,
            Unit::Single => self.initiation.single,
            Unit::Double => self.initiation.double,
            Unit::Special => self.initiation.special,
            Unit::Tensor => self.initiation.tensor,
        })
    }
}

#[cfg(test)]
mod tests;
