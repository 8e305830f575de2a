//! Constants and textures: first-level caches for what no kernel writes.

use super::queued::{Queued, Work};
use super::{Arrival, LoadStore};
use crate::cache::{Lines, WayId};
use crate::coalescer::{coalesce, LineAccess, WordMask, WORD_BYTES};
use crate::config::{IndexFunction, ReadOnlyConfig};
use crate::event::Calendar;
use crate::memory::{FirstLevel, Memory, Purpose};
use crate::program::Instruction;

/// Accesses of a cache by what became of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReadOnlyCounts {
    /// Those whose line was there.
    pub hits: u64,
    /// Those that requested it.
    pub misses: u64,
    /// Those whose line was on its way.
    pub merged: u64,
}

/// What became of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// The data come after the hit latency.
    Hit,
    /// The line must be requested from the L2; it comes to this way.
    Miss(WayId),
    /// The line is on its way.
    Merged,
    /// No miss register, no way or no room for a request is free: try again after a fill.
    Stalled,
}

/// See the module.
#[derive(Debug)]
pub(super) struct ReadOnly {
    /// Loads that wait for a line.
    lines: Lines<u32>,
    line_shift: u32,
    mshrs: u32,
    merges: u32,
    by_address: bool,
    /// From the look-up to a hit's data, or to a miss's request.
    latency: u64,
    /// What happened so far.
    pub counts: ReadOnlyCounts,
}

impl ReadOnly {
    /// An empty cache, if there is one.
    pub fn new(config: &ReadOnlyConfig, latency: u32) -> Option<Self> {
        let ReadOnlyConfig { size, ways, line, mshrs, merges, by_address } = *config;
        config.is_there().then(|| Self {
            lines: Lines::new(size, ways, line, IndexFunction::Linear),
            line_shift: line.trailing_zeros(),
            mshrs,
            merges,
            by_address,
            latency: latency.into(),
            counts: ReadOnlyCounts::default(),
        })
    }

    /// Overwrites `accesses` with those of `instruction` with `bytes` bytes a lane: one for each
    /// line that lanes touch, or for each of their addresses and its lines; in order of lanes.
    fn split(&self, instruction: &Instruction, bytes: u8, accesses: &mut Vec<LineAccess>) {
        coalesce(instruction, bytes, self.line_shift, accesses);
        if !self.by_address {
            return;
        }
        let mut one = instruction.clone();
        let (mut seen, mut of_one) = (Vec::new(), Vec::new());
        accesses.clear();
        let mut left = instruction.active;
        while left != 0 {
            let lane = left.trailing_zeros();
            left &= left - 1;
            let address = instruction.addresses.of(lane as usize);
            if seen.contains(&address) {
                continue;
            }
            seen.push(address);
            one.active = 1 << lane;
            coalesce(&one, bytes, self.line_shift, &mut of_one);
            accesses.append(&mut of_one);
        }
    }

    /// One access of the load `load` to `line`; with `room` it may send a request.
    pub(super) fn load(&mut self, line: u64, load: u32, room: bool) -> Outcome {
        let set = self.lines.set(line);
        let Some(way) = self.lines.find_in(set, line) else {
            if !room || self.lines.pending_lines() >= self.mshrs {
                return Outcome::Stalled;
            }
            let Some((way, _)) = self.lines.allocate_in(set, line, 1) else {
                return Outcome::Stalled;
            };
            self.lines.wait(way, load);
            self.counts.misses += 1;
            return Outcome::Miss(way);
        };
        if self.lines.valid(way) != 0 {
            self.lines.touch(way);
            self.counts.hits += 1;
            return Outcome::Hit;
        }
        if self.lines.waiting(way) >= self.merges {
            return Outcome::Stalled;
        }
        self.lines.touch(way);
        self.lines.wait(way, load);
        self.counts.merged += 1;
        Outcome::Merged
    }

    /// The line in `way` has come: `complete` learns of the loads that waited for it.
    pub(super) fn fill(&mut self, way: WayId, mut complete: impl FnMut(u32)) {
        self.lines.serve(way, 1, |load, _| {
            complete(load);
            true
        });
    }

    /// The part of a line of the L2 that `line` is: its number and its words.
    fn in_l2(&self, line: u64, l2_shift: u32) -> (u64, WordMask) {
        let words = 1 << (self.line_shift - WORD_BYTES.trailing_zeros());
        let (parts_shift, mask) = (l2_shift - self.line_shift, WordMask::MAX >> (32 - words));
        let part = (line & ((1 << parts_shift) - 1)) as u32;
        (line >> parts_shift, mask << (part * words))
    }
}

impl LoadStore {
    /// The cache, if there is one; that for global data is not of this kind.
    #[inline]
    fn read_only(&mut self, cache: FirstLevel) -> Option<&mut ReadOnly> {
        match cache {
            FirstLevel::Data => None,
            FirstLevel::Constant => self.constant.as_deref_mut(),
            FirstLevel::Texture => self.texture.as_deref_mut(),
        }
    }

    /// Accesses of a cache so far; all zero without it.
    pub fn read_only_counts(&self, cache: FirstLevel) -> ReadOnlyCounts {
        let of = match cache {
            FirstLevel::Data => &None,
            FirstLevel::Constant => &self.constant,
            FirstLevel::Texture => &self.texture,
        };
        of.as_ref().map(|cache| cache.counts).unwrap_or_default()
    }

    /// Queues the accesses of a load from `cache`: the work and how many accesses. `None` without
    /// it.
    pub(super) fn queue_read_only(
        &mut self,
        cache: FirstLevel,
        instruction: &Instruction,
        bytes: u8,
    ) -> Option<(Work, u32)> {
        let mut coalesced = std::mem::take(&mut self.coalesced);
        let split = self.read_only(cache).map(|of| of.split(instruction, bytes, &mut coalesced));
        self.coalesced = coalesced;
        split?;
        for access in &self.coalesced {
            self.accesses.push(*access);
        }
        let accesses = self.coalesced.len() as u32;
        Some((Work::ReadOnly { cache, accesses }, accesses))
    }

    /// Makes the access to `line` of `first`; `None` when it has to wait. Otherwise a register
    /// whose value is known to come, if there is one.
    pub(super) fn access_read_only(
        &mut self,
        line: u64,
        first: &Queued,
        cache: FirstLevel,
        memory: &mut Memory,
        calendar: &mut Calendar,
    ) -> Option<Option<Arrival>> {
        let (room, now) = (memory.has_room(self.smx), calendar.now());
        let (smx, l2_shift) = (self.smx, self.line_shift);
        let load = first.load.expect("what is only read is loaded");
        let of = self.read_only(cache).expect("accesses are queued only for a cache that is there");
        let latency = of.latency;
        match of.load(line, load, room) {
            Outcome::Hit => return Some(self.loads.known(load, now + latency)),
            Outcome::Miss(way) => {
                let (line, words) = of.in_l2(line, l2_shift);
                let fill = Purpose::Fill { cache, way };
                memory.send(smx, fill, line, words, now + latency, calendar);
                self.loads.made(load);
            }
            Outcome::Merged => self.loads.made(load),
            Outcome::Stalled => return None,
        }
        Some(None)
    }

    /// The line in `way` of `cache` has come: reports each load that has its last data.
    pub(super) fn fill_read_only(
        &mut self,
        cache: FirstLevel,
        way: WayId,
        now: u64,
        mut arrived: impl FnMut(Arrival),
    ) {
        let Self { constant, texture, loads, .. } = self;
        let of = if cache == FirstLevel::Constant { constant } else { texture };
        if let Some(of) = of {
            of.fill(way, |load| {
                if let Some(arrival) = loads.data(load, now) {
                    arrived(arrival);
                }
            });
        }
    }
}

#[cfg(test)]
mod tests;
