//! Second-level cache, shared by all SMXs: write-back; a store allocates its line without fetching
//! it; misses to one line are merged, without limit.

use super::cache::Tags;
use super::config::L2Config;
use super::mshr::{Miss, Mshrs};

/// Requests to the L2 by what became of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct L2Counts {
    /// Requests whose line was present.
    pub hits: u64,
    /// Loads that went to DRAM, and stores that allocated.
    pub misses: u64,
    /// Loads that joined a request on its way.
    pub merged: u64,
}

/// See the module.
#[derive(Debug)]
pub struct L2 {
    tags: Tags,
    mshrs: Mshrs<u8>,
    latency: u64,
    /// What happened so far.
    pub counts: L2Counts,
}

/// What became of a load.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum L2Load {
    /// The reply leaves in this cycle.
    Reply(u64),
    /// DRAM is asked in this cycle.
    Dram(u64),
    /// The line is on its way.
    Merged,
}

impl L2 {
    /// An empty cache.
    pub fn new(config: &L2Config) -> Self {
        Self {
            tags: Tags::new(config.size, config.ways),
            mshrs: Mshrs::new(usize::MAX, u32::MAX),
            latency: u64::from(config.latency),
            counts: L2Counts::default(),
        }
    }

    /// A load of `line` by `smx` arrives in `cycle`.
    pub fn load(&mut self, cycle: u64, line: u64, smx: u8) -> L2Load {
        let done = cycle + self.latency;
        if self.tags.touch(line) {
            self.counts.hits += 1;
            return L2Load::Reply(done);
        }
        if self.mshrs.miss(line, smx) == Miss::Requested {
            self.counts.misses += 1;
            return L2Load::Dram(done);
        }
        self.counts.merged += 1;
        L2Load::Merged
    }

    /// A store to `line` arrives. Returns whether a dirty line had to be written back.
    pub fn store(&mut self, line: u64) -> bool {
        if self.tags.touch(line) {
            self.counts.hits += 1;
            self.tags.mark_dirty(line);
            return false;
        }
        self.counts.misses += 1;
        self.tags.insert(line, true)
    }

    /// DRAM delivers `line`: appends the SMXs that wait for it to `smxs`. Returns whether a dirty
    /// line had to be written back.
    pub fn fill(&mut self, line: u64, smxs: &mut Vec<u8>) -> bool {
        self.mshrs.fill(line, smxs);
        // A store may have allocated the line in the meantime.
        !self.tags.touch(line) && self.tags.insert(line, false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::config::GpuConfig;

    fn small() -> L2 {
        let mut config = GpuConfig::preset("k20c").unwrap().l2;
        (config.size, config.ways, config.latency) = (256, 1, 10);
        L2::new(&config)
    }

    #[test]
    fn a_line_goes_to_dram_once_and_replies_to_every_smx_that_waits() {
        let mut l2 = small();
        assert_eq!(l2.load(100, 4, 0), L2Load::Dram(110));
        assert_eq!(l2.load(101, 4, 1), L2Load::Merged);
        let mut smxs = Vec::new();
        assert!(!l2.fill(4, &mut smxs));
        assert_eq!(smxs, [0, 1]);
        assert_eq!(l2.load(102, 4, 2), L2Load::Reply(112));
        assert_eq!(l2.counts, L2Counts { hits: 1, misses: 1, merged: 1 });
    }

    #[test]
    fn a_stored_line_is_written_back_when_it_goes() {
        let mut l2 = small();
        assert!(!l2.store(4), "nothing to write back");
        assert!(!l2.store(4));
        assert_eq!(l2.load(0, 4, 0), L2Load::Reply(10), "allocated without a fetch");
        assert!(l2.store(6), "4 was dirty");
        assert_eq!(l2.load(0, 8, 0), L2Load::Dram(10));
        assert!(l2.fill(8, &mut Vec::new()), "6 was dirty");
        assert!(!l2.store(10), "8 was clean");
    }
}
