//! How the warps of an SMX issue.
//!
//! A warp's next instruction is pulled in the cycle in which the one before it issues (after a
//! barrier, when that opens), so that its operands are known; it then waits, in this order, for its
//! operands, for its buffer, for its unit or for room in the load/store unit, and for its
//! scheduler's choice.

use super::units::IssueClass;
use super::warps::{Near, MAX_WARPS};
use super::Smx;
use crate::event::{Calendar, Event};
use crate::intervals::Intervals;
use crate::memory::Memory;
use crate::prefetch::prefetch;
use crate::program::{Access, Operation, Space, Unit, WARP_LANES};
use crate::scoreboard::UNKNOWN;
use crate::warp_scheduler::{Candidates, WarpScheduler};
use crate::warp_set::{slots, WarpSet};

/// Whether the warp that issued has an instruction after that one.
#[derive(PartialEq, Eq)]
enum After {
    Continues,
    Stops,
}

impl Smx {
    /// The operands of the next instruction of `warp` are available from this cycle on.
    pub fn warp_ready(&mut self, warp: usize, calendar: &mut Calendar) {
        if self.parting >> warp & 1 == 1 {
            return self.part(warp, calendar);
        }
        self.ready |= 1 << warp;
        calendar.wake_issue(calendar.now(), usize::from(self.id));
    }

    /// From now on counts what it issues in intervals of `length` cycles, at least 1.
    pub fn count_in_intervals(&mut self, length: u64) {
        self.issued = Some(Box::new((Intervals::new(length), self.counts.thread_instructions)));
    }

    /// The thread instructions that it issued, by time, if they are counted.
    pub fn issued(&self) -> Option<&Intervals> {
        self.issued.as_deref().map(|(intervals, _)| intervals)
    }

    /// It will issue in this cycle, behind others.
    #[inline]
    pub fn announce_issue(&self, now: u64) {
        prefetch(&self.ready);
        prefetch(self.soon.of(now));
    }

    /// As [`Smx::announce_issue`], when it is nearly its turn.
    #[inline]
    pub fn announce_warps(&self, now: u64) {
        for slot in slots(*self.soon.of(now)) {
            self.warps.announce(slot);
        }
    }

    /// What the warp in `slot` does next will be pulled, behind others.
    #[inline]
    pub fn announce_pull(&self, slot: usize, near: Near) {
        self.warps.announce_pull(slot, near);
    }

    /// One cycle of all warp schedulers; [`Smx::finish_issue`] does the rest of the cycle.
    #[inline]
    pub fn issue(&mut self, calendar: &mut Calendar) {
        let now = calendar.now();
        self.ready |= self.soon.take(now);
        for warp in slots(self.fetch.take_arrived(now)) {
            self.warps.buffered[warp] = self.fetch.instructions();
            self.buffered |= 1 << warp;
        }
        let before = self.counts.warp_instructions;
        self.pulls.begin();
        self.schedule(calendar);
        self.pulls.end();
        self.has_issued = self.counts.warp_instructions != before;
    }

    /// The warps for which [`Smx::finish_issue`] pulls, in this order.
    #[inline]
    pub fn pulls(&self) -> impl Iterator<Item = u8> + use<'_> {
        self.pulls.slots()
    }

    /// Whether others have to know what its warps have asked before they issue.
    #[inline]
    pub fn has_asked(&self) -> bool {
        !self.requests.is_empty() || self.failure.is_some()
    }

    /// Behind [`Smx::issue`]: pulls what warps that have issued do next, then one cycle of fetch.
    #[inline]
    pub fn finish_issue(&mut self, memory: &mut Memory, calendar: &mut Calendar) {
        let now = calendar.now();
        while let Some((slot, earliest)) = self.pulls.take() {
            self.pull(slot);
            self.plan(slot, earliest, calendar);
        }
        if self.has_issued {
            self.meter.issue(now);
            if let Some(issued) = &mut self.issued {
                let (intervals, counted) = &mut **issued;
                let all = self.counts.thread_instructions;
                intervals.add(now, all - std::mem::replace(counted, all));
            }
            self.measure(now + 1);
        } else {
            self.measure(now);
        }
        if self.fetch.wants() {
            let Self { fetch, warps, block_codes, .. } = self;
            let pc = |warp: usize| {
                (block_codes[usize::from(warps.block_slot[warp])], warps.next[warp].pc)
            };
            fetch.tick(pc, memory, calendar);
        }
        let next = self.next_issue(now).into_iter().chain(self.fetch.next(now)).min();
        if let Some(cycle) = next {
            calendar.wake_issue(cycle, usize::from(self.id));
        }
    }

    /// One cycle of all warp schedulers. What they share, the load/store unit above all, goes to
    /// them in turn.
    #[inline]
    fn schedule(&mut self, calendar: &mut Calendar) {
        let now = calendar.now();
        // No warp becomes able to issue in the course of a cycle: what issues only takes from the
        // others.
        let mut left = self.issuable(self.with_operands(), now);
        let mut next = self.turns.first(now);
        while left != 0 {
            let current = next;
            let warps = self.schedulers[current].warps;
            next = if current + 1 < self.schedulers.len() { current + 1 } else { 0 };
            let ready = left & warps;
            if ready == 0 {
                continue;
            }
            let candidates = Candidates {
                ready,
                ages: &self.warps.ages,
                alive: self.alive & warps & !self.pausing.warps,
                wait_for_memory: self.warps.wait_for_memory,
                at_barrier: self.at_barrier,
                block_slots: &self.warps.block_slot,
                block_groups: &self.block_groups,
            };
            let warp = self.schedulers[current].policy.pick(&candidates);
            self.issue_warp(warp % MAX_WARPS, calendar);
            left &= !warps;
            if left != 0 {
                left = self.issuable(left, now);
            }
        }
    }

    /// Lets the warps in the set `warps` go on from the next cycle.
    pub(super) fn resume(&mut self, warps: WarpSet, calendar: &mut Calendar) {
        self.resume_after(0, warps, calendar);
    }

    /// As [`Smx::resume`], `wait` cycles later.
    pub(super) fn resume_after(&mut self, wait: u64, warps: WarpSet, calendar: &mut Calendar) {
        for slot in slots(warps) {
            self.go_on_from(slot, calendar.now() + 1 + wait, calendar);
        }
        if self.fetch.next(calendar.now()).is_some() {
            calendar.wake_issue(calendar.now() + 1, usize::from(self.id));
        }
    }

    /// The warp's next instruction is pulled, and issues in cycle `earliest` or later.
    #[inline]
    fn go_on_from(&mut self, slot: usize, earliest: u64, calendar: &mut Calendar) {
        if !self.pulls.put_off(slot, earliest) {
            self.pull(slot);
            self.warps.announce_pull(slot, Near::Program);
            self.plan(slot, earliest, calendar);
        }
    }

    /// Pulls the next instruction, and fetches for the warp when its buffer is empty.
    #[inline]
    fn pull(&mut self, slot: usize) {
        let before = self.warps.next[slot].pc;
        self.warps.pull(slot);
        let operation = &mut self.warps.next[slot].operation;
        match operation {
            Operation::Memory { space, .. } if *space == Space::Parameter => {
                *space = self.parameters;
            }
            Operation::Memory { space: Space::Texture, .. } if !self.has_texture_cache => {
                *operation = Operation::Compute(Unit::Special);
            }
            Operation::Memory { space: Space::Shared | Space::Cluster, bytes, .. } => {
                let bytes = *bytes;
                self.warps.count_shared_cycles(slot, bytes);
            }
            _ => {}
        }
        let class = IssueClass::of(&self.warps.next[slot]);
        self.needs[self.warps.class[slot].index()] &= !(1 << slot);
        self.needs[class.index()] |= 1 << slot;
        self.warps.class[slot] = class;
        if self.warps.buffered[slot] == 0 {
            if let Some(instructions) = self.fetch.want(slot, before) {
                self.warps.buffered[slot] = instructions;
                self.buffered |= 1 << slot;
            }
        }
    }

    /// The warps that have their operands and an instruction in their buffer, and are not paused.
    #[inline]
    pub(super) fn with_operands(&self) -> WarpSet {
        self.ready & self.buffered & !self.pausing.warps
    }

    /// Those of `warps`, which have their operands and an instruction, that have whatever else they
    /// need.
    #[inline]
    fn issuable(&self, warps: WarpSet, now: u64) -> WarpSet {
        let memory = self.needs[IssueClass::MEMORY.index()];
        let mut waiting = if self.memory_available(now) { 0 } else { memory };
        waiting |= self.units.without_unit(&self.needs, now);
        warps & !waiting
    }

    /// The next cycle in which a warp that is ready now may issue.
    #[inline]
    fn next_issue(&self, now: u64) -> Option<u64> {
        let mut warps = self.with_operands();
        if self.load_store.full() {
            warps &= !self.needs[IssueClass::MEMORY.index()];
        }
        if warps == 0 {
            return None;
        }
        Some(self.units.next(warps, &self.needs, now))
    }

    /// Issues from `slot`, up to the issue width while the instructions do not depend on one
    /// another.
    #[inline]
    fn issue_warp(&mut self, slot: usize, calendar: &mut Calendar) {
        let now = calendar.now();
        self.ready &= !(1 << slot);
        let mut width = self.issue_width;
        let ready = loop {
            if self.execute(slot, calendar) == After::Stops {
                return;
            }
            if self.pulls.put_off(slot, now + 1) {
                return;
            }
            self.pull(slot);
            let ready = self.warps.ready_at(slot, now);
            width -= 1;
            if width == 0 || ready != now || self.buffered >> slot & 1 == 0 {
                break ready;
            }
            if self.issuable(1 << slot, now) == 0 {
                break ready;
            }
        };
        self.warps.announce_pull(slot, Near::Program);
        self.plan_at(slot, ready.max(now + 1), calendar);
    }

    #[inline]
    fn memory_available(&self, now: u64) -> bool {
        !self.load_store.full() && self.units.memory_available(now)
    }

    #[inline]
    fn execute(&mut self, slot: usize, calendar: &mut Calendar) -> After {
        let now = calendar.now();
        self.take_from_buffer(slot);
        let next = &self.warps.next[slot];
        self.counts.warp_instructions += 1;
        self.counts.thread_instructions += match next.active {
            u32::MAX => WARP_LANES as u64,
            active => u64::from(active.count_ones()),
        };
        let destination = next.destination;
        let class = self.warps.class[slot];
        let result = if class.is_compute() {
            self.units.issue(class, &next.sources, slot, now)
        } else if let Operation::Memory { space, access, bytes } = next.operation {
            self.units.issue_memory(now);
            let access_of = (space, access, bytes);
            let cycles = self.warps.shared_cycles[slot].into();
            let queued = self.load_store.issue(slot, next, access_of, cycles, calendar);
            if queued && self.load_store.sharing.is_some() {
                let block = self.block_of(slot).identity;
                self.load_store.share(block);
            }
            if queued && access != Access::Store {
                UNKNOWN
            } else {
                now + 1
            }
        } else if let Some(result) = self.execute_control(slot, calendar) {
            result
        } else {
            return After::Stops;
        };
        if let Some(register) = destination {
            self.warps.boards[slot].write(register, result);
        }
        After::Continues
    }

    #[inline]
    fn take_from_buffer(&mut self, slot: usize) {
        let buffered = &mut self.warps.buffered[slot];
        // Where fetch is not modelled the buffer never runs empty: it is filled up again here.
        *buffered -= 1;
        if *buffered == 0 {
            self.buffered &= !(1 << slot);
        }
    }

    /// Decides from which cycle on, `earliest` or later, the warp's next instruction is ready.
    #[inline]
    pub(super) fn plan(&mut self, slot: usize, earliest: u64, calendar: &mut Calendar) {
        self.warps.wait_for_memory &= !(1 << slot);
        if self.parting >> slot & 1 == 1 {
            return self.part(slot, calendar);
        }
        let at = self.warps.ready_at(slot, earliest);
        self.plan_at(slot, at, calendar);
    }

    /// The warp's next instruction is ready from cycle `at` on, or an [`UNKNOWN`] one.
    #[inline]
    fn plan_at(&mut self, slot: usize, at: u64, calendar: &mut Calendar) {
        if at == UNKNOWN {
            self.warps.wait_for_memory |= 1 << slot;
        } else if self.soon.put(slot, at, calendar.now()) {
            calendar.wake_issue(at, usize::from(self.id));
        } else {
            let event = Event::WarpReady { smx: self.id, warp: slot as u8 };
            calendar.schedule(at, event);
        }
    }
}
