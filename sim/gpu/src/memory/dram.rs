//! A DRAM channel of the GPU: the way from the L2, and its clock.
//!
//! A request reaches its channel a fixed latency after the miss, so what a channel does up to that
//! latency from now is already decided: it runs ahead by so much at a time.

use super::network::Network;
use super::services::Services;
use crate::cache::WayId;
use crate::channel::{Channel, ChannelCounts, Completion, Location, Request};
use crate::clock::Clock;
use crate::config::GpuConfig;
use crate::event::{Calendar, Event};

/// The number of a write, for which nobody waits.
const WRITE: u32 = u32::MAX;

/// Data on their way: where they go, and for whom.
#[derive(Clone, Copy, Debug)]
pub struct Data {
    /// The slice.
    pub slice: u16,
    /// The sector of the way.
    pub sector: u8,
    /// The way of the slice.
    pub way: WayId,
    /// The SMX that asked for them.
    pub smx: u8,
}

/// See the module.
#[derive(Debug)]
pub struct DramChannel {
    clock: Clock,
    latency: u64,
    /// The SMX cycles of the network to it, and back, in addition.
    way: u64,
    /// Bursts of a sector of the L2.
    bursts: u8,
    channel: Channel,
    /// Whether it is in the calendar.
    scheduled: bool,
    /// By number, what each read asks for.
    reads: Vec<Data>,
    free: Vec<u32>,
    /// Kept between calls so that nothing is allocated.
    completed: Vec<Completion>,
    /// Only on request.
    services: Option<Box<Services>>,
}

impl DramChannel {
    /// Channel `number` of `config`, idle. Its requests take the way of `network` from its first
    /// slice to the controllers.
    pub fn new(config: &GpuConfig, network: &Network, number: u32) -> Self {
        Self {
            clock: Clock::new(config.clock.dram, config.clock.core),
            latency: u64::from(config.dram.latency),
            way: network.to_memory(number * config.l2.slices),
            bursts: config.l2.sector.div_ceil(config.channel.burst_bytes) as u8,
            channel: Channel::new(&config.channel),
            scheduled: false,
            reads: Vec::new(),
            free: Vec::new(),
            completed: Vec::new(),
            services: None,
        }
    }

    /// What it did.
    pub fn counts(&self) -> &ChannelCounts {
        self.channel.counts()
    }

    /// SMX cycles from the L2 to the channel, the network's apart.
    pub fn latency(&self) -> u64 {
        self.latency
    }

    /// From now on counts for whom it works, beside `services`, which are none.
    pub fn count_services(&mut self, services: Services) {
        self.services = Some(Box::new(services));
    }

    /// For whom it worked, if that is counted.
    pub fn services(&self) -> Option<&Services> {
        self.services.as_deref()
    }

    /// Whether it has nothing to do.
    pub fn is_idle(&self) -> bool {
        self.channel.pending() == 0
    }

    /// In `cycle` a sector of a way is missing in a slice, as `data` says.
    #[inline]
    pub fn read(&mut self, cycle: u64, at: Location, data: Data) {
        let id = match self.free.pop() {
            Some(id) => {
                self.reads[id as usize] = data;
                id
            }
            None => {
                self.reads.push(data);
                (self.reads.len() - 1) as u32
            }
        };
        self.push(cycle, at, id);
    }

    /// In `cycle` a sector is written back.
    #[inline]
    pub fn write(&mut self, cycle: u64, at: Location) {
        self.push(cycle, at, WRITE);
    }

    /// Runs as far as is decided by what is asked of it before cycle `until`: up to where what is
    /// asked in `until` may arrive. `comes` learns when which data come, in order and not before
    /// `until`.
    #[inline]
    pub fn run(&mut self, until: u64, mut comes: impl FnMut(u64, Data)) {
        let arrives = self.clock.ticks(until + self.latency);
        let Some(last) = arrives.checked_sub(1) else { return };
        self.channel.run(last, &mut self.completed);
        for completion in self.completed.drain(..) {
            if let Some(services) = &mut self.services {
                let smx = self.reads.get(completion.id as usize).map(|data| data.smx);
                services.serve(self.clock.core(completion.cycle), smx);
            }
            if completion.id == WRITE {
                continue;
            }
            self.free.push(completion.id);
            let cycle = self.clock.core(completion.cycle).max(until);
            comes(cycle + self.way, self.reads[completion.id as usize]);
        }
    }

    /// As [`run`](Self::run), for now and as channel `number`; what comes is an event, and so is
    /// its next step.
    #[inline]
    pub fn advance(
        &mut self,
        number: u16,
        calendar: &mut Calendar,
        mut coming: impl FnMut(u16, WayId),
    ) {
        self.scheduled = false;
        self.run(calendar.now(), |cycle, Data { slice, sector, way, .. }| {
            coming(slice, way);
            calendar.schedule(cycle, Event::DramData { slice, sector, way });
        });
        self.schedule(number, calendar);
    }

    #[inline]
    fn push(&mut self, cycle: u64, at: Location, id: u32) {
        let arrival = self.clock.ticks(cycle + self.latency + self.way);
        let request = Request { id, bank: at.bank, row: at.row, write: id == WRITE };
        self.channel.push_bursts(arrival, request, self.bursts);
    }

    /// Puts its next step into the calendar, as that of channel `number`, if it has one and is not
    /// there.
    #[inline]
    pub fn schedule(&mut self, number: u16, calendar: &mut Calendar) {
        if self.scheduled {
            return;
        }
        let next = self.channel.next().into_iter().chain(self.channel.next_arrival());
        if let Some(cycle) = next.min() {
            // As late as the channel's next step allows, so that it takes many steps at a time, and
            // not before it is decided.
            let decided = self.clock.core(cycle + 1).saturating_sub(self.latency);
            let cycle = self.clock.core(cycle).max(decided).max(calendar.now());
            calendar.schedule(cycle, Event::Channel { channel: number });
            self.scheduled = true;
        }
    }
}
