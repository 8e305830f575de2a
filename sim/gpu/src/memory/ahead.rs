//! Behind crossbars the memory runs ahead of the SMXs, part by part and many cycles at a time: each
//! part stays in the processor's nearest caches, and no step of a line is an event.
//!
//! A reply takes its way through both crossbars and the pipe of the L2, so all that is received up
//! to that time from now is decided by the requests sent so far:
//!
//! ```text
//!   SMXs         |---------- now
//!   requests     |---------- now
//!   partitions   |-------------------- + crossbar + pipe
//!   replies      |------------------------------------- + crossbar
//! ```
//!
//! With threads of their own the partitions run apart: while the SMXs go on to the first cycle in
//! which they may receive what is not known yet, the partitions do what is decided by the requests
//! sent so far.
//!
//! ```text
//!   SMXs         |- now -------------- known
//!   requests     |- now -- cross every few cycles, and wait until the partitions are back
//!   partitions   |- now - decided by requests sent before now, in the meantime
//!   replies      |- now - those that the partitions gave before now cross meanwhile
//! ```
//!
//! How far the memory is when shows nowhere, so the number of threads does not, either.
//!
//! Within a cycle the order is fixed: what DRAM delivers, look-ups by the number of the slice, and
//! what is sent crosses in the network cycle behind it at the earliest.

use super::partition::Received;
use super::workers::{Running, Workers};
use super::{load, Memory};
use crate::event::{Calendar, Event};
use std::time::Instant;

/// Requests on their way for which it is worth while to wake other threads.
const WORTH: usize = 64;

/// Cycles after which the requests that were sent meanwhile cross, while partitions run apart.
const STRIDE: u64 = 16;

/// Partitions that run apart, and the cycles of [`Memory::decided`] before which their requests
/// were sent.
#[derive(Debug)]
pub struct Apart {
    running: Running,
    decided: u64,
    replies: u64,
}

impl Memory {
    /// The memory goes on, as [`Event::Memory`] says.
    pub fn go_on(&mut self, calendar: &mut Calendar) {
        self.awaited = false;
        if self.apart.is_some() && calendar.now() < self.known {
            self.requests_cross(calendar);
        } else {
            let answered = self.come_back();
            if self.others > 0 {
                self.load.round_ended(Instant::now());
            }
            let apart = self.run_apart(calendar);
            // While they run again, where they do.
            self.answers_cross(answered, calendar);
            if !apart {
                self.run_ahead(calendar);
            }
        }
        // Partitions that are apart come back, though nobody waits for a reply.
        if self.apart.is_some() || !self.requests.is_empty() {
            self.await_replies(calendar);
        } else {
            // Nobody knows a request by a number now.
            self.copying = self.others > 0 && self.load.is_worth().unwrap_or(self.copying);
        }
    }

    /// Whether it is worth while to run partitions apart.
    fn is_worth(&self) -> bool {
        let much = self.requests.len() >= WORTH && self.load.is_worth() == Some(true);
        self.others > 0 && self.copying && much
    }

    /// From now on, which is before the first request, partitions run on so many threads, the
    /// caller's included, when `apart` says.
    pub fn use_threads(&mut self, threads: usize, apart: load::RunApart) {
        // Where SMXs wait for their requests to leave, and over a mesh, nothing is decided ahead.
        let ahead = self.crossbars.is_some() && !self.miss_queues.are_limited();
        self.others = if ahead { threads.saturating_sub(1) } else { 0 };
        self.copying = self.others > 0;
        self.load = load::Load::new(apart);
    }

    /// The partitions are here, and have done what they were to do apart.
    pub fn join(&mut self, calendar: &mut Calendar) {
        let answered = self.come_back();
        self.answers_cross(answered, calendar);
    }

    /// Takes back the partitions and their answers, if they are apart, and gives the cycle before
    /// which these are all that they decide.
    fn come_back(&mut self) -> Option<u64> {
        let Apart { running, decided, replies } = self.apart.take()?;
        let worked;
        (self.partitions, worked) = running.finish();
        self.load.partitions_worked(worked);
        self.known = replies;
        (0..self.partitions.len()).for_each(|number| self.take_answers(number));
        Some(decided)
    }

    /// Lets the partitions run apart. Returns whether they do: little is done sooner here, and no
    /// time may be left until replies may be received that are not known.
    fn run_apart(&mut self, calendar: &mut Calendar) -> bool {
        let now = calendar.now();
        if !self.is_worth() || self.known <= now {
            return false;
        }
        let Some((decided, replies)) = self.decided(now) else { return false };
        // A process of one thread allocates sooner: there are others once they are needed.
        let Some(workers) = self.workers.take().or_else(|| Workers::new(self.others)) else {
            // The system gives none.
            self.others = 0;
            return false;
        };
        self.requests_cross(calendar);
        self.hand_over_received();
        let partitions = std::mem::take(&mut self.partitions);
        let running = workers.start(partitions, decided);
        self.workers = Some(workers);
        self.apart = Some(Apart { running, decided, replies });
        true
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
        let next = if self.apart.is_some() {
            self.known.min(now + STRIDE)
        } else {
            self.known = replies;
            if self.is_worth() {
                // Half of the time for the SMXs alone, half for the partitions beside them.
                now + (replies - now).div_ceil(2)
            } else if self.miss_queues.are_limited() {
                // Where SMXs wait for their requests to leave, they must know of each that does.
                now + 1
            } else {
                replies
            }
        };
        calendar.schedule(next, Event::Memory);
        self.awaited = true;
    }

    /// The cycles before which the requests that are sent before `cycle` decide what the partitions
    /// do, and what the SMXs receive. `None` over a mesh.
    fn decided(&self, cycle: u64) -> Option<(u64, u64)> {
        let crossbars = self.crossbars.as_ref()?;
        let partitions = crossbars.soonest(cycle) + self.slice_latency;
        Some((partitions, crossbars.soonest(partitions)))
    }

    /// All that is decided by the requests that were sent in cycles before this one. The end of a
    /// run calls it, too: so its counts do not depend on when the memory went on last.
    pub fn run_ahead(&mut self, calendar: &mut Calendar) {
        self.join(calendar);
        let Some((decided, _)) = self.decided(calendar.now()) else { return };
        self.requests_cross(calendar);
        self.hand_over_received();
        let start = (self.others > 0).then(Instant::now);
        for number in 0..self.partitions.len() {
            let Self { partitions, requests, copying, .. } = self;
            match copying {
                true => partitions[number].run(decided),
                false => partitions[number].run_on(decided, requests),
            }
            self.take_answers(number);
        }
        if let Some(start) = start {
            self.load.partitions_worked(start.elapsed());
        }
        self.answers_cross(Some(decided), calendar);
    }

    /// The partitions get what they have received.
    fn hand_over_received(&mut self) {
        for (partition, received) in self.partitions.iter_mut().zip(&mut self.received) {
            partition.swap_received(received);
        }
    }

    /// The answers that were taken are sent, and what is sent before the cycle `answered` crosses.
    fn answers_cross(&mut self, answered: Option<u64>, calendar: &mut Calendar) {
        let Some(decided) = answered else { return };
        (0..self.answers.len()).for_each(|number| self.send_taken(number, calendar));
        self.replies_cross(decided, calendar);
    }

    /// The requests cross that were sent before this cycle.
    #[inline(never)]
    fn requests_cross(&mut self, calendar: &mut Calendar) {
        let (per_partition, copying) = (self.slices_of_partition, self.copying);
        let Self {
            crossbars: Some(crossbars),
            partitions,
            received: to,
            requests,
            miss_queues,
            ..
        } = self
        else {
            return;
        };
        let now = calendar.now();
        crossbars.run_requests(now, |leaves, received, crossing| {
            let request = requests.get(crossing.id);
            if miss_queues.counts(request) {
                calendar.schedule(leaves.max(now) + 1, Event::Left { smx: request.smx });
            }
            let partition = usize::from(request.slice / per_partition);
            if copying {
                let (cycle, request, name) = (received, *request, crossing.id);
                to[partition].push(Received { cycle, request, name });
            } else {
                let slice = partitions[partition].slice_mut(request.slice);
                slice.receive(received, crossing.id, request.local);
            }
        });
    }

    /// The replies cross that are sent before cycle `decided`.
    #[inline(never)]
    fn replies_cross(&mut self, decided: u64, calendar: &mut Calendar) {
        let Self { crossbars: Some(crossbars), requests, .. } = self else { return };
        crossbars.run_replies(decided, |_, received, crossing| {
            if requests.get_mut(crossing.id).takes_packet() {
                calendar.schedule(received, Event::Reply { request: crossing.id });
            }
        });
    }
}
