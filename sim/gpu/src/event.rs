//! The event calendar: what happens in which cycle.
//!
//! Near events lie in a ring of buckets, one a cycle, far ones in a heap until the ring reaches
//! them. Events of one cycle keep the order in which they were scheduled, so a run is repeatable.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::mask::{SmxMask, WORDS};
use crate::port::MAX_SMX;

/// Something that happens inside the GPU in a known cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Event {
    /// The block in a slot has ended and can be reported to the scheduler.
    BlockEnd {
        /// The SMX.
        smx: u8,
        /// Its thread-block slot.
        slot: u8,
    },
    /// A block of those that slow each other down has ended, if nothing changed since it was
    /// foreseen.
    SharedEnd {
        /// The SMX.
        smx: u8,
        /// What was foreseen last.
        version: u32,
    },
    /// The block in a slot triggers.
    Trigger {
        /// The SMX.
        smx: u8,
        /// Its thread-block slot.
        slot: u8,
    },
    /// The block in a slot asks for another one of its kernel: it has done its work, or has
    /// executed an instruction that asks.
    Question {
        /// The SMX.
        smx: u8,
        /// Its thread-block slot.
        slot: u8,
    },
    /// The answer comes to the first of an SMX's questions by an instruction that has one on its
    /// way.
    Answer {
        /// The SMX.
        smx: u8,
    },
    /// The operands of a warp's next instruction become available.
    WarpReady {
        /// The SMX.
        smx: u8,
        /// Its warp slot.
        warp: u8,
    },
    /// A request leaves an SMX for its slice.
    Send {
        /// The SMX; not the one that is answered when it passes on what it could not serve.
        smx: u8,
        /// The request.
        request: u32,
    },
    /// A request of an SMX has left its miss queue.
    Left {
        /// The SMX.
        smx: u8,
    },
    /// A message leaves an SMX for another one.
    Pass {
        /// The SMX that sends it.
        smx: u8,
        /// The message.
        request: u32,
    },
    /// The memory goes on, where it runs ahead.
    Memory,
    /// A request is before its slice of the L2.
    AtSlice {
        /// The slice.
        slice: u16,
        /// The request.
        request: u32,
    },
    /// A slice looks up its next request.
    LookUp {
        /// The slice.
        slice: u16,
    },
    /// A DRAM channel goes on.
    Channel {
        /// The channel.
        channel: u16,
    },
    /// DRAM delivers a sector.
    DramData {
        /// The slice.
        slice: u16,
        /// The sector of the way.
        sector: u8,
        /// The way of the slice.
        way: u32,
    },
    /// A packet of the reply to a request is before its SMX.
    AtSmx {
        /// The request.
        request: u32,
    },
    /// The reply to a request has been received, with its last packet.
    Reply {
        /// The request.
        request: u32,
    },
}

/// Cycles that the ring covers: a power of two, beyond all but the latencies of a memory that is
/// crowded. A longer ring falls out of the processor's first cache.
const RING: u64 = 256;

/// Later than everything.
const NEVER: u64 = u64::MAX;

/// Which SMXs are awake in one cycle, of those that have a bit in one word.
#[derive(Clone, Copy, Debug, Default)]
struct Awake {
    /// Their load/store unit has a transaction to try.
    load_store: u64,
    /// They may issue.
    issue: u64,
}

/// Events by cycle; see the module.
#[derive(Debug)]
pub struct Calendar {
    now: u64,
    ring: Box<[Vec<Event>; RING as usize]>,
    /// For each cycle of the ring as many words as the SMXs have; most GPUs have one.
    awake: Vec<Awake>,
    words: usize,
    /// One bit a bucket: something lies in it.
    occupied: [u64; (RING / 64) as usize],
    far: BinaryHeap<Reverse<(u64, u64, Event)>>,
    /// The cycle of the first far event, or [`NEVER`].
    first_far: u64,
    /// Order of scheduling, which breaks ties among far events.
    sequence: u64,
    /// Kept so that nothing is allocated.
    spare: Vec<Event>,
}

impl Default for Calendar {
    /// For as many SMXs as there can be.
    fn default() -> Self {
        Self::new(MAX_SMX)
    }
}

impl Calendar {
    /// In cycle 0, for `smx` SMXs.
    pub fn new(smx: usize) -> Self {
        let words = smx.div_ceil(64);
        Self {
            now: 0,
            ring: Box::new(std::array::from_fn(|_| Vec::new())),
            awake: vec![Awake::default(); RING as usize * words],
            words,
            occupied: [0; (RING / 64) as usize],
            far: BinaryHeap::new(),
            first_far: NEVER,
            sequence: 0,
            spare: Vec::new(),
        }
    }

    /// The cycle that is being processed.
    #[inline]
    pub fn now(&self) -> u64 {
        self.now
    }

    /// Puts `event` into `cycle`.
    ///
    /// # Panics
    /// When `cycle` has passed.
    #[inline]
    pub fn schedule(&mut self, cycle: u64, event: Event) {
        // A cycle that has passed is far, too.
        if cycle.wrapping_sub(self.now) < RING {
            self.bucket(cycle).push(event);
        } else {
            self.schedule_far(cycle, event);
        }
    }

    #[cold]
    fn schedule_far(&mut self, cycle: u64, event: Event) {
        assert!(cycle >= self.now, "event {event:?} for the past cycle {cycle}");
        self.sequence += 1;
        self.far.push(Reverse((cycle, self.sequence, event)));
        self.first_far = self.first_far.min(cycle);
    }

    /// Lets the load/store unit of `smx` try an access in `cycle`.
    #[inline]
    pub fn wake_load_store(&mut self, cycle: u64, smx: usize) {
        // As for `wake_issue`.
        let cycle = cycle.min(self.now + RING - 1);
        self.awake(cycle, smx).load_store |= 1 << (smx % 64);
    }

    /// Lets `smx` issue in `cycle`.
    #[inline]
    pub fn wake_issue(&mut self, cycle: u64, smx: usize) {
        // Beyond the ring an early look is harmless: the SMX finds nothing to issue and asks again.
        let cycle = cycle.min(self.now + RING - 1);
        self.awake(cycle, smx).issue |= 1 << (smx % 64);
    }

    /// The next cycle, from now on, in which something happens.
    #[inline]
    pub fn next(&self) -> Option<u64> {
        let start = (self.now % RING) as usize;
        let words = self.occupied.len();
        for step in 0..=words {
            let word = (start / 64 + step) % words;
            let mut bits = self.occupied[word];
            if step == 0 {
                bits &= u64::MAX << (start % 64);
            } else if step == words {
                bits &= !(u64::MAX << (start % 64));
            }
            if bits != 0 {
                let slot = (word * 64) as u64 + u64::from(bits.trailing_zeros());
                return Some(self.now + (slot + RING - start as u64) % RING);
            }
        }
        (self.first_far != NEVER).then_some(self.first_far)
    }

    /// Moves on to `cycle`.
    ///
    /// # Panics
    /// When `cycle` has passed, and in debug builds when an event before it is still waiting.
    #[inline]
    pub fn advance(&mut self, cycle: u64) {
        assert!(cycle >= self.now);
        debug_assert!(self.next().is_none_or(|next| next >= cycle));
        self.now = cycle;
        if self.first_far.wrapping_sub(cycle) < RING {
            self.bring_near();
        }
    }

    /// The ring has reached far events.
    #[cold]
    fn bring_near(&mut self) {
        self.first_far = NEVER;
        while let Some(&Reverse((cycle, _, event))) = self.far.peek() {
            if cycle - self.now >= RING {
                self.first_far = cycle;
                break;
            }
            self.far.pop();
            self.bucket(cycle).push(event);
        }
    }

    /// The events of `cycle`, this one or one of the next that the ring covers, known so far.
    #[inline]
    pub fn events(&self, cycle: u64) -> &[Event] {
        &self.ring[(cycle % RING) as usize]
    }

    /// Takes the events of this cycle, if there are any. More may be scheduled while they happen.
    #[inline]
    pub fn take_events(&mut self) -> Option<Vec<Event>> {
        let slot = self.slot();
        let events = &mut self.ring[slot];
        (!events.is_empty()).then(|| std::mem::replace(events, std::mem::take(&mut self.spare)))
    }

    /// Takes the SMXs whose load/store unit is awake in this cycle.
    #[inline]
    pub fn take_load_store(&mut self) -> SmxMask {
        self.take_awake(|awake| &mut awake.load_store)
    }

    /// Takes the SMXs that may issue in this cycle, behind its load/store units.
    #[inline]
    pub fn take_issue(&mut self) -> SmxMask {
        let smxs = self.take_awake(|awake| &mut awake.issue);
        self.settle(self.slot());
        smxs
    }

    #[inline]
    fn take_awake(&mut self, of: impl Fn(&mut Awake) -> &mut u64) -> SmxMask {
        let first = self.slot() * self.words;
        let mut smxs = [0; WORDS];
        for (smxs, awake) in smxs.iter_mut().zip(&mut self.awake[first..][..self.words]) {
            *smxs = std::mem::take(of(awake));
        }
        SmxMask::from_words(smxs)
    }

    /// The events that were taken have happened.
    #[inline]
    pub fn happened(&mut self, mut events: Vec<Event>) {
        events.clear();
        self.spare = events;
        self.settle(self.slot());
    }

    #[inline]
    fn settle(&mut self, slot: usize) {
        let awake = &self.awake[slot * self.words..][..self.words];
        let asleep = awake.iter().all(|awake| awake.load_store | awake.issue == 0);
        if self.ring[slot].is_empty() && asleep {
            self.occupied[slot / 64] &= !(1 << (slot % 64));
        }
    }

    /// The place of this cycle in the ring.
    #[inline]
    fn slot(&self) -> usize {
        (self.now % RING) as usize
    }

    #[inline]
    fn bucket(&mut self, cycle: u64) -> &mut Vec<Event> {
        let slot = self.occupy(cycle);
        &mut self.ring[slot]
    }

    /// The word of `smx` in `cycle`.
    #[inline]
    fn awake(&mut self, cycle: u64, smx: usize) -> &mut Awake {
        let slot = self.occupy(cycle);
        &mut self.awake[slot * self.words + smx / 64]
    }

    /// The place of `cycle` in the ring, in which something comes to lie.
    #[inline]
    fn occupy(&mut self, cycle: u64) -> usize {
        debug_assert!(cycle >= self.now && cycle - self.now < RING);
        let slot = (cycle % RING) as usize;
        self.occupied[slot / 64] |= 1 << (slot % 64);
        slot
    }
}

#[cfg(test)]
mod tests;
