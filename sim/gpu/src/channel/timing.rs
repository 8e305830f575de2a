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
///
/// Each command forbids others for the same time, so that the last one does for longest. As a rule
/// it is the only one that does, because as much time as it takes till the next one has passed for
/// those before.
#[derive(Clone, Copy, Debug, Default)]
struct Groups {
    /// The first cycle that the last command allows: from then on no group forbids anything.
    latest: u64,
    /// The first cycle that all commands before it allow.
    before: u64,
    /// The banks of the last command's group, one bit each.
    last: u64,
    /// For each group the first cycle that is allowed.
    from: [u64; MAX_GROUPS],
}

impl Groups {
    /// A command forbids others on `banks`, those of `group`, before `cycle`.
    #[inline(always)]
    fn forbid(&mut self, group: usize, banks: u64, cycle: u64) {
        self.before = self.latest;
        self.latest = cycle;
        self.last = banks;
        self.from[group] = cycle;
    }
}

/// What the commands so far allow next.
///
/// Each command is bound by its own bank, by the other banks of its group, and by all banks.
#[derive(Debug)]
pub(super) struct Timing {
    distances: Distances,
    /// For each bank and kind of command the first cycle that its own bank allows.
    banks: [[u64; KINDS]; MAX_BANKS],
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
            banks: [[0; KINDS]; MAX_BANKS],
            precharges: Groups::default(),
            columns: Groups::default(),
            channel: [0; KINDS],
            group_of: std::array::from_fn(|bank| (bank % groups) as u8),
            members: std::array::from_fn(|group| {
                (group..MAX_BANKS).step_by(groups).fold(0, |set, bank| set | 1 << bank)
            }),
        }
    }

    /// The first cycle in which `kind` is legal on `bank`, given that its row is in the right
    /// state.
    #[inline(always)]
    pub fn earliest(&self, kind: CommandKind, bank: usize) -> u64 {
        // The masks change nothing; they spare a check of the bounds.
        let bank = bank & (MAX_BANKS - 1);
        let group = usize::from(self.group_of[bank]) & (MAX_GROUPS - 1);
        let groups = self.groups(kind).map_or(0, |groups| groups.from[group]);
        self.banks[bank][kind as usize].max(groups).max(self.channel[kind as usize])
    }

    /// The first cycle in which `bank` itself, whatever the others do, allows `kind`.
    #[inline(always)]
    pub fn own(&self, kind: CommandKind, bank: usize) -> u64 {
        self.banks[bank & (MAX_BANKS - 1)][kind as usize]
    }

    /// Those of `banks` on which the other banks allow `kind` in `cycle`.
    #[inline(always)]
    pub fn allowed(&self, kind: CommandKind, banks: u64, cycle: u64) -> u64 {
        if self.channel(kind) > cycle {
            return 0;
        }
        match self.groups(kind) {
            Some(groups) if groups.latest > cycle => self.free_of_groups(groups, banks, cycle).0,
            _ => banks,
        }
    }

    /// The first cycle from `from` on in which the other banks allow `kind` on one of `banks`, or
    /// may on others that join them in cycle `others`.
    #[inline(always)]
    pub fn soonest(&self, kind: CommandKind, banks: u64, from: u64, others: u64) -> u64 {
        let first = self.channel(kind).max(from);
        match self.groups(kind) {
            Some(groups) if groups.latest > first => {
                let (free, next) = self.free_of_groups(groups, banks, first);
                if free != 0 {
                    first
                } else {
                    next.min(others.max(first))
                }
            }
            _ => first,
        }
    }

    /// Those of `banks` whose groups allow what `groups` is about in `cycle`, and the first cycle
    /// in which the group of one of the others does.
    #[inline(always)]
    fn free_of_groups(&self, groups: &Groups, banks: u64, cycle: u64) -> (u64, u64) {
        if groups.before <= cycle {
            return (banks & !groups.last, groups.latest);
        }
        self.free_of_many(groups, banks, cycle)
    }

    /// As [`free_of_groups`](Self::free_of_groups), where any group may forbid something.
    fn free_of_many(&self, groups: &Groups, banks: u64, cycle: u64) -> (u64, u64) {
        let (mut free, mut next) = (banks, NEVER);
        for (&from, &members) in groups.from.iter().zip(&self.members) {
            if banks & members != 0 && from > cycle {
                free &= !members;
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
        match kind {
            Precharge => 0,
            _ => self.channel[kind as usize],
        }
    }

    /// Takes note of a command.
    #[inline(always)]
    pub fn issue(&mut self, cycle: u64, kind: CommandKind, bank: usize) {
        let bank = bank & (MAX_BANKS - 1);
        let group = usize::from(self.group_of[bank]) & (MAX_GROUPS - 1);
        let members = self.members[group];
        let d = &self.distances;
        let own = &mut self.banks[bank];
        let channel = &mut self.channel;
        // Where no earlier command can have forbidden more than this one, a store is enough.
        match kind {
            Activate => {
                own[Activate as usize] = cycle + d.rc;
                own[Precharge as usize] = cycle + d.ras;
                own[Read as usize] = cycle + d.rcd;
                own[Write as usize] = cycle + d.rcd_write;
                channel[Activate as usize] = cycle + d.rrd;
            }
            Precharge => later(&mut own[Activate as usize], cycle + d.rp),
            Read => {
                later(&mut own[Precharge as usize], cycle + d.rtp);
                channel[Read as usize] = cycle + d.ccd;
                channel[Write as usize] = cycle + d.read_to_write;
                self.columns.forbid(group, members, cycle + d.ccdl);
                self.precharges.forbid(group, members, cycle + d.rtpl);
            }
            Write => {
                later(&mut own[Precharge as usize], cycle + d.write_to_precharge);
                channel[Write as usize] = cycle + d.ccd;
                channel[Read as usize] = cycle + d.write_to_read;
                self.columns.forbid(group, members, cycle + d.ccdl);
            }
        }
    }
}

#[inline(always)]
fn later(earliest: &mut u64, cycle: u64) {
    *earliest = (*earliest).max(cycle);
}
