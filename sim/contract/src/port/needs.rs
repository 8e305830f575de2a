//! What a thread block takes of its SMX.

use super::Dim3;

/// Lanes of a warp.
pub const WARP_LANES: usize = 32;

/// What one thread block takes of an SMX while it is resident.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct BlockNeeds {
    /// Threads, rounded up to whole warps; 12 bits.
    pub threads: u32,
    /// 32-bit registers of all its threads; 17 bits.
    pub registers: u32,
    /// Bytes of shared memory; 17 bits.
    pub shared_memory: u32,
}

impl BlockNeeds {
    /// The needs of a block of `block` threads: threads rounded up to whole warps, registers
    /// (32 bits each) for all of these, `shared_memory` bytes. Sums past 32 bits stay at the
    /// largest number, which no SMX can hold.
    pub fn of(block: Dim3, registers_per_thread: u32, shared_memory: u32) -> Self {
        let warps = block.volume().div_ceil(WARP_LANES as u128);
        let threads = u32::try_from(warps * WARP_LANES as u128).unwrap_or(u32::MAX);
        let registers = threads.saturating_mul(registers_per_thread);
        Self { threads, registers, shared_memory }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_are_rounded_up_to_whole_warps_and_registers_count_for_all_of_them() {
        let needs = |x| BlockNeeds::of(Dim3::new(x, 1, 1), 10, 7);
        assert_eq!(needs(32), BlockNeeds { threads: 32, registers: 320, shared_memory: 7 });
        assert_eq!(needs(33), BlockNeeds { threads: 64, registers: 640, shared_memory: 7 });
    }

    #[test]
    fn needs_past_32_bits_saturate() {
        let needs = BlockNeeds::of(Dim3::new(1024, 1, 1), u32::MAX, 0);
        assert_eq!(needs.registers, u32::MAX);
    }
}
