//! What the warps of a block share.

use std::cell::RefCell;

use rustc_hash::FxHashMap;

use super::shared_checks::SharedChecks;
use crate::program::Reduction;
use blockyard_contract::port::Dim3;

/// See the module.
pub(crate) struct Block {
    /// Its index in the grid.
    pub index: Dim3,
    pub shared: RefCell<Vec<u8>>,
    /// What is looked for in it, on request.
    pub checks: Option<SharedChecks>,
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

impl Block {
    pub fn new(index: Dim3, shared: u64, checked: bool) -> Self {
        Self {
            index,
            shared: RefCell::new(vec![0; shared as usize]),
            checks: checked.then(|| SharedChecks::new(shared as usize)),
            gathered: RefCell::default(),
        }
    }

    /// The threads `lanes` of a warp come to use number `turn` of barrier `id`; `holds` for some of them.
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
