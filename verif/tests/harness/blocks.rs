//! A whole scheduler, hardware and twin in lockstep, and blocks that last as long as they are told
//! to.

use blockyard::engine::{Lockstep, RtlScheduler};
use blockyard_sim::port::{
    BlockNeeds, CoreSample, Dim3, Inputs, KernelEntry, KernelLaunch, Outputs, Scheduler, SmxLimits,
    KERNEL_ENTRIES,
};
use blockyard_sim::sched::{self, Composition};
use std::collections::VecDeque;

/// A kernel of a one-dimensional grid that is offered from a cycle on; every block lasts as long.
#[derive(Clone, Copy, Debug)]
pub struct Work {
    pub arrive: u64,
    pub blocks: u32,
    pub duration: u64,
}

/// A block went to an SMX; kernels are counted in the order of acceptance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Issue {
    pub cycle: u64,
    pub smx: usize,
    pub kernel: usize,
    pub block: u32,
}

/// A scheduler under test and what its SMXs hold.
pub struct Bench {
    lockstep: Lockstep,
    smx: usize,
    /// In each cycle's samples `(idle, memory)`, the same for all SMXs; the first is cycle 0's.
    pub samples: Vec<Option<(u16, u16)>>,
}

impl Bench {
    /// After reset. SMXs are limited by their slots alone.
    pub fn new(scheduler: &str, smx: usize, thread_block_slots: u32) -> Self {
        let limits = SmxLimits {
            threads: 2048,
            registers: 65_536,
            shared_memory: 49_152,
            thread_block_slots,
        };
        let composition: Composition = scheduler.parse().expect("a known scheduler");
        let hardware = RtlScheduler::build(&composition, smx, limits).expect("there is hardware");
        let lockstep = Lockstep::new(sched::build(&composition, smx, limits), hardware);
        Self { lockstep, smx, samples: Vec::new() }
    }

    /// One cycle of reset beside a launch, a lookup and samples, none of which may count.
    pub fn reset(&mut self) {
        let launch = Some(launch(3));
        let samples = Some(vec![CoreSample { idle: 4095, memory: 0 }; self.smx]);
        let lookup = Some(KernelEntry(0));
        let inputs = Inputs { reset: true, launch, lookup, samples, ..Inputs::idle(self.smx) };
        self.lockstep.cycle(&inputs, &mut Outputs::default());
    }

    /// Runs all `work` to its end, or so many cycles; what was dispatched, and when each kernel
    /// was reported as finished.
    ///
    /// # Panics
    /// When hardware and twin differ.
    #[track_caller]
    pub fn run(&mut self, work: &[Work], cycles: u64) -> (Vec<Issue>, Vec<(usize, u64)>) {
        let mismatch = self.lockstep.mismatch();
        let (mut inputs, mut outputs) = (Inputs::idle(self.smx), Outputs::idle(self.smx));
        let (mut issues, mut finished) = (Vec::new(), Vec::new());
        let mut resident: Vec<Vec<(u64, KernelEntry)>> = vec![Vec::new(); self.smx];
        let mut waiting: VecDeque<_> = work.iter().enumerate().collect();
        let mut names = [usize::MAX; KERNEL_ENTRIES];
        for cycle in 0..cycles {
            let next = waiting.front().copied().filter(|(_, work)| work.arrive <= cycle);
            inputs.launch = next.map(|(_, work)| launch(work.blocks));
            inputs.lookup = Some(KernelEntry((cycle % 32) as u8));
            for (report, held) in inputs.finished.iter_mut().zip(&mut resident) {
                let earliest = (0..held.len()).min_by_key(|&i| held[i].0);
                let ends = earliest.filter(|&i| held[i].0 <= cycle);
                *report = ends.map(|i| held.remove(i).1);
            }
            let sample = self.samples.get(cycle as usize).copied().flatten();
            let all = |(idle, memory)| vec![CoreSample { idle, memory }; self.smx];
            inputs.samples = sample.map(all);
            self.lockstep.cycle(&inputs, &mut outputs);
            if let Some(mismatch) = mismatch.borrow().as_ref() {
                panic!("cycle {}: {}", mismatch.cycle, mismatch.difference);
            }
            for (smx, dispatch) in outputs.dispatch.iter().enumerate() {
                if let Some(dispatch) = dispatch {
                    let kernel = names[dispatch.kernel.index()];
                    issues.push(Issue { cycle, smx, kernel, block: dispatch.block.x });
                    resident[smx].push((cycle + work[kernel].duration, dispatch.kernel));
                }
            }
            for (entry, &kernel) in names.iter().enumerate() {
                if outputs.finished_kernels >> entry & 1 == 1 {
                    finished.push((kernel, cycle));
                }
            }
            if finished.len() == work.len() {
                break;
            }
            if let (Some((kernel, _)), Some(entry)) = (next, outputs.launch_ready) {
                names[entry.index()] = kernel;
                waiting.pop_front();
            }
        }
        (issues, finished)
    }
}

fn launch(blocks: u32) -> KernelLaunch {
    KernelLaunch {
        entry_pc: blocks,
        grid: Dim3::new(blocks, 1, 1),
        block: Dim3::new(32, 1, 1),
        blocks,
        needs: BlockNeeds { threads: 32, ..BlockNeeds::default() },
        ..KernelLaunch::default()
    }
}
