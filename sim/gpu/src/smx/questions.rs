//! Blocks that have done their work and ask for another one's (`docs/launch-control.md`).

use super::Smx;
use crate::event::{Calendar, Event};

impl Smx {
    /// The block in `slot` has done its work in `cycle`, and asks from then on.
    pub fn works_until(&self, slot: u8, cycle: u64, calendar: &mut Calendar) {
        calendar.schedule(cycle, Event::WorkDone { smx: self.id, slot });
    }

    /// The block in `slot` asks from `cycle` on.
    pub fn block_asks(&mut self, slot: u8, cycle: u64) {
        self.asking.insert((cycle, slot));
    }

    /// Since when the one asks that waits longest, of those the one in the lowest slot, and its slot.
    pub fn asks_first(&self) -> Option<(u64, u8)> {
        self.asking.first().copied()
    }

    /// That one has its answer.
    pub fn take_question(&mut self) {
        self.asking.pop_first();
    }
}
