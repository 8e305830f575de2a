//! Liveness by definition, against which lifetimes and slots are compared.

use super::Node;

/// Whether `register` is needed at each point: by instruction, before it and after it.
pub fn needed(nodes: &[Node], register: u32) -> Vec<[bool; 2]> {
    let writes = |at: usize| nodes[at].writes.contains(&register);
    (0..nodes.len())
        .map(|at| {
            let after = nodes[at].successors.iter().any(|&to| is_read(nodes, register, to));
            [is_read(nodes, register, at as u32), writes(at) || after]
        })
        .collect()
}

/// Whether a thread at the instruction `from` may come to read `register` as it is.
fn is_read(nodes: &[Node], register: u32, from: u32) -> bool {
    let mut seen = vec![false; nodes.len()];
    let mut waiting = vec![from as usize];
    while let Some(at) = waiting.pop() {
        let Some(node) = nodes.get(at) else { continue };
        if std::mem::replace(&mut seen[at], true) {
            continue;
        }
        if node.reads.contains(&register) {
            return true;
        }
        if node.keeps || !node.writes.contains(&register) {
            waiting.extend(node.successors.iter().map(|&to| to as usize));
        }
    }
    false
}
