//! The lines of a set-associative cache, in sectors, with least-recently-used replacement.
//!
//! A line that is on its way holds its way already (allocate on miss), so what waits for it is
//! kept with the line and no other structure is searched. L1, L2 and instruction cache differ in
//! what they do on a store and on a miss, not in this.

mod set_index;
mod sets;
mod waiters;

use super::config::IndexFunction;
use super::prefetch::prefetch;
use set_index::SetIndex;
use sets::{Sets, MARKS};
use waiters::Waiters;

/// Sectors of a line, one bit each.
pub type SectorMask = u32;

/// How many sectors there are in `sectors`: mostly one, the whole line.
#[inline]
pub fn count(sectors: SectorMask) -> u32 {
    if sectors <= 1 {
        sectors
    } else {
        sectors.count_ones()
    }
}

/// A way of a set, by its place in the table.
pub type WayId = u32;

/// A one in each byte.
const ONES: u64 = u64::from_le_bytes([1; MARKS]);

/// The top bit of each byte of `differs` that is zero, and of some behind one.
#[inline(always)]
fn zeros(differs: u64) -> u64 {
    differs.wrapping_sub(ONES) & !differs & ONES << 7
}

/// One way of one set. It lies in half a line of the processor's cache.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(32))]
struct Way<T> {
    /// The line plus one; zero: nothing.
    tag: u64,
    valid: SectorMask,
    dirty: SectorMask,
    /// Sectors on their way.
    pending: SectorMask,
    /// How many wait for pending sectors.
    waiting: u32,
    /// The first of them, if any does: mostly the only one.
    first: T,
}

/// A line that had to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Evicted {
    /// Its number.
    pub line: u64,
    /// Its sectors that must be written back.
    pub dirty: SectorMask,
}

/// The lines; `T` names who waits for one.
#[derive(Debug)]
pub struct Lines<T> {
    index: SetIndex,
    /// The ways of a set take this power of two of places.
    shift: u32,
    sets: Sets,
    table: Vec<Way<T>>,
    /// Those who wait behind a first one.
    waiters: Waiters<T>,
    /// For each way the last node of their ring, if there are any.
    last_waiter: Vec<u32>,
    pending_lines: u32,
}

impl<T: Copy + Default> Lines<T> {
    /// A cache of `size` bytes in lines of `line` bytes.
    ///
    /// # Panics
    /// When `size` holds no whole number of sets; [`super::config::GpuConfig::validate`] refuses
    /// that.
    pub fn new(size: u32, ways: u32, line: u32, index: IndexFunction) -> Self {
        let sets = u64::from(size / (ways * line));
        assert!(sets > 0 && sets * u64::from(ways * line) == u64::from(size));
        let ways = ways as usize;
        let shift = ways.next_power_of_two().trailing_zeros();
        let places = (sets as usize) << shift;
        Self {
            index: SetIndex::new(index, sets),
            shift,
            sets: Sets::new(sets as usize, ways, shift),
            table: vec![Way::default(); places],
            waiters: Waiters::new(),
            last_waiter: vec![0; places],
            pending_lines: 0,
        }
    }

    /// The set of `line`.
    #[inline]
    pub fn set(&self, line: u64) -> usize {
        self.index.set(line)
    }

    /// The set to which `way` belongs.
    #[inline]
    pub fn set_of(&self, way: WayId) -> usize {
        way as usize >> self.shift
    }

    /// The way that holds `line`, or waits for it.
    #[inline]
    pub fn find(&self, line: u64) -> Option<WayId> {
        self.find_in(self.set(line), line)
    }

    /// As [`find`](Self::find), where `set` is that of `line`.
    #[inline(always)]
    pub fn find_in(&self, set: usize, line: u64) -> Option<WayId> {
        let wanted = u64::from(mark(line)) * ONES;
        let mut way = set << self.shift;
        for marks in self.sets.marks(set) {
            let mut same = zeros(marks ^ wanted);
            while same != 0 {
                let way = way + same.trailing_zeros() as usize / 8;
                if self.table.get(way).is_some_and(|way| way.tag == line + 1) {
                    return Some(way as WayId);
                }
                same &= same - 1;
            }
            way += MARKS;
        }
        None
    }

    /// Makes `way` the most recently used one of its set.
    #[inline]
    pub fn touch(&mut self, way: WayId) {
        self.sets.touch(way as usize);
    }

    /// The way that `line` would take: the least recently used one of its set that waits for
    /// nothing, or `None` while all of them do.
    #[inline]
    pub fn victim(&self, line: u64) -> Option<WayId> {
        self.sets.victim(self.set(line)).map(|way| way as WayId)
    }

    /// A line of `set` will soon be looked for, and mostly not found.
    #[inline]
    pub fn announce(&self, set: usize) {
        if let Some(way) = self.table.get(self.sets.oldest(set)) {
            prefetch(way);
        }
    }

    /// A line of `set` will be looked for at some time, and announced then.
    #[inline]
    pub fn announce_set(&self, set: usize) {
        self.sets.announce(set);
    }

    /// `line`, whose set is `set`, will soon be looked for, and as likely as not found.
    #[inline]
    pub fn announce_line(&self, set: usize, line: u64) {
        let wanted = u64::from(mark(line)) * ONES;
        let mut way = set << self.shift;
        for marks in self.sets.marks(set) {
            let same = zeros(marks ^ wanted);
            if same != 0 {
                let way = self.table.get(way + same.trailing_zeros() as usize / 8);
                return way.into_iter().for_each(prefetch);
            }
            way += MARKS;
        }
        self.announce(set);
    }

    /// Sectors of `way` will soon be here.
    #[inline]
    pub fn announce_fill(&self, way: WayId) {
        self.sets.announce(self.set_of(way));
        if let Some(way) = self.table.get(way as usize) {
            prefetch(way);
        }
    }

    /// Gives `way` to `line`, none of whose sectors is there yet. Returns what lay there.
    pub fn replace(&mut self, way: WayId, line: u64) -> Option<Evicted> {
        self.sets.touch(way as usize);
        self.sets.set_mark(way as usize, mark(line));
        self.lay(way as usize, line, 0)
    }

    /// Gives the way of `set` that goes next to `line`, of which `sectors` are on their way now and
    /// no others there; as [`victim`](Self::victim), [`replace`](Self::replace) and
    /// [`expect`](Self::expect). Returns the way with what lay there.
    #[inline(always)]
    pub fn allocate_in(
        &mut self,
        set: usize,
        line: u64,
        sectors: SectorMask,
    ) -> Option<(WayId, Option<Evicted>)> {
        let way = self.sets.claim(set, mark(line), sectors != 0)?;
        self.pending_lines += u32::from(sectors != 0);
        Some((way as WayId, self.lay(way, line, sectors)))
    }

    /// `line` lies in `way` from now on, and `pending` sectors of it come.
    #[inline(always)]
    fn lay(&mut self, way: usize, line: u64, pending: SectorMask) -> Option<Evicted> {
        let old = std::mem::replace(
            &mut self.table[way],
            Way { tag: line + 1, pending, ..Way::default() },
        );
        debug_assert!(old.pending == 0 && old.waiting == 0);
        (old.tag != 0).then(|| Evicted { line: old.tag - 1, dirty: old.dirty })
    }

    /// The line in `way`.
    #[inline]
    pub fn line(&self, way: WayId) -> u64 {
        self.table[way as usize].tag - 1
    }

    /// Sectors of `way` that are present.
    #[inline]
    pub fn valid(&self, way: WayId) -> SectorMask {
        self.table[way as usize].valid
    }

    /// Sectors of `way` that must be written back.
    #[inline]
    pub fn dirty(&self, way: WayId) -> SectorMask {
        self.table[way as usize].dirty
    }

    /// Sectors of `way` that are on their way.
    #[inline]
    pub fn pending(&self, way: WayId) -> SectorMask {
        self.table[way as usize].pending
    }

    /// Lines of which a sector is on its way.
    #[inline]
    pub fn pending_lines(&self) -> u32 {
        self.pending_lines
    }

    /// Sectors of `way` are on their way now.
    #[inline]
    pub fn expect(&mut self, way: WayId, sectors: SectorMask) {
        let id = way as usize;
        let way = &mut self.table[id];
        self.pending_lines += u32::from(way.pending == 0 && sectors != 0);
        way.pending |= sectors;
        if way.pending != 0 {
            self.sets.set_busy(id, true);
        }
    }

    /// `sectors` of `way` are here: marks them present and no longer on their way.
    pub fn fill(&mut self, way: WayId, sectors: SectorMask) {
        let id = way as usize;
        let way = &mut self.table[id];
        let was = way.pending;
        way.pending &= !sectors;
        way.valid |= sectors;
        if was != 0 && way.pending == 0 {
            self.pending_lines -= 1;
            self.sets.set_busy(id, false);
        }
    }

    /// `sectors` of `way` are no longer on their way and do not come.
    pub fn unexpect(&mut self, way: WayId, sectors: SectorMask) {
        let id = way as usize;
        let way = &mut self.table[id];
        let was = way.pending;
        way.pending &= !sectors;
        if was != 0 && way.pending == 0 {
            self.pending_lines -= 1;
            self.sets.set_busy(id, false);
        }
    }

    /// Marks `sectors` of `way` present and to be written back.
    #[inline]
    pub fn write(&mut self, way: WayId, sectors: SectorMask) {
        let way = &mut self.table[way as usize];
        way.valid |= sectors;
        way.dirty |= sectors;
    }

    /// Forgets what is present of the line in `way`. Returns its dirty sectors.
    pub fn drop_line(&mut self, way: WayId) -> SectorMask {
        let id = way as usize;
        let way = &mut self.table[id];
        let dirty = way.dirty;
        (way.valid, way.dirty) = (0, 0);
        if way.pending == 0 {
            *way = Way::default();
            self.sets.forget(id);
        }
        dirty
    }

    /// Forgets `sectors` of `way`. Returns those that were dirty.
    pub fn drop_sectors(&mut self, way: WayId, sectors: SectorMask) -> SectorMask {
        let way = &mut self.table[way as usize];
        let dirty = way.dirty & sectors;
        way.valid &= !sectors;
        way.dirty &= !sectors;
        dirty
    }

    /// Forgets everything that is present and not dirty. Returns of how many lines that was a part.
    pub fn drop_clean(&mut self) -> u64 {
        let mut lines = 0;
        for (id, way) in self.table.iter_mut().enumerate() {
            lines += u64::from(way.valid & !way.dirty != 0);
            way.valid &= way.dirty;
            if way.tag != 0 && way.valid | way.pending == 0 {
                *way = Way::default();
                self.sets.forget(id);
            }
        }
        lines
    }

    /// Forgets everything that is present; `evicted` learns of lines that must be written back.
    pub fn clear(&mut self, mut evicted: impl FnMut(Evicted)) {
        for way in 0..self.table.len() as WayId {
            let tag = self.table[way as usize].tag;
            if tag != 0 {
                let dirty = self.drop_line(way);
                if dirty != 0 {
                    evicted(Evicted { line: tag - 1, dirty });
                }
            }
        }
    }
}

/// The byte of a line by which it is searched, from all bits of the line.
#[inline]
fn mark(line: u64) -> u8 {
    (line.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as u8
}

#[cfg(test)]
mod tests;
