//! A memory partition: a channel of DRAM and its slices of the L2.
//!
//! What a slice asks of DRAM reaches the channel a fixed latency later, so both go on by that many
//! cycles in turn, each without a look at the other:
//!
//! ```text
//!   slices   |-- dram.latency --|-- dram.latency --|
//!   channel                     |-- dram.latency --|-- dram.latency --|
//! ```
//!
//! A partition looks at nothing but what it has, so that several run beside one another. What it
//! answers it keeps, in order, until somebody sends it.

use super::dram::{Data, DramChannel};
use super::network::Network;
use super::request::{Copies, Request, Table};
use super::slice_map::SliceMap;
use super::Slice;
use crate::cache::{SectorMask, WayId};
use crate::coalescer::WORD_BYTES;
use crate::config::GpuConfig;
use crate::prefetch::prefetch;
use std::sync::Arc;

/// Where addresses lie: what all partitions have in common.
#[derive(Debug)]
pub struct Layout {
    /// The map of lines to slices.
    pub slice_map: SliceMap,
    /// Bits of an address within its line.
    pub line_shift: u32,
    /// Words of a sector of the L2.
    pub sector_words: u32,
    burst_bytes: u64,
}

impl Layout {
    /// That of `config`.
    pub fn new(config: &GpuConfig) -> Self {
        Self {
            slice_map: SliceMap::new(config),
            line_shift: config.l1.line.trailing_zeros(),
            sector_words: config.l2.sector / WORD_BYTES as u32,
            burst_bytes: u64::from(config.channel.burst_bytes),
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
}

/// In `cycle` a slice answers a request with sectors.
#[derive(Clone, Copy, Debug)]
pub struct Answer {
    /// The cycle.
    pub cycle: u64,
    /// The number of the slice.
    pub slice: u16,
    /// The request, as it is called outside.
    pub id: u32,
    /// The sectors.
    pub sectors: SectorMask,
}

/// In `cycle` a partition has received `request`, which is called `name` outside.
#[derive(Clone, Copy, Debug)]
pub struct Received {
    /// The cycle.
    pub cycle: u64,
    /// The request.
    pub request: Request,
    /// What it is called outside.
    pub name: u32,
}

/// See the module. Partitions that run beside one another share no line of the processor's caches.
#[derive(Debug)]
#[repr(align(128))]
pub struct Partition {
    /// The number of its first slice.
    first: u16,
    slices: Vec<Slice>,
    channel: DramChannel,
    layout: Arc<Layout>,
    /// Where the memory runs ahead: the cycle before which all is over.
    over: u64,
    /// What it has received since it ran, for [`run`](Self::run).
    received: Vec<Received>,
    /// Its requests there.
    copies: Copies,
    answers: Vec<Answer>,
}

impl Partition {
    /// Partition `number` of `config`, idle.
    pub fn new(config: &GpuConfig, network: &Network, layout: &Arc<Layout>, number: u32) -> Self {
        Self {
            first: (number * config.l2.slices) as u16,
            slices: (0..config.l2.slices).map(|_| Slice::new(config)).collect(),
            channel: DramChannel::new(config, network, number),
            layout: Arc::clone(layout),
            over: 0,
            received: Vec::new(),
            copies: Copies::default(),
            answers: Vec::new(),
        }
    }

    /// The number of its first slice.
    pub fn first(&self) -> u16 {
        self.first
    }

    /// Its slices.
    pub fn slices(&self) -> &[Slice] {
        &self.slices
    }

    /// The slice with this number, of the whole memory.
    #[inline]
    pub fn slice_mut(&mut self, number: u16) -> &mut Slice {
        &mut self.slices[usize::from(number - self.first)]
    }

    /// Its channel of DRAM.
    pub fn channel(&self) -> &DramChannel {
        &self.channel
    }

    /// As [`channel`](Self::channel), beside the slices, to drive both by events.
    pub fn channel_and_slices(&mut self) -> (&mut DramChannel, &mut [Slice]) {
        (&mut self.channel, &mut self.slices)
    }

    /// Puts what was answered since, in order, into `room`, which is empty, and keeps that room.
    #[inline]
    pub fn swap_answers(&mut self, room: &mut Vec<Answer>) {
        std::mem::swap(&mut self.answers, room);
    }

    /// Takes `received`, what it has received since it ran, and leaves room for more.
    #[inline]
    pub fn swap_received(&mut self, received: &mut Vec<Received>) {
        std::mem::swap(&mut self.received, received);
    }

    /// Does all that it does before cycle `until`, with what it has received.
    pub fn run(&mut self, until: u64) {
        let mut copies = std::mem::take(&mut self.copies);
        for Received { cycle, request, name } in self.received.drain(..) {
            let slice = &mut self.slices[usize::from(request.slice - self.first)];
            slice.receive(cycle, copies.add(request, name), request.local);
        }
        self.run_on(until, &mut copies);
        self.copies = copies;
    }

    /// As [`run`](Self::run), where the slices have received their requests by their numbers in
    /// `requests`.
    #[inline(never)]
    pub fn run_on(&mut self, until: u64, requests: &mut impl Table) {
        let mut at = self.over;
        while at < until {
            if self.channel.is_idle() {
                let due = self.slices.iter().map(|slice| slice.due().min(slice.next_fill()));
                at = at.max(due.min().map_or(until, |due| due.min(until)));
            }
            let end = until.min(at + self.channel.latency());
            // In order of time, in which the channel takes their requests.
            while let Some((place, due)) = next(&self.slices, end) {
                self.fill_up_to(due, place, requests);
                self.serve_first(due, place, requests);
            }
            for place in 0..self.slices.len() {
                self.fill_up_to(end - 1, place, requests);
            }
            let Self { channel, slices, first, .. } = self;
            channel.run(end, |cycle, data| {
                slices[usize::from(data.slice - *first)].expect_fill(cycle, data.way, data.sector);
            });
            at = end;
        }
        self.over = at;
    }

    /// DRAM delivers what it delivers up to `cycle` to the slice at `place`.
    #[inline(always)]
    fn fill_up_to(&mut self, cycle: u64, place: usize, requests: &mut impl Table) {
        while let Some((at, way, sector)) = self.slices[place].take_fill(cycle) {
            if let Some(id) = self.slices[place].next_filled() {
                prefetch(requests.get(id));
            }
            self.fill(at, place, (way, 1 << sector), requests);
        }
    }

    /// In `cycle` DRAM delivers `sectors` of `way` of the slice at `place`.
    #[inline(always)]
    pub fn fill(
        &mut self,
        cycle: u64,
        place: usize,
        (way, sectors): (WayId, SectorMask),
        requests: &mut impl Table,
    ) {
        let Self { slices, answers, first, .. } = self;
        let slice = *first + place as u16;
        slices[place].fill(cycle, way, sectors, |id| {
            let request = requests.get_mut(id);
            let (reply, done) = request.come(sectors);
            let writes = if done && request.purpose.is_atomic() { request.sectors } else { 0 };
            if reply != 0 {
                answers.push(Answer { cycle, slice, id: requests.name(id), sectors: reply });
            }
            if done {
                requests.served(id);
            }
            (done, writes)
        });
    }

    /// In `cycle` the slice at `place` looks up its first request.
    #[inline(always)]
    pub fn serve_first(&mut self, cycle: u64, place: usize, requests: &mut impl Table) {
        let Some((id, outcome)) = self.slices[place].look_up(cycle, requests) else { return };
        let Request { line, smx, .. } = *requests.get(id);
        if let Some((local, dirty)) = outcome.write_back {
            let line = self.layout.slice_map.line(local, line);
            self.write_to_dram(cycle, line, dirty);
        }
        let slice = self.first + place as u16;
        if let Some((way, sectors)) = outcome.fetch {
            for (sector, address) in self.layout.sector_addresses(line, sectors) {
                let location = self.layout.slice_map.locate(address);
                self.channel.read(cycle, location, Data { slice, sector, way, smx });
            }
        }
        if outcome.reply != 0 {
            let id = requests.name(id);
            self.answers.push(Answer { cycle, slice, id, sectors: outcome.reply });
        }
        if requests.get(id).missing == 0 {
            requests.served(id);
        }
    }

    #[inline]
    fn write_to_dram(&mut self, cycle: u64, line: u64, sectors: SectorMask) {
        let Self { layout, channel, .. } = self;
        // Neighbouring dirty sectors share a burst; a sector larger than a burst takes several.
        let mut last = None;
        for (_, address) in layout.sector_addresses(line, sectors) {
            let burst = address / layout.burst_bytes;
            if last.replace(burst) != Some(burst) {
                channel.write(cycle, layout.slice_map.locate(address));
            }
        }
    }
}

/// The place of the slice with the next look-up before cycle `end`, the lowest one of several, and
/// its cycle.
#[inline(always)]
fn next(slices: &[Slice], end: u64) -> Option<(usize, u64)> {
    let (mut soonest, mut next) = (end, None);
    for (place, slice) in slices.iter().enumerate() {
        if slice.due() < soonest {
            soonest = slice.due();
            next = Some((place, soonest));
        }
    }
    next
}
