use super::blocks::Blocks;
use super::postdominators::postdominators;
use super::Node;

/// Where the lanes that part at an instruction meet again: for each instruction with more than one
/// successor the first that all ways from it to the end of the function pass (its immediate
/// post-dominator). None where that is only the end, and for all other instructions.
///
/// A loop without a way out ends, for this, at its last instruction in the order of the program.
pub fn reconvergence(nodes: &[Node]) -> Vec<Option<u32>> {
    let blocks = Blocks::new(nodes);
    let mut points = vec![None; nodes.len()];
    for (block, meets) in postdominators(&blocks).into_iter().enumerate() {
        let last = blocks.instructions(block).end - 1;
        if nodes[last].successors.len() > 1 {
            points[last] = meets.map(|meets| blocks.instructions(meets as usize).start as u32);
        }
    }
    points
}
