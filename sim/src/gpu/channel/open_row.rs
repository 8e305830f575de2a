//! [`Policy::OpenRow`](super::Policy::OpenRow): each bank finishes its row, banks take turns.

use super::bank_queues::{BankQueues, Burst, Needs};
use super::command::CommandKind::{Activate, Precharge, Read, Write};
use super::config::ChannelConfig;
use super::device::Device;
use super::ready::{Ready, NEVER};
use super::Completion;

/// The scheduler, with the rules of GPGPU-Sim's `dram_sched.cc` and `dram_t::cycle`.
///
/// A cycle has up to one column command and one row command. The banks are visited in turn; a row
/// command is issued only while no column command was, moves the turn behind its bank, and the rest
/// of the visits go on from there.
#[derive(Debug)]
pub(super) struct OpenRow {
    banks: u32,
    /// The burst that each bank is serving.
    serving: Box<[Option<Burst>]>,
    busy: u64,
    ready: Ready,
    /// The bank that is visited first.
    turn: u32,
    /// First cycle in which a burst can move to a bank, or [`NEVER`].
    move_at: u64,
}

impl OpenRow {
    pub fn new(config: &ChannelConfig) -> Self {
        Self {
            banks: config.banks,
            serving: vec![None; config.banks as usize].into(),
            busy: 0,
            ready: Ready::new(),
            turn: 0,
            move_at: NEVER,
        }
    }

    /// The cycle of the next command or move, or [`NEVER`].
    pub fn next(&self) -> u64 {
        self.ready.next().min(self.move_at)
    }

    /// Moves a burst to a bank and issues the commands of this cycle, if there are any.
    pub fn tick(
        &mut self,
        cycle: u64,
        device: &mut Device,
        queues: &mut BankQueues,
        completed: &mut Vec<Completion>,
    ) {
        if self.next() > cycle {
            return;
        }
        if self.move_at <= cycle {
            self.serve_one(device, queues);
            self.ready.settle(cycle, &device.timing);
        }
        if self.ready.next() <= cycle {
            self.issue(cycle, device, queues, completed);
        }
    }

    /// A cycle is over; commands and moves are looked for from cycle `from` on.
    pub fn settle(&mut self, from: u64, device: &Device, queues: &BankQueues) {
        self.ready.settle(from, &device.timing);
        self.move_at = if queues.occupied() & !self.busy != 0 { from } else { NEVER };
    }

    /// One bank that serves nothing takes its oldest hit, or else its oldest request.
    fn serve_one(&mut self, device: &Device, queues: &mut BankQueues) {
        let Some(bank) = first_from(queues.occupied() & !self.busy, self.turn) else {
            return;
        };
        let index = bank as usize;
        let read = queues.first(index, Needs::Read);
        let write = queues.first(index, Needs::Write);
        let needs = match (read == NEVER && write == NEVER, read < write) {
            (true, _) => Needs::Row,
            (false, true) => Needs::Read,
            (false, false) => Needs::Write,
        };
        self.serving[index] = Some(queues.pop(index, needs));
        self.busy |= 1 << bank;
        self.turn = self.around(self.turn + 1);
        self.update(index, device);
    }

    fn issue(
        &mut self,
        cycle: u64,
        device: &mut Device,
        queues: &mut BankQueues,
        completed: &mut Vec<Completion>,
    ) {
        let columns = self.ready.legal(Read) | self.ready.legal(Write);
        let rows = self.ready.legal(Activate) | self.ready.legal(Precharge);
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
                self.row_command(cycle, bank as usize, device, queues);
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

    fn row_command(
        &mut self,
        cycle: u64,
        bank: usize,
        device: &mut Device,
        queues: &mut BankQueues,
    ) {
        if device.open_row(bank).is_some() {
            device.precharge(cycle, bank);
            queues.closed(bank);
            self.ready.issued(Precharge, bank);
        } else {
            let row = self.serving[bank].expect("it serves a burst").row;
            device.activate(cycle, bank, row);
            queues.opened(bank, row);
            self.ready.issued(Activate, bank);
        }
        self.update(bank, device);
    }

    fn column_command(
        &mut self,
        cycle: u64,
        bank: usize,
        device: &mut Device,
        completed: &mut Vec<Completion>,
    ) {
        let burst = self.serving[bank].take().expect("it serves a burst");
        self.busy &= !(1 << bank);
        let end = device.column(cycle, bank, burst.write);
        completed.push(Completion { id: burst.id, cycle: end });
        self.ready.issued(if burst.write { Write } else { Read }, bank);
        self.update(bank, device);
    }

    /// The next command of `bank`.
    fn update(&mut self, bank: usize, device: &Device) {
        let kinds = self.serving[bank].map_or(0, |burst| {
            let kind = match device.open_row(bank) {
                None => Activate,
                Some(row) if row != burst.row => Precharge,
                Some(_) if burst.write => Write,
                Some(_) => Read,
            };
            kind.bit()
        });
        self.ready.want(bank, kinds);
    }
}

/// The first bank of `mask` at or behind `turn`, going round.
fn first_from(mask: u64, turn: u32) -> Option<u32> {
    let behind = mask >> turn << turn;
    let mask = if behind != 0 { behind } else { mask };
    (mask != 0).then(|| mask.trailing_zeros())
}
