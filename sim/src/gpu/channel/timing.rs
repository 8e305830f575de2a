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
/// Each command is bound by its own bank and by its bank group; what binds all banks is written to
/// every group, so that one look at two places answers.
#[derive(Debug)]
pub(super) struct Timing {
    distances: Distances,
    /// For each kind of command and bank the first cycle that its own bank allows.
    banks: [[u64; MAX_BANKS]; KINDS],
    /// For each kind of command and bank group the first cycle that the other banks allow.
    groups: [[u64; MAX_GROUPS]; KINDS],
    /// The bank group of each bank.
    group_of: [u8; MAX_BANKS],
    group_count: usize,
}

impl Timing {
    /// A device that nothing was ever asked of.
    pub fn new(config: &ChannelConfig) -> Self {
        let groups = config.bank_groups as usize;
        Self {
            distances: Distances::new(config),
            banks: [[0; MAX_BANKS]; KINDS],
            groups: [[0; MAX_GROUPS]; KINDS],
            group_of: std::array::from_fn(|bank| (bank % groups) as u8),
            group_count: groups,
        }
    }

    /// The first cycle in which `kind` is legal on `bank`, given that its row is in the right state.
    #[inline(always)]
    pub fn earliest(&self, kind: CommandKind, bank: usize) -> u64 {
        // The masks change nothing; they spare a check of the bounds.
        let bank = bank & (MAX_BANKS - 1);
        let group = usize::from(self.group_of[bank]) & (MAX_GROUPS - 1);
        self.banks[kind as usize][bank].max(self.groups[kind as usize][group])
    }

    /// The first cycle in which the other banks allow an activation.
    #[inline]
    pub fn any_activate(&self) -> u64 {
        self.groups[Activate as usize][0]
    }

    /// Whether in `cycle` only the other banks can forbid an activation of `bank`.
    #[inline(always)]
    pub fn rested(&self, bank: usize, cycle: u64) -> bool {
        self.banks[Activate as usize][bank & (MAX_BANKS - 1)] <= cycle
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
                let other = cycle + d.rrd;
                self.other_banks(Activate, other);
            }
            Precharge => later(&mut self.banks[Activate as usize][bank], cycle + d.rp),
            Read => {
                later(&mut self.banks[Precharge as usize][bank], cycle + d.rtp);
                let (read, write) = (cycle + d.ccd, cycle + d.read_to_write);
                let (same_group, precharge) = (cycle + d.ccdl, cycle + d.rtpl);
                self.other_banks(Read, read);
                self.other_banks(Write, write);
                later(&mut self.groups[Read as usize][group], same_group);
                later(&mut self.groups[Write as usize][group], same_group);
                later(&mut self.groups[Precharge as usize][group], precharge);
            }
            Write => {
                later(&mut self.banks[Precharge as usize][bank], cycle + d.write_to_precharge);
                let (write, read) = (cycle + d.ccd, cycle + d.write_to_read);
                let same_group = cycle + d.ccdl;
                self.other_banks(Write, write);
                self.other_banks(Read, read);
                later(&mut self.groups[Write as usize][group], same_group);
                later(&mut self.groups[Read as usize][group], same_group);
            }
        }
    }

    #[inline(always)]
    fn other_banks(&mut self, kind: CommandKind, cycle: u64) {
        for group in &mut self.groups[kind as usize][..self.group_count] {
            later(group, cycle);
        }
    }
}

#[inline(always)]
fn later(earliest: &mut u64, cycle: u64) {
    *earliest = (*earliest).max(cycle);
}
