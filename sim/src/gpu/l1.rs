//! First-level data cache of an SMX: write-through, no allocation on a store, which evicts its
//! line; misses to one line are merged.

use super::cache::Tags;
use super::config::L1Config;
use super::mshr::{Miss, Mshrs};

/// Transactions of an L1 by what became of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct L1Counts {
    /// Loads whose line was present.
    pub hits: u64,
    /// Loads that requested their line.
    pub misses: u64,
    /// Loads that joined a request on its way.
    pub merged: u64,
    /// Stores.
    pub stores: u64,
}

/// What became of a load.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum L1Load {
    /// The data come after the hit latency.
    Hit,
    /// The line must be requested from the L2.
    Miss,
    /// The line is on its way.
    Merged,
    /// No miss register is free: try again after a fill.
    Stalled,
}

/// See the module.
#[derive(Debug)]
pub struct L1 {
    tags: Tags,
    mshrs: Mshrs<u32>,
    /// What happened so far.
    pub counts: L1Counts,
}

impl L1 {
    /// An empty cache.
    pub fn new(config: &L1Config) -> Self {
        Self {
            tags: Tags::new(config.size, config.ways),
            mshrs: Mshrs::new(config.mshrs as usize, config.merges),
            counts: L1Counts::default(),
        }
    }

    /// One transaction of the load `load`.
    pub fn load(&mut self, line: u64, load: u32) -> L1Load {
        if self.tags.touch(line) {
            self.counts.hits += 1;
            return L1Load::Hit;
        }
        match self.mshrs.miss(line, load) {
            Miss::Requested => {
                self.counts.misses += 1;
                L1Load::Miss
            }
            Miss::Merged => {
                self.counts.merged += 1;
                L1Load::Merged
            }
            Miss::Refused => L1Load::Stalled,
        }
    }

    /// One transaction of a store.
    pub fn store(&mut self, line: u64) {
        self.counts.stores += 1;
        self.tags.evict(line);
    }

    /// `line` has come: appends the loads that waited for it to `loads`.
    pub fn fill(&mut self, line: u64, loads: &mut Vec<u32>) {
        if !self.tags.touch(line) {
            self.tags.insert(line, false);
        }
        self.mshrs.fill(line, loads);
    }

    /// Forgets every line.
    pub fn invalidate(&mut self) {
        self.tags.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::config::GpuConfig;

    fn small() -> L1 {
        let mut config = GpuConfig::preset("k20c").unwrap().l1;
        (config.size, config.ways, config.mshrs, config.merges) = (256, 1, 1, 2);
        L1::new(&config)
    }

    #[test]
    fn a_line_misses_then_merges_then_hits_after_its_fill() {
        let mut l1 = small();
        assert_eq!(l1.load(4, 0), L1Load::Miss);
        assert_eq!(l1.load(4, 1), L1Load::Merged);
        assert_eq!(l1.load(4, 2), L1Load::Stalled, "two wait already");
        assert_eq!(l1.load(5, 3), L1Load::Stalled, "the one register is taken");
        let mut loads = Vec::new();
        l1.fill(4, &mut loads);
        assert_eq!(loads, [0, 1]);
        assert_eq!(l1.load(4, 2), L1Load::Hit);
        let counts = L1Counts { hits: 1, misses: 1, merged: 1, stores: 0 };
        assert_eq!(l1.counts, counts, "a stalled load counts when it gets through");
    }

    #[test]
    fn a_store_evicts_its_line_and_allocates_none() {
        let mut l1 = small();
        l1.fill(4, &mut Vec::new());
        l1.store(4);
        assert_eq!(l1.load(4, 0), L1Load::Miss);
        l1.fill(4, &mut Vec::new());
        l1.store(5);
        assert_eq!(l1.load(5, 0), L1Load::Miss);
        assert_eq!(l1.load(4, 0), L1Load::Hit);
    }
}
