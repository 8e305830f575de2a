//! The timing set: from which cycle on each command is legal.

use super::command::CommandKind::{self, Activate, Precharge, Read, Write};
use super::command::KINDS;
use super::config::ChannelConfig;

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

/// What the commands so far allow next.
///
/// Each command is bound by its own bank, by the other banks of its group, and by all banks.
#[derive(Debug)]
pub(super) struct Timing {
    distances: Distances,
    /// For each kind of command and bank the first cycle that its own bank allows.
    banks: [[u64; MAX_BANKS]; KINDS],
    /// For each kind of command and bank group the first cycle that the banks of the group allow.
    groups: [[u64; MAX_GROUPS]; KINDS],
    /// The latest entry of each row of `groups`: from then on no group forbids anything.
    latest_group: [u64; KINDS],
    /// The groups, one bit each, that may forbid something until then: few, as a rule.
    recent_groups: [u16; KINDS],
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
            groups: [[0; MAX_GROUPS]; KINDS],
            latest_group: [0; KINDS],
            recent_groups: [0; KINDS],
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
        let kind = kind as usize;
        self.banks[kind][bank].max(self.groups[kind][group]).max(self.channel[kind])
    }

    /// The first cycle in which `bank` itself, whatever the others do, allows `kind`.
    #[inline(always)]
    pub fn own(&self, kind: CommandKind, bank: usize) -> u64 {
        self.banks[kind as usize][bank & (MAX_BANKS - 1)]
    }

    /// The first cycle from `from` on in which the other banks allow `kind` on one of `banks`, and those
    /// of them on which they do.
    #[inline(always)]
    pub fn soonest(&self, kind: CommandKind, banks: u64, from: u64) -> (u64, u64) {
        let first = self.channel[kind as usize].max(from);
        if first >= self.latest_group[kind as usize] {
            return (first, banks);
        }
        let (free, next) = self.free_of_groups(kind, banks, first);
        if free != 0 {
            return (first, free);
        }
        (next, self.free_of_groups(kind, banks, next).0)
    }

    /// Those of `banks` whose groups allow `kind` in `cycle`, and the first cycle in which the group of
    /// one of the others does.
    #[inline(always)]
    fn free_of_groups(&self, kind: CommandKind, banks: u64, cycle: u64) -> (u64, u64) {
        let kind = kind as usize;
        let (mut free, mut next) = (banks, u64::MAX);
        let mut groups = self.recent_groups[kind];
        while groups != 0 {
            let group = groups.trailing_zeros() as usize & (MAX_GROUPS - 1);
            groups &= groups - 1;
            let allowed = self.groups[kind][group];
            if banks & self.members[group] != 0 && allowed > cycle {
                free &= !self.members[group];
                next = next.min(allowed);
            }
        }
        (free, next)
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
                let (column, precharge) = (cycle + d.ccdl, cycle + d.rtpl);
                self.group(cycle, Read, group, column);
                self.group(cycle, Write, group, column);
                self.group(cycle, Precharge, group, precharge);
            }
            Write => {
                later(&mut self.banks[Precharge as usize][bank], cycle + d.write_to_precharge);
                later(&mut self.channel[Write as usize], cycle + d.ccd);
                later(&mut self.channel[Read as usize], cycle + d.write_to_read);
                let column = cycle + d.ccdl;
                self.group(cycle, Write, group, column);
                self.group(cycle, Read, group, column);
            }
        }
    }

    #[inline(always)]
    fn group(&mut self, now: u64, kind: CommandKind, group: usize, cycle: u64) {
        let kind = kind as usize;
        if self.latest_group[kind] <= now {
            self.recent_groups[kind] = 0;
        }
        self.recent_groups[kind] |= 1 << group;
        later(&mut self.groups[kind][group], cycle);
        later(&mut self.latest_group[kind], cycle);
    }
}

#[inline(always)]
fn later(earliest: &mut u64, cycle: u64) {
    *earliest = (*earliest).max(cycle);
}
