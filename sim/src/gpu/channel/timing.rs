//! The timing set: from which cycle on each command is legal.

use super::command::CommandKind::{self, Activate, Precharge, Read, Write};
use super::config::ChannelConfig;

/// Kinds of commands.
const KINDS: usize = 4;

/// For each kind of command the first cycle in which it is legal.
type Earliest = [u64; KINDS];

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
    banks: Box<[Earliest]>,
    groups: Box<[Earliest]>,
    /// The bank group of each bank.
    group_of: Box<[u8]>,
}

impl Timing {
    /// A device that nothing was ever asked of.
    pub fn new(config: &ChannelConfig) -> Self {
        let groups = config.bank_groups;
        Self {
            distances: Distances::new(config),
            banks: vec![[0; KINDS]; config.banks as usize].into(),
            groups: vec![[0; KINDS]; groups as usize].into(),
            group_of: (0..config.banks).map(|bank| (bank % groups) as u8).collect(),
        }
    }

    /// The first cycle in which `kind` is legal on `bank`, given that its row is in the right state.
    #[inline]
    pub fn earliest(&self, kind: CommandKind, bank: usize) -> u64 {
        let group = usize::from(self.group_of[bank]);
        self.banks[bank][kind as usize].max(self.groups[group][kind as usize])
    }

    /// Takes note of a command.
    pub fn issue(&mut self, cycle: u64, kind: CommandKind, bank: usize) {
        let d = &self.distances;
        let own = &mut self.banks[bank];
        let group = usize::from(self.group_of[bank]);
        match kind {
            Activate => {
                later(&mut own[Activate as usize], cycle + d.rc);
                own[Precharge as usize] = cycle + d.ras;
                own[Read as usize] = cycle + d.rcd;
                own[Write as usize] = cycle + d.rcd_write;
                for each in &mut self.groups {
                    each[Activate as usize] = cycle + d.rrd;
                }
            }
            Precharge => later(&mut own[Activate as usize], cycle + d.rp),
            Read => {
                later(&mut own[Precharge as usize], cycle + d.rtp);
                for each in &mut self.groups {
                    later(&mut each[Read as usize], cycle + d.ccd);
                    later(&mut each[Write as usize], cycle + d.read_to_write);
                }
                let group = &mut self.groups[group];
                later(&mut group[Read as usize], cycle + d.ccdl);
                later(&mut group[Write as usize], cycle + d.ccdl);
                later(&mut group[Precharge as usize], cycle + d.rtpl);
            }
            Write => {
                later(&mut own[Precharge as usize], cycle + d.write_to_precharge);
                for each in &mut self.groups {
                    later(&mut each[Write as usize], cycle + d.ccd);
                    later(&mut each[Read as usize], cycle + d.write_to_read);
                }
                let group = &mut self.groups[group];
                later(&mut group[Write as usize], cycle + d.ccdl);
                later(&mut group[Read as usize], cycle + d.ccdl);
            }
        }
    }
}

fn later(earliest: &mut u64, cycle: u64) {
    *earliest = (*earliest).max(cycle);
}
