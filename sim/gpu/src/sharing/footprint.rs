//! Shared footprint ratios (LaPerm, section III-A and Fig. 2), from the lines that each block
//! touches.

use std::collections::BTreeMap;

use super::Block;

/// Ratios of the lines that two touch to all lines of the second, each averaged over those of whom
/// there are any.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Footprint {
    /// pc / c: a direct parent, and all of its child blocks together.
    pub parent_child: Average,
    /// cos / cs: a child block, and all of its siblings together.
    pub child_sibling: Average,
    /// A block of a kernel or group of which some block launches, and the others of it together.
    pub parent_parents: Average,
}

/// Ratios, and their average.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Average {
    /// How many ratios there are.
    pub count: u64,
    sum: f64,
}

impl Average {
    /// `shared` of `all` lines; nothing when there are none.
    fn add(&mut self, shared: usize, all: usize) {
        if all > 0 {
            self.count += 1;
            self.sum += shared as f64 / all as f64;
        }
    }

    /// The average of the ratios, if there are any.
    pub fn ratio(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum / self.count as f64)
    }
}

/// Of `blocks` with these lines each, in order.
pub(super) fn of(blocks: &[Block], lines: &[Vec<u64>]) -> Footprint {
    let mut children: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (number, block) in blocks.iter().enumerate() {
        if let Some(parent) = block.parent {
            children.entry(parent).or_default().push(number);
        }
    }
    let mut units: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for parent in children.keys() {
        units.entry(blocks[*parent as usize].unit).or_default();
    }
    for (number, block) in blocks.iter().enumerate() {
        if let Some(unit) = units.get_mut(&block.unit) {
            unit.push(number);
        }
    }
    let mut footprint = Footprint::default();
    for (parent, children) in &children {
        let together = Together::new(children, lines);
        let shared = together.common(&lines[*parent as usize]);
        footprint.parent_child.add(shared, together.all.len());
        together.each_and_others(&mut footprint.child_sibling);
    }
    for parents in units.values() {
        Together::new(parents, lines).each_and_others(&mut footprint.parent_parents);
    }
    footprint
}

/// The lines of some blocks.
struct Together<'a> {
    /// The lines of each.
    each: Vec<&'a [u64]>,
    /// Those of all, in order.
    all: Vec<u64>,
    /// Those that several touch, in order.
    several: Vec<u64>,
}

impl<'a> Together<'a> {
    fn new(blocks: &[usize], lines: &'a [Vec<u64>]) -> Self {
        let each: Vec<&[u64]> = blocks.iter().map(|block| &*lines[*block]).collect();
        let mut with_repeats = each.concat();
        with_repeats.sort_unstable();
        let runs = with_repeats.chunk_by(|one, next| one == next);
        let several = runs.clone().filter(|run| run.len() > 1).map(|run| run[0]).collect();
        Self { each, all: runs.map(|run| run[0]).collect(), several }
    }

    /// How many of `lines` they touch.
    fn common(&self, lines: &[u64]) -> usize {
        lines.iter().filter(|line| self.all.binary_search(line).is_ok()).count()
    }

    /// Of each of them, what it shares with the others, by what those touch.
    fn each_and_others(&self, ratios: &mut Average) {
        for lines in &self.each {
            let shared = lines.iter().filter(|line| self.several.binary_search(line).is_ok());
            let shared = shared.count();
            let alone = lines.len() - shared;
            ratios.add(shared, self.all.len() - alone);
        }
    }
}

#[cfg(test)]
mod tests;
