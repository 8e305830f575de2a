//! What lies behind the L1s: network, L2 slices and DRAM channels, tied together by events.
//!
//! ```text
//!   send --> network --> [ slice: pipe, look-up ] --> [ channel: latency, FR-FCFS ]
//!                              |  ^                          |
//!   reply <-- network <--------+  +------- fill <------------+
//! ```

mod denovo;
mod dram;
mod miss_queues;
mod network;
mod ownership;
mod replies;

mod request;
#[cfg(test)]
pub mod shadow;
mod slice;
mod slice_map;

pub use dram::Dram;
pub use network::MAX_FLITS;
pub use network::{Network, Traffic};
pub use request::{Purpose, Request};
pub use slice::{L2Counts, Slice};

use super::cache::{count, SectorMask};
use super::coalescer::{self, WordMask, WORD_BYTES};
use super::config::{GpuConfig, Protocol};
use super::event::{Calendar, Event};
use miss_queues::MissQueues;
use network::Crossbars;
use ownership::{OwnedWords, Ownership};
use request::Requests;
use slice_map::SliceMap;

/// See the module.
#[derive(Debug)]
pub struct Memory {
    line_shift: u32,
    line_bytes: u32,
    sector_words: u32,
    /// Whether each sector of a store is acknowledged on its own.
    sector_acks: bool,
    /// Every sector of a line.
    whole: SectorMask,
    requests: Requests,
    burst_bytes: u64,
    slice_map: SliceMap,
    miss_queues: MissQueues,
    network: Network,
    /// Only where the topology is a crossbar.
    crossbars: Option<Crossbars>,
    slices: Vec<Slice>,
    dram: Dram,
    traffic: Traffic,
    /// Whether words have owners.
    owned: bool,
    ownership: Ownership,
    /// What every message carries, for tests.
    #[cfg(test)]
    pub shadow: shadow::Shadow,
    /// Kept between calls so that nothing is allocated.
    replies: Vec<(u32, SectorMask)>,
    owners: Vec<OwnedWords>,
}

impl Memory {
    /// An empty hierarchy.
    pub fn new(config: &GpuConfig) -> Self {
        let line = config.l1.line;
        let sectors = line / config.l2.sector;
        let network = Network::new(config);
        Self {
            line_shift: line.trailing_zeros(),
            line_bytes: line,
            sector_words: config.l2.sector / WORD_BYTES as u32,
            sector_acks: config.l2.sector_acks,
            whole: u32::MAX >> (32 - sectors),
            requests: Requests::default(),
            burst_bytes: u64::from(config.channel.burst_bytes),
            slice_map: SliceMap::new(config),
            miss_queues: MissQueues::new(config),
            crossbars: Crossbars::new(config),
            slices: (0..config.slices()).map(|_| Slice::new(config)).collect(),
            dram: Dram::new(config, &network),
            network,
            traffic: Traffic::default(),
            owned: config.coherence.protocol == Protocol::Denovo,
            ownership: Ownership::default(),
            #[cfg(test)]
            shadow: shadow::Shadow::default(),
            replies: Vec::new(),
            owners: Vec::new(),
        }
    }

    /// All slices' counts together.
    pub fn l2_counts(&self) -> L2Counts {
        let mut sum = L2Counts::default();
        for counts in self.slices.iter().map(Slice::counts) {
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

    /// The channels.
    pub fn dram(&self) -> &Dram {
        &self.dram
    }

    /// The host has copied `bytes` bytes to `address`: the L2 holds the last of them.
    pub fn host_copy(&mut self, address: u64, bytes: u64) {
        // What is copied first is evicted again: only the last bytes, as many as fit, matter.
        let capacity: u64 = 2 * self.slices.len() as u64 * (1 << 20);
        let end = address.saturating_add(bytes);
        let first = (address.max(end.saturating_sub(capacity))) >> self.line_shift;
        for line in first..end.div_ceil(u64::from(self.line_bytes)) {
            let (slice, local) = self.slice_map.place(line);
            self.slices[usize::from(slice)].preload(local, self.whole);
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
        let sectors = coalescer::sectors(words, self.sector_words);
        let (slice, local) = self.slice_map.place(line);
        let request =
            Request { smx, purpose, line, local, slice, words, sectors, missing: 0, packets: 0 };
        let flits = self.request_flits(&request);
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
        if cycle > calendar.now() {
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
            crossbars.request(smx, slice, flits, id, calendar);
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

    /// One cycle of the crossbar for requests or for replies.
    #[inline]
    pub fn crossbar(&mut self, replies: bool, calendar: &mut Calendar) {
        let Self { crossbars, requests, miss_queues, .. } = self;
        if let Some(crossbars) = crossbars {
            crossbars.tick(replies, calendar, |id, calendar| {
                if miss_queues.are_limited() && miss_queues.counts(requests.get(id)) {
                    let smx = requests.get(id).smx;
                    calendar.schedule(calendar.now() + 1, Event::Left { smx });
                }
            });
        }
    }

    /// Whether the miss queue of `smx` is not full.
    #[inline]
    pub fn has_room(&self, smx: u8) -> bool {
        self.miss_queues.has_room(smx)
    }

    /// A request of `smx` has left its miss queue. Returns whether that has room that it had not before.
    pub fn left(&mut self, smx: u8) -> bool {
        self.miss_queues.leave(smx)
    }

    /// SMX `from` sends `words` of `line`, or a message about them, to the SMX `to` in `cycle`, now or
    /// later.
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

    /// Request `id` is before its slice, `slice`.
    #[inline]
    pub fn at_slice(&mut self, slice: u16, id: u32, calendar: &mut Calendar) {
        let request = self.requests.get(id);
        let mut received = calendar.now();
        if self.crossbars.is_none() {
            let flits = self.request_flits(request);
            received = self.network.receive_request(received, u32::from(slice), flits);
        }
        let looked_up = self.slices[usize::from(slice)].receive(received, id, request.local);
        if let Some(cycle) = looked_up {
            calendar.schedule(cycle, Event::LookUp { slice });
        }
    }

    /// `slice` looks up its next request.
    #[inline]
    pub fn look_up(&mut self, slice: u16, calendar: &mut Calendar) {
        let now = calendar.now();
        if self.owned && self.at_home(slice, calendar) {
            self.schedule_look_up(slice, calendar);
            return;
        }
        let looked_up = self.slices[usize::from(slice)].look_up(now, &mut self.requests);
        if let Some((id, outcome)) = looked_up {
            if let Some((local, dirty)) = outcome.write_back {
                let line = self.slice_map.line(local, self.requests.get(id).line);
                self.write_to_dram(line, dirty, calendar);
            }
            if let Some((way, sectors)) = outcome.fetch {
                let line = self.requests.get(id).line;
                for (sector, address) in self.sector_addresses(line, sectors) {
                    let location = self.slice_map.locate(address);
                    self.dram.read(location, slice, way, sector, calendar);
                }
            }
            if outcome.reply != 0 {
                self.reply(slice, id, outcome.reply, calendar);
            }
        }
        self.schedule_look_up(slice, calendar);
    }

    /// A channel goes on.
    #[inline]
    pub fn channel(&mut self, channel: u16, calendar: &mut Calendar) {
        let Self { dram, slices, .. } = self;
        dram.advance(channel, calendar, |slice, way| slices[usize::from(slice)].announce_fill(way));
    }

    /// DRAM delivers what its read `read` asked for.
    #[inline]
    pub fn dram_data(&mut self, read: u32, calendar: &mut Calendar) {
        let (slice, way, sector) = self.dram.finish(read);
        let fill = &mut self.slices[usize::from(slice)];
        fill.fill(way, 1 << sector, &mut self.requests, &mut self.replies);
        for index in 0..self.replies.len() {
            let (id, sectors) = self.replies[index];
            self.reply(slice, id, sectors, calendar);
        }
        self.replies.clear();
        self.schedule_look_up(slice, calendar);
    }

    #[inline]
    fn schedule_look_up(&mut self, slice: u16, calendar: &mut Calendar) {
        if let Some(cycle) = self.slices[usize::from(slice)].next_look_up() {
            calendar.schedule(cycle.max(calendar.now()), Event::LookUp { slice });
        }
    }

    #[inline]
    fn write_to_dram(&mut self, line: u64, sectors: SectorMask, calendar: &mut Calendar) {
        // Neighbouring dirty sectors share a burst; a sector larger than a burst takes several.
        let mut last = None;
        for (_, address) in self.sector_addresses(line, sectors) {
            if last.replace(address / self.burst_bytes) != Some(address / self.burst_bytes) {
                let location = self.slice_map.locate(address);
                self.dram.write(location, calendar);
            }
        }
    }

    /// The sectors with their addresses.
    #[inline]
    fn sector_addresses(
        &self,
        line: u64,
        sectors: SectorMask,
    ) -> impl Iterator<Item = (u8, u64)> + 'static {
        let (base, bytes) = (line << self.line_shift, u64::from(self.sector_words) * WORD_BYTES);
        let mut left = sectors;
        std::iter::from_fn(move || {
            let sector = (left != 0).then(|| left.trailing_zeros() as u8)?;
            left &= left - 1;
            Some((sector, base + u64::from(sector) * bytes))
        })
    }

    /// The slice that holds `line`: under DeNovo the home bank of its words.
    #[cfg(test)]
    pub fn home(&self, line: u64) -> u32 {
        u32::from(self.slice_map.place(line).0)
    }

    #[inline]
    fn request_flits(&self, request: &Request) -> u64 {
        self.network.flits(match request.purpose {
            purpose if !purpose.carries_data() => 0,
            purpose if purpose.by_words() => request.words.count_ones(),
            _ => count(request.sectors) * self.sector_words,
        })
    }
}
