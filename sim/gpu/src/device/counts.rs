//! How many launches there were, how long they waited, and what memory they reserved meanwhile.

/// See the module.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LaunchCounts {
    /// Device kernels, those that groups became included.
    pub kernels: u64,
    /// Aggregated groups.
    pub groups: u64,
    /// Of these, coalesced with their information in the Aggregated Group Table or a priority
    /// queue.
    pub on_chip: u64,
    /// Of these, coalesced with their information in memory: their entry of the table was taken, or
    /// their queue was full.
    pub in_memory: u64,
    /// Of these, launched as device kernels for want of an eligible kernel.
    pub fallbacks: u64,
    /// Device kernels and groups that were put into an overflow queue in memory.
    pub spills: u64,
    /// Of these, taken back from there.
    pub refills: u64,
    /// Launches of which a block has been dispatched.
    pub started: u64,
    /// Cycles from the API call to the first block, of all of these.
    pub waited_cycles: u64,
    /// Threads of all launches.
    pub threads: u64,
    /// Blocks of device kernels and groups that have been dispatched, each once.
    pub child_blocks: u64,
    /// Of these, to the SMX on which the block ran that launched them.
    pub on_parent_smx: u64,
    /// Of these, to an SMX outside of the cluster of that one.
    pub outside_cluster: u64,
    /// How often a block was suspended.
    pub suspensions: u64,
    /// Memory that launches reserve from the API call to their first block.
    pub pending: Pending,
}

/// Bytes over time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pending {
    /// Now.
    bytes: u64,
    /// The cycle of the last change.
    cycle: u64,
    /// The most at the end of any cycle before that one.
    peak: u64,
    /// Sum over all cycles before that one.
    byte_cycles: u128,
}

impl LaunchCounts {
    /// A launch that was called in `called` has its first block in `cycle`.
    pub fn start(&mut self, called: u64, cycle: u64, bytes: u32) {
        self.started += 1;
        self.waited_cycles += cycle - called;
        self.pending.release(cycle, bytes);
    }

    /// A child block is dispatched to `smx`, for the first time, that a block on SMX `parent`
    /// launched; `cluster` SMXs make a cluster.
    pub fn dispatch(&mut self, smx: u8, parent: u8, cluster: usize) {
        self.child_blocks += 1;
        self.on_parent_smx += u64::from(smx == parent);
        let [to, from] = [smx, parent].map(|smx| usize::from(smx) / cluster);
        self.outside_cluster += u64::from(to != from);
    }
}

impl Pending {
    /// `bytes` are reserved from `cycle` on.
    pub fn reserve(&mut self, cycle: u64, bytes: u32) {
        self.advance(cycle);
        self.bytes += u64::from(bytes);
    }

    /// `bytes` are free again from `cycle` on.
    pub fn release(&mut self, cycle: u64, bytes: u32) {
        self.advance(cycle);
        self.bytes -= u64::from(bytes);
    }

    /// The most bytes of any cycle before `cycle`, and their sum over all these.
    pub fn until(mut self, cycle: u64) -> (u64, u128) {
        self.advance(cycle);
        (self.peak, self.byte_cycles)
    }

    fn advance(&mut self, cycle: u64) {
        if cycle > self.cycle {
            self.peak = self.peak.max(self.bytes);
            self.byte_cycles += u128::from(self.bytes) * u128::from(cycle - self.cycle);
            self.cycle = cycle;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_released_in_the_cycle_of_a_reservation_does_not_count_beside_it() {
        let mut pending = Pending::default();
        pending.reserve(10, 100);
        pending.reserve(14, 60);
        pending.release(14, 100);
        pending.release(20, 60);
        assert_eq!(pending.until(50), (100, 4 * 100 + 6 * 60));
    }

    #[test]
    fn a_child_block_is_outside_beyond_either_end_of_the_cluster_of_its_parent_alone() {
        // The cluster of SMX 4 is 3, 4, 5.
        let outside = |smx: u8| {
            let mut counts = LaunchCounts::default();
            counts.dispatch(smx, 4, 3);
            (counts.child_blocks, counts.on_parent_smx, counts.outside_cluster)
        };
        let seen = [2, 3, 4, 5, 6].map(outside);
        assert_eq!(seen, [(1, 0, 1), (1, 0, 0), (1, 1, 0), (1, 0, 0), (1, 0, 1)]);
    }

    #[test]
    fn a_wait_is_from_the_call_to_the_first_block() {
        let mut counts = LaunchCounts::default();
        counts.pending.reserve(3, 8);
        counts.start(3, 13, 8);
        assert_eq!((counts.started, counts.waited_cycles), (1, 10));
        assert_eq!(counts.pending.until(20), (8, 80));
    }
}
