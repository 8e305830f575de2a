//! Twin of `dependent/waiting` (`docs/dependent.md`, rules 2, 4 and 5): which kernels wait, for
//! whom, and which one is marked.
//!
//! Undefined, and not to be compared: what follows a launch that is accepted into the entry of a
//! kernel that waits, or that follows an entry into which nothing was ever accepted since reset,
//! and a trigger of a kernel that has nothing pending. In a reset cycle `mark`.

use super::cover;
use crate::cover::when;
use crate::port::{Activity, KernelEntry, KERNEL_ENTRIES};
use crate::PerSmx;

/// Input ports of [`Waiting`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WaitingInputs {
    /// Synchronous reset.
    pub reset: bool,
    /// The entry into which a launch is accepted.
    pub accepted: Option<KernelEntry>,
    /// Its thread blocks, 31 bits; only with `accepted`.
    pub blocks: u32,
    /// The entry of its predecessor; only with `accepted`.
    pub follows: Option<KernelEntry>,
    /// `triggered` and `triggered_kernel`: for each SMX, the kernel of a block that triggers there.
    pub triggered: PerSmx<Option<KernelEntry>>,
}

/// Output ports of [`Waiting`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WaitingOutputs {
    /// The kernel that is marked in this cycle; depends on the state, `accepted` and `follows`.
    pub mark: Option<KernelEntry>,
    /// Bit k: the kernel in entry k waits; depends on the state alone.
    pub waits: u32,
}

/// What is pending, and who waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// Blocks of the kernel of each entry that have not triggered.
    pending: [u32; KERNEL_ENTRIES],
    /// For each entry, whom its kernel follows, while it waits.
    follows: [Option<KernelEntry>; KERNEL_ENTRIES],
    /// For each entry, whether its kernel waits and its predecessor has had nothing pending in a
    /// cycle before: the predecessor's entry may be another kernel's by now.
    settled: [bool; KERNEL_ENTRIES],
}

impl Default for Waiting {
    fn default() -> Self {
        Self::new()
    }
}

impl Waiting {
    /// Nobody waits, and nothing is pending.
    pub fn new() -> Self {
        Self {
            pending: [0; KERNEL_ENTRIES],
            follows: [None; KERNEL_ENTRIES],
            settled: [false; KERNEL_ENTRIES],
        }
    }

    /// The outputs of this cycle.
    pub fn evaluate(&self, inputs: &WaitingInputs) -> WaitingOutputs {
        let direct = inputs.accepted.filter(|_| inputs.follows.is_none());
        let waits = self.follows.iter().enumerate().filter(|(_, follows)| follows.is_some());
        WaitingOutputs {
            mark: direct.or(self.ready().next()),
            waits: waits.fold(0, |waits, (entry, _)| waits | 1 << entry),
        }
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &WaitingInputs) -> Activity {
        let before = self.clone();
        let mark = self.evaluate(inputs).mark;
        if inputs.reset {
            *self = Self::new();
            return Activity::from(*self != before);
        }
        self.cover(inputs);
        let ready: Vec<KernelEntry> = self.ready().collect();
        for entry in ready {
            self.settled[entry.index()] = true;
        }
        for kernel in inputs.triggered.stated().iter().flatten() {
            let pending = &mut self.pending[kernel.index()];
            *pending = pending.saturating_sub(1);
        }
        if let Some(entry) = mark {
            self.follows[entry.index()] = None;
            self.settled[entry.index()] = false;
        }
        if let Some(entry) = inputs.accepted {
            self.pending[entry.index()] = inputs.blocks;
            self.follows[entry.index()] = inputs.follows;
        }
        Activity::from(*self != before)
    }

    /// One bit an entry: it waits; depends on the state alone.
    pub(crate) fn waits(&self) -> u32 {
        self.evaluate(&WaitingInputs::default()).waits
    }

    /// A line of a stuck run's report for each kernel that waits.
    pub(crate) fn explain(&self) -> impl Iterator<Item = String> + '_ {
        self.follows.iter().enumerate().filter_map(|(entry, follows)| {
            let follows = follows.filter(|_| !self.settled[entry])?;
            let pending = self.pending[follows.index()];
            Some(format!(
                "the kernel in entry {entry} waits for that in entry {}, of which {pending} blocks have not \
                triggered",
                follows.0
            ))
        })
    }

    /// The kernels that wait and may be marked, from the lowest entry on.
    fn ready(&self) -> impl Iterator<Item = KernelEntry> + '_ {
        let waits = self.follows.iter().enumerate();
        let ready = waits.filter(|(entry, follows)| {
            follows.is_some_and(|predecessor| {
                self.settled[*entry] || self.pending[predecessor.index()] == 0
            })
        });
        ready.map(|(entry, _)| KernelEntry(entry as u8))
    }

    fn cover(&self, inputs: &WaitingInputs) {
        let WaitingInputs { accepted, follows, .. } = *inputs;
        when(
            accepted.is_some() && follows.is_none() && self.ready().next().is_some(),
            &cover::DIRECT,
        );
        when(self.ready().nth(1).is_some(), &cover::TOGETHER);
        let strange = |(entry, follows): (usize, &Option<KernelEntry>)| {
            follows.is_some_and(|of| self.settled[entry] && self.pending[of.index()] > 0)
        };
        when(self.follows.iter().enumerate().any(strange), &cover::AGAIN);
        let followed = accepted.and(follows);
        when(followed.is_some_and(|entry| self.follows[entry.index()].is_some()), &cover::CHAIN);
    }
}

#[cfg(test)]
mod tests;
