//! What is shared here: short ways to write functions down, and arbitrary ones.

mod arbitrary;
mod lifetimes;
mod liveness_reference;
mod postdominance_reference;
mod ptxas;
mod reconvergence;
mod slots;

use super::Node;

/// An instruction that only goes on to `successors`.
fn go(successors: &[u32]) -> Node {
    Node { successors: successors.to_vec(), ..Node::default() }
}

/// A function of instructions that only go on to these successors.
fn graph(successors: &[&[u32]]) -> Vec<Node> {
    successors.iter().map(|successors| go(successors)).collect()
}

/// A function of instructions in a row, each with what it reads and writes.
fn row(instructions: &[(&[u32], &[u32])]) -> Vec<Node> {
    let one = |(index, (reads, writes)): (usize, &(&[u32], &[u32]))| Node {
        reads: reads.to_vec(),
        writes: writes.to_vec(),
        ..go(&[index as u32 + 1])
    };
    instructions.iter().enumerate().map(one).collect()
}
