//! When blocks trigger (`docs/dependent.md`, rule 3): one an SMX and cycle, each once, at the
//! latest when its end is reported.

use super::Smx;
use crate::event::{Calendar, Event};

impl Smx {
    /// The block in `slot` triggers in `cycle`.
    pub fn triggers_in(&self, slot: u8, cycle: u64, calendar: &mut Calendar) {
        calendar.schedule(cycle, Event::Trigger { smx: self.id, slot });
    }

    /// The block in `slot` ends in `cycle`.
    pub fn ends_in(&self, slot: u8, cycle: u64, calendar: &mut Calendar) {
        calendar.schedule(cycle, Event::BlockEnd { smx: self.id, slot });
    }

    /// The block in `slot` triggers in this cycle, or in the first one in which no other one does.
    pub fn block_triggers(&mut self, slot: u8) {
        self.triggering.push_back(slot);
    }

    /// The slot of the block whose trigger is reported next: that of the one whose end is, if it
    /// has not triggered.
    pub fn trigger_slot(&self) -> Option<u8> {
        let untriggered = |slot: &u8| {
            self.slots[usize::from(*slot)].as_ref().is_some_and(|block| !block.triggered)
        };
        let last = self.ended_slot().filter(untriggered);
        last.or(self.triggering.front().copied())
    }

    /// The block whose trigger was reported has triggered.
    pub fn take_trigger(&mut self) {
        if let Some(slot) = self.trigger_slot() {
            self.triggering.retain(|&other| other != slot);
            self.block_mut(slot).triggered = true;
        }
    }
}
