//! What GPU is modelled: presets from the papers' tables, and overrides of single keys.

mod energy;
mod key;
mod validate;

pub use energy::EnergyConfig;
use serde::{Deserialize, Serialize};

use super::channel::{AddressMapConfig, ChannelConfig};
use crate::diagnostic::InputError;
use crate::port::{BlockNeeds, SmxLimits};
use crate::workload::program::Unit;

/// The presets by name, in alphabetical order, with their text.
const PRESETS: [(&str, &str); 6] = [
    ("accelsim-gtx480", include_str!("../../presets/accelsim-gtx480.toml")),
    ("accelsim-k20c", include_str!("../../presets/accelsim-k20c.toml")),
    ("c2050", include_str!("../../presets/c2050.toml")),
    ("denovo15", include_str!("../../presets/denovo15.toml")),
    ("gtx480", include_str!("../../presets/gtx480.toml")),
    ("k20c", include_str!("../../presets/k20c.toml")),
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
    /// Who may keep what across kernels.
    pub coherence: CoherenceConfig,
    /// Network between SMXs and L2.
    pub interconnect: InterconnectConfig,
    /// Shared second-level cache.
    pub l2: L2Config,
    /// Where an address lies in L2 and DRAM.
    pub address: AddressConfig,
    /// Memory behind the L2.
    pub dram: DramConfig,
    /// Each of its channels.
    pub channel: ChannelConfig,
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
    /// Warps of a fetch group ([`WarpPolicy::TwoLevel`]) or thread blocks of a group
    /// ([`WarpPolicy::CtaAware`]).
    pub group: u32,
    /// Whether a warp's slot is free only when its stores are acknowledged.
    pub exit_waits_for_stores: bool,
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
    /// Fetch groups, one after another as they stall (Narasiman et al., MICRO 2011).
    #[serde(rename = "two-level")]
    TwoLevel,
    /// Groups of thread blocks that keep their priority (OWL: Jog et al., ASPLOS 2013).
    #[serde(rename = "owl")]
    CtaAware,
}

/// How instructions reach the warps' buffers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FetchConfig {
    /// Warps that an SMX fetches for in a cycle; 0: instructions are always there, and the other keys
    /// mean nothing.
    pub width: u32,
    /// Instructions of a fetch: what a warp's buffer holds.
    pub instructions: u32,
    /// Cycles from a fetch that hits until the instruction may issue.
    pub latency: u32,
    /// Bytes of the instruction cache, in lines of 128 bytes, LRU; a multiple of 128 times the ways.
    pub size: u32,
    /// Lines of a set.
    pub ways: u32,
    /// Lines that may be on their way from the L2.
    pub mshrs: u32,
    /// Warps that may wait for one such line.
    pub merges: u32,
}

/// How many units of each kind an SMX has; its schedulers share them. Each takes one warp
/// instruction every initiation interval.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UnitsConfig {
    /// [`Unit::Integer`]; 0: integer instructions go to the single-precision units, as on Fermi.
    pub integer: u32,
    /// [`Unit::Single`].
    pub single: u32,
    /// [`Unit::Double`].
    pub double: u32,
    /// [`Unit::Special`].
    pub special: u32,
    /// [`Unit::Tensor`].
    pub tensor: u32,
    /// Memory instructions that the SMX issues in a cycle.
    pub memory: u32,
}

/// Cycles from issue until a dependent instruction may issue: those of the unit, of which each
/// kind has its own, and those of the pipeline around it.
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
    /// Loads from shared memory, from their turn in the load/store unit on.
    pub shared: u32,
    /// Loads from constant memory, from their turn in the load/store unit on.
    pub constant: u32,
    /// Operand collection and write-back, which every unit's latency is added to.
    pub pipeline: u32,
    /// Each time that a register bank must be read again for the sources of one instruction; register `r` of
    /// warp slot `w` is in bank `r + w` modulo 16.
    pub bank_conflict: u32,
    /// From a memory instruction's issue until the load/store unit may take it up; at least 1.
    pub memory_issue: u32,
    /// From the arrival of a load's last data in the SMX until its consumer may issue.
    pub memory_return: u32,
}

/// Cycles for which an instruction keeps its unit from the next one.
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

/// Which set of a cache a line belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum IndexFunction {
    /// The line's number modulo the sets.
    Linear,
    /// All bits of the line's number folded together.
    Hash,
}

/// What a first-level cache does with a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WritePolicy {
    /// Passes it on and forgets the line.
    Evict,
    /// Passes it on; what is present of the line is updated.
    Through,
    /// Keeps it, allocating the line without fetching it; evicted dirty sectors go to the L2.
    Back,
}

/// First-level data cache of an SMX; LRU, allocates on a miss.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct L1Config {
    /// Whether global memory goes through it; if not, every load and store goes to the L2.
    pub global: bool,
    /// Bytes; a multiple of the line times the ways.
    pub size: u32,
    /// Lines of a set.
    pub ways: u32,
    /// Bytes of a line of L1 and L2: 32, 64 or 128.
    pub line: u32,
    /// Bytes that a miss fetches: 4 to a whole line.
    pub sector: u32,
    /// Bytes that one access to L1 or L2 covers at most: a sector of 32 bytes or the line.
    pub transaction: u32,
    /// Which set a line belongs to.
    pub index: IndexFunction,
    /// Cycles from the look-up to the data of a hit, or to the request of a miss.
    pub latency: u32,
    /// Lines that may be on their way from the L2.
    pub mshrs: u32,
    /// Accesses that may wait for one such line, the first included.
    pub merges: u32,
    /// Memory instructions that may wait in the load/store unit, the current one included.
    pub queue: u32,
    /// What a store does.
    pub write: WritePolicy,
    /// Whether all lines are forgotten when the SMX's last resident block ends.
    pub invalidate_when_empty: bool,
}

/// Who may keep what in an L1.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CoherenceConfig {
    /// The protocol.
    pub protocol: Protocol,
    /// Stores of an SMX that may be on their way to the L2; 0: any number. Under DeNovo, lines with
    /// words whose ownership is not confirmed yet.
    pub store_buffer: u32,
    /// SMX cycles from the arrival of a forwarded request at the owner until its answer leaves, under
    /// DeNovo.
    pub forward: u32,
}

/// How the L1s stay coherent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Protocol {
    /// Nothing is done: an L1 may hold what another SMX has overwritten.
    None,
    /// Conventional GPU coherence: stores go through, and an SMX forgets its L1 at its first block
    /// of every kernel (IKRA, section 2.2).
    Gpu,
    /// DeNovo: stores register ownership of their words at the L2, which survives kernels; the rest
    /// is forgotten at an SMX's first block of every kernel (IKRA, section 2.2).
    Denovo,
}

/// Network between SMXs and L2.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InterconnectConfig {
    /// How SMXs and L2 slices are connected.
    pub topology: Topology,
    /// Network cycles of every packet beside its hops and flits.
    pub latency: u32,
    /// Network cycles of a hop of a mesh; a crossbar has no hops.
    pub hop: u32,
    /// Nodes in a row of a mesh.
    pub columns: u32,
    /// Steps that a crossbar takes in a network cycle: one for a packet's grant and one for each flit.
    pub speedup: u32,
    /// The node of a mesh at which the memory controllers sit.
    pub memory_node: u32,
    /// Bytes of a flit; a port takes one flit a network cycle.
    pub flit: u32,
    /// Bytes of a packet beside its data.
    pub header: u32,
}

/// How SMXs and L2 slices are connected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Topology {
    /// Every SMX with every slice; requests and replies apart.
    Crossbar,
    /// A grid of nodes, each with an SMX and a slice; packets go along the row, then the column.
    Mesh,
}

/// Shared second-level cache: LRU, write-back; stores allocate without a fetch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct L2Config {
    /// Bytes of all slices; a multiple of slices, line and ways.
    pub size: u32,
    /// Lines of a set.
    pub ways: u32,
    /// Bytes of a sector: what is fetched from DRAM at once, and what a slice looks up in a cycle.
    pub sector: u32,
    /// Slices of each DRAM channel; a power of two.
    pub slices: u32,
    /// Which set a line belongs to.
    pub index: IndexFunction,
    /// L2 cycles from a request's arrival to its look-up.
    pub latency: u32,
    /// Sectors of a slice that may be on their way from DRAM.
    pub mshrs: u32,
    /// Requests that may wait for one line, the first included.
    pub merges: u32,
    /// Whether what the host copies before a kernel is in the L2 when it starts.
    pub host_copies: bool,
}

/// Where an address lies. Consecutive pieces of `interleave` bytes go to the channels in turn; what
/// is left of an address when the channel is taken out is a bank, a row and a column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AddressConfig {
    /// Bytes that go to one channel before the next one's turn; a power of two.
    pub interleave: u32,
    /// Bits of the rest that number the bank, lowest first; the lowest ones number the slice.
    pub bank: Vec<u32>,
    /// Lowest and highest bit of the rest that number the row.
    pub row: [u32; 2],
}

/// Memory behind the L2.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DramConfig {
    /// Channels; need not be a power of two.
    pub channels: u32,
    /// SMX cycles from a miss in the L2 until its request is in the channel's queue.
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

    /// How addresses are spread over slices, banks and rows.
    pub fn address_map(&self) -> AddressMapConfig {
        AddressMapConfig {
            interleave: self.address.interleave,
            channels: self.dram.channels,
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
