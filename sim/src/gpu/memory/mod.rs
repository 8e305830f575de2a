//! What lies behind the L1s: network, L2 slices and DRAM channels, tied together by events.
//!
//! ```text
//!   send --> network --> [ slice: pipe, look-up ] --> [ channel: latency, FR-FCFS ]
//!                              |  ^                          |
//!   reply <-- network <--------+  +------- fill <------------+
//! ```

mod dram;
mod network;
mod request;
mod slice;

pub use dram::Dram;
pub use network::{Network, Traffic};
pub use request::{Purpose, Request};
pub use slice::{L2Counts, Slice};

use super::cache::SectorMask;
use super::channel::AddressMap;
use super::coalescer::{self, WordMask, WORD_BYTES};
use super::config::GpuConfig;
use super::event::{Calendar, Event};
use request::Requests;

/// See the module.
#[derive(Debug)]
pub struct Memory {
    map: AddressMap,
    line_shift: u32,
    line_bytes: u32,
    sector_words: u32,
    /// Every sector of a line.
    whole: SectorMask,
    requests: Requests,
    network: Network,
    slices: Vec<Slice>,
    dram: Dram,
    traffic: Traffic,
    /// Kept between calls so that a fill allocates nothing.
    replies: Vec<u32>,
}

impl Memory {
    /// An empty hierarchy.
    pub fn new(config: &GpuConfig) -> Self {
        let line = config.l1.line;
        let sectors = line / config.l2.sector;
        Self {
            map: AddressMap::new(&config.address_map()),
            line_shift: line.trailing_zeros(),
            line_bytes: line,
            sector_words: config.l2.sector / WORD_BYTES as u32,
            whole: u32::MAX >> (32 - sectors),
            requests: Requests::default(),
            network: Network::new(config),
            slices: (0..config.slices()).map(|_| Slice::new(config)).collect(),
            dram: Dram::new(config),
            traffic: Traffic::default(),
            replies: Vec::new(),
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
            sum.writes += counts.writes;
        }
        sum
    }

    /// Flits so far.
    pub fn traffic(&self) -> Traffic {
        self.traffic
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
            let slice = self.slice(line);
            self.slices[slice as usize].preload(line, self.whole);
        }
    }

    /// SMX `smx` sends a request for `words` of `line` in `cycle`, now or later.
    pub fn send(
        &mut self,
        smx: u8,
        purpose: Purpose,
        line: u64,
        words: WordMask,
        cycle: u64,
        calendar: &mut Calendar,
    ) {
        let sectors = coalescer::sectors(words, self.sector_words);
        let request = Request { smx, purpose, line, sectors, missing: 0 };
        let flits = self.request_flits(&request);
        match purpose {
            Purpose::Fill | Purpose::Load(_) | Purpose::Code => self.traffic.read_flits += flits,
            Purpose::Store { .. } | Purpose::Atomic { .. } => self.traffic.write_flits += flits,
            Purpose::WriteBack => self.traffic.write_back_flits += flits,
        }
        let slice = self.slice(line);
        self.traffic.flit_hops += flits * self.network.hops(smx, slice);
        let arrival = self.network.request(cycle, smx, slice, flits);
        let request = self.requests.add(request);
        calendar.schedule(arrival, Event::AtSlice { slice: slice as u16, request });
    }

    /// Request `id` is before its slice.
    pub fn at_slice(&mut self, slice: u16, id: u32, calendar: &mut Calendar) {
        let flits = self.request_flits(self.requests.get(id));
        let received = self.network.receive_request(calendar.now(), u32::from(slice), flits);
        if let Some(cycle) = self.slices[usize::from(slice)].receive(received, id) {
            calendar.schedule(cycle, Event::LookUp { slice });
        }
    }

    /// `slice` looks up its next request.
    pub fn look_up(&mut self, slice: u16, calendar: &mut Calendar) {
        let now = calendar.now();
        let looked_up = self.slices[usize::from(slice)].look_up(now, &mut self.requests);
        if let Some((id, outcome)) = looked_up {
            if let Some((line, dirty)) = outcome.write_back {
                self.write_to_dram(line, dirty, calendar);
            }
            if let Some((way, sectors)) = outcome.fetch {
                let line = self.requests.get(id).line;
                for (sector, address) in self.sector_addresses(line, sectors) {
                    let location = self.map.locate(address);
                    self.dram.read(location, slice, way, sector, calendar);
                }
            }
            if let Some(cycles) = outcome.reply {
                self.reply(slice, id, now + cycles, calendar);
            }
        }
        self.schedule_look_up(slice, calendar);
    }

    /// A channel goes on.
    pub fn channel(&mut self, channel: u16, calendar: &mut Calendar) {
        self.dram.advance(channel, calendar);
    }

    /// DRAM delivers what its read `read` asked for.
    pub fn dram_data(&mut self, read: u32, calendar: &mut Calendar) {
        let (slice, way, sector) = self.dram.finish(read);
        let mut replies = std::mem::take(&mut self.replies);
        let fill = &mut self.slices[usize::from(slice)];
        fill.fill(way, 1 << sector, &mut self.requests, &mut replies);
        for id in replies.drain(..) {
            self.reply(slice, id, calendar.now(), calendar);
        }
        self.replies = replies;
        self.schedule_look_up(slice, calendar);
    }

    /// The reply to request `id` is before its SMX. Returns the request when it has been received;
    /// else it comes as [`Event::Reply`].
    pub fn at_smx(&mut self, id: u32, calendar: &mut Calendar) -> Option<Request> {
        let request = self.requests.get(id);
        let flits = self.reply_flits(request);
        let received = self.network.receive_reply(calendar.now(), request.smx, flits);
        if received == calendar.now() {
            return Some(self.requests.remove(id));
        }
        calendar.schedule(received, Event::Reply { request: id });
        None
    }

    /// The reply to request `id` has been received.
    pub fn received(&mut self, id: u32) -> Request {
        self.requests.remove(id)
    }

    fn reply(&mut self, slice: u16, id: u32, cycle: u64, calendar: &mut Calendar) {
        let request = *self.requests.get(id);
        if request.purpose == Purpose::WriteBack {
            self.requests.remove(id);
            return;
        }
        let flits = self.reply_flits(&request);
        self.traffic.reply_flits += flits;
        let slice = u32::from(slice);
        self.traffic.flit_hops += flits * self.network.hops(request.smx, slice);
        let arrival = self.network.reply(cycle, slice, request.smx, flits);
        calendar.schedule(arrival, Event::AtSmx { request: id });
    }

    fn schedule_look_up(&mut self, slice: u16, calendar: &mut Calendar) {
        if let Some(cycle) = self.slices[usize::from(slice)].next_look_up() {
            calendar.schedule(cycle.max(calendar.now()), Event::LookUp { slice });
        }
    }

    fn write_to_dram(&mut self, line: u64, sectors: SectorMask, calendar: &mut Calendar) {
        for (_, address) in self.sector_addresses(line, sectors) {
            let location = self.map.locate(address);
            self.dram.write(location, calendar);
        }
    }

    /// The sectors with their addresses.
    fn sector_addresses(
        &self,
        line: u64,
        sectors: SectorMask,
    ) -> impl Iterator<Item = (u8, u64)> + 'static {
        let (base, bytes) = (line << self.line_shift, u64::from(self.sector_words) * WORD_BYTES);
        (0..32_u8)
            .take_while(move |&sector| sectors >> sector != 0)
            .filter(move |&sector| sectors >> sector & 1 == 1)
            .map(move |sector| (sector, base + u64::from(sector) * bytes))
    }

    fn slice(&self, line: u64) -> u32 {
        u32::from(self.map.locate(line << self.line_shift).slice)
    }

    fn request_flits(&self, request: &Request) -> u64 {
        self.flits(request.purpose.carries_data(), request.sectors)
    }

    fn reply_flits(&self, request: &Request) -> u64 {
        self.flits(request.purpose.returns_data(), request.sectors)
    }

    /// Sectors travel as packets of their own when they come from the L2 one by one; a store is
    /// one packet.
    fn flits(&self, data: bool, sectors: SectorMask) -> u64 {
        let bytes =
            if data { sectors.count_ones() * self.sector_words * WORD_BYTES as u32 } else { 0 };
        self.network.flits(bytes)
    }
}
