//! The store buffer of an SMX under DeNovo: the lines that have words whose ownership is not
//! confirmed yet, one entry a line.

/// See the module.
#[derive(Debug)]
pub struct StoreBuffer {
    /// Entries at most; 0: any number.
    capacity: usize,
    /// Lines, each with the number of its words that are not confirmed.
    entries: Vec<(u64, u32)>,
}

impl StoreBuffer {
    /// An empty buffer of `capacity` entries; 0: any number.
    pub fn new(capacity: u32) -> Self {
        Self { capacity: capacity as usize, entries: Vec::new() }
    }

    /// Whether every store is confirmed.
    #[cfg(test)]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Whether a store to `line` finds an entry.
    pub fn takes(&self, line: u64) -> bool {
        self.capacity == 0
            || self.entries.len() < self.capacity
            || self.entries.iter().any(|(other, _)| *other == line)
    }

    /// `words` words of `line` wait for confirmation; it takes them, see [`StoreBuffer::takes`].
    pub fn add(&mut self, line: u64, words: u32) {
        match self.entries.iter_mut().find(|(other, _)| *other == line) {
            Some((_, waiting)) => *waiting += words,
            None => self.entries.push((line, words)),
        }
    }

    /// `words` words of `line` are confirmed.
    ///
    /// # Panics
    /// When the line has no entry.
    pub fn confirm(&mut self, line: u64, words: u32) {
        let entry = self.entries.iter().position(|(other, _)| *other == line);
        let entry = entry.expect("a registration that is confirmed has an entry");
        self.entries[entry].1 -= words;
        if self.entries[entry].1 == 0 {
            self.entries.swap_remove(entry);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stores_to_one_line_share_an_entry_until_the_last_word_is_confirmed() {
        let mut buffer = StoreBuffer::new(2);
        buffer.add(1, 2);
        buffer.add(1, 3);
        buffer.add(2, 1);
        assert_eq!([1, 2, 3].map(|line| buffer.takes(line)), [true, true, false]);
        buffer.confirm(1, 4);
        assert!(!buffer.takes(3));
        buffer.confirm(1, 1);
        assert!(buffer.takes(3));
    }

    #[test]
    fn a_capacity_of_zero_is_no_limit() {
        let mut buffer = StoreBuffer::new(0);
        (0..1000).for_each(|line| buffer.add(line, 1));
        assert!(buffer.takes(1000));
    }
}
