//! The DRAM channels of the GPU: the way from the L2, and their clock.
//!
//! A request reaches its channel a fixed latency after the miss, so what a channel does up to that
//! latency from now is already decided: it runs ahead by so much at a time.

use super::network::Network;
use crate::gpu::cache::WayId;
use crate::gpu::channel::{Channel, ChannelCounts, Completion, Location, Request};
use crate::gpu::clock::Clock;
use crate::gpu::config::GpuConfig;
use crate::gpu::event::{Calendar, Event};

/// The number of a write, for which nobody waits.
const WRITE: u32 = u32::MAX;

/// A read on its way: where its data go.
#[derive(Clone, Copy, Debug)]
struct Read {
    slice: u16,
    sector: u8,
    way: WayId,
}

/// See the module.
#[derive(Debug)]
pub struct Dram {
    clock: Clock,
    latency: u64,
    /// For each channel the SMX cycles of the network to it, and back, in addition.
    ways: Vec<u64>,
    /// Bursts of a sector of the L2.
    bursts: u8,
    channels: Vec<Channel>,
    /// Whether each channel is in the calendar.
    scheduled: Vec<bool>,
    reads: Vec<Read>,
    free: Vec<u32>,
    completed: Vec<Completion>,
}

impl Dram {
    /// The idle channels of `config`.
    ///
    /// A channel's requests take the way of `network` from its first slice to the controllers.
    pub fn new(config: &GpuConfig, network: &Network) -> Self {
        let channels = config.dram.channels as usize;
        let slice = |channel| channel as u32 * config.l2.slices;
        Self {
            clock: Clock::new(config.clock.dram, config.clock.core),
            latency: u64::from(config.dram.latency),
            ways: (0..channels).map(|channel| network.to_memory(slice(channel))).collect(),
            bursts: config.l2.sector.div_ceil(config.channel.burst_bytes) as u8,
            channels: (0..channels).map(|_| Channel::new(&config.channel)).collect(),
            scheduled: vec![false; channels],
            reads: Vec::new(),
            free: Vec::new(),
            completed: Vec::new(),
        }
    }

    /// What each channel did.
    pub fn counts(&self) -> impl Iterator<Item = &ChannelCounts> {
        self.channels.iter().map(Channel::counts)
    }

    /// A sector is missing in `slice`.
    #[inline]
    pub fn read(
        &mut self,
        at: Location,
        slice: u16,
        way: WayId,
        sector: u8,
        calendar: &mut Calendar,
    ) {
        let read = Read { slice, sector, way };
        let id = match self.free.pop() {
            Some(id) => {
                self.reads[id as usize] = read;
                id
            }
            None => {
                self.reads.push(read);
                (self.reads.len() - 1) as u32
            }
        };
        self.push(at, id, calendar);
    }

    /// A sector is written back.
    #[inline]
    pub fn write(&mut self, at: Location, calendar: &mut Calendar) {
        self.push(at, WRITE, calendar);
    }

    /// The data of read `id` are here: slice, way and sector.
    #[inline]
    pub fn finish(&mut self, id: u32) -> (u16, WayId, u8) {
        self.free.push(id);
        let read = self.reads[id as usize];
        (read.slice, read.way, read.sector)
    }

    /// Lets `channel` run as far ahead as is decided; `coming` learns of which slice and way data will come.
    #[inline]
    pub fn advance(
        &mut self,
        channel: u16,
        calendar: &mut Calendar,
        mut coming: impl FnMut(u16, WayId),
    ) {
        let index = usize::from(channel);
        self.scheduled[index] = false;
        let decided = self.clock.ticks(calendar.now() + self.latency - 1);
        self.channels[index].run(decided, &mut self.completed);
        for completion in self.completed.drain(..) {
            if completion.id == WRITE {
                continue;
            }
            let read = &self.reads[completion.id as usize];
            let cycle = self.clock.core(completion.cycle).max(calendar.now());
            coming(read.slice, read.way);
            let event = Event::DramData { read: completion.id };
            calendar.schedule(cycle + self.ways[index], event);
        }
        self.schedule(channel, calendar);
    }

    #[inline]
    fn push(&mut self, at: Location, id: u32, calendar: &mut Calendar) {
        let channel = at.channel;
        let way = self.ways[usize::from(channel)];
        let arrival = self.clock.ticks(calendar.now() + self.latency + way);
        let request = Request { id, bank: at.bank, row: at.row, write: id == WRITE };
        self.channels[usize::from(channel)].push_bursts(arrival, request, self.bursts);
        self.schedule(channel, calendar);
    }

    #[inline]
    fn schedule(&mut self, channel: u16, calendar: &mut Calendar) {
        let index = usize::from(channel);
        if self.scheduled[index] {
            return;
        }
        let channel_at = &self.channels[index];
        if let Some(cycle) = channel_at.next().into_iter().chain(channel_at.next_arrival()).min() {
            // As late as the channel's next step allows, so that it takes many steps at a time.
            let cycle = self.clock.core(cycle).max(calendar.now());
            calendar.schedule(cycle, Event::Channel { channel });
            self.scheduled[index] = true;
        }
    }
}
