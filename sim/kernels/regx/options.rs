//! Settings.

use crate::options::{options, MAX_BLOCK};

options! {
    /// Settings of [`Regx`](super::Regx).
    RegxOptions of "regx" {
        /// What the packets are: random strings, or lines of protocols in packets of two sizes.
        input("strings", "darpa"): 0 in 0..=1,
        /// Packets.
        packets: 1_000 in 0..=65_536,
        /// Bytes over which a thread follows a candidate itself where children can be launched.
        prefix: 2 in 1..=64,
        /// Most bytes from which a child looks for matches: two warps, as in DTBL's section 3.1.
        window: 64 in 1..=65_536,
        /// Most bytes that a candidate leaves to its thread where children can be launched: as many
        /// as a warp has lanes.
        threshold: 32 in 0..=65_536,
        /// Threads of a block.
        block: 64 in 1..=MAX_BLOCK,
        /// Threads of a child's block.
        child_block: 64 in 1..=MAX_BLOCK,
    }
}
