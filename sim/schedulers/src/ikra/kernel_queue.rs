//! Twin of `ikra/kernel_queue`: kernels in order of arrival, in a ring of entries (`docs/ikra.md`,
//! rule 1).
//!
//! Latency: `launch` to `head` 1 cycle; `pop` to the head behind it and to `launch_ready` 1 cycle.
//!
//! Undefined, and not to be compared: everything after a `pop` without a head.

use crate::port::{
    Activity, BlockNeeds, Dim3, KernelContext, KernelEntry, KernelLaunch, KERNEL_ENTRIES,
};
use std::collections::VecDeque;

/// Input ports of [`KernelQueue`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KernelQueueInputs {
    /// Synchronous reset.
    pub reset: bool,
    /// A kernel that wants an entry; it gets one when `launch_ready` is `Some`.
    pub launch: Option<KernelLaunch>,
    /// The head leaves at the clock edge.
    pub pop: bool,
    /// The entry whose context is asked for.
    pub lookup: Option<KernelEntry>,
}

/// Output ports of [`KernelQueue`]; all but the context depend on the state alone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KernelQueueOutputs {
    /// `launch_ready` and `launch_entry`: the entry after the one that was taken last, while fewer
    /// than 32 are in use.
    pub launch_ready: Option<KernelEntry>,
    /// `head_valid` and `head`: the entry of the oldest kernel.
    pub head: Option<KernelEntry>,
    /// Its grid; zero without a head.
    pub head_grid: Dim3,
    /// Its blocks in all; zero without a head.
    pub head_blocks: u32,
    /// What each of its blocks takes of an SMX; zero without a head.
    pub head_needs: BlockNeeds,
    /// `context_valid` and `kernel_context`: answer to `lookup`; `None` for an entry that is not in
    /// use.
    pub kernel_context: Option<KernelContext>,
}

/// The kernels, the oldest one first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KernelQueue {
    kernels: VecDeque<(KernelEntry, KernelLaunch)>,
    /// The entry that the next kernel takes.
    next: u8,
}

impl KernelQueue {
    /// A queue without a kernel.
    pub fn new() -> Self {
        Self::default()
    }

    /// The outputs of this cycle.
    pub fn evaluate(&self, inputs: &KernelQueueInputs) -> KernelQueueOutputs {
        let mut outputs =
            KernelQueueOutputs { launch_ready: self.launch_ready(), ..Default::default() };
        if let Some((entry, launch)) = self.kernels.front() {
            outputs.head = Some(*entry);
            outputs.head_grid = launch.grid;
            outputs.head_blocks = launch.blocks;
            outputs.head_needs = launch.needs;
        }
        for (entry, launch) in &self.kernels {
            if inputs.lookup == Some(*entry) {
                let KernelLaunch { entry_pc, parameter_address, block, .. } = *launch;
                outputs.kernel_context = Some(KernelContext { entry_pc, parameter_address, block });
            }
        }
        outputs
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &KernelQueueInputs) -> Activity {
        if inputs.reset {
            let changed = *self != Self::new();
            *self = Self::new();
            return Activity::from(changed);
        }
        // Before the edge: an entry that leaves now is not yet free.
        let ready = self.launch_ready();
        let left = if inputs.pop { self.kernels.pop_front() } else { None };
        let taken = inputs.launch.zip(ready);
        if let Some((launch, entry)) = taken {
            self.kernels.push_back((entry, launch));
            self.next = (self.next + 1) % KERNEL_ENTRIES as u8;
        }
        Activity::from(left.is_some() || taken.is_some())
    }

    fn launch_ready(&self) -> Option<KernelEntry> {
        (self.kernels.len() < KERNEL_ENTRIES).then_some(KernelEntry(self.next))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A kernel that is told from others by its number of blocks.
    fn kernel(blocks: u32) -> KernelLaunch {
        KernelLaunch {
            entry_pc: 1000 + blocks,
            parameter_address: 2000 + blocks,
            grid: Dim3::new(blocks, 1, 1),
            block: Dim3::new(32, 2, 1),
            blocks,
            needs: BlockNeeds { threads: 64, registers: blocks, shared_memory: 3 },
            ..Default::default()
        }
    }

    fn offer(blocks: u32) -> KernelQueueInputs {
        KernelQueueInputs { launch: Some(kernel(blocks)), ..Default::default() }
    }

    fn pop() -> KernelQueueInputs {
        KernelQueueInputs { pop: true, ..Default::default() }
    }

    fn of(blocks: impl IntoIterator<Item = u32>) -> KernelQueue {
        let mut queue = KernelQueue::new();
        for blocks in blocks {
            assert_eq!(queue.clock(&offer(blocks)), Activity::Busy);
        }
        queue
    }

    /// `launch_ready`, the head and its number of blocks.
    fn state(queue: &KernelQueue) -> (Option<u8>, Option<u8>, u32) {
        let outputs = queue.evaluate(&KernelQueueInputs::default());
        assert_eq!(outputs, queue.evaluate(&KernelQueueInputs { pop: true, ..offer(9) }));
        (outputs.launch_ready.map(|k| k.0), outputs.head.map(|k| k.0), outputs.head_blocks)
    }

    #[test]
    fn a_kernel_is_the_head_one_cycle_after_it_was_accepted() {
        let mut queue = KernelQueue::new();
        assert_eq!(state(&queue), (Some(0), None, 0));
        assert_eq!(queue.evaluate(&offer(7)).head, None, "not in the same cycle");
        queue.clock(&offer(7));
        let outputs = queue.evaluate(&KernelQueueInputs::default());
        let KernelLaunch { grid, blocks, needs, .. } = kernel(7);
        let shown = (outputs.head_grid, outputs.head_blocks, outputs.head_needs);
        assert_eq!(shown, (grid, blocks, needs));
        assert_eq!(state(&queue), (Some(1), Some(0), 7));
    }

    #[test]
    fn without_a_head_what_is_known_of_it_is_zero() {
        let mut queue = of([7]);
        queue.clock(&pop());
        let nothing =
            KernelQueueOutputs { launch_ready: Some(KernelEntry(1)), ..Default::default() };
        assert_eq!(queue.evaluate(&KernelQueueInputs::default()), nothing);
    }

    #[test]
    fn kernels_leave_in_order_of_arrival_and_entries_are_taken_in_order_of_the_ring() {
        let mut queue = of([5, 6, 7]);
        queue.clock(&pop());
        assert_eq!(state(&queue), (Some(3), Some(1), 6), "entry 0 is free, but 3 is next");
        queue.clock(&pop());
        queue.clock(&pop());
        assert_eq!(state(&queue), (Some(3), None, 0));
    }

    #[test]
    fn the_ring_wraps_after_entry_31() {
        let mut queue = KernelQueue::new();
        for kernel in 0..70 {
            assert_eq!(state(&queue).0, Some((kernel % 32) as u8));
            queue.clock(&offer(kernel));
            assert_eq!(state(&queue).1, Some((kernel % 32) as u8));
            queue.clock(&pop());
        }
    }

    #[test]
    fn thirty_one_kernels_leave_an_entry_and_thirty_two_do_not() {
        let mut queue = of(0..31);
        assert_eq!(state(&queue), (Some(31), Some(0), 0));
        queue.clock(&offer(31));
        assert_eq!(state(&queue), (None, Some(0), 0));
        assert_eq!(queue.clock(&offer(99)), Activity::Quiet, "not accepted");
    }

    #[test]
    fn an_entry_that_leaves_is_free_in_the_next_cycle_and_not_before() {
        let mut queue = of(0..32);
        let both = KernelQueueInputs { pop: true, ..offer(99) };
        assert_eq!(queue.evaluate(&both).launch_ready, None);
        queue.clock(&both);
        assert_eq!(state(&queue), (Some(0), Some(1), 1), "it was not accepted");
        queue.clock(&both);
        assert_eq!(state(&queue), (Some(1), Some(2), 2), "popped and accepted in one cycle");
        (2..32).for_each(|_| assert_eq!(queue.clock(&pop()), Activity::Busy));
        assert_eq!(state(&queue), (Some(1), Some(0), 99));
    }

    #[test]
    fn the_only_kernel_leaves_as_another_one_comes() {
        let mut queue = of([5]);
        queue.clock(&KernelQueueInputs { pop: true, ..offer(6) });
        assert_eq!(state(&queue), (Some(2), Some(1), 6));
    }

    #[test]
    fn a_lookup_is_answered_for_every_entry_in_use_and_for_no_other() {
        let mut queue = of([5, 6]);
        let context = |queue: &KernelQueue, entry| {
            let lookup = Some(KernelEntry(entry));
            let inputs = KernelQueueInputs { lookup, ..Default::default() };
            queue.evaluate(&inputs).kernel_context
        };
        let block = Dim3::new(32, 2, 1);
        let second = KernelContext { entry_pc: 1006, parameter_address: 2006, block };
        assert_eq!(context(&queue, 1), Some(second));
        assert_eq!(context(&queue, 0).map(|context| context.entry_pc), Some(1005));
        assert_eq!([context(&queue, 2), context(&queue, 31)], [None, None]);
        queue.clock(&pop());
        assert_eq!([context(&queue, 0), context(&queue, 1)], [None, Some(second)]);
    }

    #[test]
    fn reset_empties_the_queue_and_entry_0_is_next_whatever_else_the_cycle_carries() {
        let mut queue = of([5, 6]);
        let reset = KernelQueueInputs { reset: true, pop: true, ..offer(7) };
        assert_eq!(queue.clock(&reset), Activity::Busy);
        assert_eq!(state(&queue), (Some(0), None, 0));
        assert_eq!(queue.clock(&reset), Activity::Quiet);
        let mut popped = of([5]);
        popped.clock(&pop());
        assert_eq!(popped.clock(&reset), Activity::Busy, "the ring's place is state");
        assert_eq!(popped.clock(&KernelQueueInputs::default()), Activity::Quiet);
    }
}
