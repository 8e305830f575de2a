//! What every message and cache holds, for tests: the version of each word travels beside the
//! timing, and every load is checked against a memory without caches.
//!
//! Kernels follow one another. Within a kernel a load may see what was there when the kernel
//! started, or anything stored since; after the kernel's end the words have one value.

use std::collections::BTreeMap;

use super::{Purpose, Request};
use crate::gpu::coalescer::WordMask;

/// A word: line, and its place there.
type Word = (u64, u32);

/// A version of a word: 0 before any store.
type Version = u64;

/// What is known of a word by the rules, not by the caches.
#[derive(Clone, Debug, Default)]
struct Truth {
    /// Versions that a load may see.
    allowed: Vec<Version>,
    /// The last version of each SMX that stored in this kernel.
    last: BTreeMap<u8, Version>,
}

/// See the module.
#[derive(Debug, Default)]
pub struct Shadow {
    /// Whether to keep track.
    pub on: bool,
    l1: BTreeMap<(u8, Word), Version>,
    l2: BTreeMap<Word, Version>,
    /// What each request carries.
    carried: BTreeMap<u32, Vec<(Word, Version)>>,
    /// What has just arrived.
    arrived: Vec<(Word, Version)>,
    truth: BTreeMap<Word, Truth>,
    stores: Version,
    /// Loads of words that were checked.
    pub checked: u64,
    /// Stale loads: SMX, word, version seen, versions allowed.
    pub stale: Vec<(u8, Word, Version, Vec<Version>)>,
}

fn each(line: u64, words: WordMask) -> impl Iterator<Item = Word> {
    (0..32).filter(move |word| words >> word & 1 == 1).map(move |word| (line, word))
}

impl Shadow {
    /// A store of `smx` is made in its L1.
    pub fn store(&mut self, smx: u8, line: u64, words: WordMask) {
        if !self.on {
            return;
        }
        for word in each(line, words) {
            self.stores += 1;
            self.l1.insert((smx, word), self.stores);
            let truth = self
                .truth
                .entry(word)
                .or_insert_with(|| Truth { allowed: vec![0], last: BTreeMap::new() });
            truth.allowed.push(self.stores);
            truth.last.insert(smx, self.stores);
        }
    }

    /// A load of `smx` uses `words` in its L1.
    pub fn load(&mut self, smx: u8, line: u64, words: WordMask) {
        if !self.on {
            return;
        }
        for word in each(line, words) {
            let seen = self.l1.get(&(smx, word)).copied().unwrap_or(0);
            self.check(smx, word, seen);
        }
    }

    /// The words that arrived last are put into the L1 of `smx`, whose `registered` ones stay; loads
    /// use them.
    pub fn fill(&mut self, smx: u8, line: u64, words: WordMask, registered: WordMask) {
        if !self.on {
            return;
        }
        let arrived = std::mem::take(&mut self.arrived);
        assert_eq!(arrived.len() as u32, words.count_ones(), "a message carries what it names");
        for (word, version) in arrived {
            assert_eq!(word.0, line);
            self.check(smx, word, version);
            if registered >> word.1 & 1 == 0 {
                self.l1.insert((smx, word), version);
            }
        }
    }

    /// Request `id` brings `words` of `line` into the L2; others that it carries are dropped.
    pub fn write_back(&mut self, id: u32, line: u64, words: WordMask) {
        if !self.on {
            return;
        }
        for (word, version) in self.carried.remove(&id).unwrap_or_default() {
            if word.0 == line && words >> word.1 & 1 == 1 {
                self.l2.insert(word, version);
            }
        }
    }

    /// Request `id` leaves `smx`.
    pub fn leaves_smx(&mut self, id: u32, smx: u8, request: &Request) {
        if self.on && request.purpose.by_words() {
            let words = each(request.line, request.words);
            let of = |word| self.l1.get(&(smx, word)).copied().unwrap_or(0);
            let carried = words.map(|word| (word, of(word))).collect();
            self.carried.insert(id, carried);
        }
    }

    /// Reply `id` leaves the L2.
    pub fn leaves_slice(&mut self, id: u32, request: &Request) {
        if self.on && matches!(request.purpose, Purpose::Words { .. }) {
            let words = each(request.line, request.words);
            let of = |word| self.l2.get(&word).copied().unwrap_or(0);
            let carried = words.map(|word| (word, of(word))).collect();
            self.carried.insert(id, carried);
        }
    }

    /// Reply `id` has been received.
    pub fn arrives(&mut self, id: u32) {
        self.arrived = self.carried.remove(&id).unwrap_or_default();
    }

    /// A kernel has ended: from now on a word has the value that was stored last, by any SMX.
    pub fn kernel_ended(&mut self) {
        for truth in self.truth.values_mut() {
            if !truth.last.is_empty() {
                truth.allowed = std::mem::take(&mut truth.last).into_values().collect();
            }
        }
    }

    /// Checks that `smx` may see `seen` of `word`.
    fn check(&mut self, smx: u8, word: Word, seen: Version) {
        self.checked += 1;
        let allowed = self.truth.get(&word).map_or(vec![0], |truth| truth.allowed.clone());
        if !allowed.contains(&seen) {
            self.stale.push((smx, word, seen, allowed));
        }
    }
}
