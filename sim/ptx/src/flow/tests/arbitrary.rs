use proptest::collection::vec;
use proptest::prelude::*;

use super::Node;

/// Any small function: unreachable code, loops without a way out and edges past the end included.
/// Its registers are below `registers`.
pub fn function(registers: u32) -> impl Strategy<Value = Vec<Node>> {
    (0u32..14).prop_flat_map(move |count| {
        let successors = prop_oneof![
            4 => Just(None),
            3 => vec(0..=count, 0..4).prop_map(Some),
        ];
        let names = || vec(0..registers, 0..3);
        let node = (names(), names(), prop::bool::weighted(0.2), successors);
        vec(node, count as usize).prop_map(|nodes| {
            let node = |(index, (reads, writes, keeps, to)): (usize, (_, _, _, Option<_>))| {
                let successors = to.unwrap_or_else(|| vec![index as u32 + 1]);
                Node { reads, writes, keeps, successors, fails: false }
            };
            nodes.into_iter().enumerate().map(node).collect()
        })
    })
}
