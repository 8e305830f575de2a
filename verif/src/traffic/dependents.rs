//! Kernels that follow others, and blocks that trigger, for schedulers of dependent kernels.

use super::Resident;
use blockyard_sim::port::{Inputs, KernelEntry, Outputs, KERNEL_ENTRIES};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// Chance in 1,000 that a kernel follows another one.
const FOLLOWS: u32 = 600;

/// Chance in 1,000 that a kernel is offered in the cycle in which one ends that it follows.
const JUST_ENDING: u32 = 300;

/// Chances in 1,000 that a block triggers in a cycle: those of one kernel soon, those of another at
/// their ends.
const TRIGGERS: [u32; 4] = [0, 20, 200, 900];

/// A kernel in an entry.
#[derive(Clone, Copy)]
struct Kernel {
    /// Blocks that have not ended.
    left: u32,
    /// Chance in 1,000 that one of them triggers in a cycle.
    triggers: u32,
}

/// Which kernels follow others; random numbers of its own leave the rest of the traffic as it is.
pub struct Dependents {
    random: Pcg64,
    kernels: [Option<Kernel>; KERNEL_ENTRIES],
    /// Of each SMX, whose blocks have not triggered.
    pending: Vec<Vec<KernelEntry>>,
}

impl Dependents {
    /// For `smx` SMXs; the same seed gives the same dependents.
    pub fn new(smx: usize, seed: u64) -> Self {
        let random = Pcg64::seed_from_u64(seed.rotate_left(43));
        Self { random, kernels: [None; KERNEL_ENTRIES], pending: vec![Vec::new(); smx] }
    }

    /// Whom the next kernel follows, if anybody.
    pub fn follows(&mut self) -> Option<KernelEntry> {
        if !self.chance(FOLLOWS) {
            return None;
        }
        let entries: Vec<u8> = (0..KERNEL_ENTRIES as u8).collect();
        let there = entries.into_iter().filter(|&entry| self.kernels[usize::from(entry)].is_some());
        let there: Vec<KernelEntry> = there.map(KernelEntry).collect();
        there.choose(&mut self.random).copied()
    }

    /// One whose last block has ended, and which may end in this cycle: a kernel is offered that
    /// follows it.
    pub fn follows_what_ends(&mut self) -> Option<KernelEntry> {
        let ending = |kernel: &Option<Kernel>| kernel.is_some_and(|kernel| kernel.left == 0);
        let entry = self.kernels.iter().position(ending)?;
        self.chance(JUST_ENDING).then_some(KernelEntry(entry as u8))
    }

    /// Whether a kernel is there, so that one that is accepted in this cycle may follow it.
    pub fn is_there(&self, entry: KernelEntry) -> bool {
        self.kernels[entry.index()].is_some()
    }

    /// Whose block triggers on an SMX that holds blocks, one of which has just `ended`.
    pub fn trigger(
        &mut self,
        smx: usize,
        held: &[Resident],
        ended: Option<KernelEntry>,
    ) -> Option<KernelEntry> {
        if let Some(kernel) = ended {
            let of_kernel = |block: &&Resident| block.kernel == kernel;
            let blocks = 1 + held.iter().filter(of_kernel).count();
            let pending = self.pending[smx].iter().filter(|&&one| one == kernel).count();
            // Blocks of a kernel are alike: the one that ends is any of them.
            if self.random.random_range(0..blocks) < pending {
                return self.remove(smx, kernel);
            }
        }
        let kernel = *self.pending[smx].choose(&mut self.random)?;
        let chance = self.kernels[kernel.index()].map_or(0, |kernel| kernel.triggers);
        match self.chance(chance) {
            true => self.remove(smx, kernel),
            false => None,
        }
    }

    /// What the scheduler did.
    pub fn observe(&mut self, inputs: &Inputs, outputs: &Outputs) {
        if inputs.reset {
            self.kernels = [None; KERNEL_ENTRIES];
            self.pending.iter_mut().for_each(Vec::clear);
            return;
        }
        for ended in inputs.finished.iter().flatten() {
            if let Some(kernel) = &mut self.kernels[ended.index()] {
                kernel.left = kernel.left.saturating_sub(1);
            }
        }
        for (entry, kernel) in self.kernels.iter_mut().enumerate() {
            if outputs.finished_kernels >> entry & 1 == 1 {
                *kernel = None;
            }
        }
        let (asks, answers) = (&inputs.device.management, &outputs.device.management);
        let host = inputs.launch.as_ref().zip(outputs.launch_ready);
        for (launch, entry) in
            host.into_iter().chain(asks.record.as_ref().zip(answers.record_entry))
        {
            let triggers = *TRIGGERS.choose(&mut self.random).expect("some chance");
            self.kernels[entry.index()] = Some(Kernel { left: launch.blocks, triggers });
        }
        for (pending, dispatch) in self.pending.iter_mut().zip(&outputs.dispatch) {
            pending.extend(dispatch.map(|block| block.kernel));
        }
    }

    fn remove(&mut self, smx: usize, kernel: KernelEntry) -> Option<KernelEntry> {
        let at = self.pending[smx].iter().position(|&one| one == kernel)?;
        Some(self.pending[smx].swap_remove(at))
    }

    fn chance(&mut self, per_mille: u32) -> bool {
        self.random.random_range(0..1000) < per_mille
    }
}
