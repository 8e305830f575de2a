//! Which banks want which command, and from which cycle on it is legal.

use super::command::{CommandKind, KINDS};
use super::timing::Timing;

/// Later than everything.
pub(super) const NEVER: u64 = u64::MAX;

/// The banks that want one kind of command.
#[derive(Clone, Copy, Debug)]
struct Class {
    wanting: u64,
    /// First cycle in which the command is legal on one of them.
    cycle: u64,
    /// The banks on which it is legal in that cycle.
    legal: u64,
}

const NOBODY: Class = Class { wanting: 0, cycle: NEVER, legal: 0 };

/// See the module.
///
/// Few commands touch few kinds of others: each kind is looked through only when one of them was,
/// which makes a cycle cheap however many banks wait.
#[derive(Debug)]
pub(super) struct Ready {
    classes: [Class; KINDS],
    /// A bit for each kind whose `cycle` and `legal` must be found again.
    dirty: u8,
    /// Banks whose own timing allows an activation by now. Most banks of a busy channel wait with
    /// theirs only for the other banks', so that one look is enough for all of them.
    rested: u64,
    next: u64,
}

impl Ready {
    pub fn new() -> Self {
        Self { classes: [NOBODY; KINDS], dirty: 0, rested: 0, next: NEVER }
    }

    /// The next cycle in which a command is legal, or [`NEVER`].
    #[inline]
    pub fn next(&self) -> u64 {
        self.next
    }

    /// The banks on which `kind` is wanted, and legal in the cycle [`next`](Self::next).
    #[inline]
    pub fn legal(&self, kind: CommandKind) -> u64 {
        let class = &self.classes[kind as usize];
        class.legal & u64::from(class.cycle == self.next).wrapping_neg()
    }

    /// `bank` wants these kinds (a bit each) and no others. After a change, and after commands,
    /// [`settle`](Self::settle).
    #[inline]
    pub fn want(&mut self, bank: usize, kinds: u8) {
        let mut changed = 0;
        for kind in CommandKind::ALL {
            let wanting = &mut self.classes[kind as usize].wanting;
            let wanted = u64::from(kinds >> kind as u8 & 1) << bank;
            let old = *wanting;
            *wanting = old & !(1 << bank) | wanted;
            changed |= u8::from(old != *wanting) << kind as u8;
        }
        self.dirty |= changed;
    }

    /// A command was issued: what it delays must be looked at again.
    #[inline]
    pub fn issued(&mut self, kind: CommandKind, bank: usize) {
        use CommandKind::{Activate, Precharge, Read, Write};
        match kind {
            Activate => {
                self.rested &= !(1 << bank);
                self.dirty |= Activate.bit();
            }
            Precharge => self.rested &= !(1 << bank),
            Read | Write => self.dirty |= Precharge.bit() | Read.bit() | Write.bit(),
        }
    }

    /// Finds the next commands from cycle `from` on.
    #[inline]
    pub fn settle(&mut self, from: u64, timing: &Timing) {
        let next = [
            self.look_through(CommandKind::Activate, from, timing),
            self.look_through(CommandKind::Precharge, from, timing),
            self.look_through(CommandKind::Read, from, timing),
            self.look_through(CommandKind::Write, from, timing),
        ];
        self.dirty = 0;
        self.next = next[0].min(next[1]).min(next[2].min(next[3]));
    }

    #[inline(always)]
    fn look_through(&mut self, kind: CommandKind, from: u64, timing: &Timing) -> u64 {
        let class = &mut self.classes[kind as usize];
        // One that was passed over: others may have become legal since.
        if (self.dirty & kind.bit() == 0) & (class.cycle >= from) {
            return class.cycle;
        }
        let (mut cycle, mut legal) = (NEVER, 0);
        let mut banks = class.wanting;
        if kind == CommandKind::Activate {
            let rested = banks & self.rested;
            if rested != 0 {
                (cycle, legal) = (timing.channel(CommandKind::Activate).max(from), rested);
                banks &= !rested;
            }
        }
        while banks != 0 {
            let bank = banks.trailing_zeros();
            banks &= banks - 1;
            let own = timing.earliest(kind, bank as usize).max(from);
            legal = if own < cycle { 0 } else { legal };
            cycle = cycle.min(own);
            legal |= u64::from(own == cycle) << bank;
            if kind == CommandKind::Activate {
                self.rested |= u64::from(timing.own(kind, bank as usize) <= from) << bank;
            }
        }
        (class.cycle, class.legal) = (cycle, legal);
        cycle
    }
}
