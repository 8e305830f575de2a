use std::ops::Range;

use super::blocks::Blocks;
use super::liveness::Liveness;
use super::Node;

/// When a thread needs each register of a function.
///
/// Time is counted along the program, whichever way threads take: instruction `i` has two points,
/// `2 * i` at which it reads and `2 * i + 1` at which it writes. A register is needed from a write
/// to the last read that may see it, a value that nobody reads at the point of its write, and one
/// that is read but perhaps never written from the beginning of the function on.
///
/// The needs of one thread suffice although a warp shares its instructions: a register has a value
/// of its own in each lane, and an instruction writes only lanes that execute it. Lanes that wait
/// for others at a reconvergence point keep what they wrote, whatever registers the others use
/// meanwhile; and lanes that read each other (shuffles, matrices) do so at one instruction, where
/// the same registers are needed in all of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lifetimes {
    /// Of each register: disjoint ranges of points, none touching the next, in ascending order.
    ranges: Vec<Vec<Range<u32>>>,
    /// Number of points.
    points: usize,
}

impl Lifetimes {
    /// Finds the lifetimes of the registers of `nodes`, which are numbered from 0 to `count`.
    ///
    /// # Panics
    ///
    /// When a register is not below `count`.
    pub fn new(nodes: &[Node], count: usize) -> Self {
        let blocks = Blocks::new(nodes);
        let liveness = Liveness::new(nodes, &blocks, count);
        let mut growing = Growing { ranges: vec![Vec::new(); count], ends: vec![None; count] };
        for block in (0..blocks.len()).rev() {
            let instructions = blocks.instructions(block);
            for register in liveness.at_end(block) {
                growing.ends[register as usize] = Some(2 * instructions.end as u32);
            }
            for index in instructions.clone().rev() {
                growing.instruction(&nodes[index], 2 * index as u32);
            }
            for register in liveness.at_start(block) {
                growing.begin(register, 2 * instructions.start as u32);
            }
        }
        for ranges in &mut growing.ranges {
            ranges.reverse();
        }
        Self { ranges: growing.ranges, points: 2 * nodes.len() }
    }

    /// The points at which `register` is needed, in ascending order.
    pub(super) fn ranges(&self, register: usize) -> &[Range<u32>] {
        &self.ranges[register]
    }

    /// Registers of 32 bits that a thread needs: the largest sum, over all points, of the `sizes`
    /// of the registers that are needed there. A size of 0 leaves a register out: predicates, and
    /// those whose value costs nothing to make again where it is read.
    ///
    /// # Panics
    ///
    /// When `sizes` has no entry for a register that is needed.
    pub fn pressure(&self, sizes: &[u8]) -> u32 {
        let mut changes = vec![0i64; self.points + 1];
        for (register, ranges) in self.ranges.iter().enumerate() {
            for range in ranges {
                changes[range.start as usize] += i64::from(sizes[register]);
                changes[range.end as usize] -= i64::from(sizes[register]);
            }
        }
        let sums = changes.iter().scan(0, |sum, change| {
            *sum += change;
            Some(*sum)
        });
        sums.max().map_or(0, |most| most as u32)
    }
}

/// Lifetimes found so far on the way from the end of the program to its beginning.
struct Growing {
    /// Of each register, the last range first.
    ranges: Vec<Vec<Range<u32>>>,
    /// Of each register that is live: the end of the range under way.
    ends: Vec<Option<u32>>,
}

impl Growing {
    /// Goes back over an instruction that reads at `point` and writes after it.
    fn instruction(&mut self, node: &Node, point: u32) {
        for &register in &node.writes {
            if self.ends[register as usize].is_none() {
                self.ends[register as usize] = Some(point + 2);
            } else if node.keeps {
                continue;
            }
            self.begin(register, point + 1);
        }
        for &register in &node.reads {
            self.ends[register as usize].get_or_insert(point + 1);
        }
    }

    /// The range of `register` under way, if any, begins at `point`.
    fn begin(&mut self, register: u32, point: u32) {
        let Some(end) = self.ends[register as usize].take() else { return };
        match self.ranges[register as usize].last_mut() {
            Some(next) if next.start <= end => next.start = next.start.min(point),
            _ => self.ranges[register as usize].push(point..end),
        }
    }
}
