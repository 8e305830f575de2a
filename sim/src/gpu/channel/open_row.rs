//! [`Policy::OpenRow`](super::Policy::OpenRow): each bank finishes its row, banks take turns.

use super::bank_queues::{BankQueues, Burst, Needs, NEVER};
use super::command::CommandKind;
use super::config::ChannelConfig;
use super::device::Device;
use super::Completion;

/// The scheduler, after `dram_sched.cc` and `dram_t::cycle` of GPGPU-Sim.
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
    /// The bank that is visited first.
    turn: u32,
    /// When the next commands are legal, and on which banks.
    next: u64,
    columns: u64,
    rows: u64,
    /// First cycle in which a burst can move to a bank; [`NEVER`] when none can.
    move_at: u64,
}

impl OpenRow {
    pub fn new(config: &ChannelConfig) -> Self {
        Self {
            banks: config.banks,
            serving: vec![None; config.banks as usize].into(),
            busy: 0,
            turn: 0,
            next: NEVER,
            columns: 0,
            rows: 0,
            move_at: NEVER,
        }
    }

    /// The cycle of the next command or move.
    pub fn next(&self) -> Option<u64> {
        let next = self.next.min(self.move_at);
        (next != NEVER).then_some(next)
    }

    /// Moves a burst to a bank and issues the commands of this cycle, if there are any.
    pub fn tick(
        &mut self,
        cycle: u64,
        device: &mut Device,
        queues: &mut BankQueues,
        completed: &mut Vec<Completion>,
    ) {
        if self.next < cycle {
            self.choose(cycle, device);
        }
        if self.move_at <= cycle {
            self.serve_one(cycle, device, queues);
        }
        if self.next == cycle {
            self.issue(cycle, device, queues, completed);
            self.choose(cycle + 1, device);
        }
        self.find_move(cycle + 1, queues);
    }

    /// A request entered the queue in `cycle`; it counts from the next cycle on.
    pub fn entered(&mut self, cycle: u64, queues: &BankQueues) {
        self.find_move(cycle + 1, queues);
    }

    fn find_move(&mut self, from: u64, queues: &BankQueues) {
        self.move_at = if queues.occupied() & !self.busy != 0 { from } else { NEVER };
    }

    /// One bank that serves nothing takes its oldest hit, or else its oldest request.
    fn serve_one(&mut self, cycle: u64, device: &Device, queues: &mut BankQueues) {
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
        self.turn = (self.turn + 1) % self.banks;
        self.consider(index, cycle, device);
    }

    fn issue(
        &mut self,
        cycle: u64,
        device: &mut Device,
        queues: &mut BankQueues,
        completed: &mut Vec<Completion>,
    ) {
        let distance = |bank: u32, turn: u32| (bank + self.banks - turn) % self.banks;
        let mut column = first_from(self.columns, self.turn);
        if let Some(bank) = first_from(self.rows, self.turn) {
            let steps = distance(bank, self.turn);
            if column.is_none_or(|column| steps < distance(column, self.turn)) {
                self.row_command(cycle, bank as usize, device, queues);
                self.turn = (bank + 1) % self.banks;
                // The visits left are counted from the new turn: `steps + 1` banks are passed over.
                let visited = |column: &u32| distance(*column, self.turn) > steps;
                column = first_from_after(self.columns, self.turn, self.banks, steps + 1)
                    .filter(visited);
            }
        }
        if let Some(bank) = column {
            let burst = self.serving[bank as usize].take().expect("it serves a burst");
            self.busy &= !(1 << bank);
            let end = device.column(cycle, bank as usize, burst.write);
            completed.push(Completion { id: burst.id, cycle: end });
        }
    }

    fn row_command(&self, cycle: u64, bank: usize, device: &mut Device, queues: &mut BankQueues) {
        if device.open_row(bank).is_some() {
            device.precharge(cycle, bank);
            return queues.sort(bank, None);
        }
        let row = self.serving[bank].as_ref().expect("it serves a burst").row;
        device.activate(cycle, bank, row);
        queues.sort(bank, Some(row));
    }

    fn choose(&mut self, from: u64, device: &Device) {
        (self.next, self.columns, self.rows) = (NEVER, 0, 0);
        let mut banks = self.busy;
        while banks != 0 {
            self.consider(banks.trailing_zeros() as usize, from, device);
            banks &= banks - 1;
        }
    }

    /// Adds the next command of a bank, not before cycle `from`, to the choice.
    #[inline]
    fn consider(&mut self, bank: usize, from: u64, device: &Device) {
        let burst = self.serving[bank].as_ref().expect("it serves a burst");
        let kind = match device.open_row(bank) {
            None => CommandKind::Activate,
            Some(row) if row != burst.row => CommandKind::Precharge,
            Some(_) if burst.write => CommandKind::Write,
            Some(_) => CommandKind::Read,
        };
        let cycle = device.timing.earliest(kind, bank).max(from);
        if cycle > self.next {
            return;
        }
        if cycle < self.next {
            (self.next, self.columns, self.rows) = (cycle, 0, 0);
        }
        let is_row = matches!(kind, CommandKind::Activate | CommandKind::Precharge);
        *if is_row { &mut self.rows } else { &mut self.columns } |= 1 << bank;
    }
}

/// The first bank of `mask` at or behind `turn`, going round.
fn first_from(mask: u64, turn: u32) -> Option<u32> {
    let behind = mask >> turn << turn;
    let mask = if behind != 0 { behind } else { mask };
    (mask != 0).then(|| mask.trailing_zeros())
}

/// As [`first_from`], without the first `passed` banks from `turn` on.
fn first_from_after(mask: u64, turn: u32, banks: u32, passed: u32) -> Option<u32> {
    if passed >= banks {
        return None;
    }
    first_from(mask, (turn + passed) % banks)
}
