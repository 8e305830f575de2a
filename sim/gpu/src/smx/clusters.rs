//! Warps at the barrier of their cluster.

use super::{Request, Smx};
use crate::event::Calendar;

impl Smx {
    /// The warp in `slot` arrives, and goes on.
    pub(super) fn arrive_in_cluster(&mut self, slot: usize) {
        let number = self.warps.numbers[slot];
        let Some(place) = &self.block_of(slot).cluster else { return };
        place.cluster.borrow_mut().barrier.arrive(place.member(number));
        self.open_cluster(slot);
    }

    /// The warp in `slot` waits for all that have not arrived.
    pub(super) fn wait_in_cluster(&mut self, slot: usize, calendar: &mut Calendar) {
        let (id, number) = (self.id, self.warps.numbers[slot]);
        let waits = self.block_of(slot).cluster.as_ref().is_some_and(|place| {
            let mut running = place.cluster.borrow_mut();
            let waits = running.barrier.wait(place.member(number));
            running.waiting.extend(waits.then_some((id, slot)));
            waits
        });
        if waits {
            self.at_barrier |= 1 << slot;
        } else {
            self.resume(1 << slot, calendar);
        }
    }

    /// The warp in `slot` has exited.
    pub(super) fn exit_in_cluster(&mut self, slot: usize) {
        let number = self.warps.numbers[slot];
        let Some(place) = &self.block_of(slot).cluster else { return };
        place.cluster.borrow_mut().barrier.exited(place.member(number));
        self.open_cluster(slot);
    }

    /// Those that wait go on if all have arrived, on other SMXs as well.
    fn open_cluster(&mut self, slot: usize) {
        let Some(place) = &self.block_of(slot).cluster else { return };
        let mut running = place.cluster.borrow_mut();
        let opens = running.barrier.open();
        let going_on = std::mem::take(&mut running.waiting);
        if opens {
            drop(running);
            if !going_on.is_empty() {
                self.requests.push_back(Request::GoOn(going_on));
            }
        } else {
            running.waiting = going_on;
        }
    }

    /// The warp in `slot`, which has waited so, goes on.
    pub fn cluster_has_arrived(&mut self, slot: usize, calendar: &mut Calendar) {
        self.at_barrier &= !(1 << slot);
        self.measure(calendar.now() + 1);
        self.resume(1 << slot, calendar);
    }
}
