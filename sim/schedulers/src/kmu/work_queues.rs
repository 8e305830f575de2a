//! Twin of `kmu/work_queues`: which hardware work queues wait for their head kernel to end
//! (DTBL, section 2.2).

use crate::port::{Activity, KernelEntry, WORK_QUEUES};

/// Input ports of [`WorkQueues`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WorkQueuesInputs {
    /// Synchronous reset.
    pub reset: bool,
    /// The queue whose head kernel is accepted in this cycle; 5 bits. One that is not inspected
    /// waits for this kernel from now on.
    pub accepted: Option<u8>,
    /// The entry of the Kernel Distributor that this kernel takes.
    pub accepted_entry: KernelEntry,
    /// One bit an entry: the kernel in it has ended.
    pub finished_kernels: u32,
}

/// Output ports of [`WorkQueues`]; they depend on the state alone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WorkQueuesOutputs {
    /// One bit a queue: its head may be offered.
    pub inspect: u32,
}

/// For each queue the entry of the kernel that it waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkQueues {
    waits_for: Vec<Option<KernelEntry>>,
}

impl Default for WorkQueues {
    fn default() -> Self {
        Self::new()
    }
}

impl WorkQueues {
    /// Queues that are all inspected.
    pub fn new() -> Self {
        Self { waits_for: vec![None; WORK_QUEUES] }
    }

    /// The outputs of this cycle.
    pub fn evaluate(&self, _inputs: &WorkQueuesInputs) -> WorkQueuesOutputs {
        let mut inspect = 0;
        for (queue, waits_for) in self.waits_for.iter().enumerate() {
            inspect |= u32::from(waits_for.is_none()) << queue;
        }
        WorkQueuesOutputs { inspect }
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &WorkQueuesInputs) -> Activity {
        if inputs.reset {
            let changed = self.waits_for.iter().any(Option::is_some);
            self.waits_for.fill(None);
            return Activity::from(changed);
        }
        let mut changed = false;
        for waits_for in &mut self.waits_for {
            let ended = waits_for.filter(|k| inputs.finished_kernels >> k.index() & 1 == 1);
            if ended.is_some() {
                *waits_for = None;
                changed = true;
            }
        }
        if let Some(queue) = inputs.accepted {
            self.waits_for[usize::from(queue) % WORK_QUEUES] = Some(inputs.accepted_entry);
            changed = true;
        }
        Activity::from(changed)
    }

    /// How many queues wait, for the report of a stuck run.
    pub(super) fn waiting(&self) -> usize {
        self.waits_for.iter().flatten().count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accepted(queue: u8, entry: u8) -> WorkQueuesInputs {
        let accepted_entry = KernelEntry(entry);
        WorkQueuesInputs { accepted: Some(queue), accepted_entry, ..Default::default() }
    }

    fn ended(finished_kernels: u32) -> WorkQueuesInputs {
        WorkQueuesInputs { finished_kernels, ..Default::default() }
    }

    /// Queues that are inspected in a cycle with these inputs, which must not matter.
    fn inspect(queues: &WorkQueues, inputs: &WorkQueuesInputs) -> u32 {
        let outputs = queues.evaluate(inputs);
        assert_eq!(outputs, queues.evaluate(&WorkQueuesInputs::default()));
        outputs.inspect
    }

    #[test]
    fn a_queue_is_not_inspected_from_the_cycle_after_acceptance_to_that_of_the_end() {
        let mut queues = WorkQueues::new();
        assert_eq!(inspect(&queues, &accepted(31, 4)), u32::MAX, "still in the cycle itself");
        assert_eq!(queues.clock(&accepted(31, 4)), Activity::Busy);
        assert_eq!(inspect(&queues, &ended(0)), u32::MAX >> 1);
        assert_eq!(queues.clock(&ended(0)), Activity::Quiet);
        assert_eq!(inspect(&queues, &ended(1 << 4)), u32::MAX >> 1, "not yet in that cycle");
        assert_eq!(queues.clock(&ended(1 << 4)), Activity::Busy);
        assert_eq!(inspect(&queues, &ended(0)), u32::MAX);
    }

    #[test]
    fn the_end_of_another_kernel_frees_no_queue() {
        let mut queues = WorkQueues::new();
        queues.clock(&accepted(0, 4));
        assert_eq!(queues.clock(&ended(!(1 << 4))), Activity::Quiet);
        assert_eq!(inspect(&queues, &ended(0)), u32::MAX - 1);
    }

    #[test]
    fn an_entry_that_a_queue_no_longer_waits_for_does_not_matter_to_it() {
        let mut queues = WorkQueues::new();
        queues.clock(&accepted(0, 4));
        queues.clock(&ended(1 << 4));
        queues.clock(&accepted(1, 4));
        assert_eq!(queues.clock(&accepted(0, 5)), Activity::Busy);
        assert_eq!(inspect(&queues, &ended(0)), u32::MAX - 3);
        queues.clock(&ended(1 << 4));
        assert_eq!(inspect(&queues, &ended(0)), u32::MAX - 1, "queue 0 waits for entry 5 now");
    }

    #[test]
    fn several_kernels_end_while_another_one_is_accepted() {
        let mut queues = WorkQueues::new();
        for q in 0..32 {
            queues.clock(&accepted(q, 31 - q));
        }
        assert_eq!(inspect(&queues, &ended(0)), 0);
        queues.clock(&ended(0b111));
        assert_eq!(inspect(&queues, &ended(0)), 0b111 << 29);
        queues.clock(&WorkQueuesInputs { finished_kernels: 1 << 31, ..accepted(30, 1) });
        assert_eq!(inspect(&queues, &ended(0)), 0b101 << 29 | 1);
    }

    #[test]
    fn reset_lets_all_queues_be_inspected_whatever_else_the_cycle_carries() {
        let mut queues = WorkQueues::new();
        queues.clock(&accepted(3, 0));
        let reset = WorkQueuesInputs { reset: true, ..accepted(4, 1) };
        assert_eq!(queues.clock(&reset), Activity::Busy);
        assert_eq!(queues, WorkQueues::new());
        assert_eq!(queues.clock(&reset), Activity::Quiet);
    }
}
