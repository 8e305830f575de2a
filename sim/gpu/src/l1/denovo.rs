//! An L1 under DeNovo: every word is invalid, valid or registered (owned). A registered word is a
//! present and dirty sector of one word in [`Lines`](crate::cache::Lines).

use super::{expand, L1};
use crate::coalescer::{self, LineAccess, WordMask};

/// What became of a load.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WordLoad {
    /// The data come after the hit latency.
    Hit,
    /// Words must be requested from the home bank.
    Miss {
        /// All that the line lacks of the sectors touched.
        words: WordMask,
        /// Those of them that the load waits for.
        wanted: WordMask,
        /// Line and registered words that had to go.
        write_back: Option<LineAccess>,
    },
    /// The words are on their way.
    Merged,
    /// No miss register or no way is free: try again after a fill.
    Stalled,
}

impl L1 {
    /// One access of the load `load`.
    pub fn load_words(&mut self, access: LineAccess, load: u32) -> WordLoad {
        let found = self.lines.find(access.line);
        let (valid, pending) =
            found.map_or((0, 0), |way| (self.lines.valid(way), self.lines.pending(way)));
        let missing = access.words & !valid;
        if let (Some(way), 0) = (found, missing) {
            self.lines.touch(way);
            self.counts.hits += 1;
            return WordLoad::Hit;
        }
        let first = pending == 0;
        if first && self.lines.pending_lines() >= self.mshrs
            || !first && found.is_some_and(|way| self.lines.waiting(way) >= self.merges)
        {
            return WordLoad::Stalled;
        }
        let (way, evicted) = match found {
            Some(way) => (way, None),
            None => match self.lines.victim(access.line) {
                Some(way) => (way, self.lines.replace(way, access.line)),
                None => return WordLoad::Stalled,
            },
        };
        self.lines.touch(way);
        self.lines.wait(way, (load, missing));
        let wanted = missing & !pending;
        if wanted == 0 {
            self.counts.merged += 1;
            return WordLoad::Merged;
        }
        self.counts.misses += 1;
        let sectors = coalescer::sectors(wanted, self.fetch_words);
        let words = expand(sectors, self.fetch_words) & self.line_words & !valid & !pending;
        self.lines.expect(way, words);
        WordLoad::Miss { words, wanted, write_back: self.write_back(evicted) }
    }

    /// Those of the words that a store touches which are not registered yet.
    pub fn unregistered(&self, access: LineAccess) -> WordMask {
        access.words & !self.registered(access.line)
    }

    /// The registered words of `line`.
    pub fn registered(&self, line: u64) -> WordMask {
        self.lines.find(line).map_or(0, |way| self.lines.dirty(way))
    }

    /// The words of `line` that are present.
    pub fn present(&self, line: u64) -> WordMask {
        self.lines.find(line).map_or(0, |way| self.lines.valid(way))
    }

    /// The words of `line` that are on their way.
    pub fn coming(&self, line: u64) -> WordMask {
        self.lines.find(line).map_or(0, |way| self.lines.pending(way))
    }

    /// Lines of which words are on their way.
    pub fn coming_lines(&self) -> u32 {
        self.lines.pending_lines()
    }

    /// `words` of `line` have come, and `absent` ones do not: appends the loads that have all they
    /// waited for to `loads`. Returns the absent words that a load waits for, to be requested
    /// again.
    pub fn fill_words(
        &mut self,
        line: u64,
        words: WordMask,
        absent: WordMask,
        loads: &mut Vec<u32>,
    ) -> WordMask {
        let Some(way) = self.lines.find(line) else {
            return 0;
        };
        self.lines.fill(way, words);
        let outdated = self.take_outdated(line, words | absent);
        self.lines.drop_sectors(way, outdated & !self.lines.dirty(way));
        self.lines.unexpect(way, absent);
        // What has been stored meanwhile is not lacking.
        let absent = absent & !self.lines.valid(way);
        let pending = self.lines.pending(way);
        let mut again = 0;
        self.lines.release(way, |(load, sectors)| {
            again |= sectors & absent;
            let done = sectors & (pending | absent) == 0;
            if done {
                loads.push(load);
            }
            done
        });
        self.lines.expect(way, again);
        again
    }

    /// `words` of `line` become invalid. Returns those that were registered.
    pub fn give_up(&mut self, line: u64, words: WordMask) -> WordMask {
        let Some(way) = self.lines.find(line) else {
            return 0;
        };
        let given = self.lines.drop_sectors(way, words);
        // What was requested before they were stored is older than what this SMX has stored.
        let outdated = given & self.lines.pending(way);
        if outdated != 0 {
            self.outdated.push(LineAccess { line, words: outdated });
        }
        given
    }

    /// Those of `words` of `line`, which have come or do not come, that are not to be kept.
    fn take_outdated(&mut self, line: u64, words: WordMask) -> WordMask {
        let mut taken = 0;
        self.outdated.retain_mut(|old| {
            if old.line == line {
                taken |= old.words & words;
                old.words &= !words;
            }
            old.words != 0
        });
        taken
    }

    /// All that is valid becomes invalid; registered words stay. Returns of how many lines words
    /// were forgotten.
    pub fn acquire(&mut self) -> u64 {
        self.lines.drop_clean()
    }
}
