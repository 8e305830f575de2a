//! The two crossbars between SMXs and L2 slices, one for requests and one for replies, in the
//! network's clock.

use super::crossbar::{Crossbar, Crossing, MAX_PORTS};
use crate::gpu::clock::Clock;
use crate::gpu::config::{GpuConfig, Topology};
use crate::gpu::event::{Calendar, Event};

/// One crossbar and its place in the calendar.
#[derive(Debug)]
struct Clocked {
    crossbar: Crossbar,
    /// For each output the first network cycle in which its channel takes another flit.
    channel_free: [u64; MAX_PORTS],
    /// The latest network cycle that it has had.
    last: u64,
    scheduled: bool,
}

/// See the module.
#[derive(Debug)]
pub struct Crossbars {
    requests: Clocked,
    replies: Clocked,
    clock: Clock,
    latency: u64,
    /// Steps of a crossbar in a network cycle.
    speedup: u64,
}

impl Crossbars {
    /// The idle crossbars of `config`, if that is its topology.
    pub fn new(config: &GpuConfig) -> Option<Self> {
        if config.interconnect.topology != Topology::Crossbar {
            return None;
        }
        let (smx, slices) = (config.smx.count as usize, config.slices() as usize);
        let clocked = |inputs, outputs| Clocked {
            crossbar: Crossbar::new(inputs, outputs),
            channel_free: [0; MAX_PORTS],
            last: 0,
            scheduled: false,
        };
        Some(Self {
            requests: clocked(smx, slices),
            replies: clocked(slices, smx),
            clock: Clock::new(config.clock.interconnect, config.clock.core),
            latency: u64::from(config.interconnect.latency),
            speedup: u64::from(config.interconnect.speedup),
        })
    }

    /// Request `id` leaves its SMX.
    #[inline]
    pub fn request(&mut self, smx: u8, slice: u32, flits: u64, id: u32, calendar: &mut Calendar) {
        self.requests.crossbar.push(usize::from(smx), slice as usize, flits as u32, id);
        if !self.requests.scheduled {
            self.schedule(false, calendar);
        }
    }

    /// The reply to request `id` leaves its slice.
    #[inline]
    pub fn reply(&mut self, smx: u8, slice: u32, flits: u64, id: u32, calendar: &mut Calendar) {
        self.replies.crossbar.push(slice as usize, usize::from(smx), flits as u32, id);
        if !self.replies.scheduled {
            self.schedule(true, calendar);
        }
    }

    /// The network cycles that have come by now. What crosses goes out flit by flit and is received after
    /// the latency, with its last flit. `leaves` learns which requests leave their SMX.
    #[inline]
    pub fn tick(
        &mut self,
        replies: bool,
        calendar: &mut Calendar,
        mut leaves: impl FnMut(u32, &mut Calendar),
    ) {
        let (clock, latency) = (self.clock, self.latency);
        let now = clock.ticks(calendar.now());
        let clocked = if replies { &mut self.replies } else { &mut self.requests };
        let Clocked { crossbar, channel_free, last, scheduled } = clocked;
        *scheduled = false;
        // Cycles before the one that was scheduled found it idle.
        let first = (*last + 1).max(clock.ticks(calendar.now() - 1) + 1);
        for cycle in first..now + 1 {
            let mut crosses = |crossing: Crossing| {
                let channel = &mut channel_free[usize::from(crossing.output) % MAX_PORTS];
                *channel = cycle.max(*channel) + u64::from(crossing.flits);
                let received = *channel - 1 + latency;
                let at = clock.core(received).max(calendar.now());
                let request = crossing.id;
                let event = match replies {
                    true => Event::Reply { request },
                    false => {
                        leaves(request, calendar);
                        Event::AtSlice { slice: u16::from(crossing.output), request }
                    }
                };
                calendar.schedule(at, event);
            };
            let step = cycle * self.speedup;
            for step in step..step + self.speedup {
                crossbar.tick(step, &mut crosses);
            }
        }
        *last = now;
        if !clocked.crossbar.is_idle() {
            self.schedule(replies, calendar);
        }
    }

    /// The next network cycle of a crossbar that has a packet and is not in the calendar.
    #[inline(always)]
    fn schedule(&mut self, replies: bool, calendar: &mut Calendar) {
        let clocked = if replies { &mut self.replies } else { &mut self.requests };
        clocked.scheduled = true;
        let next = self.clock.ticks(calendar.now()) + 1;
        calendar.schedule(self.clock.core(next), Event::Crossbar { replies });
    }
}
