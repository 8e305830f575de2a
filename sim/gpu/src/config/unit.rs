//! What the values of keys count.

use super::GpuConfig;

impl GpuConfig {
    /// What the number of `key` counts, or its numbers: `bytes`, `cycles`; `None` of a key that is
    /// none, or whose value is no number. `cycles` are those of the SMXs.
    pub fn unit(key: &str) -> Option<&'static str> {
        let (table, name) = key.split_once('.')?;
        Some(match (table, name) {
            ("clock", _) => "MHz",
            ("latency" | "initiation", _) => "cycles",
            ("energy", _) => "pJ",
            ("units", "by_scheduler") => return None,
            ("units", "memory") => "instructions a cycle",
            ("units", _) => "units of an SMX",
            ("smx", "count") => "SMXs",
            ("smx", "threads") => "threads",
            ("smx", "thread_block_slots") => "blocks",
            ("smx", "registers") => "registers of 32 bits",
            ("smx", "gpcs") => "SMXs of each cluster",
            ("smx", "partitions") => "SMXs of each partition",
            ("smx", "domains") => "SMXs of each domain",
            ("smx", "tpc") => "SMXs",
            ("smx", "slowdown") => "times, for each SMX",
            ("warp", "schedulers") => "of an SMX",
            ("warp", "issue_width") => "instructions a cycle",
            ("warp", "group") => "warps",
            ("fetch", "width") => "warps a cycle",
            ("fetch", "instructions") => "instructions",
            ("fetch" | "l1" | "constant" | "texture" | "l2", "ways") => "lines of a set",
            ("fetch" | "l1" | "constant" | "texture", "mshrs") => "lines on their way",
            ("fetch", "merges") => "warps waiting for a line",
            ("l1" | "constant" | "texture", "merges") => "accesses waiting for a line",
            ("l1", "queue") => "instructions",
            ("l1", "miss_queue") => "requests",
            ("l2", "mshrs") => "sectors on their way",
            ("l2", "merges") => "requests waiting for a line",
            ("l2", "slices") => "of a channel",
            ("l2", "latency") => "L2 cycles",
            ("coherence", "store_buffer") => "stores",
            ("coherence", "forward") => "cycles",
            ("interconnect", "latency" | "hop" | "between") => "network cycles",
            ("interconnect", "link") => "bytes a network cycle",
            ("interconnect", "columns") => "nodes of a row",
            ("interconnect", "speedup") => "steps a network cycle",
            ("interconnect", "memory_node") => "number of a node",
            ("interconnect", "virtual_channels") => "of a class",
            ("interconnect", "channel_flits") => "flits",
            ("address", "bank") => "bits of the bank",
            ("address", "row") => "first and last bit of the row",
            ("dram", "channels") => "channels",
            ("channel", "queue") => "bursts or requests",
            ("channel", "row_hit_cap") => "bursts of a row",
            ("channel", "banks") => "banks",
            ("channel", "bank_groups") => "groups of banks",
            ("launch", "table" | "ahead") => "groups",
            ("launch", "record_bytes" | "group_bytes")
            | ("smx", "shared_memory" | "shared_memory_unit")
            | ("fetch", "size" | "bytes")
            | ("l1", "size" | "carveouts" | "line" | "sector" | "transaction")
            | ("constant" | "texture", "size" | "line")
            | ("l2", "size" | "sector")
            | ("interconnect", "flit" | "header")
            | ("address", "interleave")
            | ("memory", "page")
            | ("channel", "burst_bytes") => "bytes",
            ("fetch" | "l1" | "dram", "latency") | ("l1", "store_latency") => "cycles",
            ("launch", "ideal" | "parameters_in_memory") | ("channel", "scheduler") => return None,
            ("launch", _) => "cycles",
            ("channel", _) => "DRAM cycles",
            _ => return None,
        })
    }
}
