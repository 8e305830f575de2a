//! What the report of a stuck run says of a dispatcher.

use super::super::{FcfsControlInputs, MAX_GROUP_ENTRIES};
use super::Dispatcher;
use crate::port::{GroupReference, KernelEntry, KERNEL_ENTRIES};
use std::fmt::Write;

/// Groups of one list that are named one by one.
const NAMED_GROUPS: usize = 8;

impl Dispatcher {
    /// The head and the gates' reasons, the groups that wait behind each kernel, what the coalescer
    /// does, and where the scheduler believes that blocks are.
    pub(super) fn explanation(&self) -> String {
        let fcfs = self.fcfs_control.evaluate(&FcfsControlInputs::default());
        let mut lines = Vec::new();
        match fcfs.head {
            Some(head) => {
                let of = if fcfs.head_first { "native blocks" } else { "groups" };
                lines.push(format!("the scheduler distributes the {of} of entry {}", head.0));
                lines.extend(self.gates.explain(head));
            }
            None => lines.push("the scheduler has no kernel to distribute".to_owned()),
        }
        lines.extend(self.group_fetch.explain());
        let kernels = (0..KERNEL_ENTRIES as u8).map(KernelEntry);
        lines.extend(kernels.filter_map(|kernel| self.list(kernel)));
        lines.push(format!(
            "{} groups are in the Aggregated Group Table",
            self.group_table.in_use()
        ));
        lines.extend(self.coalescer.explain());
        lines.extend(self.resource_table.explain());
        lines.join("\n")
    }

    /// A line about the groups that wait behind a kernel, if there are any.
    fn list(&self, kernel: KernelEntry) -> Option<String> {
        let (first, last) = self.group_lists.ends(kernel)?;
        let mut line = format!("groups of entry {}: {}", kernel.0, name(first));
        let (mut at, mut more) = (first, 0);
        // A list is as long as the table at most until it leaves the chip.
        for place in 1..=MAX_GROUP_ENTRIES as usize {
            let next = at.index().and_then(|index| self.group_table.next(index));
            let Some(next) = next.filter(|_| at != last) else {
                break;
            };
            if place < NAMED_GROUPS {
                let _ = write!(line, ", {}", name(next));
            } else {
                more += 1;
            }
            at = next;
        }
        if more > 0 {
            let _ = write!(line, " and {more} more");
        }
        if at != last {
            let _ = write!(line, ", and on to {}", name(last));
        }
        Some(line)
    }
}

fn name(group: GroupReference) -> String {
    match (group.index(), group.pointer()) {
        (Some(index), _) => format!("{index}"),
        (None, pointer) => format!("memory {:#x}", pointer.unwrap_or_default()),
    }
}
