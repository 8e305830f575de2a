//! What happens when on the way of launches from the SMXs to the scheduler's ports: by cycle, then
//! by SMX and hardware thread.

use std::collections::{BTreeMap, VecDeque};

use super::calls::Call;
use super::commands::Command;
use super::families::Member;
use crate::port::Parent;

/// A block that launches.
#[derive(Clone, Copy, Debug)]
pub struct Launcher {
    /// Where it runs, and its level.
    pub place: Parent,
    /// Number of its kernel in the run.
    pub kernel: usize,
    /// What it has launched is below this one.
    pub member: Member,
}

/// A step on the way.
pub enum Step {
    /// A warp of the block begins the first of these calls.
    Call(Launcher, VecDeque<Call>),
    /// The kernels with these numbers are on their way to the Kernel Management Unit from now on.
    Kernels(Vec<usize>),
    /// A command may be offered to the scheduler from now on.
    Command(Command),
}

/// See the module.
#[derive(Default)]
pub struct Timeline {
    steps: BTreeMap<(u64, u8, u16, u64), Step>,
    /// Steps so far: those of one thread and cycle keep their order.
    sequence: u64,
}

impl Timeline {
    /// Puts `step` of a hardware thread of `smx` into `cycle`.
    pub fn add(&mut self, cycle: u64, (smx, thread): (u8, u16), step: Step) {
        self.sequence += 1;
        self.steps.insert((cycle, smx, thread, self.sequence), step);
    }

    /// The cycle of the next step.
    pub fn next(&self) -> Option<u64> {
        self.steps.first_key_value().map(|((cycle, ..), _)| *cycle)
    }

    /// The next step up to `cycle`, with its cycle, SMX and hardware thread.
    pub fn take(&mut self, cycle: u64) -> Option<(u64, (u8, u16), Step)> {
        let first = self.steps.first_entry().filter(|first| first.key().0 <= cycle)?;
        let (at, smx, thread, _) = *first.key();
        Some((at, (smx, thread), first.remove()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_come_by_cycle_then_smx_then_thread_then_order() {
        let mut timeline = Timeline::default();
        let order = [(7, 1, 0), (5, 2, 9), (5, 1, 40), (5, 1, 3), (5, 1, 3)];
        for (number, (cycle, smx, thread)) in order.into_iter().enumerate() {
            timeline.add(cycle, (smx, thread), Step::Kernels(vec![number]));
        }
        assert_eq!(timeline.next(), Some(5));
        let mut seen = Vec::new();
        while let Some((_, _, Step::Kernels(numbers))) = timeline.take(6) {
            seen.extend(numbers);
        }
        assert_eq!(seen, [3, 4, 2, 1]);
        assert_eq!(timeline.next(), Some(7));
    }
}
