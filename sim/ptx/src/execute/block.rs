//! What the warps of a block share.

use std::cell::{Cell, RefCell};
use std::ops::Range;

use rustc_hash::FxHashMap;

use super::addresses::each;
use super::shared_checks::SharedChecks;
use crate::machine::{put, value_of};
use crate::program::Reduction;
use crate::semantics::{Lanes, Word};
use blockyard_contract::port::Dim3;
use blockyard_gpu::program::WARP_LANES;

/// See the module.
pub(crate) struct Block {
    /// Its index in the grid.
    pub index: Dim3,
    pub shared: RefCell<Vec<u8>>,
    /// What is looked for in it, on request.
    pub checks: Option<SharedChecks>,
    /// Warps that have not exited.
    pub running: Cell<u32>,
    /// What threads have brought to a barrier, by its number and how often it was used.
    gathered: RefCell<FxHashMap<(u32, u32), Gathered>>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Gathered {
    /// Threads, and those of them for which the predicate holds.
    threads: u32,
    holds: u32,
    /// Threads that have read it.
    read: u32,
}

/// The bytes at `offset` behind `address`; of those that wrap, none are anywhere.
#[inline]
fn place(address: u64, offset: u64, bytes: u64) -> Range<usize> {
    let first = address.wrapping_add(offset) as usize;
    first..first.wrapping_add(bytes as usize)
}

impl Block {
    pub fn new(index: Dim3, (warps, shared): (u32, u64), checked: bool) -> Self {
        Self {
            index,
            shared: RefCell::new(vec![0; shared as usize]),
            checks: checked.then(|| SharedChecks::new(shared as usize)),
            running: Cell::new(warps),
            gathered: RefCell::default(),
        }
    }

    /// Loads `bytes` bytes of shared memory for each of `lanes`, at `offset` behind its address;
    /// whether all lie there and nobody looks at who reads what. Else it is to be done lane by
    /// lane.
    #[inline]
    pub fn load<E: Word>(
        &self,
        lanes: u32,
        (addresses, offset): (&Lanes, u64),
        bytes: u64,
        to: &mut [E; WARP_LANES],
    ) -> bool {
        let shared = self.shared.borrow();
        self.checks.is_none()
            && each(lanes).all(|lane| {
                let place = shared.get(place(addresses[lane], offset, bytes));
                place.map(|place| to[lane] = E::of(value_of(place))).is_some()
            })
    }

    /// As [`Block::load`], the other way. What the lanes before the first one outside have stored
    /// stays.
    #[inline]
    pub fn store<E: Word>(
        &self,
        lanes: u32,
        (addresses, offset): (&Lanes, u64),
        bytes: u64,
        from: &[E; WARP_LANES],
    ) -> bool {
        let mut shared = self.shared.borrow_mut();
        self.checks.is_none()
            && each(lanes).all(|lane| {
                let place = shared.get_mut(place(addresses[lane], offset, bytes));
                place.map(|place| put(place, from[lane].bits())).is_some()
            })
    }

    /// The threads `lanes` of a warp come to use number `turn` of barrier `id`; `holds` for some of
    /// them.
    pub fn bring(&self, id: u32, turn: u32, lanes: u32, holds: u32) {
        let mut gathered = self.gathered.borrow_mut();
        let gathered = gathered.entry((id, turn)).or_default();
        gathered.threads += lanes.count_ones();
        gathered.holds += (lanes & holds).count_ones();
    }

    /// What `lanes` find out that came to it.
    pub fn find_out(&self, id: u32, turn: u32, lanes: u32, reduction: Reduction) -> u32 {
        let mut all = self.gathered.borrow_mut();
        let Some(gathered) = all.get_mut(&(id, turn)) else { return 0 };
        gathered.read += lanes.count_ones();
        let Gathered { threads, holds, read } = *gathered;
        if read >= threads {
            all.remove(&(id, turn));
        }
        match reduction {
            Reduction::Count => holds,
            Reduction::All => u32::from(holds == threads),
            Reduction::Any => u32::from(holds > 0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EVERY_SECOND: u32 = 0x5555_5555;

    /// A block with 64 bytes of shared memory, and two bytes of it for each lane.
    fn block(checked: bool) -> (Block, Lanes) {
        let addresses = std::array::from_fn(|lane| 2 * lane as u64);
        (Block::new(Dim3 { x: 0, y: 0, z: 0 }, (1, 64), checked), addresses)
    }

    #[test]
    fn a_warp_loads_from_shared_memory_what_it_stored_there() {
        let (block, addresses) = block(false);
        let stored = std::array::from_fn(|lane| 0x1_0001 * (lane as u64 + 1));
        assert!(block.store(EVERY_SECOND, (&addresses, 0), 2, &stored));
        let mut loaded = [7; WARP_LANES];
        assert!(block.load(u32::MAX >> 1, (&addresses, 0), 4, &mut loaded));
        for (lane, value) in loaded.into_iter().enumerate() {
            let expected = match lane {
                31 => 7,
                _ if lane % 2 == 0 => lane as u64 + 1,
                _ => (lane as u64 + 2) << 16,
            };
            assert_eq!(value, expected, "lane {lane}");
        }
    }

    #[test]
    fn no_lane_may_lie_outside_of_shared_memory() {
        let (block, addresses) = block(false);
        let mut loaded = [0; WARP_LANES];
        assert!(block.load(u32::MAX, (&addresses, 0), 2, &mut loaded));
        assert!(!block.load(u32::MAX, (&addresses, 1), 2, &mut loaded));
        assert!(!block.load(u32::MAX, (&addresses, u64::MAX), 2, &mut loaded));
        assert!(!block.store(u32::MAX, (&addresses, 1), 2, &loaded));
        assert!(block.store(u32::MAX >> 1, (&addresses, 1), 2, &loaded));
    }

    #[test]
    fn a_block_that_looks_for_races_is_accessed_lane_by_lane() {
        let (block, addresses) = block(true);
        let mut loaded = [0; WARP_LANES];
        assert!(!block.load(u32::MAX, (&addresses, 0), 2, &mut loaded));
        assert!(!block.store(u32::MAX, (&addresses, 0), 2, &loaded));
    }
}
