//! What lies behind the L1s: network, L2 slices and DRAM channels.
//!
//! ```text
//!   send --> network --> [ slice: pipe, look-up ] --> [ channel: latency, FR-FCFS ]
//!                              |  ^                          |
//!   reply <-- network <--------+  +------- fill <------------+
//!                         \---------- a partition ----------------/
//! ```
//!
//! Behind crossbars all this runs ahead of the SMXs (`ahead`), over a mesh it is driven by events
//! (`by_events`); what a partition does is the same.

mod ahead;
mod by_events;
mod denovo;
mod domains;
mod dram;
mod homes;
pub mod load;
mod miss_queues;
mod network;
mod ownership;
mod partition;
mod replies;
mod request;
mod services;
#[cfg(test)]
pub mod shadow;
mod slice;
mod slice_map;
mod workers;

pub use homes::{Crossed, Homes};
pub use network::{Network, Traffic};
pub use request::{FirstLevel, Purpose, Request};
pub use services::Services;
pub use slice::{L2Counts, Slice};

use super::cache::{count, SectorMask};
use super::channel::ChannelCounts;
use super::coalescer::{self, WordMask};
use super::config::{GpuConfig, Protocol};
use super::event::{Calendar, Event};
use ahead::Apart;
use load::Load;
use miss_queues::MissQueues;
use network::Crossbars;
use ownership::{OwnedWords, Ownership};
use partition::{Answer, Layout, Partition, Received};
use request::Requests;
use std::sync::Arc;
use workers::Workers;

/// See the module.
#[derive(Debug)]
pub struct Memory {
    layout: Arc<Layout>,
    line_bytes: u32,
    /// Whether each sector of a store is acknowledged on its own.
    sector_acks: bool,
    /// Every sector of a line.
    whole: SectorMask,
    requests: Requests,
    miss_queues: MissQueues,
    network: Network,
    /// Only where it is in domains.
    homes: Option<Homes>,
    /// Only where the topology is a crossbar.
    crossbars: Option<Crossbars>,
    /// Whether [`Event::Memory`] is in the calendar.
    awaited: bool,
    /// The cycle before which all that SMXs receive is in the calendar.
    known: u64,
    /// Threads for partitions beside the SMXs', at most.
    others: usize,
    /// These, once they have been worth while.
    workers: Option<Workers>,
    /// Whether partitions have copies of their requests, so that they may run apart.
    copying: bool,
    load: Load,
    /// Where the partitions are, if not in `partitions`.
    apart: Option<Apart>,
    partitions: Vec<Box<Partition>>,
    /// For each partition what it has received, where those run apart.
    received: Vec<Vec<Received>>,
    /// For each partition what it has answered and was not sent yet.
    answers: Vec<Vec<Answer>>,
    slices_of_partition: u16,
    /// Cycles from the reception of a request by a slice to its look-up.
    slice_latency: u64,
    traffic: Traffic,
    /// Whether words have owners.
    owned: bool,
    ownership: Ownership,
    /// What every message carries, for tests.
    #[cfg(test)]
    pub shadow: shadow::Shadow,
    /// Kept between calls so that nothing is allocated.
    owners: Vec<OwnedWords>,
}

impl Memory {
    /// An empty hierarchy.
    pub fn new(config: &GpuConfig) -> Self {
        let line = config.l1.line;
        let sectors = line / config.l2.sector;
        let (network, layout) = (Network::new(config), Arc::new(Layout::new(config)));
        let partition = |number| Box::new(Partition::new(config, &network, &layout, number));
        let partitions: Vec<_> = (0..config.dram.channels).map(partition).collect();
        Self {
            line_bytes: line,
            sector_acks: config.l2.sector_acks,
            whole: u32::MAX >> (32 - sectors),
            requests: Requests::default(),
            miss_queues: MissQueues::new(config),
            homes: Homes::new(config),
            crossbars: Crossbars::new(config),
            awaited: false,
            known: 0,
            others: 0,
            workers: None,
            copying: false,
            load: Load::default(),
            apart: None,
            received: vec![Vec::new(); partitions.len()],
            answers: vec![Vec::new(); partitions.len()],
            slice_latency: partitions[0].slices()[0].latency(),
            slices_of_partition: config.l2.slices as u16,
            partitions,
            network,
            layout,
            traffic: Traffic::default(),
            owned: config.coherence.protocol == Protocol::Denovo,
            ownership: Ownership::default(),
            #[cfg(test)]
            shadow: shadow::Shadow::default(),
            owners: Vec::new(),
        }
    }

    /// All slices' counts together.
    pub fn l2_counts(&self) -> L2Counts {
        let mut sum = L2Counts::default();
        for counts in self.slices().map(Slice::counts) {
            sum.hits += counts.hits;
            sum.misses += counts.misses;
            sum.merged += counts.merged;
            sum.reads += counts.reads;
            sum.read_hits += counts.read_hits;
            sum.writes += counts.writes;
        }
        sum
    }

    /// Flits so far.
    pub fn traffic(&self) -> Traffic {
        self.traffic
    }

    /// Every owned word with its owner.
    #[cfg(test)]
    pub fn owners(&self) -> impl Iterator<Item = (shadow::Word, u8)> + '_ {
        self.ownership.all()
    }

    /// The requests and messages on their way.
    #[cfg(test)]
    pub fn on_their_way(&self) -> Vec<Request> {
        self.requests.all()
    }

    /// Where its pages lie and what crossed between its domains, where it has any.
    pub fn homes(&self) -> Option<&Homes> {
        self.homes.as_ref()
    }

    /// What each channel of DRAM did.
    pub fn channel_counts(&self) -> impl Iterator<Item = &ChannelCounts> {
        self.partitions.iter().map(|partition| partition.channel().counts())
    }

    /// From now on counts for whom DRAM works, of `smxs` SMXs and in intervals of `length` cycles,
    /// at least 1. To be called before the first request.
    pub fn count_services(&mut self, smxs: usize, length: u64) {
        for partition in &mut self.partitions {
            partition.channel_and_slices().0.count_services(Services::new(smxs, length));
        }
    }

    /// For whom DRAM worked, if that is counted.
    pub fn services(&self) -> Option<Services> {
        let mut channels =
            self.partitions.iter().filter_map(|partition| partition.channel().services());
        let first = channels.next()?.clone();
        Some(channels.fold(first, Services::join))
    }

    fn slices(&self) -> impl Iterator<Item = &Slice> {
        self.partitions.iter().flat_map(|partition| partition.slices())
    }

    /// The partition of slice `number`, and its place there.
    #[inline]
    fn place_of(&self, number: u16) -> (usize, usize) {
        let of = self.slices_of_partition;
        (usize::from(number / of), usize::from(number % of))
    }

    #[inline]
    fn slice_mut(&mut self, number: u16) -> &mut Slice {
        let (partition, _) = self.place_of(number);
        self.partitions[partition].slice_mut(number)
    }

    /// The host has copied `bytes` bytes to `address`: the L2 holds the last of them.
    pub fn host_copy(&mut self, address: u64, bytes: u64, calendar: &mut Calendar) {
        self.join(calendar);
        // What is copied first is evicted again: only the last bytes, as many as fit, matter.
        let capacity: u64 = 2 * self.slices().count() as u64 * (1 << 20);
        let end = address.saturating_add(bytes);
        let first = (address.max(end.saturating_sub(capacity))) >> self.layout.line_shift;
        for line in first..end.div_ceil(u64::from(self.line_bytes)) {
            let (mut slice, local) = self.layout.slice_map.place(line);
            if let Some(homes) = &self.homes {
                // A page that no SMX has touched is nowhere yet.
                let Some(known) = homes.known(line, slice) else { continue };
                slice = known;
            }
            let whole = self.whole;
            self.slice_mut(slice).preload(local, whole);
        }
    }

    /// SMX `smx` sends a request for `words` of `line` in `cycle`, now or later.
    #[inline]
    pub fn send(
        &mut self,
        smx: u8,
        purpose: Purpose,
        line: u64,
        words: WordMask,
        cycle: u64,
        calendar: &mut Calendar,
    ) {
        self.send_for(smx, smx, purpose, line, words, cycle, calendar);
    }

    /// As [`Memory::send`], where `of` sends it but `smx` is answered.
    #[allow(clippy::too_many_arguments)]
    #[inline]
    pub fn send_for(
        &mut self,
        of: u8,
        smx: u8,
        purpose: Purpose,
        line: u64,
        words: WordMask,
        cycle: u64,
        calendar: &mut Calendar,
    ) {
        let sectors = coalescer::sectors(words, self.layout.sector_words);
        let (mut slice, local) = self.layout.slice_map.place(line);
        if let Some(homes) = &mut self.homes {
            slice = homes.slice(of, line, slice);
        }
        let request =
            Request { smx, purpose, line, local, slice, words, sectors, missing: 0, packets: 0 };
        let flits = self.request_flits(&request);
        if let Some(homes) = &mut self.homes {
            homes.count(of, slice, 1, flits);
        }
        match purpose {
            Purpose::Fill { .. } | Purpose::Load(_) | Purpose::Code | Purpose::Read { .. } => {
                self.traffic.read_flits += flits;
            }
            Purpose::WriteBack | Purpose::GiveUp | Purpose::Recalled { .. } => {
                self.traffic.write_back_flits += flits;
            }
            _ => self.traffic.write_flits += flits,
        }
        self.traffic.flit_hops += flits * self.network.hops(of, u32::from(slice));
        let id = self.requests.add(request);
        #[cfg(test)]
        self.shadow.leaves_smx(id, of, &request);
        let now = calendar.now();
        if let (Some(crossbars), false) = (&mut self.crossbars, self.miss_queues.are_limited()) {
            crossbars.request(cycle.max(now), of, u32::from(slice), flits, id);
            self.await_replies(calendar);
        } else if cycle > now {
            calendar.schedule(cycle, Event::Send { smx: of, request: id });
        } else {
            // The SMXs have their turn after what happens in the L2 in this cycle.
            self.inject(of, id, cycle + 1, calendar);
        }
    }

    /// Request `id` leaves the SMX `smx`, and is not before its slice before cycle `earliest`.
    #[inline]
    pub fn inject(&mut self, smx: u8, id: u32, earliest: u64, calendar: &mut Calendar) {
        let request = self.requests.get(id);
        let slice = u32::from(request.slice);
        let flits = self.request_flits(request);
        let counts = self.miss_queues.counts(request);
        if counts {
            self.miss_queues.enter(smx);
        }
        if let Some(crossbars) = &mut self.crossbars {
            crossbars.request(calendar.now(), smx, slice, flits, id);
            self.await_replies(calendar);
            return;
        }
        let arrival = self.network.request(calendar.now(), smx, slice, flits);
        if counts {
            let left = self.network.sent(smx).max(calendar.now() + 1);
            calendar.schedule(left, Event::Left { smx });
        }
        let slice = request.slice;
        calendar.schedule(arrival.max(earliest), Event::AtSlice { slice, request: id });
    }

    /// Whether the miss queue of `smx` is not full.
    #[inline]
    pub fn has_room(&self, smx: u8) -> bool {
        self.miss_queues.has_room(smx)
    }

    /// A request of `smx` has left its miss queue. Returns whether that has room that it had not
    /// before.
    pub fn left(&mut self, smx: u8) -> bool {
        self.miss_queues.leave(smx)
    }

    /// SMX `from` sends `words` of `line`, or a message about them, to the SMX `to` in `cycle`, now
    /// or later.
    #[allow(clippy::too_many_arguments)]
    pub fn pass(
        &mut self,
        from: u8,
        to: u8,
        purpose: Purpose,
        line: u64,
        words: WordMask,
        cycle: u64,
        calendar: &mut Calendar,
    ) {
        let request = Request::message(to, purpose, line, words);
        let flits = self.packet_flits(&request);
        self.traffic.reply_flits += flits;
        self.traffic.flit_hops += flits * self.network.hops(from, u32::from(to));
        let id = self.requests.add(request);
        #[cfg(test)]
        self.shadow.leaves_smx(id, from, &request);
        if cycle > calendar.now() {
            calendar.schedule(cycle, Event::Pass { smx: from, request: id });
        } else {
            self.hand_over(from, id, calendar);
        }
    }

    /// Message `id` leaves the SMX `smx` for another one.
    pub fn hand_over(&mut self, smx: u8, id: u32, calendar: &mut Calendar) {
        let request = self.requests.get(id);
        let flits = self.packet_flits(request);
        let arrival = self.network.between(calendar.now(), smx, request.smx, flits);
        calendar.schedule(arrival, Event::AtSmx { request: id });
    }

    /// The slice that holds `line`: under DeNovo the home bank of its words.
    #[cfg(test)]
    pub fn home(&self, line: u64) -> u32 {
        u32::from(self.layout.slice_map.place(line).0)
    }

    #[inline]
    fn request_flits(&self, request: &Request) -> u64 {
        self.network.flits(match request.purpose {
            purpose if !purpose.carries_data() => 0,
            purpose if purpose.by_words() => request.words.count_ones(),
            _ => count(request.sectors) * self.layout.sector_words,
        })
    }
}
