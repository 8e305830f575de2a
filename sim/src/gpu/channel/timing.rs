//! The timing set: from which cycle on each command is legal.

use super::command::CommandKind::{self, Activate, Precharge, Read, Write};
use super::command::KINDS;
use super::config::ChannelConfig;
use super::ready::NEVER;

/// Most banks of a channel.
pub(super) const MAX_BANKS: usize = 64;

/// Most bank groups of a channel.
pub(super) const MAX_GROUPS: usize = 16;

/// Distances in cycles between commands, as the data sheet's parameters make them.
#[derive(Debug)]
struct Distances {
    rcd: u64,
    rcd_write: u64,
    rp: u64,
    ras: u64,
    rc: u64,
    rrd: u64,
    ccd: u64,
    ccdl: u64,
    rtp: u64,
    rtpl: u64,
    read_to_write: u64,
    write_to_read: u64,
    write_to_precharge: u64,
}

impl Distances {
    fn new(config: &ChannelConfig) -> Self {
        let burst = config.burst_cycles;
        let ccd = config.ccd.max(burst);
        let cycles = u64::from;
        Self {
            rcd: cycles(config.rcd),
            rcd_write: cycles(config.rcd_write),
            rp: cycles(config.rp),
            ras: cycles(config.ras),
            rc: cycles(config.rc),
            rrd: cycles(config.rrd),
            ccd: cycles(ccd),
            ccdl: cycles(config.ccdl.max(ccd)),
            rtp: cycles(config.rtp),
            rtpl: cycles(config.rtpl),
            read_to_write: cycles(config.read_to_write().max(ccd)),
            write_to_read: cycles(config.write_to_read().max(ccd)),
            write_to_precharge: cycles(config.write_to_precharge()),
        }
    }
}

/// What the commands so far allow next on the banks of each group.
#[derive(Clone, Copy, Debug, Default)]
struct Groups {
    /// For each group the first cycle that is allowed.
    from: [u64; MAX_GROUPS],
    /// The latest of these: from then on no group forbids anything.
    latest: u64,
    /// The groups, one bit each, that may forbid something until then: few, as a rule.
    recent: u16,
}

impl Groups {
    /// In cycle `now` a command forbids others on the banks of `group` before `cycle`.
    #[inline(always)]
    fn forbid(&mut self, now: u64, group: usize, cycle: u64) {
        if self.latest <= now {
            self.recent = 0;
        }
        self.recent |= 1 << group;
        later(&mut self.from[group], cycle);
        later(&mut self.latest, cycle);
    }
}

/// What the commands so far allow next.
///
/// Each command is bound by its own bank, by the other banks of its group, and by all banks.
#[derive(Debug)]
pub(super) struct Timing {
    distances: Distances,
    /// For each kind of command and bank the first cycle that its own bank allows.
    banks: [[u64; MAX_BANKS]; KINDS],
    /// What the banks of each group allow: precharges, and column commands, reads and writes alike.
    precharges: Groups,
    columns: Groups,
    /// For each kind of command the first cycle that the banks of the channel allow.
    channel: [u64; KINDS],
    /// The bank group of each bank.
    group_of: [u8; MAX_BANKS],
    /// The banks of each group, one bit each.
    members: [u64; MAX_GROUPS],
}

impl Timing {
    /// A device that nothing was ever asked of.
    pub fn new(config: &ChannelConfig) -> Self {
        let groups = config.bank_groups as usize;
        Self {
            distances: Distances::new(config),
            banks: [[0; MAX_BANKS]; KINDS],
            precharges: Groups::default(),
            columns: Groups::default(),
            channel: [0; KINDS],
            group_of: std::array::from_fn(|bank| (bank % groups) as u8),
            members: std::array::from_fn(|group| {
                (group..MAX_BANKS).step_by(groups).fold(0, |set, bank| set | 1 << bank)
            }),
        }
    }

    /// The first cycle in which `kind` is legal on `bank`, given that its row is in the right state.
    #[inline(always)]
    pub fn earliest(&self, kind: CommandKind, bank: usize) -> u64 {
        // The masks change nothing; they spare a check of the bounds.
        let bank = bank & (MAX_BANKS - 1);
        let group = usize::from(self.group_of[bank]) & (MAX_GROUPS - 1);
        let groups = self.groups(kind).map_or(0, |groups| groups.from[group]);
        self.banks[kind as usize][bank].max(groups).max(self.channel[kind as usize])
    }

    /// The first cycle in which `bank` itself, whatever the others do, allows `kind`.
    #[inline(always)]
    pub fn own(&self, kind: CommandKind, bank: usize) -> u64 {
        self.banks[kind as usize][bank & (MAX_BANKS - 1)]
    }

    /// Those of `banks` on which the other banks allow `kind` in `cycle`.
    #[inline(always)]
    pub fn allowed(&self, kind: CommandKind, banks: u64, cycle: u64) -> u64 {
        if self.channel[kind as usize] > cycle {
            return 0;
        }
        match self.groups(kind) {
            Some(groups) if groups.latest > cycle && banks != 0 => {
                self.free_of_groups(groups, banks, cycle).0
            }
            _ => banks,
        }
    }

    /// The first cycle from `from` on in which the other banks allow `kind` on one of `banks`, or
    /// [`NEVER`] if these are none.
    #[inline(always)]
    pub fn soonest(&self, kind: CommandKind, banks: u64, from: u64) -> u64 {
        if banks == 0 {
            return NEVER;
        }
        let first = self.channel[kind as usize].max(from);
        match self.groups(kind) {
            Some(groups) if groups.latest > first => {
                let (free, next) = self.free_of_groups(groups, banks, first);
                if free != 0 {
                    first
                } else {
                    next
                }
            }
            _ => first,
        }
    }

    /// Those of `banks` whose groups allow what `groups` is about in `cycle`, and the first cycle in which
    /// the group of one of the others does.
    #[inline(always)]
    fn free_of_groups(&self, groups: &Groups, banks: u64, cycle: u64) -> (u64, u64) {
        let (mut free, mut next) = (banks, NEVER);
        let mut recent = groups.recent;
        while recent != 0 {
            let group = recent.trailing_zeros() as usize & (MAX_GROUPS - 1);
            recent &= recent - 1;
            let from = groups.from[group];
            if banks & self.members[group] != 0 && from > cycle {
                free &= !self.members[group];
                next = next.min(from);
            }
        }
        (free, next)
    }

    /// What the bank groups say of `kind`, if they matter for it.
    #[inline(always)]
    fn groups(&self, kind: CommandKind) -> Option<&Groups> {
        match kind {
            Activate => None,
            Precharge => Some(&self.precharges),
            Read | Write => Some(&self.columns),
        }
    }

    /// The first cycle in which the banks of the channel, groups apart, allow `kind`.
    #[inline(always)]
    pub fn channel(&self, kind: CommandKind) -> u64 {
        self.channel[kind as usize]
    }

    /// Takes note of a command.
    #[inline(always)]
    pub fn issue(&mut self, cycle: u64, kind: CommandKind, bank: usize) {
        let bank = bank & (MAX_BANKS - 1);
        let group = usize::from(self.group_of[bank]) & (MAX_GROUPS - 1);
        let d = &self.distances;
        match kind {
            Activate => {
                later(&mut self.banks[Activate as usize][bank], cycle + d.rc);
                self.banks[Precharge as usize][bank] = cycle + d.ras;
                self.banks[Read as usize][bank] = cycle + d.rcd;
                self.banks[Write as usize][bank] = cycle + d.rcd_write;
                later(&mut self.channel[Activate as usize], cycle + d.rrd);
            }
            Precharge => later(&mut self.banks[Activate as usize][bank], cycle + d.rp),
            Read => {
                later(&mut self.banks[Precharge as usize][bank], cycle + d.rtp);
                later(&mut self.channel[Read as usize], cycle + d.ccd);
                later(&mut self.channel[Write as usize], cycle + d.read_to_write);
                self.columns.forbid(cycle, group, cycle + d.ccdl);
                self.precharges.forbid(cycle, group, cycle + d.rtpl);
            }
            Write => {
                later(&mut self.banks[Precharge as usize][bank], cycle + d.write_to_precharge);
                later(&mut self.channel[Write as usize], cycle + d.ccd);
                later(&mut self.channel[Read as usize], cycle + d.write_to_read);
                self.columns.forbid(cycle, group, cycle + d.ccdl);
            }
        }
    }
}

#[inline(always)]
fn later(earliest: &mut u64, cycle: u64) {
    *earliest = (*earliest).max(cycle);
}
