//! [`Policy::OpenRow`](super::Policy::OpenRow): each bank finishes its row, banks take turns.

use super::bank_fifos::{BankFifos, Burst};
use super::command::CommandKind::{self, Activate, Precharge, Read, Write};
use super::config::ChannelConfig;
use super::device::Device;
use super::ready::NEVER;
use super::wants::Wants;
use super::{Choice, Completion, Request};

/// The scheduler, with the rules of GPGPU-Sim's `dram_sched.cc` and `dram_t::cycle`.
///
/// A cycle has up to one column command and one row command. The banks are visited in turn; a row
/// command is issued only while no column command was, moves the turn behind its bank, and the rest
/// of the visits go on from there.
#[derive(Debug)]
pub(super) struct OpenRow {
    banks: u32,
    queue: BankFifos,
    /// The burst that each bank is serving.
    serving: Box<[Burst]>,
    /// Banks that serve one.
    busy: u64,
    /// The commands that their bursts need next.
    wants: Wants,
    /// The bank that is visited first.
    turn: u32,
    /// See [`Choice::soonest`].
    soonest: u64,
}

impl OpenRow {
    pub fn new(config: &ChannelConfig) -> Self {
        Self {
            banks: config.banks,
            queue: BankFifos::new(config.banks as usize, config.queue as usize),
            serving: vec![Burst::default(); config.banks as usize].into(),
            busy: 0,
            wants: Wants::new(),
            turn: 0,
            soonest: NEVER,
        }
    }

    /// Bursts that no bank serves yet.
    pub fn queued(&self) -> usize {
        self.queue.len()
    }

    /// The cycle of the next command or move, or [`NEVER`].
    pub fn next(&self, device: &Device) -> u64 {
        if self.moves() {
            return self.soonest;
        }
        self.wants.exact(&device.timing).max(self.soonest)
    }

    /// Whether a bank can take up a burst.
    #[inline(always)]
    fn moves(&self) -> bool {
        self.queue.occupied() & !self.busy != 0
    }

    /// One bank that serves nothing takes its oldest hit, or else its oldest request.
    #[inline(always)]
    fn serve_one(&mut self, cycle: u64, device: &Device) {
        let Some(bank) = first_from(self.queue.occupied() & !self.busy, self.turn) else {
            return;
        };
        let index = bank as usize;
        self.serving[index] = self.queue.pop(index, device.open_row(index));
        self.busy |= 1 << bank;
        self.turn = self.around(self.turn + 1);
        let Burst { row, write, .. } = self.serving[index];
        let wanted = match device.open_row(index) {
            None => Activate,
            Some(open) if open != row => Precharge,
            Some(_) => column(write),
        };
        self.wants.want(cycle, index, wanted, &device.timing);
    }

    #[inline(always)]
    fn issue(&mut self, cycle: u64, device: &mut Device, completed: &mut Vec<Completion>) {
        let (columns, rows) = self.wants.legal(cycle, &device.timing);
        let mut column = first_from(columns, self.turn);
        if let Some(bank) = first_from(rows, self.turn) {
            let visited = self.steps(bank, self.turn);
            if column.is_none_or(|column| visited < self.steps(column, self.turn)) {
                // The visits that are left count from the new turn: as many banks as were visited
                // are passed over.
                let turn = self.around(bank + 1);
                column = first_from(columns, self.around(turn + visited + 1))
                    .filter(|&column| self.steps(column, turn) > visited);
                self.turn = turn;
                self.row_command(cycle, bank as usize, device);
            }
        }
        if let Some(bank) = column {
            self.column_command(cycle, bank as usize, device, completed);
        }
    }

    /// `bank` counted round: at most once behind the last one. A division would cost more than the rest.
    #[inline(always)]
    fn around(&self, bank: u32) -> u32 {
        if bank >= self.banks {
            bank - self.banks
        } else {
            bank
        }
    }

    /// Visits from `turn` to `bank`.
    #[inline(always)]
    fn steps(&self, bank: u32, turn: u32) -> u32 {
        self.around(bank + self.banks - turn)
    }

    #[inline(always)]
    fn row_command(&mut self, cycle: u64, bank: usize, device: &mut Device) {
        if device.open_row(bank).is_some() {
            device.precharge(cycle, bank);
            self.wants.served(Precharge, bank);
            self.wants.want(cycle, bank, Activate, &device.timing);
        } else {
            let Burst { row, write, .. } = self.serving[bank];
            device.activate(cycle, bank, row);
            self.wants.served(Activate, bank);
            self.wants.want(cycle, bank, column(write), &device.timing);
        }
    }

    #[inline(always)]
    fn column_command(
        &mut self,
        cycle: u64,
        bank: usize,
        device: &mut Device,
        completed: &mut Vec<Completion>,
    ) {
        let burst = self.serving[bank];
        self.busy &= !(1 << bank);
        let end = device.column(cycle, bank, burst.write);
        completed.push(Completion { id: burst.id, cycle: end });
        self.wants.served(column(burst.write), bank);
    }
}

impl Choice for OpenRow {
    #[inline(always)]
    fn soonest(&self) -> u64 {
        self.soonest
    }

    #[inline(always)]
    fn is_full(&self) -> bool {
        self.queue.is_full()
    }

    #[inline(always)]
    fn is_idle(&self) -> bool {
        self.queue.occupied() | self.busy == 0
    }

    #[inline(always)]
    fn tick(&mut self, cycle: u64, device: &mut Device, completed: &mut Vec<Completion>) {
        if self.soonest > cycle {
            return;
        }
        self.wants.begin(cycle, &device.timing);
        self.serve_one(cycle, device);
        self.issue(cycle, device, completed);
    }

    #[inline(always)]
    fn enter(&mut self, request: Request, _: &Device) {
        self.queue.push(request);
    }

    #[inline(always)]
    fn settle(&mut self, from: u64, device: &Device) {
        if self.moves() {
            self.soonest = from;
        } else if self.soonest < from {
            // Else nothing has changed but the queue.
            self.soonest = self.wants.next(from, &device.timing);
        }
    }
}

/// The command that moves data.
#[inline(always)]
fn column(write: bool) -> CommandKind {
    if write {
        Write
    } else {
        Read
    }
}

/// The first bank of `mask` at or behind `turn`, going round.
#[inline(always)]
fn first_from(mask: u64, turn: u32) -> Option<u32> {
    let behind = mask.rotate_right(turn).trailing_zeros();
    (mask != 0).then_some((turn + behind) % 64)
}
