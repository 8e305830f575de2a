//! Twin of `dtbl/coalescer`: finds the kernel that the groups of a command are coalesced to
//! (DTBL, sections 4.2 and 4.3).
//!
//! Two commands at most are inside: one is searched for, one has its groups taken. Undefined, and
//! not to be compared: `probe` while no command is searched for; everything after a command of no
//! group.

use super::cover;
use crate::cover::{counting, met, when};
use crate::port::{Activity, AggregationCommand, KernelContext, KernelEntry, KERNEL_ENTRIES};

/// Input ports of [`Coalescer`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CoalescerInputs {
    /// Synchronous reset.
    pub reset: bool,
    /// A command is offered; accepted when `command_ready`.
    pub command: Option<AggregationCommand>,
    /// `probe_valid` and `probe_context`: what is known of the entry at `probe`; `None` when it is
    /// free.
    pub probe: Option<KernelContext>,
    /// One bit an entry: it is released at the end of this cycle.
    pub finished_kernels: u32,
    /// The next group of the command whose groups are due is there.
    pub group_valid: bool,
    /// A kernel enters the Kernel Distributor in this cycle: no group is taken.
    pub stall: bool,
}

/// Output ports of [`Coalescer`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CoalescerOutputs {
    /// The search stage is free. Depends on the state alone.
    pub command_ready: bool,
    /// The entry that is compared in this cycle. Depends on the state alone.
    pub probe: KernelEntry,
    /// The group is taken in this cycle.
    pub take: bool,
    /// `matched` and `kernel`: what the group is coalesced to, if `take`; `None` when it comes
    /// back.
    pub kernel: Option<KernelEntry>,
    /// One bit an entry: it must not be released. Depends on the state alone.
    pub hold: u32,
}

/// A command in the search stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Search {
    command: AggregationCommand,
    /// Cycles until its parameters are in place.
    wait: u8,
    step: Step,
}

/// How far a search is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// This entry is compared in this cycle.
    Compares(KernelEntry),
    /// The result, which waits for the allocation stage.
    Ended(Option<KernelEntry>),
}

/// A command in the allocation stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Allocation {
    kernel: Option<KernelEntry>,
    /// Groups that are still to be taken.
    groups: u8,
    /// Cycles until their parameters are in place.
    wait: u8,
}

/// The two stages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coalescer {
    search: Option<Search>,
    allocation: Option<Allocation>,
}

impl Coalescer {
    /// Two free stages.
    pub fn new() -> Self {
        Self::default()
    }

    /// The outputs of this cycle.
    pub fn evaluate(&self, inputs: &CoalescerInputs) -> CoalescerOutputs {
        let mut outputs =
            CoalescerOutputs { command_ready: self.search.is_none(), ..Default::default() };
        let mut held = None;
        match self.search.map(|search| search.step) {
            Some(Step::Compares(entry)) => outputs.probe = entry,
            Some(Step::Ended(kernel)) => held = kernel,
            None => {}
        }
        let matched = self.allocation.and_then(|allocation| allocation.kernel);
        for kernel in held.into_iter().chain(matched) {
            outputs.hold |= 1 << kernel.index();
        }
        let due = self.allocation.is_some_and(|allocation| allocation.wait == 0);
        outputs.take = due && inputs.group_valid && !inputs.stall;
        outputs.kernel = matched.filter(|_| outputs.take);
        outputs
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &CoalescerInputs) -> Activity {
        let before = self.clone();
        let outputs = self.evaluate(inputs);
        if counting() && !inputs.reset {
            self.cover(inputs);
        }

        // Groups leave the allocation stage.
        if let Some(allocation) = &mut self.allocation {
            allocation.wait = allocation.wait.saturating_sub(1);
            allocation.groups = allocation.groups.saturating_sub(outputs.take.into());
        }
        self.allocation = self.allocation.filter(|allocation| allocation.groups > 0);

        // The search goes on; with its result the command moves on as soon as there is room.
        if let Some(search) = &mut self.search {
            search.wait = search.wait.saturating_sub(1);
            if let Step::Compares(entry) = search.step {
                if eligible(&search.command, entry, inputs) {
                    search.step = Step::Ended(Some(entry));
                } else if entry.index() + 1 < KERNEL_ENTRIES {
                    search.step = Step::Compares(KernelEntry(entry.0 + 1));
                } else {
                    search.step = Step::Ended(None);
                }
            }
            if let (Step::Ended(kernel), None) = (search.step, self.allocation) {
                let Search { wait, command: AggregationCommand { groups, .. }, .. } = *search;
                self.allocation = Some(Allocation { kernel, groups, wait });
                self.search = None;
            }
        }
        if let Some(command) = inputs.command.filter(|_| outputs.command_ready) {
            let (wait, step) = (command.wait.saturating_sub(1), Step::Compares(KernelEntry(0)));
            self.search = Some(Search { command, wait, step });
        }
        if inputs.reset {
            *self = Self::new();
        }
        Activity::from(*self != before)
    }

    /// What the search compares, and what groups wait for.
    fn cover(&self, inputs: &CoalescerInputs) {
        if let Some(allocation) = self.allocation.filter(|_| inputs.group_valid) {
            when(allocation.wait > 0, &cover::PARAMETERS_WAIT);
            when(allocation.wait == 0 && inputs.stall, &cover::STALLS);
        }
        let Some(Search { command, step, .. }) = self.search else { return };
        let Step::Compares(entry) = step else {
            when(self.allocation.is_some(), &cover::RESULT_WAITS);
            return;
        };
        let Some(context) = inputs.probe else {
            met(&cover::FREE);
            when(entry.index() + 1 == KERNEL_ENTRIES, &cover::NONE_EQUAL);
            return;
        };
        let last = entry.index() + 1 == KERNEL_ENTRIES;
        if eligible(&command, entry, inputs) {
            met(&cover::EQUAL);
            when(last, &cover::LAST_EQUAL);
            return;
        }
        when(last, &cover::NONE_EQUAL);
        let (theirs, ours) = (context.block, command.block);
        let differ = (
            context.entry_pc != command.entry_pc,
            theirs.x != ours.x,
            theirs.y != ours.y,
            theirs.z != ours.z,
        );
        match differ {
            (false, false, false, false) => met(&cover::ENDS),
            (true, false, false, false) => met(&cover::ONLY_PC),
            (false, true, false, false) => met(&cover::ONLY_X),
            (false, false, true, false) => met(&cover::ONLY_Y),
            (false, false, false, true) => met(&cover::ONLY_Z),
            _ => {}
        }
    }

    /// What is inside, for the report of a stuck run.
    pub(in super::super) fn explain(&self) -> Option<String> {
        let mut lines = Vec::new();
        if let Some(Search { step, .. }) = self.search {
            lines.push(match step {
                Step::Compares(KernelEntry(k)) => {
                    format!("a command is compared with the kernel in entry {k}")
                }
                Step::Ended(_) => "a command waits for the groups of the one before it".to_owned(),
            });
        }
        if let Some(Allocation { kernel, groups, wait }) = self.allocation {
            let kernel = kernel.map_or("no kernel".to_owned(), |k| format!("entry {}", k.0));
            lines.push(format!(
                "{groups} groups of a command that matches {kernel} are still to be taken, in \
                 {wait} cycles"
            ));
        }
        (!lines.is_empty()).then(|| lines.join("\n"))
    }
}

/// Whether the entry that is probed can take the groups of `command`.
fn eligible(command: &AggregationCommand, entry: KernelEntry, inputs: &CoalescerInputs) -> bool {
    let ends = inputs.finished_kernels >> entry.index() & 1 == 1;
    let same = |context: KernelContext| {
        context.entry_pc == command.entry_pc && context.block == command.block
    };
    !ends && inputs.probe.is_some_and(same)
}

#[cfg(test)]
mod tests;
