//! Kernels that begin before the one before them in their stream has finished
//! (`docs/dependent.md`): when blocks of stated duration trigger, and how those of dependents wait.

use super::config::GpuConfig;
use super::event::Calendar;
use super::host::Overlap;
use super::smx::Smx;
use super::Gpu;
use crate::port::KernelEntry;

/// What a block of stated duration does, in cycles after its dispatch if it need not wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Course {
    /// It triggers, before its end; `None`: at its end.
    trigger: Option<u64>,
    /// It waits for the end of the kernel before its own; at most [`Course::duration`].
    prologue: u64,
    /// It ends.
    duration: u64,
}

impl Course {
    /// That of a block on SMX `smx` which runs for `duration` cycles, `wait` of them before it
    /// begins, where it `overlap`s.
    pub fn new(
        overlap: &Overlap,
        (wait, duration): (u64, u64),
        (config, smx): (&GpuConfig, usize),
    ) -> Self {
        let at = |cycles: u64| (wait + config.slowed(smx, cycles)).min(duration);
        Self {
            trigger: overlap.trigger.map(at).filter(|&at| at < duration),
            prologue: overlap.prologue.map_or(duration, at),
            duration,
        }
    }

    /// The cycle in which a block of this course that was dispatched in `dispatched` is `after`
    /// cycles of it ahead, which come behind its wait for a kernel that finished in `finished`. The
    /// ports carry what follows from that end in the next cycle at the earliest.
    fn behind_wait(&self, after: u64, dispatched: u64, finished: u64) -> u64 {
        (dispatched + after).max(finished + after.saturating_sub(self.prologue).max(1))
    }
}

/// A resident block of a kernel that follows one which has not finished.
#[derive(Clone, Copy, Debug)]
pub struct HeldBlock {
    /// Its slot.
    pub slot: u8,
    /// Its SMX.
    pub smx: u8,
    /// The cycle of its dispatch.
    pub dispatched: u64,
    /// What it does.
    pub course: Course,
}

impl HeldBlock {
    /// It is dispatched: what it does before it waits has its cycles.
    pub fn begin(&self, smx: &mut Smx, calendar: &mut Calendar) {
        let Course { trigger, prologue, .. } = self.course;
        if let Some(trigger) = trigger.filter(|&trigger| trigger <= prologue) {
            smx.triggers_in(self.slot, self.dispatched + trigger, calendar);
        }
    }

    /// The kernel that it waits for has finished in `cycle`: what comes behind the wait has its
    /// cycles, too.
    pub fn go_on(&self, cycle: u64, smx: &mut Smx, calendar: &mut Calendar) {
        let Course { trigger, prologue, duration } = self.course;
        let at = |after| self.course.behind_wait(after, self.dispatched, cycle);
        if let Some(trigger) = trigger.filter(|&trigger| trigger > prologue) {
            smx.triggers_in(self.slot, at(trigger), calendar);
        }
        smx.ends_in(self.slot, at(duration), calendar);
    }
}

impl Gpu {
    /// The entry of the kernel that the one at the launch port follows.
    pub(super) fn follows(&self) -> Option<KernelEntry> {
        let followed = self.streams.followed()?;
        let entry = self.kernels[followed].entry?;
        (self.entries[entry.index()] == Some(followed)).then_some(entry)
    }

    /// The kernel with number `index` has finished in `cycle`: blocks that wait for it go on.
    pub(super) fn let_go(&mut self, index: usize, cycle: u64) {
        let Self { kernels, smxs, memory, calendar, coherent, .. } = self;
        for block in std::mem::take(&mut kernels[index].held) {
            block.go_on(cycle, &mut smxs[usize::from(block.smx)], calendar);
        }
        for (smx, slot) in std::mem::take(&mut kernels[index].followers) {
            let smx = &mut smxs[usize::from(smx)];
            if *coherent {
                // What they read from now on may be what that kernel has written.
                smx.acquire(memory, calendar);
            }
            smx.predecessor_finished(slot, calendar);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn course(trigger: Option<u64>, prologue: Option<u64>, slowdown: f64) -> Course {
        let mut config = GpuConfig::preset("k20c").unwrap();
        config.smx.slowdown = vec![1.0, slowdown];
        let overlap = Overlap { dependent: true, trigger, prologue };
        Course::new(&overlap, (7, 7 + config.slowed(1, 100)), (&config, 1))
    }

    #[test]
    fn all_times_are_slowed_as_the_duration_is_and_begin_behind_the_context() {
        let expected = Course { trigger: Some(7 + 90), prologue: 7 + 30, duration: 7 + 150 };
        assert_eq!(course(Some(60), Some(20), 1.5), expected);
    }

    #[test]
    fn what_is_not_stated_or_lies_beyond_the_end_comes_at_the_end() {
        let at_end = Course { trigger: None, prologue: 107, duration: 107 };
        for beyond in [None, Some(100), Some(101), Some(1 << 40)] {
            assert_eq!(course(beyond, beyond, 1.0), at_end, "{beyond:?}");
        }
        let before = Course { trigger: Some(106), prologue: 106, duration: 107 };
        assert_eq!(course(Some(99), Some(99), 1.0), before);
    }

    #[test]
    fn a_wait_puts_off_what_comes_behind_it_by_no_more_than_it_takes() {
        let course = Course { trigger: None, prologue: 20, duration: 50 };
        // It waits from 84 on.
        for (finished, end) in [(70, 114), (84, 114), (85, 115), (103, 133)] {
            assert_eq!(course.behind_wait(50, 64, finished), end, "{finished}");
        }
    }

    #[test]
    fn a_block_that_waits_at_its_end_ends_behind_the_cycle_in_which_the_kernel_finishes() {
        let course = Course { trigger: None, prologue: 50, duration: 50 };
        for (finished, end) in [(112, 114), (113, 114), (114, 115), (200, 201)] {
            assert_eq!(course.behind_wait(50, 64, finished), end, "{finished}");
        }
    }
}
