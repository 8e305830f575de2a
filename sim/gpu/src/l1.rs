//! First-level data cache of an SMX: allocates on a load's miss; misses to one line are merged;
//! stores evict, go through or stay, as the preset says.

mod denovo;

pub use denovo::WordLoad;

use super::cache::{Evicted, Lines, SectorMask, WayId};
use super::coalescer::{self, LineAccess, WordMask, MAX_LINE_WORDS, WORD_BYTES};
use super::config::{GpuConfig, L1Config, Protocol, WritePolicy};

/// Accesses of an L1 by what became of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct L1Counts {
    /// Loads whose sectors were present.
    pub hits: u64,
    /// Loads that requested sectors.
    pub misses: u64,
    /// Loads all of whose missing sectors were on their way.
    pub merged: u64,
    /// Stores.
    pub stores: u64,
    /// Lines with dirty sectors that had to go.
    pub write_backs: u64,
}

/// What became of a load.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum L1Load {
    /// The data come after the hit latency.
    Hit,
    /// These words must be requested from the L2; the line that had to go may have dirty words.
    Miss {
        /// The way that they come to.
        way: WayId,
        /// The words of the missing sectors.
        words: WordMask,
        /// Line and dirty words to write back.
        write_back: Option<LineAccess>,
    },
    /// The sectors are on their way.
    Merged,
    /// No miss register or no way is free: try again after a fill.
    Stalled,
}

/// What a store leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum L1Store {
    /// The words go to the L2.
    Through,
    /// They stay; the line that had to go may have dirty words.
    Kept {
        /// Line and dirty words to write back.
        write_back: Option<LineAccess>,
    },
    /// No way is free: try again after a fill.
    Stalled,
}

/// See the module.
#[derive(Debug)]
pub struct L1 {
    /// Loads with the sectors that they wait for.
    lines: Lines<(u32, SectorMask)>,
    /// Bytes.
    size: u32,
    /// Its lines, but for their number.
    shape: L1Config,
    sector_words: u32,
    /// Words of the pieces in which a miss fetches, under DeNovo.
    fetch_words: u32,
    /// Every word of a line.
    line_words: WordMask,
    mshrs: u32,
    merges: u32,
    write: WritePolicy,
    /// Words on their way that are older than what has been stored here and given up since, under
    /// DeNovo.
    outdated: Vec<LineAccess>,
    /// The set in which the first load finds no way, until one of its lines has come.
    full_set: Option<usize>,
    /// What happened so far.
    pub counts: L1Counts,
}

impl L1 {
    /// An empty cache.
    pub fn new(config: &GpuConfig) -> Self {
        // DeNovo keeps a state for each word, and its stores stay.
        let denovo = config.coherence.protocol == Protocol::Denovo;
        let config = &config.l1;
        let fetch_words = config.sector / WORD_BYTES as u32;
        Self {
            lines: Lines::new(config.size, config.ways, config.line, config.index),
            size: config.size,
            shape: config.clone(),
            sector_words: if denovo { 1 } else { fetch_words },
            fetch_words,
            line_words: WordMask::MAX >> (MAX_LINE_WORDS - config.line / WORD_BYTES as u32),
            mshrs: config.mshrs,
            merges: config.merges,
            write: if denovo { WritePolicy::Back } else { config.write },
            outdated: Vec::new(),
            full_set: None,
            counts: L1Counts::default(),
        }
    }

    /// Whether it has another size than `size`, and nothing is on its way.
    pub fn may_become(&self, size: u32) -> bool {
        self.size != size && self.lines.pending_lines() == 0
    }

    /// It has `size` bytes from now on, and is empty.
    pub fn resize(&mut self, size: u32) {
        let L1Config { ways, line, index, .. } = self.shape;
        self.lines = Lines::new(size, ways, line, index);
        (self.size, self.full_set) = (size, None);
    }

    /// `line` will be accessed at some time.
    #[inline]
    pub fn announce(&self, line: u64) {
        self.lines.announce_set(self.lines.set(line));
    }

    /// `line` will be accessed soon.
    #[inline]
    pub fn announce_soon(&self, line: u64) {
        self.lines.announce_line(self.lines.set(line), line);
    }

    /// A reply for `way` will be here soon.
    #[inline]
    pub fn announce_fill(&self, way: WayId) {
        self.lines.announce_fill(way);
    }

    /// One access of the load `load`; with `room` it may send a request.
    #[inline]
    pub fn load(&mut self, access: LineAccess, load: u32, room: bool) -> L1Load {
        let sectors = coalescer::sectors(access.words, self.sector_words);
        let set = self.lines.set(access.line);
        let found = self.lines.find_in(set, access.line);
        let (valid, pending) = match found {
            Some(way) => (self.lines.valid(way), self.lines.pending(way)),
            None => (0, 0),
        };
        let missing = sectors & !valid;
        if let (Some(way), 0) = (found, missing) {
            self.lines.touch(way);
            self.counts.hits += 1;
            return L1Load::Hit;
        }
        let fetch = missing & !pending;
        let first = pending == 0;
        if fetch != 0 && !room {
            return L1Load::Stalled;
        }
        if first && self.lines.pending_lines() >= self.mshrs
            || !first && found.is_some_and(|way| self.lines.waiting(way) >= self.merges)
        {
            return L1Load::Stalled;
        }
        let (way, evicted) = match found {
            Some(way) => {
                self.lines.touch(way);
                (way, None)
            }
            None => match self.lines.allocate_in(set, access.line, fetch) {
                Some(allocated) => {
                    self.full_set = None;
                    allocated
                }
                None => {
                    self.full_set = Some(set);
                    return L1Load::Stalled;
                }
            },
        };
        self.lines.wait(way, (load, missing));
        if fetch == 0 {
            self.counts.merged += 1;
            return L1Load::Merged;
        }
        self.counts.misses += 1;
        if found.is_some() {
            self.lines.expect(way, fetch);
        }
        L1Load::Miss { way, words: self.words(fetch), write_back: self.write_back(evicted) }
    }

    /// One access of a store.
    #[inline]
    pub fn store(&mut self, access: LineAccess) -> L1Store {
        let found = self.lines.find(access.line);
        if self.write == WritePolicy::Back {
            let (way, evicted) = match found {
                Some(way) => (way, None),
                None => match self.lines.victim(access.line) {
                    Some(way) => (way, self.lines.replace(way, access.line)),
                    None => return L1Store::Stalled,
                },
            };
            self.lines.touch(way);
            self.lines.write(way, coalescer::sectors(access.words, self.sector_words));
            self.counts.stores += 1;
            return L1Store::Kept { write_back: self.write_back(evicted) };
        }
        self.counts.stores += 1;
        if let (Some(way), WritePolicy::Evict) = (found, self.write) {
            self.lines.drop_line(way);
        }
        L1Store::Through
    }

    /// Forgets `line`, as an atomic operation past the L1 does.
    pub fn evict(&mut self, line: u64) {
        if let Some(way) = self.lines.find(line) {
            self.lines.drop_line(way);
        }
    }

    /// `words` of the line in `way` have come: `complete` learns of the loads that have all they
    /// waited for.
    #[inline]
    pub fn fill(&mut self, way: WayId, words: WordMask, mut complete: impl FnMut(u32)) {
        if self.full_set == Some(self.lines.set_of(way)) {
            self.full_set = None;
        }
        let come = coalescer::sectors(words, self.sector_words);
        self.lines.serve(way, come, |(load, sectors), pending| {
            let done = sectors & pending == 0;
            if done {
                complete(load);
            }
            done
        });
    }

    /// Whether it keeps stores, which then send no request of their own.
    #[inline]
    pub fn keeps_stores(&self) -> bool {
        self.write == WritePolicy::Back
    }

    /// Whether the first load, which was stalled, would be again: its set waits for all its lines.
    #[inline]
    pub fn is_full(&self) -> bool {
        self.full_set.is_some()
    }

    /// Forgets every line; appends what must be written back to `write_backs`.
    pub fn invalidate(&mut self, write_backs: &mut Vec<LineAccess>) {
        self.full_set = None;
        let words = self.sector_words;
        let before = write_backs.len();
        self.lines.clear(|old| {
            write_backs.push(LineAccess { line: old.line, words: expand(old.dirty, words) });
        });
        self.counts.write_backs += (write_backs.len() - before) as u64;
    }

    #[inline]
    fn write_back(&mut self, evicted: Option<Evicted>) -> Option<LineAccess> {
        let old = evicted.filter(|old| old.dirty != 0)?;
        self.counts.write_backs += 1;
        Some(LineAccess { line: old.line, words: self.words(old.dirty) })
    }

    #[inline]
    fn words(&self, sectors: SectorMask) -> WordMask {
        expand(sectors, self.sector_words)
    }
}

/// The words of `sectors` of `words` words each.
pub fn expand(sectors: SectorMask, words: u32) -> WordMask {
    if words >= MAX_LINE_WORDS {
        return if sectors == 0 { 0 } else { WordMask::MAX };
    }
    let whole: WordMask = (1 << words) - 1;
    let bits = (0..MAX_LINE_WORDS / words).filter(|sector| sectors >> sector & 1 == 1);
    bits.fold(0, |mask, sector| mask | whole << (sector * words))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two lines of one way each, one miss register for two accesses.
    fn small(changes: &[(&str, &str)]) -> L1 {
        let mut config = GpuConfig::preset("k20c").unwrap();
        let plain = [("l1.size", "256"), ("l1.ways", "1"), ("l1.mshrs", "1"), ("l1.merges", "2")];
        for (key, value) in plain.iter().chain(&[("l1.index", "linear")]).chain(changes) {
            config.set(key, value).unwrap();
        }
        L1::new(&config)
    }

    fn word(line: u64, word: u32) -> LineAccess {
        LineAccess { line, words: 1 << word }
    }

    fn clean_miss(way: WayId) -> L1Load {
        L1Load::Miss { way, words: u32::MAX, write_back: None }
    }

    #[test]
    fn a_line_misses_then_merges_then_hits_after_its_fill() {
        let mut l1 = small(&[]);
        assert_eq!(l1.load(word(4, 0), 0, true), clean_miss(0));
        assert_eq!(l1.load(word(4, 1), 1, true), L1Load::Merged);
        assert_eq!(l1.load(word(4, 2), 2, true), L1Load::Stalled, "two wait already");
        assert_eq!(l1.load(word(5, 0), 3, true), L1Load::Stalled, "the one register is taken");
        let mut loads = Vec::new();
        l1.fill(0, u32::MAX, |load| loads.push(load));
        assert_eq!(loads, [0, 1]);
        assert_eq!(l1.load(word(4, 9), 2, true), L1Load::Hit);
        let counts = L1Counts { hits: 1, misses: 1, merged: 1, ..L1Counts::default() };
        assert_eq!(l1.counts, counts, "a stalled load counts when it gets through");
    }

    #[test]
    fn a_line_on_its_way_keeps_its_way() {
        let mut l1 = small(&[("l1.mshrs", "2")]);
        assert_eq!(l1.load(word(4, 0), 0, true), clean_miss(0));
        assert_eq!(l1.load(word(6, 0), 1, true), L1Load::Stalled, "its only way is taken");
        assert_eq!(l1.load(word(5, 0), 1, true), clean_miss(1), "the other set is free");
    }

    #[test]
    fn only_the_missing_sectors_are_fetched() {
        let mut l1 = small(&[("l1.sector", "32"), ("l1.merges", "8")]);
        let miss = |words| L1Load::Miss { way: 0, words, write_back: None };
        assert_eq!(l1.load(word(4, 0), 0, true), miss(0xff));
        assert_eq!(l1.load(LineAccess { line: 4, words: 0x101 }, 1, true), miss(0xff00));
        let mut loads = Vec::new();
        l1.fill(0, 0xff, |load| loads.push(load));
        assert_eq!(loads, [0], "1 waits for its second sector");
        l1.fill(0, 0xff00, |load| loads.push(load));
        assert_eq!(loads, [0, 1]);
        assert_eq!(l1.load(word(4, 31), 2, true), miss(0xff00_0000));
    }

    #[test]
    fn without_room_for_a_request_a_load_goes_on_only_if_it_sends_none() {
        let mut l1 = small(&[("l1.mshrs", "2")]);
        assert_eq!(l1.load(word(4, 0), 0, false), L1Load::Stalled);
        assert_eq!(l1.load(word(4, 0), 0, true), clean_miss(0));
        assert_eq!(l1.load(word(4, 1), 1, false), L1Load::Merged);
        assert_eq!(l1.load(word(5, 0), 2, false), L1Load::Stalled);
        l1.fill(0, u32::MAX, |_| {});
        assert_eq!(l1.load(word(4, 2), 2, false), L1Load::Hit);
        assert_eq!(l1.load(word(5, 0), 2, true), clean_miss(1), "what was stalled left no trace");
    }

    #[test]
    fn a_store_evicts_its_line_or_leaves_it_and_allocates_none() {
        for (policy, hit) in [("evict", false), ("through", true)] {
            let mut l1 = small(&[("l1.write", policy)]);
            l1.load(word(4, 0), 0, true);
            l1.fill(0, u32::MAX, |_| {});
            assert_eq!(l1.store(word(4, 0)), L1Store::Through);
            assert_eq!(l1.load(word(4, 0), 0, true) == L1Load::Hit, hit, "{policy}");
            l1.fill(0, u32::MAX, |_| {});
            assert_eq!(l1.store(word(5, 0)), L1Store::Through);
            assert_eq!(l1.load(word(5, 0), 0, true), clean_miss(1), "{policy}");
        }
    }

    #[test]
    fn a_kept_store_is_written_back_when_its_line_goes() {
        let mut l1 = small(&[("l1.write", "back"), ("l1.sector", "32")]);
        assert_eq!(l1.store(word(4, 9)), L1Store::Kept { write_back: None });
        assert_eq!(l1.load(word(4, 15), 0, true), L1Load::Hit, "the sector is taken as present");
        let gone = LineAccess { line: 4, words: 0xff00 };
        assert_eq!(l1.store(word(6, 0)), L1Store::Kept { write_back: Some(gone) });
        let mut written = Vec::new();
        l1.invalidate(&mut written);
        assert_eq!(written, [LineAccess { line: 6, words: 0xff }]);
        assert_eq!(l1.counts.write_backs, 2);
    }

    #[test]
    fn sectors_expand_to_their_words() {
        assert_eq!(expand(0b101, 8), 0x00ff_00ff);
        assert_eq!(expand(1, 32), u32::MAX);
        assert_eq!(expand(0, 32), 0);
        assert_eq!(expand(0b11, 1), 0b11);
    }
}
