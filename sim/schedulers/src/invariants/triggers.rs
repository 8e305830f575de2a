//! A kernel that follows another one waits until each block of that one has triggered, and each
//! block triggers once, by the rules of `docs/dependent.md`.

use std::collections::BTreeMap;

use super::held::Held;
use super::Occupant;
use crate::port::{Inputs, KernelEntry, KernelLaunch, KERNEL_ENTRIES};

/// See the module.
#[derive(Clone, PartialEq)]
pub(super) struct TriggerRules {
    /// Of the kernel in each entry the blocks that have not triggered.
    pending: [u64; KERNEL_ENTRIES],
    /// For each entry whom its kernel waits for.
    waits: [Option<KernelEntry>; KERNEL_ENTRIES],
    /// For each entry, whether the one it waits for has had nothing pending: its entry may be
    /// another kernel's by now.
    settled: [bool; KERNEL_ENTRIES],
    /// For each SMX the resident blocks of each entry that have not triggered.
    untriggered: Vec<BTreeMap<KernelEntry, u32>>,
    /// The kernel that is marked in this cycle if no launch is at once.
    ready: Option<KernelEntry>,
}

impl TriggerRules {
    /// Nothing is resident on `smx` SMXs.
    pub(super) fn new(smx: usize) -> Self {
        Self {
            pending: [0; KERNEL_ENTRIES],
            waits: [None; KERNEL_ENTRIES],
            settled: [false; KERNEL_ENTRIES],
            untriggered: vec![BTreeMap::new(); smx],
            ready: None,
        }
    }

    /// Rule 3: the triggers of this cycle; `smxs` hold what stays of what was there before.
    pub(super) fn trigger(&mut self, inputs: &Inputs, smxs: &[Held]) -> Result<(), String> {
        let (triggers, count) = (inputs.triggered.len(), smxs.len());
        if triggers != count {
            return Err(format!("{triggers} triggers for {count} SMXs"));
        }
        for (settled, waits) in self.settled.iter_mut().zip(&self.waits) {
            *settled |= waits.is_some_and(|predecessor| self.pending[predecessor.index()] == 0);
        }
        let ready = self.settled.iter().position(|&settled| settled);
        self.ready = ready.map(|entry| KernelEntry(entry as u8));
        for (smx, triggered) in inputs.triggered.iter().enumerate() {
            let Some(kernel) = triggered else { continue };
            let left = self.untriggered[smx].get_mut(kernel).filter(|left| **left > 0);
            let Some(left) = left else {
                return Err(format!(
                    "a block of entry {} triggers on SMX {smx}, where none is that has not",
                    kernel.0
                ));
            };
            *left -= 1;
            self.pending[kernel.index()] -= 1;
        }
        for (smx, ended) in inputs.finished.iter().enumerate() {
            let Some(kernel) = ended else { continue };
            let stay = smxs[smx].blocks_of(*kernel);
            if self.untriggered[smx].get(kernel).copied().unwrap_or(0) > stay {
                return Err(format!(
                    "a block of entry {} ends on SMX {smx} and has not triggered",
                    kernel.0
                ));
            }
        }
        Ok(())
    }

    /// Rule 5: a block of `kernel` goes to an SMX.
    pub(super) fn dispatch(&mut self, smx: usize, kernel: KernelEntry) -> Result<(), String> {
        if let Some(predecessor) = self.waits[kernel.index()] {
            let left = match self.settled[kernel.index()] {
                true => 0,
                false => self.pending[predecessor.index()],
            };
            let (entry, of) = (kernel.0, predecessor.0);
            return Err(format!(
                "entry {entry} dispatches while it waits for entry {of}, of which {left} blocks have not triggered"
            ));
        }
        *self.untriggered[smx].entry(kernel).or_default() += 1;
        Ok(())
    }

    /// Rule 6: which kernels may not be reported as finished.
    pub(super) fn check_finished(&self, finished_kernels: u32) -> Result<(), String> {
        for (entry, waits) in self.waits.iter().enumerate() {
            if waits.is_some() && finished_kernels >> entry & 1 == 1 {
                return Err(format!("entry {entry} reported as finished while it waits"));
            }
        }
        Ok(())
    }

    /// The clock edge of a cycle in which `entering` is accepted, while `entries` are occupied:
    /// returns the kernel that is marked.
    ///
    /// # Errors
    /// When a launch follows a free entry (rule 2).
    pub(super) fn clock(
        &mut self,
        entering: Option<(KernelLaunch, KernelEntry)>,
        entries: &[Option<Occupant>],
    ) -> Result<Option<(KernelLaunch, KernelEntry)>, String> {
        let direct = entering.filter(|(launch, _)| launch.follows.is_none());
        let waited = self.ready.and_then(|entry| {
            entries[entry.index()].as_ref().map(|occupant| (occupant.launch, entry))
        });
        let mark = direct.or(waited);
        if let Some((_, entry)) = mark {
            self.waits[entry.index()] = None;
            self.settled[entry.index()] = false;
        }
        if let Some((launch, entry)) = entering {
            if let Some(predecessor) = launch.follows {
                if entries[predecessor.index()].is_none() {
                    let of = predecessor.0;
                    return Err(format!("a launch follows entry {of}, which is free"));
                }
            }
            self.pending[entry.index()] = u64::from(launch.blocks);
            self.waits[entry.index()] = launch.follows;
        }
        Ok(mark)
    }
}
