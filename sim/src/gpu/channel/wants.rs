//! Which banks want which command, and when they may have it; for
//! [`OpenRow`](super::open_row::OpenRow), whose banks want one command at most.

use super::alarms::Alarms;
use super::command::CommandKind::{self, Activate, Precharge, Read, Write};
use super::command::KINDS;
use super::ready::NEVER;
use super::timing::{Timing, MAX_BANKS};

/// See the module.
#[derive(Debug)]
pub(super) struct Wants {
    /// What each bank wants that wants anything.
    kinds: [CommandKind; MAX_BANKS],
    /// The banks that want anything.
    wanting: u64,
    /// For each kind of command the banks that want it and whose own commands allow it: only the other
    /// banks, which are the same for many of them, may still forbid it.
    rested: [u64; KINDS],
    /// When the others that want anything will be rested.
    alarms: Alarms,
}

impl Wants {
    /// Nothing is wanted.
    pub fn new() -> Self {
        Self { kinds: [Activate; MAX_BANKS], wanting: 0, rested: [0; KINDS], alarms: Alarms::new() }
    }

    /// `bank`, which wants nothing, wants `kind` from `cycle` on.
    #[inline(always)]
    pub fn want(&mut self, cycle: u64, bank: usize, kind: CommandKind, timing: &Timing) {
        self.kinds[bank % MAX_BANKS] = kind;
        self.wanting |= 1 << bank;
        self.rest_or_wait(cycle, bank, kind, timing);
    }

    /// `bank` has got the `kind` that it wanted.
    #[inline(always)]
    pub fn served(&mut self, kind: CommandKind, bank: usize) {
        self.wanting &= !(1 << bank);
        self.rested[kind as usize] &= !(1 << bank);
    }

    /// `cycle` begins: banks whose alarm has come are rested.
    #[inline(always)]
    pub fn begin(&mut self, cycle: u64, timing: &Timing) {
        let mut woken = self.alarms.take(cycle);
        while woken != 0 {
            let bank = woken.trailing_zeros() as usize;
            woken &= woken - 1;
            self.rest_or_wait(cycle, bank, self.kinds[bank % MAX_BANKS], timing);
        }
    }

    /// The banks on which column commands, and those on which row commands are legal in `cycle`, and
    /// wanted.
    #[inline(always)]
    pub fn legal(&self, cycle: u64, timing: &Timing) -> (u64, u64) {
        let legal = |kind| timing.allowed(kind, self.rested[kind as usize], cycle);
        (legal(Read) | legal(Write), legal(Activate) | legal(Precharge))
    }

    /// `cycle - 1` is over. Returns the first cycle, from `cycle` on, in which a command may be legal,
    /// or [`NEVER`].
    #[inline(always)]
    pub fn next(&self, cycle: u64, timing: &Timing) -> u64 {
        let soonest = |kind| timing.soonest(kind, self.rested[kind as usize], cycle);
        let rested =
            soonest(Activate).min(soonest(Precharge)).min(soonest(Read).min(soonest(Write)));
        self.alarms.first_use(rested, |bank| timing.channel(self.kinds[bank % MAX_BANKS]))
    }

    /// The first cycle in which a command is legal that is wanted, or [`NEVER`].
    pub fn exact(&self, timing: &Timing) -> u64 {
        let mut exact = NEVER;
        let mut banks = self.wanting;
        while banks != 0 {
            let bank = banks.trailing_zeros() as usize;
            banks &= banks - 1;
            exact = exact.min(timing.earliest(self.kinds[bank % MAX_BANKS], bank));
        }
        exact
    }

    #[inline(always)]
    fn rest_or_wait(&mut self, cycle: u64, bank: usize, kind: CommandKind, timing: &Timing) {
        let own = timing.own(kind, bank);
        if own <= cycle {
            self.rested[kind as usize] |= 1 << bank;
        } else {
            // Before the channel allows it there is no use in being rested.
            self.alarms.set(bank, own.max(timing.channel(kind)));
        }
    }
}
