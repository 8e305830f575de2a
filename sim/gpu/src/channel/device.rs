//! The DRAM device behind the command bus: open rows, timing, and the account of both.

use super::command::{ChannelCounts, Command, CommandKind};
use super::config::ChannelConfig;
use super::timing::{Timing, MAX_BANKS};

#[derive(Clone, Copy, Debug, Default)]
struct Row {
    open: bool,
    row: u32,
    /// Bursts since it was opened.
    bursts: u64,
}

/// See the module.
#[derive(Debug)]
pub(super) struct Device {
    pub timing: Timing,
    pub counts: ChannelCounts,
    rows: [Row; MAX_BANKS],
    read_latency: u64,
    write_latency: u64,
    burst_cycles: u64,
    /// Up to this cycle `counts.pending_cycles` is settled.
    settled: u64,
    /// Whether somebody asked for the commands.
    pub records: bool,
    /// The commands since then.
    pub commands: Vec<Command>,
}

impl Device {
    /// All rows closed, and every command legal.
    pub fn new(config: &ChannelConfig) -> Self {
        let burst_cycles = u64::from(config.burst_cycles);
        Self {
            timing: Timing::new(config),
            counts: ChannelCounts::default(),
            rows: [Row::default(); MAX_BANKS],
            read_latency: u64::from(config.cl) + burst_cycles,
            write_latency: u64::from(config.wl) + burst_cycles,
            burst_cycles,
            settled: 0,
            records: false,
            commands: Vec::new(),
        }
    }

    /// The open row of `bank`.
    #[inline]
    pub fn open_row(&self, bank: usize) -> Option<u32> {
        self.rows[bank % MAX_BANKS].open.then_some(self.rows[bank % MAX_BANKS].row)
    }

    /// Bursts that the open row of `bank` has served.
    #[inline]
    pub fn bursts(&self, bank: usize) -> u64 {
        self.rows[bank % MAX_BANKS].bursts
    }

    /// Opens `row`.
    #[inline(always)]
    pub fn activate(&mut self, cycle: u64, bank: usize, row: u32) {
        debug_assert!(!self.rows[bank % MAX_BANKS].open);
        self.rows[bank % MAX_BANKS] = Row { open: true, row, bursts: 0 };
        self.counts.activates += 1;
        self.issue(cycle, CommandKind::Activate, bank);
    }

    /// Closes the open row.
    #[inline(always)]
    pub fn precharge(&mut self, cycle: u64, bank: usize) {
        debug_assert!(self.rows[bank % MAX_BANKS].open);
        self.rows[bank % MAX_BANKS].open = false;
        self.counts.precharges += 1;
        self.issue(cycle, CommandKind::Precharge, bank);
    }

    /// Reads or writes a burst of the open row; returns the cycle in which its data end.
    #[inline(always)]
    pub fn column(&mut self, cycle: u64, bank: usize, write: bool) -> u64 {
        let row = &mut self.rows[bank % MAX_BANKS];
        debug_assert!(row.open);
        self.counts.row_hits += u64::from(row.bursts > 0);
        row.bursts += 1;
        let end = if write {
            self.counts.writes += 1;
            self.issue(cycle, CommandKind::Write, bank);
            cycle + self.write_latency
        } else {
            self.counts.reads += 1;
            self.issue(cycle, CommandKind::Read, bank);
            cycle + self.read_latency
        };
        self.counts.data_cycles += self.burst_cycles;
        self.counts.pending_cycles += end.saturating_sub(self.settled);
        self.settled = self.settled.max(end);
        end
    }

    /// A request arrives at a channel that had none.
    pub fn wake(&mut self, cycle: u64) {
        self.settled = self.settled.max(cycle);
    }

    #[inline(always)]
    fn issue(&mut self, cycle: u64, kind: CommandKind, bank: usize) {
        debug_assert!(cycle >= self.timing.earliest(kind, bank), "{kind:?} on {bank} in {cycle}");
        self.timing.issue(cycle, kind, bank);
        if self.records {
            self.record(cycle, kind, bank);
        }
    }

    #[cold]
    fn record(&mut self, cycle: u64, kind: CommandKind, bank: usize) {
        let row = self.rows[bank % MAX_BANKS].row;
        self.commands.push(Command { cycle, kind, bank: bank as u16, row });
    }
}
