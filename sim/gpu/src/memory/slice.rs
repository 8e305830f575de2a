//! A slice of the L2: a pipe, then one look-up of a sector a cycle; write-back; a store allocates
//! its sectors without fetching them.

use super::request::{Purpose, Table};
use crate::cache::{count, Lines, SectorMask, WayId};
use crate::config::GpuConfig;
use crate::fifo::Fifo;
use crate::prefetch::{prefetch, FEW_SMXS};

/// Later than every cycle.
const NEVER: u64 = u64::MAX;

/// Sectors by what became of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct L2Counts {
    /// Sectors that were present; a store's dirty ones included.
    pub hits: u64,
    /// Sectors of loads that went to DRAM, and of stores that allocated.
    pub misses: u64,
    /// Sectors of loads that were on their way.
    pub merged: u64,
    /// Sectors looked up for loads, atomics and instructions.
    pub reads: u64,
    /// Those of them that were present.
    pub read_hits: u64,
    /// Sectors looked up for stores.
    pub writes: u64,
}

/// So many look-ups ahead, behind the next one, a way is asked for.
const WAYS_AHEAD: usize = 1;

/// As [`WAYS_AHEAD`], for a request and its set.
const REQUESTS_AHEAD: usize = 4;

/// A request in the pipe.
#[derive(Clone, Copy, Debug)]
struct Queued {
    /// The cycle of its look-up at the earliest.
    ready: u64,
    id: u32,
    /// The set of its line.
    set: u32,
}

/// See the module.
#[derive(Debug)]
pub struct Slice {
    lines: Lines<u32>,
    queue: Fifo<Queued>,
    /// The first cycle in which the next request may be looked up.
    free: u64,
    /// What DRAM delivers, with its cycle, in order; only where the memory runs ahead.
    coming: Fifo<(u64, WayId, u8)>,
    /// The first request finds no way, no miss register or no room to wait: a fill lets it retry.
    stalled: bool,
    /// Whether the processor's caches hold little of what all slices look at.
    far: bool,
    /// Whether a look-up is in the calendar.
    scheduled: bool,
    latency: u64,
    mshrs: u32,
    merges: u32,
    pending_sectors: u32,
    counts: L2Counts,
}

/// What the look-up of a request led to.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct LookUp {
    /// Sectors to send at once; those of a request that is served whole only when it has all of
    /// them. For a request that needs no data its acknowledgement, if there is any sector.
    pub reply: SectorMask,
    /// Way and sectors to fetch from DRAM.
    pub fetch: Option<(WayId, SectorMask)>,
    /// Line, as the slice numbers it, and dirty sectors to write back.
    pub write_back: Option<(u64, SectorMask)>,
}

impl Slice {
    /// An empty slice of the L2 of `config`.
    pub fn new(config: &GpuConfig) -> Self {
        let l2 = &config.l2;
        let clock = crate::clock::Clock::new(config.clock.l2, config.clock.core);
        Self {
            lines: Lines::new(l2.size / config.slices(), l2.ways, config.l1.line, l2.index),
            queue: Fifo::default(),
            free: 0,
            coming: Fifo::default(),
            stalled: false,
            far: config.smx.count > FEW_SMXS as u32,
            scheduled: false,
            latency: clock.core(u64::from(l2.latency)),
            mshrs: l2.mshrs,
            merges: l2.merges,
            pending_sectors: 0,
            counts: L2Counts::default(),
        }
    }

    /// What happened so far.
    pub fn counts(&self) -> L2Counts {
        self.counts
    }

    /// Request `id`, which is about the line that the slice numbers `local`, has been received in
    /// `cycle`.
    #[inline]
    pub fn receive(&mut self, cycle: u64, id: u32, local: u64) {
        let set = self.lines.set(local) as u32;
        let queued = Queued { ready: cycle + self.latency, id, set };
        match self.queue.back() {
            // What comes from near may have been sent after what comes from far.
            Some(last) if last.ready > queued.ready => {
                let before = |other: &Queued| other.ready <= queued.ready;
                self.queue.insert(self.queue.items().partition_point(before), queued);
            }
            _ => self.queue.push(queued),
        }
    }

    /// Cycles from the reception of a request to its look-up.
    #[inline]
    pub fn latency(&self) -> u64 {
        self.latency
    }

    /// The cycle of its next look-up, given what DRAM is known to deliver; or `u64::MAX`.
    #[inline(always)]
    pub fn due(&self) -> u64 {
        if self.stalled {
            return self.next_fill();
        }
        self.queue.front().map_or(NEVER, |first| first.ready.max(self.free))
    }

    /// The cycle of the next fill that is known; or `u64::MAX`.
    #[inline(always)]
    pub fn next_fill(&self) -> u64 {
        self.coming.front().map_or(NEVER, |first| first.0)
    }

    /// DRAM will deliver `sector` of `way` in `cycle`.
    #[inline]
    pub fn expect_fill(&mut self, cycle: u64, way: WayId, sector: u8) {
        self.coming.push((cycle, way, sector));
    }

    /// What DRAM delivers next, if that is by `cycle`, and when.
    #[inline(always)]
    pub fn take_fill(&mut self, cycle: u64) -> Option<(u64, WayId, u8)> {
        let &(at, way, sector) = self.coming.front()?;
        (at <= cycle).then(|| {
            self.coming.pop();
            if let Some(later) = self.coming.items().get(usize::from(self.far)) {
                self.lines.announce_fill(later.1);
            }
            (at, way, sector)
        })
    }

    /// The first request that waits for what DRAM delivers next.
    #[inline(always)]
    pub fn next_filled(&self) -> Option<u32> {
        let next = self.coming.front().filter(|_| self.far)?;
        self.lines.first_waiter(next.1)
    }

    /// Asks for what the next look-ups need. Where the processor's caches hold what all slices look
    /// at, that is the way of the first one: any earlier, and it would have left the nearest again.
    #[inline(always)]
    fn announce_next(&self, requests: &impl Table) {
        let queued = self.queue.items();
        let Some(first) = queued.first() else { return };
        if !self.far {
            return self.lines.announce(first.set as usize);
        }
        let next = queued.get(WAYS_AHEAD).unwrap_or(first);
        self.lines.announce_line(next.set as usize, requests.get(next.id).local);
        if let Some(later) = queued.get(REQUESTS_AHEAD) {
            prefetch(requests.get(later.id));
            self.lines.announce_set(later.set as usize);
        }
    }

    /// The cycle of the next look-up, if one is due and none is scheduled; the caller schedules it.
    #[inline]
    pub fn next_look_up(&mut self) -> Option<u64> {
        let due = self.due();
        let schedules = !self.scheduled && due != NEVER;
        self.scheduled |= schedules;
        schedules.then_some(due)
    }

    /// Looks up the first request in `cycle`, as scheduled. Returns it with what that led to, or
    /// `None` when it has to wait for a fill.
    #[inline(always)]
    pub fn look_up(&mut self, cycle: u64, requests: &mut impl Table) -> Option<(u32, LookUp)> {
        self.scheduled = false;
        let first = *self.queue.front()?;
        let (id, set) = (first.id, first.set as usize);
        let request = *requests.get(id);
        let found = self.lines.find_in(set, request.local);
        let stores = matches!(request.purpose, Purpose::Store { .. } | Purpose::WriteBack);
        let (present, pending) = match found {
            Some(way) => (self.lines.valid(way), self.lines.pending(way)),
            None => (0, 0),
        };
        let missing = if stores { 0 } else { request.sectors & !present };
        let fetch = missing & !pending;
        let waits = found.map_or(0, |way| self.lines.waiting(way));
        if missing != 0 && waits >= self.merges || self.pending_sectors + count(fetch) > self.mshrs
        {
            return self.stall();
        }
        let mut outcome = LookUp::default();
        let way = match found {
            Some(way) => {
                self.lines.touch(way);
                way
            }
            None => {
                let Some((way, evicted)) = self.lines.allocate_in(set, request.local, fetch) else {
                    return self.stall();
                };
                outcome.write_back =
                    evicted.filter(|old| old.dirty != 0).map(|old| (old.line, old.dirty));
                way
            }
        };
        self.queue.pop();
        self.announce_next(requests);
        let sectors = count(request.sectors);
        self.free = cycle + u64::from(sectors);
        // Mostly one, and then it is all or nothing.
        let part = |of: SectorMask| match of & request.sectors {
            0 => 0,
            of if of == request.sectors => sectors,
            of => of.count_ones(),
        };
        self.count(stores, sectors, part(present), part(missing & pending));
        if stores || request.purpose.is_atomic() && missing == 0 {
            self.lines.write(way, request.sectors);
        }
        let whole = request.purpose.is_whole();
        outcome.reply = if whole && missing != 0 { 0 } else { request.sectors & !missing };
        if missing != 0 {
            requests.get_mut(id).missing = missing;
            self.lines.wait(way, id);
            if fetch != 0 {
                if found.is_some() {
                    self.lines.expect(way, fetch);
                }
                self.pending_sectors += count(fetch);
                outcome.fetch = Some((way, fetch));
            }
        }
        Some((id, outcome))
    }

    /// The first request.
    pub fn front(&self) -> Option<u32> {
        self.queue.front().map(|first| first.id)
    }

    /// The first request has been dealt with in `cycle`, as scheduled, without a look-up of lines.
    pub fn skip(&mut self, cycle: u64) {
        self.scheduled = false;
        self.queue.pop();
        self.free = cycle + 1;
    }

    /// Request `id`, which is about the line that the slice numbers `local`, comes right behind the
    /// first one.
    ///
    /// # Panics
    /// When there is no first one.
    pub fn insert_second(&mut self, cycle: u64, id: u32, local: u64) {
        let set = self.lines.set(local) as u32;
        self.queue.insert(1, Queued { ready: cycle, id, set });
    }

    /// DRAM will soon deliver sectors of `way`.
    #[inline]
    pub fn announce_fill(&self, way: WayId) {
        self.lines.announce_fill(way);
    }

    /// DRAM delivers `sectors` of `way` in `cycle`: `come` learns which requests waited for them,
    /// and says whether they have all they wait for and what they write at once.
    #[inline(always)]
    pub fn fill(
        &mut self,
        cycle: u64,
        way: WayId,
        sectors: SectorMask,
        mut come: impl FnMut(u32) -> (bool, SectorMask),
    ) {
        self.pending_sectors -= count(sectors);
        let mut written = 0;
        self.lines.serve(way, sectors, |id, _| {
            let (done, writes) = come(id);
            written |= writes;
            done
        });
        if written != 0 {
            self.lines.write(way, written);
        }
        if std::mem::take(&mut self.stalled) {
            self.free = cycle;
        }
    }

    /// The line that the slice numbers `line` is in it, as after a copy by the host. Dirty lines
    /// that had to go are not written anywhere: the host's copies cost no time.
    pub fn preload(&mut self, line: u64, sectors: SectorMask) {
        let way = self.lines.find(line).or_else(|| {
            let way = self.lines.victim(line)?;
            self.lines.replace(way, line);
            Some(way)
        });
        if let Some(way) = way {
            self.lines.touch(way);
            self.lines.write(way, sectors & !self.lines.pending(way));
        }
    }

    /// The first request goes on waiting.
    fn stall(&mut self) -> Option<(u32, LookUp)> {
        self.stalled = true;
        None
    }

    #[inline]
    fn count(&mut self, stores: bool, sectors: u32, present: u32, merged: u32) {
        let counts = &mut self.counts;
        *(if stores { &mut counts.writes } else { &mut counts.reads }) += u64::from(sectors);
        counts.hits += u64::from(present);
        counts.read_hits += if stores { 0 } else { u64::from(present) };
        let merged = if stores { 0 } else { merged };
        counts.merged += u64::from(merged);
        counts.misses += u64::from(sectors - present - merged);
    }
}
