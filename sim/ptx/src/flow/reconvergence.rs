use super::blocks::Blocks;
use super::ends::{ends, leads_to};
use super::postdominators::postdominators;
use super::Node;

/// Most ends that are looked at one by one.
const MOST_ENDS: usize = 64;

/// Where the lanes that part at an instruction meet again: for each instruction with more than one
/// successor the first that all ways from it to the end of the function pass (its immediate
/// post-dominator). None where that is only the end, and for all other instructions.
///
/// Where it is only the end because some ways leave early (a `return` in an `if`), the others meet
/// all the same: at the first that all ways to one of the ends pass, if more than one of the
/// successors lead there and not back.
///
/// A loop without a way out ends, for this, at its last instruction in the order of the program.
/// Ways to an instruction at which the run fails count only if there are no others.
pub fn reconvergence(nodes: &[Node]) -> Vec<Option<u32>> {
    let blocks = Blocks::new(nodes);
    let last = |block: usize| blocks.instructions(block).end - 1;
    let parts = |block: usize| nodes[last(block)].successors.len() > 1;
    let ends = ends(&blocks);
    let mut meets = postdominators(&blocks, &ends);
    let open: Vec<usize> =
        (0..blocks.len()).filter(|&block| parts(block) && meets[block].is_none()).collect();
    let count = ends.iter().filter(|&&end| end).count();
    if !open.is_empty() && (2..=MOST_ENDS).contains(&count) {
        for end in (0..blocks.len()).filter(|&block| ends[block]) {
            let only: Vec<bool> = (0..blocks.len()).map(|block| block == end).collect();
            let found = postdominators(&blocks, &only);
            for &block in open.iter().filter(|&&block| found[block].is_some()) {
                let leads = leads_to(&blocks, end, block);
                let ways = blocks.after[block].iter().filter(|&&to| leads[to as usize]).count();
                if ways > 1 && meets[block].is_none() {
                    meets[block] = found[block];
                }
            }
        }
    }
    let mut points = vec![None; nodes.len()];
    for (block, meets) in meets.into_iter().enumerate().filter(|(block, _)| parts(*block)) {
        points[last(block)] = meets.map(|meets| blocks.instructions(meets as usize).start as u32);
    }
    points
}
