//! What global memory holds of aggregated groups: extent and Next of each, and for each entry of
//! the Kernel Distributor a ring of pointers to those that are left in memory, by which the
//! scheduler asks for them (rule 10 of `docs/dtbl.md`).

use std::collections::{BTreeSet, VecDeque};

use crate::port::{Dim3, FetchedGroup, GroupReference, KernelEntry, RingPlace, KERNEL_ENTRIES};

/// Pointers to groups that were not asked for.
#[derive(Debug, Default)]
struct Ring {
    pointers: VecDeque<u32>,
    /// The place of the first one.
    first: u32,
}

/// See the module.
#[derive(Debug)]
pub struct GroupMemory {
    /// By pointer, which counts pieces of `launch.group_bytes`.
    groups: Vec<FetchedGroup>,
    free: BTreeSet<u32>,
    rings: [Ring; KERNEL_ENTRIES],
    /// Reads on their way, each with the cycle of its answer.
    reads: VecDeque<(u64, u32)>,
    /// Cycles from a request to its answer.
    latency: u64,
}

impl GroupMemory {
    /// Empty memory; a group that is read starts `later` cycles after one whose information is on
    /// chip.
    ///
    /// # Panics
    /// When `later` is below 2.
    pub fn new(later: u32) -> Self {
        assert!(later >= 2, "the request takes a cycle, and the first block follows the answer");
        let latency = u64::from(later) - 1;
        Self {
            groups: Vec::new(),
            free: BTreeSet::new(),
            rings: Default::default(),
            reads: VecDeque::new(),
            latency,
        }
    }

    /// Allocates the lowest free piece for a group of extent `grid`; returns its pointer.
    pub fn allocate(&mut self, grid: Dim3) -> u32 {
        let group = FetchedGroup { grid, next: None };
        if let Some(pointer) = self.free.pop_first() {
            self.groups[pointer as usize] = group;
            return pointer;
        }
        self.groups.push(group);
        self.groups.len() as u32 - 1
    }

    /// The group at `pointer` is over.
    pub fn release(&mut self, pointer: u32) {
        self.free.insert(pointer);
    }

    /// Next of the group at `pointer` is written.
    pub fn link(&mut self, pointer: u32, next: GroupReference) {
        self.groups[pointer as usize].next = Some(next);
    }

    /// The group at `pointer`, coalesced to the kernel in `entry`, is left in memory.
    pub fn leave(&mut self, entry: KernelEntry, pointer: u32) {
        self.rings[entry.index()].pointers.push_back(pointer);
    }

    /// The group at `place` is asked for in `cycle`.
    ///
    /// # Panics
    /// When it is not the first of its ring; the invariants keep that from happening.
    pub fn read(&mut self, place: RingPlace, cycle: u64) {
        let ring = &mut self.rings[place.kernel.index()];
        assert_eq!(place.index, ring.first, "the first place of the ring");
        let pointer = ring.pointers.pop_front().expect("a group that was left in memory");
        ring.first = ring.first.wrapping_add(1);
        self.reads.push_back((cycle + self.latency, pointer));
    }

    /// The answer that comes in `cycle`, as memory knows it then.
    pub fn answer(&self, cycle: u64) -> Option<FetchedGroup> {
        let (at, pointer) = *self.reads.front()?;
        (at <= cycle).then(|| self.groups[pointer as usize])
    }

    /// The answer has been taken.
    pub fn answered(&mut self) {
        self.reads.pop_front();
    }

    /// The cycle of the next answer.
    pub fn next_change(&self) -> Option<u64> {
        self.reads.front().map(|(at, _)| *at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(kernel: u8, index: u32) -> RingPlace {
        RingPlace { kernel: KernelEntry(kernel), index }
    }

    #[test]
    fn reads_overlap_and_each_ring_has_places_of_its_own() {
        let mut memory = GroupMemory::new(10);
        let grids = [1, 2, 3].map(|x| Dim3::new(x, 1, 1));
        let pointers = grids.map(|grid| memory.allocate(grid));
        for (entry, pointer) in [7, 31, 7].into_iter().zip(pointers) {
            memory.leave(KernelEntry(entry), pointer);
        }
        memory.read(place(7, 0), 100);
        memory.read(place(7, 1), 101);
        memory.read(place(31, 0), 102);
        for (cycle, grid) in [(109, grids[0]), (110, grids[2]), (111, grids[1])] {
            assert_eq!(memory.next_change(), Some(cycle));
            assert_eq!(memory.answer(cycle - 1), None);
            assert_eq!(memory.answer(cycle).map(|group| group.grid), Some(grid));
            memory.answered();
        }
    }

    #[test]
    #[should_panic(expected = "the first place of the ring")]
    fn a_place_is_not_asked_for_twice() {
        let mut memory = GroupMemory::new(2);
        for _ in 0..2 {
            let pointer = memory.allocate(Dim3::new(1, 1, 1));
            memory.leave(KernelEntry(0), pointer);
            memory.read(place(0, 0), 5);
        }
    }

    #[test]
    fn an_answer_comes_one_cycle_before_the_first_block_and_knows_what_was_written_by_then() {
        let mut memory = GroupMemory::new(10);
        let grid = Dim3::new(3, 2, 1);
        let pointer = memory.allocate(grid);
        memory.leave(KernelEntry(4), pointer);
        memory.read(place(4, 0), 100);
        memory.link(pointer, GroupReference::on_chip(7));
        assert_eq!((memory.answer(108), memory.next_change()), (None, Some(109)));
        let next = Some(GroupReference::on_chip(7));
        assert_eq!(memory.answer(109), Some(FetchedGroup { grid, next }));
        memory.answered();
        assert_eq!((memory.answer(109), memory.next_change()), (None, None));
    }

    #[test]
    fn the_lowest_free_piece_is_used_again_without_its_old_link() {
        let mut memory = GroupMemory::new(2);
        let grid = Dim3::new(1, 1, 1);
        assert_eq!([0; 3].map(|_| memory.allocate(grid)), [0, 1, 2]);
        memory.link(1, GroupReference::on_chip(0));
        memory.release(2);
        memory.release(1);
        assert_eq!(memory.allocate(grid), 1);
        memory.leave(KernelEntry(0), 1);
        memory.read(place(0, 0), 5);
        assert_eq!(memory.answer(6), Some(FetchedGroup { grid, next: None }));
    }
}
