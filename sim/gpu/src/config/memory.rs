//! The tables of the memory hierarchy: L1, coherence, network, L2, addresses, DRAM.

use serde::{Deserialize, Serialize};

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
    /// Bytes, shared memory included if there are carve-outs; a multiple of the line times the
    /// ways.
    pub size: u32,
    /// Bytes that shared memory may take of it, in ascending order and up to what an SMX has of
    /// that; empty: none. An SMX that is empty takes the least of them in which as many blocks of
    /// the kernel that comes have room as fit by everything else.
    pub carveouts: Vec<u32>,
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
    /// Cycles from the look-up of a store that is passed on until it leaves. Under DeNovo, and past
    /// the L1, stores leave at once.
    pub store_latency: u32,
    /// Lines that may be on their way from the L2.
    pub mshrs: u32,
    /// Accesses that may wait for one such line, the first included.
    pub merges: u32,
    /// Memory instructions that may wait in the load/store unit, the current one included.
    pub queue: u32,
    /// Requests of the load/store unit that may wait for the network before no access is made any
    /// more that would send one; 0: no limit.
    pub miss_queue: u32,
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
    /// SMX cycles from the arrival of a forwarded request at the owner until its answer leaves,
    /// under DeNovo.
    pub forward: u32,
}

/// How the L1s stay coherent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Protocol {
    /// Nothing is done: an L1 may hold what another SMX has overwritten.
    None,
    /// Conventional GPU coherence: stores go through, and an SMX forgets its L1 at its first block
    /// of every kernel (IKRA, section 2.1).
    Gpu,
    /// DeNovo: stores register ownership of their words at the L2, which survives kernels; the rest
    /// is forgotten at an SMX's first block of every kernel (IKRA, section 2.1).
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
    /// Steps that a crossbar takes in a network cycle: one for a packet's grant and one for each
    /// flit.
    pub speedup: u32,
    /// The node of a mesh at which the memory controllers sit.
    pub memory_node: u32,
    /// Packets of a class that the buffer behind a link of a mesh holds: requests, what SMXs send
    /// one another, and replies have channels of their own. 0: any number.
    #[serde(default)]
    pub virtual_channels: u32,
    /// Flits that a virtual channel holds; 0: any packet whole.
    #[serde(default)]
    pub channel_flits: u32,
    /// Bytes of a flit; a port takes one flit a network cycle.
    pub flit: u32,
    /// Bytes of a packet beside its data.
    pub header: u32,
    /// Network cycles that a packet takes longer from one domain of the memory to another.
    #[serde(default = "between")]
    pub between: u32,
    /// Bytes that leave a domain of the memory in a network cycle, and as many that enter it.
    #[serde(default = "link")]
    pub link: u32,
}

/// MCM-GPU's cycles a hop.
const fn between() -> u32 {
    32
}

/// MCM-GPU's bytes a link and cycle.
const fn link() -> u32 {
    768
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
    /// Whether each sector of a store is acknowledged by a packet of its own; else one acknowledges
    /// them all.
    pub sector_acks: bool,
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
