//! How the warps of an SMX issue.
//!
//! A warp's next instruction is pulled when the one before it issues (after a barrier, when that
//! opens), so that its operands are known; it then waits, in this order, for its operands, for
//! its unit or for room in the load/store queue, and for its scheduler's choice.

use super::Smx;
use crate::gpu::event::{Calendar, Event};
use crate::gpu::memory::Memory;
use crate::gpu::scoreboard::UNKNOWN;
use crate::gpu::warp::{IssueClass, Warp, UNITS};
use crate::workload::program::{Access, Operation, Space};

/// Whether the warp has an instruction after the one that it issued.
#[derive(PartialEq, Eq)]
enum After {
    Continues,
    Stops,
}

impl Smx {
    /// The operands of the next instruction of `warp` are available from this cycle on.
    pub fn warp_ready(&mut self, warp: usize, calendar: &mut Calendar) {
        let class = self.warp(warp).class().index();
        self.ready[class] |= 1 << warp;
        calendar.wake_issue(calendar.now(), usize::from(self.id));
    }

    /// A line has come from the L2.
    pub fn fill(&mut self, line: u64, calendar: &mut Calendar) {
        let mut filled = std::mem::take(&mut self.filled);
        self.load_store.fill(line, &mut filled, calendar);
        for load in filled.drain(..) {
            self.load_data(load, calendar);
        }
        self.filled = filled;
    }

    /// One transaction of a load has its data.
    pub fn load_data(&mut self, load: u32, calendar: &mut Calendar) {
        // A load without a destination is a prefetch: its warp may be gone.
        let Some((slot, Some(register))) = self.load_store.data(load) else {
            return;
        };
        let now = calendar.now();
        let warp = self.warp(slot);
        warp.scoreboard.release(register);
        if warp.waits_for_memory {
            self.plan(slot, now, calendar);
        }
    }

    /// One cycle of the load/store unit.
    pub fn tick_load_store(&mut self, memory: &Memory, calendar: &mut Calendar) {
        let room = self.load_store.tick(memory, calendar);
        if room && self.ready[IssueClass::Global.index()] != 0 {
            calendar.wake_issue(calendar.now(), usize::from(self.id));
        }
    }

    /// One cycle of all warp schedulers.
    pub fn issue(&mut self, calendar: &mut Calendar) {
        let now = calendar.now();
        for scheduler in 0..self.schedulers.len() {
            let candidates = self.issuable(scheduler, now) & self.schedulers[scheduler].warps;
            if candidates != 0 {
                let warp = self.schedulers[scheduler].policy.pick(candidates, &self.ages);
                self.issue_warp(scheduler, warp, calendar);
            }
        }
        if let Some(cycle) = self.next_issue(now) {
            calendar.wake_issue(cycle, usize::from(self.id));
        }
    }

    /// Lets the warps in the set `warps` go on from the next cycle.
    pub(super) fn resume(&mut self, warps: u64, calendar: &mut Calendar) {
        let mut rest = warps;
        while rest != 0 {
            let slot = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            self.warp(slot).fetch();
            self.plan(slot, calendar.now() + 1, calendar);
        }
    }

    /// The warps that have their operands and whatever else they need of `scheduler`.
    fn issuable(&self, scheduler: usize, now: u64) -> u64 {
        let mut set = self.ready[IssueClass::Free.index()];
        for unit in 0..UNITS {
            if self.schedulers[scheduler].unit_free[unit] <= now {
                set |= self.ready[unit];
            }
        }
        if !self.load_store.full() {
            set |= self.ready[IssueClass::Global.index()];
        }
        set
    }

    /// The next cycle in which a warp that is ready now may issue.
    fn next_issue(&self, now: u64) -> Option<u64> {
        let mut waiting = self.ready[IssueClass::Free.index()];
        if !self.load_store.full() {
            waiting |= self.ready[IssueClass::Global.index()];
        }
        let mut next = (waiting != 0).then_some(now + 1);
        for scheduler in &self.schedulers {
            for unit in 0..UNITS {
                if self.ready[unit] & scheduler.warps != 0 {
                    let free = scheduler.unit_free[unit].max(now + 1);
                    next = Some(next.map_or(free, |next| next.min(free)));
                }
            }
        }
        next
    }

    /// Issues from `slot`, up to the issue width while the instructions do not depend on one another.
    fn issue_warp(&mut self, scheduler: usize, slot: usize, calendar: &mut Calendar) {
        let now = calendar.now();
        let class = self.warp(slot).class().index();
        self.ready[class] &= !(1 << slot);
        for issued in 1..=self.issue_width {
            if self.execute(scheduler, slot, calendar) == After::Stops {
                return;
            }
            let warp = self.warp(slot);
            warp.fetch();
            let ready = warp.scoreboard.ready_at(now, &warp.next) == now;
            let class = warp.class();
            if issued == self.issue_width || !ready || !self.available(scheduler, class, now) {
                break;
            }
        }
        self.plan(slot, now + 1, calendar);
    }

    fn available(&self, scheduler: usize, class: IssueClass, now: u64) -> bool {
        match class {
            IssueClass::Unit(_) => self.schedulers[scheduler].unit_free[class.index()] <= now,
            IssueClass::Global => !self.load_store.full(),
            IssueClass::Free => true,
        }
    }

    fn execute(&mut self, scheduler: usize, slot: usize, calendar: &mut Calendar) -> After {
        let now = calendar.now();
        let warp = self.warps[slot].as_mut().expect("an issuing warp is there");
        self.counts.warp_instructions += 1;
        self.counts.thread_instructions += u64::from(warp.next.active.count_ones());
        let destination = warp.next.destination;
        let result = match warp.next.operation {
            Operation::Compute(unit) => {
                let unit = IssueClass::Unit(unit).index();
                let free = now + self.unit_initiation[unit];
                self.schedulers[scheduler].unit_free[unit] = free;
                now + self.unit_latency[unit]
            }
            Operation::Memory { space: Space::Shared | Space::Constant, .. } => {
                now + self.shared_latency
            }
            Operation::Memory { space: Space::Global, access, bytes } => {
                let load = (access != Access::Store).then_some((slot, destination));
                let sent = self.load_store.issue(&warp.next, bytes, load, calendar);
                if sent && load.is_some() {
                    UNKNOWN
                } else {
                    now + 1
                }
            }
            Operation::Barrier => {
                self.arrive_at_barrier(slot, calendar);
                return After::Stops;
            }
            Operation::Exit => {
                self.exit(slot, calendar);
                return After::Stops;
            }
        };
        if let Some(register) = destination {
            warp.scoreboard.write(register, result);
        }
        After::Continues
    }

    fn arrive_at_barrier(&mut self, slot: usize, calendar: &mut Calendar) {
        let block_slot = self.warp(slot).block_slot;
        let block = self.block_mut(block_slot);
        block.at_barrier |= 1 << slot;
        self.open_barrier(block_slot, calendar);
    }

    fn exit(&mut self, slot: usize, calendar: &mut Calendar) {
        let block_slot = self.warp(slot).block_slot;
        self.warps[slot] = None;
        self.free_warps |= 1 << slot;
        let smx = self.id;
        let block = self.block_mut(block_slot);
        block.alive &= !(1 << slot);
        if block.alive == 0 {
            let event = Event::BlockEnd { smx, slot: block_slot };
            calendar.schedule(calendar.now() + 1, event);
        }
        self.open_barrier(block_slot, calendar);
    }

    fn open_barrier(&mut self, block_slot: u8, calendar: &mut Calendar) {
        let block = self.block_mut(block_slot);
        if block.barrier_complete() {
            let warps = std::mem::take(&mut block.at_barrier);
            self.resume(warps, calendar);
        }
    }

    /// Decides from which cycle on, `earliest` or later, the warp's next instruction is ready.
    fn plan(&mut self, slot: usize, earliest: u64, calendar: &mut Calendar) {
        let warp = self.warp(slot);
        let at = warp.scoreboard.ready_at(earliest, &warp.next);
        warp.waits_for_memory = at == UNKNOWN;
        if at == calendar.now() {
            self.warp_ready(slot, calendar);
        } else if at != UNKNOWN {
            let event = Event::WarpReady { smx: self.id, warp: slot as u8 };
            calendar.schedule(at, event);
        }
    }

    fn warp(&mut self, slot: usize) -> &mut Warp {
        self.warps[slot].as_mut().expect("a warp that has not exited")
    }
}
