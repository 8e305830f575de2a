//! Who of two neighbours goes first.

use blockyard_workloads::hash::{mix, permute};

/// The priority of `vertex`, drawn from `seed`; no two vertices have the same.
pub fn priority(vertex: u32, seed: u64) -> u32 {
    permute(vertex ^ mix(seed) as u32)
}
