//! What one SMX keeps from one kernel to the next, and how far it is with it.

use std::collections::VecDeque;
use std::ops::Range;

/// See the module.
#[derive(Clone, Default, PartialEq)]
pub(super) struct Owned {
    /// Linear ids.
    chunk: Range<u64>,
    /// How many of the chunk have run in this kernel.
    chunk_ran: u64,
    /// Stolen blocks in the order in which they run in this kernel.
    queue: VecDeque<u64>,
    queue_ran: usize,
}

impl Owned {
    /// A new chunk, and nothing stolen.
    pub(super) fn of(chunk: Range<u64>) -> Self {
        Self { chunk, ..Self::default() }
    }

    /// Another kernel of the same grid: what was last in the queue comes first.
    pub(super) fn again(&mut self) {
        self.queue = std::mem::take(&mut self.queue).into_iter().rev().collect();
        (self.chunk_ran, self.queue_ran) = (0, 0);
    }

    /// The block that runs next.
    pub(super) fn next(&self, forward: bool, chunk_first: bool) -> Option<u64> {
        if self.takes_from_chunk(chunk_first) {
            let (start, end) = (self.chunk.start, self.chunk.end);
            return Some(if forward { start + self.chunk_ran } else { end - 1 - self.chunk_ran });
        }
        self.queue.get(self.queue_ran).copied()
    }

    /// It runs.
    pub(super) fn take(&mut self, chunk_first: bool) {
        if self.takes_from_chunk(chunk_first) {
            self.chunk_ran += 1;
        } else {
            self.queue_ran += 1;
        }
    }

    fn takes_from_chunk(&self, chunk_first: bool) -> bool {
        let queue_has_run = self.queue_ran == self.queue.len();
        self.chunk_left() && (chunk_first || queue_has_run)
    }

    fn chunk_left(&self) -> bool {
        self.chunk_ran < self.chunk.end - self.chunk.start
    }

    /// What a thief gets: the last one to run of what is left of the chunk, or of the queue.
    pub(super) fn far(&self, chunk: bool, forward: bool) -> Option<u64> {
        match chunk {
            true if !self.chunk_left() => None,
            true if forward => Some(self.chunk.end - 1),
            true => Some(self.chunk.start),
            false if self.queue_ran == self.queue.len() => None,
            false => self.queue.back().copied(),
        }
    }

    /// A thief gets it.
    pub(super) fn lose(&mut self, chunk: bool, forward: bool) {
        match chunk {
            true if forward => self.chunk.end -= 1,
            true => self.chunk.start += 1,
            false => drop(self.queue.pop_back()),
        }
    }

    /// All that is left of what comes first, if `block` is the next one of what comes second: then
    /// thieves have taken it and it is on its way to them. It is no longer owned.
    pub(super) fn pass_over(
        &mut self,
        block: u64,
        forward: bool,
        chunk_first: bool,
    ) -> Option<Vec<u64>> {
        let mut behind = self.clone();
        let passed: Vec<u64> = if self.takes_from_chunk(chunk_first) {
            let ran = self.chunk_ran;
            if forward {
                behind.chunk.end = self.chunk.start + ran;
                (self.chunk.start + ran..self.chunk.end).collect()
            } else {
                behind.chunk.start = self.chunk.end - ran;
                (self.chunk.start..self.chunk.end - ran).collect()
            }
        } else {
            behind.queue.split_off(self.queue_ran).into()
        };
        (behind.next(forward, chunk_first) == Some(block)).then(|| {
            *self = behind;
            passed
        })
    }

    /// Blocks in the queue.
    pub(super) fn held(&self) -> usize {
        self.queue.len()
    }

    /// A stolen block runs, and is kept if the queue of so many `entries` has room; whether that
    /// makes it full.
    pub(super) fn keep(&mut self, block: u64, entries: usize) -> bool {
        if self.queue.len() == entries {
            return false;
        }
        self.queue.push_back(block);
        self.queue_ran = self.queue.len();
        self.queue.len() == entries
    }
}
