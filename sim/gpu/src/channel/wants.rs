//! Which banks want which command, and when they may have it; for
//! [`OpenRow`](super::open_row::OpenRow), whose banks want one command at most.

use super::alarms::Alarms;
use super::command::CommandKind::{self, Activate, Precharge, Read, Write};
use super::command::KINDS;
use super::ready::NEVER;
use super::timing::Timing;

/// A bus carries one command a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bus {
    /// Activates and precharges.
    Row,
    /// Reads and writes.
    Column,
}

impl Bus {
    /// The two kinds of commands that it carries.
    #[inline(always)]
    const fn kinds(self) -> [CommandKind; 2] {
        match self {
            Self::Row => [Activate, Precharge],
            Self::Column => [Read, Write],
        }
    }

    /// The bus for `kind`.
    #[inline(always)]
    const fn of(kind: CommandKind) -> Self {
        match kind {
            Activate | Precharge => Self::Row,
            Read | Write => Self::Column,
        }
    }
}

/// See the module. Each bus is looked at only in the cycles in which it may carry a command.
#[derive(Debug)]
pub(super) struct Wants {
    /// For each bus a cycle before which no command for it is legal that is wanted, or [`NEVER`].
    due: [u64; 2],
    /// For each kind of command the banks that want it and whose own commands allow it: only the
    /// other banks, which are the same for many of them, may still forbid it.
    rested: [u64; KINDS],
    /// When the others that want it will be rested.
    resting: [Alarms; KINDS],
}

impl Wants {
    /// Nothing is wanted.
    pub fn new() -> Self {
        Self { due: [NEVER; 2], rested: [0; KINDS], resting: [Alarms::new(); KINDS] }
    }

    /// A cycle before which no command is legal that is wanted, or [`NEVER`].
    #[inline(always)]
    pub fn due(&self) -> u64 {
        self.due[0].min(self.due[1])
    }

    /// `bank`, which wants nothing, wants `kind` from `cycle` on.
    #[inline(always)]
    pub fn want(&mut self, cycle: u64, bank: usize, kind: CommandKind, timing: &Timing) {
        let from = if self.rest(cycle, bank, kind, timing) {
            timing.earliest(kind, bank).max(cycle)
        } else {
            timing.own(kind, bank)
        };
        let due = &mut self.due[Bus::of(kind) as usize];
        *due = (*due).min(from);
    }

    /// As [`want`](Self::want), where [`look_ahead`](Self::look_ahead) is to follow. Returns
    /// whether the bank is rested already.
    #[inline(always)]
    pub fn rest(&mut self, cycle: u64, bank: usize, kind: CommandKind, timing: &Timing) -> bool {
        let own = timing.own(kind, bank);
        if own <= cycle {
            self.rested[kind as usize] |= 1 << bank;
        } else {
            self.resting[kind as usize].set(bank, own);
        }
        own <= cycle
    }

    /// For each kind of command of `bus` the banks that want it and on which it is legal in
    /// `cycle`. Cycles are asked for in order.
    #[inline(always)]
    pub fn legal(&mut self, bus: Bus, cycle: u64, timing: &Timing) -> [u64; 2] {
        if self.due[bus as usize] > cycle {
            return [0; 2];
        }
        let [first, second] = bus.kinds();
        let legal = [self.wake(first, cycle, timing), self.wake(second, cycle, timing)];
        if legal[0] | legal[1] == 0 {
            self.look_ahead(bus, cycle + 1, timing);
        }
        legal
    }

    /// Banks whose alarm has come are rested. Returns those on which `kind` is legal in `cycle`.
    #[inline(always)]
    fn wake(&mut self, kind: CommandKind, cycle: u64, timing: &Timing) -> u64 {
        let resting = &mut self.resting[kind as usize];
        if resting.next() <= cycle {
            self.rested[kind as usize] |= resting.take(cycle);
        }
        timing.allowed(kind, self.rested[kind as usize], cycle)
    }

    /// `bank` got the `kind` that it wanted. [`look_ahead`](Self::look_ahead) is to follow.
    #[inline(always)]
    pub fn served(&mut self, kind: CommandKind, bank: usize) {
        self.rested[kind as usize] &= !(1 << bank);
    }

    /// Finds when `bus` is due, from cycle `from` on: after a command for it.
    #[inline(always)]
    pub fn look_ahead(&mut self, bus: Bus, from: u64, timing: &Timing) {
        let [first, second] = bus.kinds();
        self.due[bus as usize] =
            self.soonest(first, from, timing).min(self.soonest(second, from, timing));
    }

    #[inline(always)]
    fn soonest(&self, kind: CommandKind, from: u64, timing: &Timing) -> u64 {
        let rested = self.rested[kind as usize];
        let resting = self.resting[kind as usize].next();
        if rested == 0 {
            return resting.max(timing.channel(kind));
        }
        timing.soonest(kind, rested, from, resting)
    }
}
