//! What blocks take of shared memory, and what that leaves of the L1.

use super::GpuConfig;
use crate::port::BlockNeeds;

impl GpuConfig {
    /// `needs`, of which the shared memory is in bytes, as the scheduler counts them: in units,
    /// each begun one whole.
    pub fn counted(&self, needs: BlockNeeds) -> BlockNeeds {
        let shared_memory = needs.shared_memory.div_ceil(self.smx.shared_memory_unit);
        BlockNeeds { shared_memory, ..needs }
    }

    /// How many blocks with the counted `needs` an SMX holds at most.
    pub fn resident_blocks(&self, needs: BlockNeeds) -> u32 {
        let limits = self.limits();
        let by = |limit: u32, need: u32| limit.checked_div(need).unwrap_or(u32::MAX);
        limits
            .thread_block_slots
            .min(by(limits.threads, needs.threads))
            .min(by(limits.registers, needs.registers))
            .min(by(limits.shared_memory, needs.shared_memory))
    }

    /// Bytes that shared memory takes of the L1 while blocks with the counted `needs` run alone:
    /// the least carve-out in which as many have room as fit by everything else. `None` where there
    /// are no carve-outs.
    pub(crate) fn carveout(&self, needs: BlockNeeds) -> Option<u32> {
        let largest = *self.l1.carveouts.last()?;
        let blocks = self.resident_blocks(needs);
        let bytes = blocks * needs.shared_memory * self.smx.shared_memory_unit;
        let fits = self.l1.carveouts.iter().find(|&&carveout| carveout >= bytes);
        Some(fits.copied().unwrap_or(largest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::port::Dim3;

    fn h100() -> GpuConfig {
        GpuConfig::preset("h100").unwrap()
    }

    fn needs(threads: u32, registers: u32, bytes: u32) -> BlockNeeds {
        h100().counted(BlockNeeds::of(Dim3::new(threads, 1, 1), registers, bytes))
    }

    #[test]
    fn shared_memory_is_given_out_in_whole_units() {
        let counted = |bytes| needs(32, 16, bytes).shared_memory;
        assert_eq!([0, 1, 128, 129].map(counted), [0, 1, 1, 2]);
        assert_eq!(h100().limits().shared_memory, 228 * 1024 / 128);
    }

    #[test]
    fn the_carve_out_is_the_least_that_costs_no_block() {
        let kilobytes = |needs| h100().carveout(needs).map(|bytes| bytes / 1024);
        assert_eq!(kilobytes(needs(256, 32, 0)), Some(0));
        assert_eq!(kilobytes(needs(256, 32, 1024)), Some(8), "8 blocks by threads");
        assert_eq!(kilobytes(needs(256, 32, 1025)), Some(16));
        assert_eq!(kilobytes(needs(1024, 64, 48 * 1024)), Some(64), "1 block by registers");
        assert_eq!(kilobytes(needs(32, 16, 100 * 1024)), Some(228), "2 blocks by shared memory");
        assert_eq!(GpuConfig::preset("k20c").unwrap().carveout(needs(256, 32, 0)), None);
    }
}
