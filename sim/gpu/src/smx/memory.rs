//! What comes back from memory, and the load/store unit's turns.

use super::Smx;
use crate::event::Calendar;
use crate::load_store::Arrival;
use crate::memory::{FirstLevel, Memory, Purpose, Request};
use crate::smx::units::IssueClass;

impl Smx {
    /// Its load/store unit will have its turn, behind others.
    #[inline]
    pub fn announce_load_store(&self) {
        self.load_store.announce();
    }

    /// As [`Smx::announce_load_store`], when it is nearly its turn.
    #[inline]
    pub fn announce_access(&self) {
        if let Some(warp) = self.load_store.next_warp() {
            self.warps.announce_board(warp);
        }
    }

    /// One cycle of the load/store unit.
    #[inline]
    pub fn tick_load_store(&mut self, memory: &mut Memory, calendar: &mut Calendar) {
        let turn = self.load_store.tick(memory, calendar);
        if let Some((warp, acknowledgements)) = turn.stored {
            let warp = usize::from(warp);
            self.warps.stores[warp] += acknowledgements;
            if acknowledgements == 0 {
                self.drained(warp, calendar);
            }
        }
        if let Some(arrival) = turn.arrival {
            self.arrived(arrival, calendar);
        }
        if turn.room && self.with_operands() & self.needs[IssueClass::MEMORY.index()] != 0 {
            calendar.wake_issue(calendar.now(), usize::from(self.id));
        }
    }

    /// The reply to `request` will be received soon.
    #[inline]
    pub fn announce(&self, request: &Request) {
        if let Purpose::Fill { cache: FirstLevel::Data, way } = request.purpose {
            self.load_store.l1.announce_fill(way);
        }
    }

    /// The reply to `request` has been received.
    #[inline]
    pub fn reply(&mut self, request: &Request, memory: &mut Memory, calendar: &mut Calendar) {
        let now = calendar.now();
        match request.purpose {
            Purpose::Fill { cache, way } => {
                let Self { load_store, warps, .. } = self;
                let mut waiting = 0_u64;
                load_store.fill((cache, way), request.sectors, calendar, |arrival| {
                    let warp = usize::from(arrival.warp);
                    warps.boards[warp].resolve(arrival.register, arrival.cycle);
                    waiting |= 1 << warp;
                });
                for warp in super::slots(waiting & self.warps.wait_for_memory) {
                    self.plan(warp, now, calendar);
                }
            }
            Purpose::Load(load) | Purpose::Atomic(load) => {
                if let Some(arrival) = self.load_store.data(load, now) {
                    self.arrived(arrival, calendar);
                }
            }
            Purpose::Store { warp } | Purpose::Reduction { warp } => {
                self.load_store.acknowledged(calendar);
                self.acknowledged(usize::from(warp), 1, calendar);
            }
            Purpose::Code => {
                self.fetch.fill(request.line);
                calendar.wake_issue(now, usize::from(self.id));
            }
            Purpose::Words { absent } => {
                let Self { load_store, warps, .. } = self;
                let mut waiting = 0_u64;
                load_store.fill_words(request, absent, memory, calendar, |arrival, _| {
                    let warp = usize::from(arrival.warp);
                    warps.boards[warp].resolve(arrival.register, arrival.cycle);
                    waiting |= 1 << warp;
                });
                for warp in super::slots(waiting & self.warps.wait_for_memory) {
                    self.plan(warp, now, calendar);
                }
            }
            Purpose::Registered { warp } => {
                let words = request.words.count_ones();
                self.load_store.registered(request.line, words, calendar);
                self.acknowledged(usize::from(warp), words, calendar);
            }
            Purpose::Returned => self.load_store.returned(request.line, calendar),
            _ => self.load_store.serve(request, memory, calendar),
        }
    }

    #[inline]
    fn arrived(&mut self, arrival: Arrival, calendar: &mut Calendar) {
        let warp = usize::from(arrival.warp);
        self.warps.boards[warp].resolve(arrival.register, arrival.cycle);
        if self.warps.wait_for_memory >> warp & 1 == 1 {
            self.plan(warp, calendar.now(), calendar);
        }
    }

    /// A request can be sent again.
    pub fn miss_queue_has_room(&mut self, calendar: &mut Calendar) {
        self.load_store.retry(calendar);
    }

    #[inline]
    fn acknowledged(&mut self, warp: usize, acknowledgements: u32, calendar: &mut Calendar) {
        // A slot may have a new warp by now, where exits do not wait.
        let stores = &mut self.warps.stores[warp];
        *stores = stores.saturating_sub(acknowledgements);
        self.drained(warp, calendar);
    }

    /// A warp that has exited leaves when its stores are made and acknowledged.
    #[inline]
    fn drained(&mut self, warp: usize, calendar: &mut Calendar) {
        let done = self.draining >> warp & 1 == 1
            && self.warps.stores[warp] == 0
            && self.load_store.releases(warp);
        if done {
            self.draining &= !(1 << warp);
            self.leave(warp, calendar);
        }
    }
}
