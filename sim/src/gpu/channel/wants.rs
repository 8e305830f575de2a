//! Which banks want which command, and when they may have it; for
//! [`OpenRow`](super::open_row::OpenRow), whose banks want one command at most.

use super::alarms::Alarms;
use super::command::CommandKind::{self, Activate, Precharge, Read, Write};
use super::command::KINDS;
use super::ready::NEVER;
use super::timing::{Timing, MAX_BANKS};

/// The wanted commands of a kind that are legal next.
#[derive(Clone, Copy, Debug)]
struct Next {
    /// The first cycle in which one is.
    cycle: u64,
    /// The banks on which it is legal in that cycle.
    banks: u64,
}

const NOTHING: Next = Next { cycle: NEVER, banks: 0 };

/// See the module.
#[derive(Debug)]
pub(super) struct Wants {
    /// What each bank wants that wants anything.
    kinds: [CommandKind; MAX_BANKS],
    /// For each kind of command the banks that want it.
    banks: [u64; KINDS],
    /// Those of them whose own commands allow what they want: only the other banks, which are the
    /// same for many of them, may still forbid it.
    rested: u64,
    /// When the others of them will be rested.
    alarms: Alarms,
    /// For each kind what rested banks want.
    next: [Next; KINDS],
    /// A bit for each kind of which that must be found again.
    dirty: u8,
    /// The first cycle in which anything is legal that a rested bank wants.
    first: u64,
}

impl Wants {
    /// Nothing is wanted.
    pub fn new() -> Self {
        Self {
            kinds: [Activate; MAX_BANKS],
            banks: [0; KINDS],
            rested: 0,
            alarms: Alarms::new(),
            next: [NOTHING; KINDS],
            dirty: 0,
            first: NEVER,
        }
    }

    /// `bank`, which wants nothing, wants `kind` from `cycle` on.
    #[inline(always)]
    pub fn want(&mut self, cycle: u64, bank: usize, kind: CommandKind, timing: &Timing) {
        self.kinds[bank % MAX_BANKS] = kind;
        self.banks[kind as usize] |= 1 << bank;
        self.rest_or_wait(cycle, bank, kind, timing);
    }

    /// `bank` has got the `kind` that it wanted.
    #[inline(always)]
    pub fn served(&mut self, kind: CommandKind, bank: usize) {
        self.banks[kind as usize] &= !(1 << bank);
        self.rested &= !(1 << bank);
        // What the command delays, and what it was itself.
        self.dirty |= match kind {
            Activate | Precharge => kind.bit(),
            Read | Write => Read.bit() | Write.bit() | Precharge.bit(),
        };
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
        if self.first < cycle {
            // The caller was late; others may be legal by now.
            self.dirty = u8::MAX;
        }
    }

    /// The banks on which column commands, and those on which row commands are legal in `cycle`, and
    /// wanted; `None` when there are none.
    #[inline(always)]
    pub fn legal(&mut self, cycle: u64, timing: &Timing) -> Option<(u64, u64)> {
        self.find(cycle, timing);
        if self.first > cycle {
            return None;
        }
        let mut banks = [0; KINDS];
        for (kind, banks) in CommandKind::ALL.into_iter().zip(&mut banks) {
            let next = &self.next[kind as usize];
            if next.cycle <= cycle {
                *banks = next.banks;
                // Those that are passed over are legal later, and others with them.
                self.dirty |= kind.bit();
            }
        }
        let [activate, precharge, read, write] = banks;
        Some((read | write, activate | precharge))
    }

    /// `cycle - 1` is over. Returns the first cycle, from `cycle` on, in which a command may be legal,
    /// or [`NEVER`].
    #[inline(always)]
    pub fn settle(&mut self, cycle: u64, timing: &Timing) -> u64 {
        self.find(cycle, timing);
        self.alarms.first_use(self.first, |bank| timing.channel(self.kinds[bank % MAX_BANKS]))
    }

    /// The first cycle in which a command is legal that is wanted, or [`NEVER`].
    pub fn exact(&self, timing: &Timing) -> u64 {
        let mut exact = NEVER;
        for kind in CommandKind::ALL {
            let mut banks = self.banks[kind as usize];
            while banks != 0 {
                let bank = banks.trailing_zeros() as usize;
                banks &= banks - 1;
                exact = exact.min(timing.earliest(kind, bank));
            }
        }
        exact
    }

    /// Finds the next legal commands from `cycle` on.
    #[inline(always)]
    fn find(&mut self, cycle: u64, timing: &Timing) {
        if self.dirty == 0 {
            return;
        }
        for kind in CommandKind::ALL {
            if self.dirty & kind.bit() != 0 {
                let banks = self.banks[kind as usize] & self.rested;
                self.next[kind as usize] = if banks == 0 {
                    NOTHING
                } else {
                    let (cycle, banks) = timing.soonest(kind, banks, cycle);
                    Next { cycle, banks }
                };
            }
        }
        self.dirty = 0;
        let [activate, precharge, read, write] = self.next.map(|next| next.cycle);
        self.first = activate.min(precharge).min(read.min(write));
    }

    #[inline(always)]
    fn rest_or_wait(&mut self, cycle: u64, bank: usize, kind: CommandKind, timing: &Timing) {
        let own = timing.own(kind, bank);
        if own <= cycle {
            self.rested |= 1 << bank;
            self.dirty |= kind.bit();
        } else {
            // Before the channel allows it there is no use in being rested.
            self.alarms.set(bank, own.max(timing.channel(kind)));
        }
    }
}
