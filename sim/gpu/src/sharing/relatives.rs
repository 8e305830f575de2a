//! What one SMX keeps of the lines that its blocks touch, and who brought those of its L1.

use std::collections::{BTreeMap, HashMap, VecDeque};

use super::line_set::LineSet;
use super::BlockIdentity;

/// Loads of child blocks in L1s, and their hits by who brought the line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RelativeHits {
    /// Loads that looked up an L1.
    pub loads: u64,
    /// Those that hit a line that the block itself brought.
    pub own: u64,
    /// That its direct parent brought.
    pub parent: u64,
    /// That another child block of its direct parent brought.
    pub sibling: u64,
    /// That any other block brought.
    pub other: u64,
}

impl RelativeHits {
    /// Those of both.
    pub fn and(self, other: Self) -> Self {
        Self {
            loads: self.loads + other.loads,
            own: self.own + other.own,
            parent: self.parent + other.parent,
            sibling: self.sibling + other.sibling,
            other: self.other + other.other,
        }
    }

    fn hit(&mut self, block: BlockIdentity, by: BlockIdentity) {
        let count = if by.number == block.number {
            &mut self.own
        } else if block.parent == Some(by.number) {
            &mut self.parent
        } else if block.parent == by.parent {
            &mut self.sibling
        } else {
            &mut self.other
        };
        *count += 1;
    }
}

/// What became of an access of the L1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum L1Access {
    /// A load that hit.
    Hit,
    /// A load that requested sectors: from now on it is its block that brought the line.
    Miss,
    /// A load of sectors on their way.
    Merged,
    /// A store that stays in the L1: it is its block that brought the line.
    Stored,
}

/// See the module.
#[derive(Debug, Default)]
pub(crate) struct SmxSharing {
    touched: BTreeMap<u32, LineSet>,
    /// The block of each instruction in the load/store unit.
    queued: VecDeque<BlockIdentity>,
    /// Who brought a line last, whether it is still there or not.
    brought: HashMap<u64, BlockIdentity>,
    hits: RelativeHits,
}

impl SmxSharing {
    /// An instruction of `block` is queued that touches these lines of global memory.
    #[cold]
    pub fn queue(&mut self, block: BlockIdentity, lines: impl Iterator<Item = u64>) {
        self.queued.push_back(block);
        let mut lines = lines.peekable();
        if lines.peek().is_some() {
            let set = self.touched.entry(block.number).or_default();
            lines.for_each(|line| set.insert(line));
        }
    }

    /// The first instruction has done all it does.
    #[cold]
    pub fn done(&mut self) {
        self.queued.pop_front();
    }

    /// The first instruction has made an access of `line` in the L1.
    #[cold]
    pub fn access(&mut self, line: u64, access: L1Access) {
        let Some(&block) = self.queued.front() else { return };
        let counts = block.parent.is_some();
        match access {
            L1Access::Hit => {
                if let Some(by) = self.brought.get(&line).filter(|_| counts) {
                    self.hits.hit(block, *by);
                }
            }
            L1Access::Miss | L1Access::Stored => {
                self.brought.insert(line, block);
            }
            L1Access::Merged => {}
        }
        self.hits.loads += u64::from(counts && access != L1Access::Stored);
    }

    /// The lines that its blocks touched, by number.
    pub(super) fn touched(&self) -> impl Iterator<Item = (&u32, &LineSet)> {
        self.touched.iter()
    }

    /// What its L1's hits were on.
    pub fn hits(&self) -> RelativeHits {
        self.hits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(number: u32, parent: impl Into<Option<u32>>) -> BlockIdentity {
        BlockIdentity { number, parent: parent.into() }
    }

    fn access(sharing: &mut SmxSharing, block: BlockIdentity, line: u64, access: L1Access) {
        sharing.queue(block, std::iter::once(line));
        sharing.access(line, access);
        sharing.done();
    }

    #[test]
    fn hits_are_by_who_requested_the_line_last() {
        let mut sharing = SmxSharing::default();
        let hits = [
            // The parent itself, its two children, the child of another, and that one.
            (block(3, None), RelativeHits { parent: 1, ..Default::default() }),
            (block(5, 3), RelativeHits { own: 1, ..Default::default() }),
            (block(6, 3), RelativeHits { sibling: 1, ..Default::default() }),
            (block(7, 4), RelativeHits { other: 1, ..Default::default() }),
            (block(4, None), RelativeHits { other: 1, ..Default::default() }),
        ];
        let mut expected = RelativeHits::default();
        for (by, hit) in hits {
            let before = sharing.hits().loads;
            access(&mut sharing, by, 9, L1Access::Miss);
            access(&mut sharing, block(5, 3), 9, L1Access::Hit);
            let own = sharing.hits().loads - before - 1;
            expected = expected.and(RelativeHits { loads: 1 + own, ..hit });
            assert_eq!(own, u64::from(by.parent.is_some()), "a parent's load is no child's");
        }
        assert_eq!(sharing.hits(), expected);
    }

    #[test]
    fn a_store_that_stays_brings_its_line_and_a_merged_load_brings_nothing() {
        let mut sharing = SmxSharing::default();
        access(&mut sharing, block(0, None), 1, L1Access::Stored);
        access(&mut sharing, block(2, 0), 1, L1Access::Merged);
        access(&mut sharing, block(3, 0), 1, L1Access::Hit);
        let expected = RelativeHits { loads: 2, parent: 1, ..Default::default() };
        assert_eq!(sharing.hits(), expected);
    }

    #[test]
    fn blocks_of_the_host_have_no_relatives() {
        let mut sharing = SmxSharing::default();
        access(&mut sharing, block(0, None), 1, L1Access::Miss);
        access(&mut sharing, block(1, None), 1, L1Access::Hit);
        assert_eq!(sharing.hits(), RelativeHits::default());
        assert_eq!(sharing.touched().count(), 2, "but footprints");
    }
}
