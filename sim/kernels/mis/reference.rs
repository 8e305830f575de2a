//! The set one vertex after the other, against which the kernels are checked.

use blockyard_workloads::graph::Csr;

use crate::graphs::priority;

/// The state of a vertex that is neither in the set nor beside one that is.
pub const UNDECIDED: u32 = 0;

/// The state of a vertex in the set.
pub const IN: u32 = 1;

/// The state of a vertex beside one in the set.
pub const OUT: u32 = 2;

/// The state of every vertex of `csr`, an undirected graph: in order of rising value, drawn from
/// `seed`, a vertex is taken if none of its neighbours has been.
///
/// In the round in which the kernels take a vertex, all neighbours of lower value are left out: so
/// this is their set.
pub fn reference_mis(csr: &Csr, seed: u64) -> Vec<u32> {
    let mut order: Vec<u32> = (0..csr.vertices()).collect();
    order.sort_unstable_by_key(|&vertex| priority(vertex, seed));
    let mut states = vec![UNDECIDED; order.len()];
    for vertex in order {
        let taken = csr.neighbours(vertex).iter().any(|&next| states[next as usize] == IN);
        states[vertex as usize] = if taken { OUT } else { IN };
    }
    states
}
