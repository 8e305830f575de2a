use super::blocks::Blocks;
use super::ends::finish;

/// The immediate post-dominator of every block: the first block that all ways from it to one of
/// `ends` pass after it. None: they have only the end in common, or no way leads to one.
///
/// After Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm" (2001), on the graph with
/// its edges reversed and one exit behind all ends.
pub(super) fn postdominators(blocks: &Blocks, ends: &[bool]) -> Vec<Option<u32>> {
    let exit = blocks.len();
    // Blocks after all that the walk back from the exit found behind them, the exit last.
    let mut finished = Vec::with_capacity(exit + 1);
    let mut seen = vec![false; exit];
    for (block, _) in ends.iter().enumerate().filter(|(_, &end)| end) {
        finish(&blocks.before, block as u32, &mut seen, &mut finished);
    }
    finished.push(exit as u32);
    // Of a block without a way to an end there is none.
    let mut rank = vec![None; exit + 1];
    for (position, &block) in finished.iter().enumerate() {
        rank[block as usize] = Some(position);
    }

    // By rank, as a higher rank is nearer to the exit; unknown where it is none yet.
    let top = finished.len() - 1;
    let mut parents: Vec<Option<usize>> = vec![None; top];
    parents.push(Some(top));
    let mut changed = true;
    while changed {
        changed = false;
        for position in (0..top).rev() {
            let block = finished[position] as usize;
            let after = blocks.after[block].iter().filter_map(|&to| rank[to as usize]);
            let known = after.chain(ends[block].then_some(top)).filter(|&to| parents[to].is_some());
            let parent = known.reduce(|one, other| meet(&parents, one, other));
            if parents[position] != parent {
                parents[position] = parent;
                changed = true;
            }
        }
    }

    let parent = |block: usize| parents[rank[block]?].filter(|&parent| parent != top);
    (0..exit).map(|block| parent(block).map(|parent| finished[parent])).collect()
}

/// The first that the ways from `one` and `other` to the exit share.
fn meet(parents: &[Option<usize>], mut one: usize, mut other: usize) -> usize {
    let above = |position: usize| parents[position].unwrap_or(parents.len() - 1);
    while one != other {
        if one < other {
            one = above(one);
        } else {
            other = above(other);
        }
    }
    one
}
