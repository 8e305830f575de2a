//! Behind crossbars the memory runs ahead of the SMXs, part by part and many cycles at a time: each part stays in
//! the processor's nearest caches, and no step of a line is an event.
//!
//! A reply takes its way through both crossbars and the pipe of the L2, so all that is received up to that
//! time from now is decided by the requests sent so far:
//!
//! ```text
//!   SMXs         |---------- now
//!   requests     |---------- now
//!   partitions   |-------------------- + crossbar + pipe
//!   replies      |------------------------------------- + crossbar
//! ```
//!
//! Within a cycle the order is fixed: what DRAM delivers, look-ups by the number of the slice, and what is sent
//! crosses in the network cycle behind it at the earliest.

use super::Memory;
use crate::event::{Calendar, Event};

impl Memory {
    /// The memory goes on, as [`Event::Memory`] says.
    pub fn go_on(&mut self, calendar: &mut Calendar) {
        self.awaited = false;
        self.run_ahead(calendar);
        if !self.requests.is_empty() {
            self.await_replies(calendar);
        }
    }

    /// The memory goes on before anything can be received of what is sent from now on.
    #[inline(always)]
    pub(super) fn await_replies(&mut self, calendar: &mut Calendar) {
        if !self.awaited {
            self.schedule_next(calendar);
        }
    }

    #[cold]
    fn schedule_next(&mut self, calendar: &mut Calendar) {
        let now = calendar.now();
        let Some((_, replies)) = self.decided(now) else { return };
        // Where SMXs wait for their requests to leave, they must know of each that does.
        let next = if self.miss_queues.are_limited() { now + 1 } else { replies };
        calendar.schedule(next, Event::Memory);
        self.awaited = true;
    }

    /// The cycles before which the requests that are sent before `cycle` decide what the partitions do, and
    /// what the SMXs receive. `None` over a mesh.
    fn decided(&self, cycle: u64) -> Option<(u64, u64)> {
        let crossbars = self.crossbars.as_ref()?;
        let partitions = crossbars.soonest(cycle) + self.slices[0].latency();
        Some((partitions, crossbars.soonest(partitions)))
    }

    /// All that is decided by the requests that were sent in cycles before this one. The end of a run calls it, too:
    /// so its counts do not depend on when the memory went on last.
    pub fn run_ahead(&mut self, calendar: &mut Calendar) {
        let Some((decided, _)) = self.decided(calendar.now()) else { return };
        self.requests_cross(calendar);
        let slices_of_partition = usize::from(self.slices_of_partition());
        let mut slices = std::mem::take(&mut self.slices);
        for (partition, slices) in (0..).zip(slices.chunks_exact_mut(slices_of_partition)) {
            self.run_partition(partition, slices, decided, calendar);
        }
        self.slices = slices;
        self.replies_cross(decided, calendar);
    }

    /// The requests cross that were sent before this cycle.
    #[inline(never)]
    fn requests_cross(&mut self, calendar: &mut Calendar) {
        let Self { crossbars: Some(crossbars), slices, requests, miss_queues, .. } = self else {
            return;
        };
        let now = calendar.now();
        crossbars.run_requests(now, |leaves, received, crossing| {
            let request = requests.get(crossing.id);
            if miss_queues.counts(request) {
                calendar.schedule(leaves.max(now) + 1, Event::Left { smx: request.smx });
            }
            slices[usize::from(crossing.output)].receive(received, crossing.id, request.local);
        });
    }

    /// The replies cross that are sent before cycle `decided`.
    #[inline(never)]
    fn replies_cross(&mut self, decided: u64, calendar: &mut Calendar) {
        let Some(crossbars) = &mut self.crossbars else { return };
        crossbars.run_replies(decided, |_, received, crossing| {
            calendar.schedule(received, Event::Reply { request: crossing.id });
        });
    }
}
