//! The tables of an SMX: slots, warp schedulers, fetch, units and their latencies.

use serde::{Deserialize, Serialize};

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
    /// Bytes of shared memory of an SMX at most; a multiple of the next key, of which it has below
    /// 2^17.
    pub shared_memory: u32,
    /// Bytes of shared memory that are given out together: a block takes whole ones. The scheduler
    /// counts these.
    pub shared_memory_unit: u32,
    /// SMXs of each graphics processing cluster (GPC), in order of SMX; empty: of no shape. Where
    /// the GPU has fewer SMXs, the first ones count. Schedulers of clusters look at it
    /// (`docs/clusters.md`).
    pub gpcs: Vec<u32>,
    /// SMXs of a texture processing cluster (TPC), in order of SMX; nothing depends on it yet.
    pub tpc: u32,
    /// The SMXs of each partition, at most 8, as `0-3,8`: none is empty, they may overlap, and an
    /// SMX may be in none; without the key, or where it is empty, all SMXs are one. The scheduler
    /// `partitions` looks at it (`docs/partitions.md`).
    #[serde(default)]
    pub partitions: Vec<String>,
    /// SMXs of each domain, at most 8, in order of SMX, all SMXs together; without the key, or
    /// where it is empty, all are one. The scheduler `domains` looks at it (`docs/domains.md`).
    #[serde(default)]
    pub domains: Vec<u32>,
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
    /// Warps of a scheduler in a fetch group ([`WarpPolicy::TwoLevel`]), or with which a group of
    /// thread blocks has enough ([`WarpPolicy::CtaAware`], [`WarpPolicy::CtaAwareBanks`]).
    pub group: u32,
    /// Whether a warp's slot is free only when its stores are acknowledged.
    pub exit_waits_for_stores: bool,
    /// Whether the schedulers' turns at going first rest while the SMX has no block.
    pub turns_rest: bool,
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
    /// The same groups, in which neighbouring SMXs put different ones first (OWL's scheme for DRAM
    /// banks).
    #[serde(rename = "owl-blp")]
    CtaAwareBanks,
}

/// How instructions reach the warps' buffers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FetchConfig {
    /// Warps that an SMX fetches for in a cycle; 0: instructions are always there, and the other
    /// keys mean nothing.
    pub width: u32,
    /// Instructions of a fetch: what a warp's buffer holds.
    pub instructions: u32,
    /// Cycles from a fetch that hits until the instruction may issue.
    pub latency: u32,
    /// Bytes of the instruction cache, in lines of 128 bytes, LRU; a multiple of 128 times the
    /// ways.
    pub size: u32,
    /// Lines of a set.
    pub ways: u32,
    /// Lines that may be on their way from the L2.
    pub mshrs: u32,
    /// Warps that may wait for one such line.
    pub merges: u32,
    /// Whether the code of all kernels begins at one address, so that a kernel finds in the cache
    /// what the one before it fetched from the same places; else kernels of different names lie
    /// apart.
    pub shared_code: bool,
    /// Bytes that every instruction is taken to have: a fetch goes so far behind the instruction
    /// that the warp issued last, wherever the next one lies; 0: it goes where that lies.
    pub bytes: u32,
}

/// How many units of each kind an SMX has. Each takes one warp instruction every initiation
/// interval.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UnitsConfig {
    /// [`Unit::Integer`](crate::program::Unit::Integer); 0: integer instructions go to the
    /// single-precision units, as on Fermi.
    pub integer: u32,
    /// [`Unit::Single`](crate::program::Unit::Single).
    pub single: u32,
    /// [`Unit::Double`](crate::program::Unit::Double).
    pub double: u32,
    /// [`Unit::Special`](crate::program::Unit::Special).
    pub special: u32,
    /// [`Unit::Tensor`](crate::program::Unit::Tensor).
    pub tensor: u32,
    /// Memory instructions that the SMX issues in a cycle.
    pub memory: u32,
    /// Whether each scheduler has an equal part of the units of each kind to itself, as a sub-core;
    /// else all schedulers share all.
    pub by_scheduler: bool,
}

/// Cycles from issue until a dependent instruction may issue: those of the unit, of which each
/// kind has its own, and those of the pipeline around it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LatencyConfig {
    /// [`Unit::Integer`](crate::program::Unit::Integer).
    pub integer: u32,
    /// [`Unit::Single`](crate::program::Unit::Single).
    pub single: u32,
    /// [`Unit::Double`](crate::program::Unit::Double).
    pub double: u32,
    /// [`Unit::Special`](crate::program::Unit::Special).
    pub special: u32,
    /// [`Unit::Tensor`](crate::program::Unit::Tensor).
    pub tensor: u32,
    /// Loads from shared memory, from their turn in the load/store unit on.
    pub shared: u32,
    /// Loads from shared memory of another block of the cluster, from their turn in the load/store
    /// unit on; 0: as `shared`.
    #[serde(default)]
    pub cluster: u32,
    /// Loads from constant memory, from their turn in the load/store unit on.
    pub constant: u32,
    /// Loads of textures that hit, from their turn in the load/store unit on. Of no effect without
    /// a texture cache.
    pub texture: u32,
    /// Operand collection and write-back, which every unit's latency is added to.
    pub pipeline: u32,
    /// Each time that a register bank must be read again for the sources of one instruction;
    /// register `r` of warp slot `w` is in bank `r + w` modulo 16.
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
    /// [`Unit::Integer`](crate::program::Unit::Integer).
    pub integer: u32,
    /// [`Unit::Single`](crate::program::Unit::Single).
    pub single: u32,
    /// [`Unit::Double`](crate::program::Unit::Double).
    pub double: u32,
    /// [`Unit::Special`](crate::program::Unit::Special).
    pub special: u32,
    /// [`Unit::Tensor`](crate::program::Unit::Tensor).
    pub tensor: u32,
}
