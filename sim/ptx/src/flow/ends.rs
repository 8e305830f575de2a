use super::blocks::Blocks;

/// Whether each block counts as an end of the function, so that every block has a way to one, or to
/// one at which the run fails.
///
/// Those are the blocks at which a thread may leave, and of every set of blocks that go round
/// without a way out the last in the order of the program: in what compilers write, the one that
/// jumps back, so that lanes which part within the loop still meet before they go round.
pub(super) fn ends(blocks: &Blocks) -> Vec<bool> {
    let mut ends = blocks.leaves.clone();
    let mut has_end = vec![false; blocks.len()];
    for (block, &end) in ends.iter().enumerate() {
        if end {
            spread(&blocks.before, block as u32, &mut has_end);
        }
    }
    // Kosaraju: of the blocks that are left, the one that a walk against the edges finishes last
    // lies on a cycle that nothing leads out of; so does the last of those without a way to it.
    let mut seen = has_end.clone();
    let mut finished = Vec::new();
    for block in 0..blocks.len() as u32 {
        finish(&blocks.before, block, &mut seen, &mut finished);
    }
    let mut on_cycle = vec![false; blocks.len()];
    for &block in finished.iter().rev() {
        if has_end[block as usize] {
            continue;
        }
        let cycle = spread(&blocks.after, block, &mut on_cycle);
        let last = cycle.into_iter().max().unwrap_or(block);
        ends[last as usize] = true;
        spread(&blocks.before, last, &mut has_end);
    }
    let others: Vec<bool> =
        ends.iter().zip(&blocks.fails).map(|(&end, fails)| end && !fails).collect();
    if others.contains(&true) {
        return others;
    }
    ends
}

/// Which blocks have a way to `end` that does not pass `without`.
pub(super) fn leads_to(blocks: &Blocks, end: usize, without: usize) -> Vec<bool> {
    let mut marked = vec![false; blocks.len()];
    marked[without] = true;
    spread(&blocks.before, end as u32, &mut marked);
    marked[without] = false;
    marked
}

/// Marks the block `from` and all that lie behind it along `edges`; returns those newly marked.
fn spread(edges: &[Vec<u32>], from: u32, marked: &mut [bool]) -> Vec<u32> {
    if std::mem::replace(&mut marked[from as usize], true) {
        return Vec::new();
    }
    let mut found = vec![from];
    let mut next = 0;
    while let Some(&block) = found.get(next) {
        next += 1;
        for &to in &edges[block as usize] {
            if !std::mem::replace(&mut marked[to as usize], true) {
                found.push(to);
            }
        }
    }
    found
}

/// Walks depth first along `edges` from the block `from` over blocks not yet seen, and appends
/// every block after all that the walk found behind it.
pub(super) fn finish(edges: &[Vec<u32>], from: u32, seen: &mut [bool], finished: &mut Vec<u32>) {
    if std::mem::replace(&mut seen[from as usize], true) {
        return;
    }
    let mut path = vec![(from, 0)];
    while let Some((block, tried)) = path.last_mut() {
        match edges[*block as usize].get(*tried) {
            Some(&to) => {
                *tried += 1;
                if !std::mem::replace(&mut seen[to as usize], true) {
                    path.push((to, 0));
                }
            }
            None => {
                finished.push(*block);
                path.pop();
            }
        }
    }
}
