//! Warps that let dependent kernels begin, and warps of those that wait for the kernel before
//! (`docs/dependent.md`).

use super::Smx;
use crate::event::Calendar;

impl Smx {
    /// The warp in `slot` has issued a trigger.
    pub(super) fn come_to_trigger(&mut self, slot: usize, calendar: &mut Calendar) {
        let block_slot = self.warps.block_slot[slot];
        self.block_mut(block_slot).dependence.past_trigger |= 1 << slot;
        self.trigger_if_all_have(block_slot, calendar);
    }

    /// The block in `slot` triggers in the next cycle, if a warp of it has issued a trigger and all
    /// others have too, or have exited. Else it does so at its end.
    pub(super) fn trigger_if_all_have(&mut self, slot: u8, calendar: &mut Calendar) {
        let block = self.block_mut(slot);
        let alive = block.barriers.alive();
        let dependence = &mut block.dependence;
        let past = dependence.past_trigger;
        if dependence.may_trigger && past != 0 && alive & !past == 0 {
            dependence.may_trigger = false;
            self.triggers_in(slot, calendar.now() + 1, calendar);
        }
    }

    /// The warp in `slot` waits for the kernel before its own, if that has not finished.
    pub(super) fn await_predecessor(&mut self, slot: usize, calendar: &mut Calendar) {
        let dependence = &mut self.block_of(slot).dependence;
        if dependence.follows {
            dependence.waiting |= 1 << slot;
            self.at_barrier |= 1 << slot;
        } else {
            self.resume(1 << slot, calendar);
        }
    }

    /// The kernel before that of the block in `slot` has finished.
    pub fn predecessor_finished(&mut self, slot: u8, calendar: &mut Calendar) {
        let dependence = &mut self.block_mut(slot).dependence;
        dependence.follows = false;
        let warps = std::mem::take(&mut dependence.waiting);
        self.at_barrier &= !warps;
        self.measure(calendar.now());
        self.resume(warps, calendar);
        self.end_if_over(slot, calendar);
    }
}
