//! What every message and cache holds, for tests: the version of each word travels beside the
//! timing, and every load and atomic operation is checked against the rules of data-race-freedom.
//!
//! Kernels follow one another. Within a kernel a load may see what was there when the kernel
//! started, or anything stored since; after the kernel's end a word has one value. An SMX that has
//! stored a word sees that store or another SMX's, nothing older; atomic operations see one another
//! in one order.

use std::collections::BTreeMap;

use super::{Purpose, Request};
use crate::coalescer::WordMask;

/// A word: line, and its place there.
pub type Word = (u64, u32);

/// A version of a word: 0 before any store.
pub type Version = u64;

/// Whose versions those of atomic operations are, which are made in the L2.
const BANK: u8 = u8::MAX;

/// A version by the rules.
#[derive(Clone, Copy, Debug)]
struct Made {
    version: Version,
    by: u8,
    /// In which kernel, and from which one on it is no longer to be seen.
    kernel: u64,
    gone: Option<u64>,
}

/// What is known of a word by the rules, not by the caches.
#[derive(Clone, Debug)]
struct Truth {
    made: Vec<Made>,
    /// The last version of each SMX that stored in this kernel, and of the L2.
    last: BTreeMap<u8, Version>,
}

impl Default for Truth {
    fn default() -> Self {
        let first = Made { version: 0, by: BANK, kernel: 0, gone: None };
        Self { made: vec![first], last: BTreeMap::new() }
    }
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
    versions: Version,
    /// Kernels that have ended, and how many had when each SMX last forgot what it does not own.
    kernel: u64,
    acquired: BTreeMap<u8, u64>,
    /// Words of loads and atomic operations that were checked.
    pub checked: u64,
    /// What was seen against the rules.
    pub stale: Vec<String>,
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
            let version = self.make(smx, word);
            self.l1.insert((smx, word), version);
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
            let Some(truth) = self.truth.get(&word) else { continue };
            let Some(&own) = truth.last.get(&smx) else { continue };
            let newer =
                |made: &Made| made.version == seen && made.kernel == self.kernel && made.by != smx;
            if seen != own && !truth.made.iter().any(newer) {
                self.stale.push(format!("SMX {smx} saw {seen} of {word:?} after its own {own}"));
            }
        }
    }

    /// The words that arrived last are put into the L1 of `smx`, whose `registered` ones stay.
    /// Loads use them; but if they are to be `forgotten` at once, loads of a kernel that has ended.
    pub fn fill(
        &mut self,
        smx: u8,
        line: u64,
        words: WordMask,
        registered: WordMask,
        forgotten: bool,
    ) {
        if !self.on {
            return;
        }
        let arrived = std::mem::take(&mut self.arrived);
        assert_eq!(arrived.len() as u32, words.count_ones(), "a message carries what it names");
        for (word, version) in arrived {
            assert_eq!(word.0, line);
            if !forgotten {
                self.check(smx, word, version);
            }
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

    /// Reply `id` leaves the L2; an atomic operation is made then.
    pub fn leaves_slice(&mut self, id: u32, request: &Request) {
        if !self.on {
            return;
        }
        if request.purpose.is_atomic() {
            for word in each(request.line, request.words) {
                self.atomic(word);
            }
        }
        if matches!(request.purpose, Purpose::Words { .. }) {
            let words = each(request.line, request.words);
            let carried = words.map(|word| (word, self.in_l2(word))).collect();
            self.carried.insert(id, carried);
        }
    }

    /// Reply `id` has been received.
    pub fn arrives(&mut self, id: u32) {
        self.arrived = self.carried.remove(&id).unwrap_or_default();
    }

    /// `smx` forgets what it does not own, at the start of a kernel.
    pub fn acquire(&mut self, smx: u8) {
        self.acquired.insert(smx, self.kernel);
    }

    /// A kernel has ended: from now on a word has the value that was stored last, by any SMX.
    pub fn kernel_ended(&mut self) {
        self.kernel += 1;
        for truth in self.truth.values_mut().filter(|truth| !truth.last.is_empty()) {
            let last = std::mem::take(&mut truth.last);
            let final_ones: Vec<Version> = last.into_values().collect();
            for made in &mut truth.made {
                if !final_ones.contains(&made.version) {
                    made.gone.get_or_insert(self.kernel);
                }
            }
        }
    }

    /// Checks what is left in the end, where `owners` names the owner of each word that has one.
    pub fn check_rest(&mut self, owners: &BTreeMap<Word, u8>) {
        let words: Vec<Word> = self.truth.keys().copied().collect();
        for word in words {
            let seen = match owners.get(&word) {
                Some(&smx) => self.l1[&(smx, word)],
                None => self.in_l2(word),
            };
            self.acquired.insert(BANK, self.kernel);
            self.check(BANK, word, seen);
        }
    }

    fn in_l2(&self, word: Word) -> Version {
        self.l2.get(&word).copied().unwrap_or(0)
    }

    /// A new version of `word`.
    fn make(&mut self, by: u8, word: Word) -> Version {
        self.versions += 1;
        let (version, kernel) = (self.versions, self.kernel);
        let truth = self.truth.entry(word).or_default();
        truth.made.push(Made { version, by, kernel, gone: None });
        truth.last.insert(by, version);
        version
    }

    fn atomic(&mut self, word: Word) {
        let seen = self.in_l2(word);
        self.acquired.insert(BANK, self.kernel);
        self.check(BANK, word, seen);
        let last = self.truth.get(&word).map(|truth| &truth.last);
        if let Some(&before) = last.filter(|last| last.len() == 1).and_then(|last| last.get(&BANK))
        {
            if seen != before {
                self.stale
                    .push(format!("an atomic operation saw {seen} of {word:?}, not {before}"));
            }
        }
        let version = self.make(BANK, word);
        self.l2.insert(word, version);
    }

    /// Checks that `smx` may see `seen` of `word`. Where several SMXs stored a word in a kernel,
    /// the first one that looks after its end decides what all see.
    fn check(&mut self, smx: u8, word: Word, seen: Version) {
        self.checked += 1;
        let acquired = self.acquired.get(&smx).copied().unwrap_or(0);
        let now = self.kernel;
        let truth = self.truth.entry(word).or_default();
        let visible = |made: &Made| made.gone.is_none_or(|kernel| kernel > acquired);
        if !truth.made.iter().any(|made| made.version == seen && visible(made)) {
            let allowed: Vec<_> = truth.made.iter().filter(|made| visible(made)).collect();
            self.stale.push(format!("SMX {smx} saw {seen} of {word:?}, not of {allowed:?}"));
        } else if acquired == now && truth.last.is_empty() {
            for made in truth.made.iter_mut().filter(|made| made.version != seen) {
                made.gone.get_or_insert(now);
            }
        }
    }
}
