//! Tags of a set-associative cache with least-recently-used replacement. L1 and L2 differ in what
//! they do on a store and on a miss, not in this.

use super::coalescer::LINE_BYTES;

/// One way of one set.
#[derive(Clone, Copy, Debug, Default)]
struct Way {
    /// The line plus one; zero: nothing.
    tag: u64,
    /// When it was used last.
    used: u64,
    dirty: bool,
}

/// The tags; lines are numbered by address divided by [`LINE_BYTES`].
#[derive(Debug)]
pub struct Tags {
    ways: usize,
    sets: u64,
    table: Vec<Way>,
    clock: u64,
}

impl Tags {
    /// Tags of a cache of `size` bytes.
    ///
    /// # Panics
    /// When `size` holds no whole number of sets; [`super::config::GpuConfig::validate`] refuses that.
    pub fn new(size: u32, ways: u32) -> Self {
        let sets = u64::from(size) / (u64::from(ways) * LINE_BYTES);
        assert!(sets > 0 && sets * u64::from(ways) * LINE_BYTES == u64::from(size));
        let ways = ways as usize;
        Self { ways, sets, table: vec![Way::default(); sets as usize * ways], clock: 0 }
    }

    /// Whether `line` is present; if so it is now the most recently used one.
    pub fn touch(&mut self, line: u64) -> bool {
        self.clock += 1;
        let clock = self.clock;
        self.find(line).map(|way| way.used = clock).is_some()
    }

    /// Marks `line` dirty, if it is present.
    pub fn mark_dirty(&mut self, line: u64) {
        if let Some(way) = self.find(line) {
            way.dirty = true;
        }
    }

    /// Puts `line`, which is not present, into its set. Returns whether a dirty line had to go.
    pub fn insert(&mut self, line: u64, dirty: bool) -> bool {
        self.clock += 1;
        let used = self.clock;
        let set = self.set(line);
        let victim = set.iter_mut().min_by_key(|way| way.used).expect("a set has ways");
        let writes_back = victim.dirty;
        *victim = Way { tag: line + 1, used, dirty };
        writes_back
    }

    /// Forgets `line`, if it is present.
    pub fn evict(&mut self, line: u64) {
        if let Some(way) = self.find(line) {
            *way = Way::default();
        }
    }

    /// Forgets every line.
    pub fn clear(&mut self) {
        self.table.fill(Way::default());
    }

    fn find(&mut self, line: u64) -> Option<&mut Way> {
        self.set(line).iter_mut().find(|way| way.tag == line + 1)
    }

    fn set(&mut self, line: u64) -> &mut [Way] {
        let first = (line % self.sets) as usize * self.ways;
        &mut self.table[first..first + self.ways]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Two sets of two ways: even lines share a set.
    fn small() -> Tags {
        Tags::new(4 * LINE_BYTES as u32, 2)
    }

    #[test]
    fn the_least_recently_used_line_of_the_set_goes() {
        let mut tags = small();
        tags.insert(0, false);
        tags.insert(2, false);
        tags.insert(1, false);
        assert!(tags.touch(0));
        tags.insert(4, false);
        assert!(!tags.touch(2), "2 was older than 0");
        assert!(tags.touch(0) && tags.touch(4) && tags.touch(1));
    }

    #[test]
    fn only_a_dirty_victim_is_written_back() {
        let mut tags = small();
        tags.insert(0, false);
        tags.insert(2, true);
        assert!(!tags.insert(4, false), "0 is clean");
        assert!(tags.insert(6, false), "2 is dirty");
        tags.mark_dirty(4);
        assert!(tags.insert(8, false), "4 was marked");
    }

    proptest! {
        #[test]
        fn the_tags_hold_the_last_distinct_lines_of_each_set(
            lines in prop::collection::vec(0_u64..12, 0..80),
        ) {
            let mut tags = small();
            let mut model: [Vec<u64>; 2] = Default::default();
            for line in lines {
                let set = &mut model[(line % 2) as usize];
                let present = set.contains(&line);
                prop_assert_eq!(tags.touch(line), present);
                if !present {
                    tags.insert(line, false);
                }
                set.retain(|&other| other != line);
                set.push(line);
                if set.len() > 2 {
                    set.remove(0);
                }
            }
        }
    }
}
