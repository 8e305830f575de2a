use std::ops::Range;

use super::Node;

/// The basic blocks of a function: runs of instructions entered at the first and left at the last.
/// They are numbered, and lie, in the order of the program.
pub(super) struct Blocks {
    /// First instruction of each block, then the number of instructions.
    starts: Vec<u32>,
    /// Blocks that follow each block.
    pub after: Vec<Vec<u32>>,
    /// Blocks that precede each block.
    pub before: Vec<Vec<u32>>,
    /// Whether a thread may leave the function at the end of a block.
    pub leaves: Vec<bool>,
    /// Whether the run fails there.
    pub fails: Vec<bool>,
}

impl Blocks {
    /// Cuts `nodes` into blocks.
    pub fn new(nodes: &[Node]) -> Self {
        let block_of = block_of(nodes);
        let count = block_of.last().map_or(0, |&last| last as usize + 1);
        let mut blocks = Self {
            starts: Vec::with_capacity(count + 1),
            after: vec![Vec::new(); count],
            before: vec![Vec::new(); count],
            leaves: vec![false; count],
            fails: vec![false; count],
        };
        for (index, &block) in block_of.iter().enumerate() {
            if block as usize == blocks.starts.len() {
                blocks.starts.push(index as u32);
            }
        }
        blocks.starts.push(nodes.len() as u32);
        for block in 0..count {
            let last = &nodes[blocks.instructions(block).end - 1];
            blocks.leaves[block] = last.successors.is_empty();
            blocks.fails[block] = last.fails;
            for &successor in &last.successors {
                match block_of.get(successor as usize) {
                    Some(&to) if blocks.after[block].contains(&to) => {}
                    Some(&to) => {
                        blocks.after[block].push(to);
                        blocks.before[to as usize].push(block as u32);
                    }
                    None => blocks.leaves[block] = true,
                }
            }
        }
        blocks
    }

    /// Number of blocks.
    pub fn len(&self) -> usize {
        self.after.len()
    }

    /// Instructions of a block; there is always one.
    pub fn instructions(&self, block: usize) -> Range<usize> {
        self.starts[block] as usize..self.starts[block + 1] as usize
    }
}

/// The block of every instruction.
fn block_of(nodes: &[Node]) -> Vec<u32> {
    let mut first = vec![false; nodes.len()];
    for (index, node) in nodes.iter().enumerate() {
        if node.successors == [index as u32 + 1] {
            continue;
        }
        for &start in node.successors.iter().chain([&(index as u32 + 1)]) {
            if let Some(first) = first.get_mut(start as usize) {
                *first = true;
            }
        }
    }
    let mut block = 0;
    first
        .iter()
        .enumerate()
        .map(|(index, &first)| {
            block += u32::from(first && index > 0);
            block
        })
        .collect()
}
