//! A memory partition: a channel of DRAM and its slices of the L2.
//!
//! What a slice asks of DRAM reaches the channel a fixed latency later, so both go on by that many
//! cycles in turn, each without a look at the other:
//!
//! ```text
//!   slices   |-- dram.latency --|-- dram.latency --|
//!   channel                     |-- dram.latency --|-- dram.latency --|
//! ```

use super::{Memory, Slice};
use crate::cache::{SectorMask, WayId};
use crate::coalescer::WORD_BYTES;
use crate::event::Calendar;

impl Memory {
    /// The slices of a partition.
    #[inline]
    pub(super) fn slices_of_partition(&self) -> u16 {
        self.slices.len() as u16 / self.dram.channels()
    }

    /// Partition number `partition`, which has these `slices`, does all that it does before cycle `until`.
    #[inline(never)]
    pub(super) fn run_partition(
        &mut self,
        partition: u16,
        slices: &mut [Slice],
        until: u64,
        calendar: &mut Calendar,
    ) {
        let first = partition * slices.len() as u16;
        let mut at = self.over[usize::from(partition)];
        while at < until {
            if self.dram.is_idle(partition) {
                let due = slices.iter().map(|slice| slice.due().min(slice.next_fill()));
                at = at.max(due.min().map_or(until, |due| due.min(until)));
            }
            let end = until.min(at + self.dram.latency());
            // In order of time, in which the channel takes their requests.
            while let Some((number, slice)) = next(slices, end) {
                let due = slice.due();
                self.fill_up_to(due, first + number, slice, calendar);
                self.serve_first(due, first + number, slice, calendar);
            }
            for (number, slice) in (first..).zip(slices.iter_mut()) {
                self.fill_up_to(end - 1, number, slice, calendar);
            }
            self.dram.run(partition, end, |cycle, data| {
                slices[usize::from(data.slice - first)].expect_fill(cycle, data.way, data.sector);
            });
            at = end;
        }
        self.over[usize::from(partition)] = at;
    }

    /// DRAM delivers what it delivers up to `cycle` to `slice`, which has this `number`.
    #[inline(always)]
    fn fill_up_to(&mut self, cycle: u64, number: u16, slice: &mut Slice, calendar: &mut Calendar) {
        while let Some((at, way, sector)) = slice.take_fill(cycle) {
            self.fill(at, number, slice, (way, 1 << sector), calendar);
        }
    }

    /// In `cycle` DRAM delivers `sectors` of `way` of `slice`, which has this `number`.
    #[inline(always)]
    pub(super) fn fill(
        &mut self,
        cycle: u64,
        number: u16,
        slice: &mut Slice,
        (way, sectors): (WayId, SectorMask),
        calendar: &mut Calendar,
    ) {
        slice.fill(cycle, way, sectors, |id| {
            let request = self.requests.get_mut(id);
            let (reply, done) = request.come(sectors);
            let writes = if done && request.purpose.is_atomic() { request.sectors } else { 0 };
            if reply != 0 {
                self.reply(cycle, number, id, reply, calendar);
            }
            (done, writes)
        });
    }

    /// In `cycle` `slice`, which has this `number`, looks up its first request.
    #[inline(always)]
    pub(super) fn serve_first(
        &mut self,
        cycle: u64,
        number: u16,
        slice: &mut Slice,
        calendar: &mut Calendar,
    ) {
        let Some((id, outcome)) = slice.look_up(cycle, &mut self.requests) else { return };
        if let Some((local, dirty)) = outcome.write_back {
            let line = self.slice_map.line(local, self.requests.get(id).line);
            self.write_to_dram(cycle, line, dirty);
        }
        if let Some((way, sectors)) = outcome.fetch {
            let line = self.requests.get(id).line;
            for (sector, address) in self.sector_addresses(line, sectors) {
                let location = self.slice_map.locate(address);
                self.dram.read(cycle, location, number, way, sector);
            }
        }
        if outcome.reply != 0 {
            self.reply(cycle, number, id, outcome.reply, calendar);
        }
    }

    #[inline]
    fn write_to_dram(&mut self, cycle: u64, line: u64, sectors: SectorMask) {
        // Neighbouring dirty sectors share a burst; a sector larger than a burst takes several.
        let mut last = None;
        for (_, address) in self.sector_addresses(line, sectors) {
            if last.replace(address / self.burst_bytes) != Some(address / self.burst_bytes) {
                let location = self.slice_map.locate(address);
                self.dram.write(cycle, location);
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
}

/// The slice with the next look-up before cycle `end`, the lowest one of several, and its place.
#[inline(always)]
fn next(slices: &mut [Slice], end: u64) -> Option<(u16, &mut Slice)> {
    let (mut soonest, mut next) = (end, None);
    for (number, slice) in (0..).zip(slices) {
        if slice.due() < soonest {
            soonest = slice.due();
            next = Some((number, slice));
        }
    }
    next
}
