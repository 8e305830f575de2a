//! The number of a cycle, for schedulers that measure time: it begins just before it wraps, and
//! jumps now and then, so that times saturate and blocks take as long as they should.

use super::Resident;
use blockyard_sim::port::{
    BlockNeeds, Dim3, Inputs, KernelLaunch, Outputs, SmxLimits, KERNEL_ENTRIES,
};
use rand::RngExt;
use rand_pcg::Pcg64;
use std::ops::RangeInclusive;

/// The number of a cycle has 40 bits.
const MASK: u64 = (1 << 40) - 1;

/// Bits of a duration.
const DURATION: u32 = 32;

/// Chance in 1,000 that the number of a cycle jumps anywhere.
const JUMP: u32 = 2;

/// Chance in 1,000 that it jumps to where a block that ends has taken its kernel's time.
const IN_TIME: u32 = 800;

/// Chance in 1,000 that a kernel is as large as the one before.
const AS_LARGE: u32 = 600;

/// More blocks are not repeated: who waits for their end may wait for long.
const LARGE: u32 = 300;

/// Chance in 1,000 that another kernel waits for long: it has more blocks than fit at once, so that
/// some have ended, and their time is known, while the rest waits beside others.
const WAITS: u32 = 600;

/// How many of its blocks fit an SMX at once, and how many more it has than fit all SMXs: so few
/// that kernels follow each other soon.
const FIT: RangeInclusive<u32> = 1..=4;
const MORE: RangeInclusive<u32> = 1..=24;

/// See the module; random numbers of its own leave the rest of the traffic as it is.
pub struct Clock {
    random: Pcg64,
    limits: SmxLimits,
    now: u64,
    /// How long a block of each kernel should take, in cycles.
    times: [u64; KERNEL_ENTRIES],
    /// That of the latest kernel.
    time: u64,
    /// For each SMX and slot, when the block in it was dispatched.
    starts: Vec<Vec<u64>>,
    before: Option<KernelLaunch>,
}

impl Clock {
    /// For so many SMXs with these limits; the same random numbers give the same clock.
    pub fn new(random: Pcg64, smxs: usize, limits: SmxLimits) -> Self {
        let slots = limits.thread_block_slots as usize;
        Self {
            random,
            limits,
            now: MASK - 1000,
            times: [1; KERNEL_ENTRIES],
            time: 1,
            starts: vec![vec![0; slots]; smxs],
            before: None,
        }
    }

    /// The number of the next cycle, in which these blocks end.
    pub fn next(&mut self, ended: &[Option<Resident>]) -> u64 {
        let jump = match self.chance(JUMP) {
            // To powers of two and beside them: to where times saturate, and just not.
            true => (1 << self.random.random_range(1..40)) + self.random.random_range(0..3) - 1,
            false => self.until_one_is_due(ended).unwrap_or(1),
        };
        self.now = (self.now + jump) & MASK;
        self.now
    }

    /// Cycles until the first of these blocks that has not yet taken its kernel's time has.
    fn until_one_is_due(&mut self, ended: &[Option<Resident>]) -> Option<u64> {
        if !self.chance(IN_TIME) {
            return None;
        }
        ended.iter().enumerate().find_map(|(smx, block)| {
            let block = (*block)?;
            let ran = self.now.wrapping_sub(self.starts[smx][usize::from(block.slot)]) & MASK;
            let left = self.times[block.kernel.index()].checked_sub(ran)?;
            (left > 0).then_some(left)
        })
    }

    /// A kernel instead of this one: most are as large as the one before, so that what is left of
    /// both takes as long but for their blocks' times.
    pub fn kernel(&mut self, kernel: KernelLaunch) -> KernelLaunch {
        let as_large = self.chance(AS_LARGE);
        let before = self.before.filter(|before| as_large && before.blocks <= LARGE);
        let kernel = match before {
            Some(KernelLaunch { grid, blocks, needs, .. }) => {
                KernelLaunch { grid, blocks, needs, ..kernel }
            }
            None if kernel.blocks <= LARGE && self.chance(WAITS) => self.waiting(kernel),
            None => kernel,
        };
        self.before = Some(kernel);
        kernel
    }

    /// A kernel instead of this one that waits for long.
    fn waiting(&mut self, kernel: KernelLaunch) -> KernelLaunch {
        let fit = self.random.random_range(FIT);
        let blocks = fit * self.starts.len() as u32 + self.random.random_range(MORE);
        let SmxLimits { threads, registers, .. } = self.limits;
        let mut needs = BlockNeeds::default();
        match self.random.random_range(0..2) {
            0 => needs.threads = threads / fit,
            _ => needs.registers = registers / fit,
        }
        KernelLaunch { grid: Dim3::new(blocks, 1, 1), blocks, needs, ..kernel }
    }

    /// What the scheduler did in this cycle: a kernel has a time from its launch on, blocks begin.
    pub fn observe(&mut self, inputs: &Inputs, outputs: &Outputs) {
        if inputs.reset {
            self.before = None;
            return;
        }
        if let Some(entry) = outputs.launch_ready.filter(|_| inputs.launch.is_some()) {
            self.time = self.another_time();
            self.times[entry.index()] = self.time;
        }
        for (starts, dispatch) in self.starts.iter_mut().zip(&outputs.dispatch) {
            if let Some(dispatch) = dispatch {
                starts[usize::from(dispatch.slot)] = self.now;
            }
        }
    }

    /// That of the kernel before but for one bit below its highest one, or the same, or any.
    fn another_time(&mut self) -> u64 {
        let bits = self.time.ilog2().max(1);
        let time = match self.random.random_range(0..8) {
            0 => {
                let bits = self.random.random_range(1..DURATION);
                self.random.random_range(1..=1 << bits)
            }
            1 | 2 => self.time,
            _ => self.time ^ 1 << self.random.random_range(0..bits),
        };
        time.max(1)
    }

    fn chance(&mut self, per_mille: u32) -> bool {
        self.random.random_range(0..1000) < per_mille
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use blockyard_sim::port::{Dim3, Dispatch, KernelEntry};
    use rand::SeedableRng;

    const ENTRY: KernelEntry = KernelEntry(3);
    const LIMITS: SmxLimits =
        SmxLimits { threads: 1536, registers: 32_768, shared_memory: 0, thread_block_slots: 8 };
    const BLOCK: Resident = Resident { kernel: ENTRY, group: None, slot: 5 };

    fn clock() -> Clock {
        Clock::new(Pcg64::seed_from_u64(1), 2, LIMITS)
    }

    /// A kernel is launched, and a block of it dispatched to the second SMX.
    fn begin(clock: &mut Clock) {
        let inputs = Inputs { launch: Some(KernelLaunch::default()), ..Inputs::default() };
        let block = Dispatch { kernel: ENTRY, slot: BLOCK.slot, ..Dispatch::default() };
        let outputs = Outputs {
            launch_ready: Some(ENTRY),
            dispatch: vec![None, Some(block)],
            ..Outputs::default()
        };
        clock.observe(&inputs, &outputs);
    }

    #[test]
    fn most_blocks_take_just_the_time_of_their_kernel() {
        let mut clock = clock();
        let mut in_time = || {
            begin(&mut clock);
            let (from, time) = (clock.now, clock.times[ENTRY.index()]);
            clock.next(&[None, Some(BLOCK)]).wrapping_sub(from) & MASK == time
        };
        let in_time = (0..1000).filter(|_| in_time()).count();
        assert!((700..1000).contains(&in_time), "{in_time} of 1,000");
    }

    #[test]
    fn most_kernels_take_as_long_as_the_one_before_but_for_a_bit_and_some_just_as_long() {
        let mut clock = clock();
        let mut next = || {
            begin(&mut clock);
            clock.time
        };
        let times: Vec<u64> = (0..1000).map(|_| next()).collect();
        let differ =
            |bits| times.windows(2).filter(|pair| (pair[0] ^ pair[1]).count_ones() == bits).count();
        assert!(differ(1) > 500 && differ(0) > 100, "{} and {}", differ(1), differ(0));
        assert!(times.iter().all(|time| (1..1 << DURATION).contains(time)));
        assert!(times.iter().any(|&time| time > 1 << 28) && times.iter().any(|&time| time < 16));
    }

    #[test]
    fn most_of_the_others_have_more_blocks_than_fit_at_once() {
        let mut clock = clock();
        let small = KernelLaunch { grid: Dim3::new(2, 1, 1), blocks: 2, ..KernelLaunch::default() };
        let mut waits = || {
            clock.before = None;
            let KernelLaunch { grid, blocks, needs, .. } = clock.kernel(small);
            assert_eq!(grid.volume(), u128::from(blocks));
            let of = |most: u32, need: u32| most.checked_div(need).unwrap_or(u32::MAX);
            let fit = of(1536, needs.threads).min(of(32_768, needs.registers));
            assert!(blocks == 2 || FIT.contains(&fit) && blocks > 2 * fit, "{needs:?}");
            blocks > 2
        };
        let waits = (0..1000).filter(|_| waits()).count();
        assert!((500..700).contains(&waits), "{waits} of 1,000");
    }

    #[test]
    fn a_kernel_that_is_not_large_is_repeated_unless_all_began_anew() {
        // One that waits has more blocks.
        let small = KernelLaunch { grid: Dim3::new(2, 1, 1), blocks: 2, ..KernelLaunch::default() };
        let other = KernelLaunch { grid: Dim3::new(9, 1, 1), blocks: 9, ..small };
        let large = KernelLaunch { grid: Dim3::new(301, 1, 1), blocks: 301, ..small };
        let repeats = |before: KernelLaunch, reset: bool| {
            let mut clock = clock();
            let mut repeated = || {
                clock.before = Some(before);
                clock.observe(&Inputs { reset, ..Inputs::default() }, &Outputs::default());
                clock.kernel(other).blocks == before.blocks
            };
            (0..1000).filter(|_| repeated()).count()
        };
        assert!((500..700).contains(&repeats(small, false)));
        assert_eq!((repeats(small, true), repeats(large, false)), (0, 0));
    }
}
