//! Twin of `srtf/reserve` (`docs/srtf.md`, rule 6): MPMax's limits, computed whenever the set of
//! kernels changes (section 5.2.2).
//!
//! Undefined, and not to be compared: the limit of a kernel for which none was computed since its
//! launch.

use super::{members, KERNELS};
use crate::port::{Activity, BlockNeeds, SmxLimits};

/// Input ports of [`Reserve`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReserveInputs {
    /// Synchronous reset.
    pub reset: bool,
    /// A launch is accepted or a kernel leaves in this cycle.
    pub change: bool,
    /// Kernels in the table.
    pub present: u8,
    /// What their blocks take.
    pub needs: [BlockNeeds; KERNELS],
}

/// Output ports of [`Reserve`]; they depend on the state alone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReserveOutputs {
    /// Limits are being computed.
    pub busy: bool,
    /// Most resident blocks of each kernel on an SMX; 6 bits.
    pub limit: [u32; KERNELS],
}

/// The state machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reserve {
    limits: SmxLimits,
    at: usize,
    /// The reserve and `n` blocks, and `n`; `None` before it has begun.
    sum: Option<(BlockNeeds, u32)>,
    limit: [u32; KERNELS],
}

impl Reserve {
    /// Nothing to compute, on SMXs of that size.
    pub fn new(limits: SmxLimits) -> Self {
        Self { limits, at: KERNELS, sum: None, limit: [0; KERNELS] }
    }

    /// The outputs of this cycle.
    pub fn evaluate(&self, _inputs: &ReserveInputs) -> ReserveOutputs {
        ReserveOutputs { busy: self.at < KERNELS, limit: self.limit }
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &ReserveInputs) -> Activity {
        let before = self.clone();
        if inputs.reset {
            *self = Self::new(self.limits);
        } else if inputs.change {
            (self.at, self.sum) = (0, None);
        } else if self.at < KERNELS {
            self.step(inputs);
        }
        Activity::from(*self != before)
    }

    fn step(&mut self, inputs: &ReserveInputs) {
        let at = self.at;
        if inputs.present >> at & 1 == 0 {
            self.at += 1;
            return;
        }
        let others = inputs.present & !(1 << at);
        let Some((sum, n)) = self.sum else {
            let reserve = members(others).map(|k| inputs.needs[k]).fold(
                BlockNeeds::default(),
                |reserve, needs| BlockNeeds {
                    threads: reserve.threads.max(needs.threads),
                    registers: reserve.registers.max(needs.registers),
                    shared_memory: reserve.shared_memory.max(needs.shared_memory),
                },
            );
            self.sum = Some((reserve, 0));
            return;
        };
        let one_more = BlockNeeds {
            threads: sum.threads + inputs.needs[at].threads,
            registers: sum.registers + inputs.needs[at].registers,
            shared_memory: sum.shared_memory + inputs.needs[at].shared_memory,
        };
        let fits = one_more.threads <= self.limits.threads
            && one_more.registers <= self.limits.registers
            && one_more.shared_memory <= self.limits.shared_memory
            && n + u32::from(others != 0) < self.limits.thread_block_slots;
        if fits {
            self.sum = Some((one_more, n + 1));
        } else {
            self.limit[at] = n.max(1);
            (self.at, self.sum) = (at + 1, None);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const GTX480: SmxLimits =
        SmxLimits { threads: 1536, registers: 32768, shared_memory: 49152, thread_block_slots: 8 };

    fn needs(threads: u32, registers: u32) -> BlockNeeds {
        BlockNeeds { threads, registers, shared_memory: 0 }
    }

    /// The limits of kernels 0, 1, ... with these needs, and the cycles that they take.
    fn limits(all: &[BlockNeeds]) -> (Vec<u32>, u32) {
        let mut reserve = Reserve::new(GTX480);
        let mut inputs = ReserveInputs { change: true, ..ReserveInputs::default() };
        inputs.present = ((1u16 << all.len()) - 1) as u8;
        inputs.needs[..all.len()].copy_from_slice(all);
        reserve.clock(&inputs);
        inputs.change = false;
        let mut cycles = 0;
        while reserve.evaluate(&inputs).busy {
            assert_eq!(reserve.clock(&inputs), Activity::Busy);
            cycles += 1;
        }
        assert_eq!(reserve.clock(&inputs), Activity::Quiet);
        (reserve.limit[..all.len()].to_vec(), cycles)
    }

    #[test]
    fn two_kernels_set_aside_one_block_of_each_other() {
        let (aes, jpeg) = (needs(256, 256 * 20), needs(64, 64 * 16));
        assert_eq!(limits(&[aes, jpeg]).0, [5, 7]);
        assert_eq!(limits(&[jpeg, jpeg]).0, [7, 7]);
    }

    #[test]
    fn a_kernel_alone_has_its_residency_and_takes_nine_cycles_more() {
        assert_eq!(limits(&[needs(256, 0)]), (vec![6], 8 + 1 + 6));
        assert_eq!(limits(&[needs(64, 0)]), (vec![8], 8 + 1 + 8));
        assert_eq!(limits(&[]), (vec![], 8));
    }

    #[test]
    fn a_limit_is_never_below_one_block_and_the_composite_is_the_largest_of_each_resource() {
        let (wide, deep) = (needs(1536, 32), needs(32, 32768));
        assert_eq!(limits(&[wide, deep]).0, [1, 1]);
        // Threads of one and registers of the other co-runner.
        let all = [needs(512, 8192), needs(1024, 8192), needs(512, 24576)];
        assert_eq!(limits(&all).0[0], 1);
    }

    #[test]
    fn a_change_on_the_way_begins_anew() {
        let mut reserve = Reserve::new(GTX480);
        let mut inputs = ReserveInputs { change: true, present: 1, ..Default::default() };
        inputs.needs[0] = needs(256, 0);
        reserve.clock(&inputs);
        let begun = reserve.clone();
        inputs.change = false;
        for _ in 0..4 {
            reserve.clock(&inputs);
        }
        assert_ne!(reserve, begun);
        inputs.change = true;
        reserve.clock(&inputs);
        assert_eq!(reserve, begun);
        reserve.clock(&ReserveInputs { reset: true, ..inputs });
        assert_eq!(reserve, Reserve::new(GTX480));
    }

    proptest! {
        #[test]
        fn the_limit_is_the_largest_number_beside_which_the_reserve_fits(
            all in prop::collection::vec((1u32..48, 0u32..20000, 0u32..30000), 1..=8),
        ) {
            let all: Vec<_> = all
                .into_iter()
                .map(|(warps, registers, shared_memory)| BlockNeeds {
                    threads: 32 * warps, registers, shared_memory,
                })
                .collect();
            let (limits, _) = limits(&all);
            for (k, own) in all.iter().enumerate() {
                let others = || all.iter().enumerate().filter(|(j, _)| *j != k).map(|(_, n)| n);
                let most = |of: fn(&BlockNeeds) -> u32| others().map(of).max().unwrap_or(0);
                let fits = |n: u32| {
                    n * own.threads + most(|n| n.threads) <= GTX480.threads
                        && n * own.registers + most(|n| n.registers) <= GTX480.registers
                        && n * own.shared_memory + most(|n| n.shared_memory) <= GTX480.shared_memory
                        && n + u32::from(all.len() > 1) <= GTX480.thread_block_slots
                };
                let expected = (1..=8).filter(|&n| fits(n)).max().unwrap_or(1);
                prop_assert_eq!(limits[k], expected);
            }
        }
    }
}
