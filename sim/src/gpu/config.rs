//! What GPU is modelled: presets from the papers' tables, and overrides of single keys.

mod key;
mod validate;

use serde::{Deserialize, Serialize};

use crate::diagnostic::InputError;
use crate::port::{BlockNeeds, SmxLimits};
use crate::workload::program::Unit;

/// The presets by name, in alphabetical order, with their text.
const PRESETS: [(&str, &str); 4] = [
    ("c2050", include_str!("../../presets/c2050.toml")),
    ("denovo15", include_str!("../../presets/denovo15.toml")),
    ("gtx480", include_str!("../../presets/gtx480.toml")),
    ("k20c", include_str!("../../presets/k20c.toml")),
];

/// A GPU. Every preset states every key, with the paper and table that it comes from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GpuConfig {
    /// How many SMXs, and what each can hold.
    pub smx: SmxConfig,
    /// How warps issue.
    pub warp: WarpConfig,
    /// Cycles from issue to result.
    pub latency: LatencyConfig,
    /// Cycles between two instructions on one unit.
    pub initiation: InitiationConfig,
    /// First-level data cache, one an SMX.
    pub l1: L1Config,
    /// Network between SMXs and L2.
    pub interconnect: InterconnectConfig,
    /// Shared second-level cache.
    pub l2: L2Config,
    /// Memory behind the L2.
    pub dram: DramConfig,
}

/// The SMXs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SmxConfig {
    /// Number of SMXs, 1 to [`crate::port::MAX_SMX`].
    pub count: u32,
    /// Resident threads of an SMX; a multiple of 32, at most 2,048.
    pub threads: u32,
    /// Resident thread blocks of an SMX, 1 to 63.
    pub thread_block_slots: u32,
    /// 32-bit registers of an SMX; 17 bits.
    pub registers: u32,
    /// Bytes of shared memory of an SMX; 17 bits.
    pub shared_memory: u32,
    /// For each SMX the factor on stated block durations, taken to six decimals; empty: all 1.
    pub slowdown: Vec<f64>,
}

/// Warp schedulers of an SMX.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WarpConfig {
    /// Schedulers of an SMX; warp slot `w` belongs to scheduler `w` modulo their number.
    pub schedulers: u32,
    /// Instructions that a scheduler issues in a cycle at most, all of one warp.
    pub issue_width: u32,
    /// Which ready warp issues.
    pub policy: WarpPolicy,
}

/// Which ready warp a scheduler issues from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum WarpPolicy {
    /// Loose round robin: the next ready warp after the one that issued last.
    #[serde(rename = "lrr")]
    LooseRoundRobin,
    /// The warp that issued last while it is ready, else the oldest.
    #[serde(rename = "gto")]
    GreedyThenOldest,
}

/// Cycles from issue until a dependent instruction may issue.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LatencyConfig {
    /// [`Unit::Integer`].
    pub integer: u32,
    /// [`Unit::Single`].
    pub single: u32,
    /// [`Unit::Double`].
    pub double: u32,
    /// [`Unit::Special`].
    pub special: u32,
    /// [`Unit::Tensor`].
    pub tensor: u32,
    /// Loads from shared memory.
    pub shared: u32,
}

/// Cycles for which an instruction keeps its scheduler's unit from the next one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InitiationConfig {
    /// [`Unit::Integer`].
    pub integer: u32,
    /// [`Unit::Single`].
    pub single: u32,
    /// [`Unit::Double`].
    pub double: u32,
    /// [`Unit::Special`].
    pub special: u32,
    /// [`Unit::Tensor`].
    pub tensor: u32,
}

/// First-level data cache of an SMX: 128-byte lines, LRU, write-through, stores evict.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct L1Config {
    /// Bytes; a multiple of 128 times the ways.
    pub size: u32,
    /// Lines of a set.
    pub ways: u32,
    /// Cycles from the look-up to the data of a hit.
    pub latency: u32,
    /// Lines that may be on their way from the L2.
    pub mshrs: u32,
    /// Accesses that may wait for one such line, the first included.
    pub merges: u32,
    /// Warp instructions that may wait for the L1 port.
    pub queue: u32,
    /// Whether all lines are forgotten when the SMX's last resident block ends.
    pub invalidate_when_empty: bool,
}

/// Network between SMXs and L2: a fixed latency, no contention.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InterconnectConfig {
    /// Cycles, each way.
    pub latency: u32,
}

/// Shared second-level cache: 128-byte lines, LRU, write-back, stores allocate without a fetch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct L2Config {
    /// Bytes in all; a multiple of 128 times the ways.
    pub size: u32,
    /// Lines of a set.
    pub ways: u32,
    /// Cycles from arrival to the reply of a hit, or to the request that a miss sends to DRAM.
    pub latency: u32,
}

/// Memory behind the L2: a fixed latency, no contention.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DramConfig {
    /// SMX cycles of an access.
    pub latency: u32,
}

/// Parts into which a unit of slowdown is divided: six decimals.
const SLOWDOWN_UNIT: u128 = 1_000_000;

impl GpuConfig {
    /// The names of the presets, in alphabetical order.
    pub fn names() -> impl Iterator<Item = &'static str> {
        PRESETS.iter().map(|(name, _)| *name)
    }

    /// The preset `name`.
    ///
    /// # Errors
    /// When there is none of that name; the help lists the names.
    ///
    /// # Panics
    /// Never for a build whose tests pass: they parse every preset.
    pub fn preset(name: &str) -> Result<Self, InputError> {
        let Some((_, text)) = PRESETS.iter().find(|(known, _)| *known == name) else {
            let names: Vec<_> = Self::names().collect();
            return Err(InputError::new(format!("there is no GPU `{name}`"))
                .help(format!("expected one of {}", names.join(", "))));
        };
        Ok(toml::from_str(text).expect("the presets are embedded and tested"))
    }

    /// What each SMX can hold, as the scheduler needs it.
    pub fn limits(&self) -> SmxLimits {
        SmxLimits {
            threads: self.smx.threads,
            registers: self.smx.registers,
            shared_memory: self.smx.shared_memory,
            thread_block_slots: self.smx.thread_block_slots,
        }
    }

    /// The resource of which an empty SMX has too little for a block with `needs`, with both numbers;
    /// `None` when the block fits.
    pub fn lack(&self, needs: BlockNeeds) -> Option<String> {
        let limits = self.limits();
        [
            ("threads", needs.threads, limits.threads),
            ("registers", needs.registers, limits.registers),
            ("bytes of shared memory", needs.shared_memory, limits.shared_memory),
        ]
        .into_iter()
        .find(|(_, need, limit)| need > limit)
        .map(|(what, need, limit)| format!("it needs {need} {what}, an SMX has {limit}"))
    }

    /// How many cycles a block with the stated `duration` runs on `smx`: the product with its
    /// slowdown, rounded up. The factor counts as the decimal number that was written, so that 10
    /// times 1.1 is 11.
    pub fn slowed(&self, smx: usize, duration: u64) -> u64 {
        let Some(&factor) = self.smx.slowdown.get(smx) else {
            return duration;
        };
        let parts = (factor * SLOWDOWN_UNIT as f64).round() as u128;
        let cycles = (u128::from(duration) * parts).div_ceil(SLOWDOWN_UNIT);
        u64::try_from(cycles).unwrap_or(u64::MAX).max(1)
    }

    /// Cycles from issue to result on `unit`.
    pub fn unit_latency(&self, unit: Unit) -> u64 {
        u64::from(match unit {
            Unit::Integer => self.latency.integer,
            Unit::Single => self.latency.single,
            Unit::Double => self.latency.double,
            Unit::Special => self.latency.special,
            Unit::Tensor => self.latency.tensor,
        })
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
