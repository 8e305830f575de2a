//! The two crossbars between SMXs and L2 slices, one for requests and one for replies, in the
//! network's clock.
//!
//! What is sent in an SMX cycle crosses in the network cycle behind it at the earliest, so each crossbar can be
//! run ahead to where all that is sent to it is known.

use super::crossbar::{Crossbar, Crossing, MAX_PORTS};
use crate::gpu::clock::Clock;
use crate::gpu::config::{GpuConfig, Topology};
use crate::gpu::divisor::Divisor;

/// One crossbar.
#[derive(Debug)]
struct Clocked {
    crossbar: Crossbar,
    /// For each output the first network cycle in which its channel takes another flit.
    channel_free: [u64; MAX_PORTS],
}

/// See the module.
#[derive(Debug)]
pub struct Crossbars {
    requests: Clocked,
    replies: Clocked,
    clock: Clock,
    latency: u64,
    /// Steps of a crossbar in a network cycle.
    speedup: Divisor,
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
        };
        Some(Self {
            requests: clocked(smx, slices),
            replies: clocked(slices, smx),
            clock: Clock::new(config.clock.interconnect, config.clock.core),
            latency: u64::from(config.interconnect.latency),
            speedup: Divisor::new(u64::from(config.interconnect.speedup)),
        })
    }

    /// Request `id` leaves its SMX in `cycle`.
    #[inline(always)]
    pub fn request(&mut self, cycle: u64, smx: u8, slice: u32, flits: u64, id: u32) {
        let from = self.first_step(cycle);
        self.requests.crossbar.push(from, usize::from(smx), slice as usize, flits as u32, id);
    }

    /// The reply to request `id` leaves its slice in `cycle`.
    #[inline(always)]
    pub fn reply(&mut self, cycle: u64, smx: u8, slice: u32, flits: u64, id: u32) {
        let from = self.first_step(cycle);
        self.replies.crossbar.push(from, slice as usize, usize::from(smx), flits as u32, id);
    }

    /// The first cycle in which anything can be received that is sent in `cycle` or later.
    #[inline]
    pub fn soonest(&self, cycle: u64) -> u64 {
        self.clock.core(self.clock.ticks(cycle) + 1 + self.latency)
    }

    /// What crosses of the requests that were sent before `cycle`, up to where those matter that are sent in
    /// it: `crosses` learns in which cycle they leave their SMX and in which they have been received.
    #[inline]
    pub fn run_requests(&mut self, cycle: u64, crosses: impl FnMut(u64, u64, Crossing)) {
        let last = self.first_step(cycle) - 1;
        self.requests.run(last, self.clock, self.latency, self.speedup, crosses);
    }

    /// As [`run_requests`](Self::run_requests), of the replies.
    #[inline]
    pub fn run_replies(&mut self, cycle: u64, crosses: impl FnMut(u64, u64, Crossing)) {
        let last = self.first_step(cycle) - 1;
        self.replies.run(last, self.clock, self.latency, self.speedup, crosses);
    }

    /// The first step in which a packet crosses that is sent in `cycle`.
    #[inline]
    fn first_step(&self, cycle: u64) -> u64 {
        (self.clock.ticks(cycle) + 1) * self.speedup.get()
    }
}

impl Clocked {
    /// The steps up to `last`. What crosses goes out flit by flit and is received after the latency, with its
    /// last flit.
    #[inline(always)]
    fn run(
        &mut self,
        last: u64,
        clock: Clock,
        latency: u64,
        speedup: Divisor,
        mut crosses: impl FnMut(u64, u64, Crossing),
    ) {
        let Self { crossbar, channel_free } = self;
        crossbar.run(last, |step, crossing| {
            let cycle = speedup.divide(step);
            let channel = &mut channel_free[usize::from(crossing.output) % MAX_PORTS];
            *channel = cycle.max(*channel) + u64::from(crossing.flits);
            let received = clock.core(*channel - 1 + latency);
            crosses(clock.core(cycle), received, crossing);
        });
    }
}
