//! [`Policy::OpenRow`](super::Policy::OpenRow): each bank finishes its row, banks take turns.

use super::alarms::Alarms;
use super::bank_fifos::{BankFifos, Burst};
use super::command::CommandKind::{self, Activate, Precharge, Read, Write};
use super::command::KINDS;
use super::config::ChannelConfig;
use super::device::Device;
use super::ready::NEVER;
use super::{Completion, Request};

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
    /// For each kind of command the banks whose burst needs it next: a bank wants one kind at most.
    wanting: [u64; KINDS],
    /// Those of the wanting banks whose own commands allow what they want: only the other banks,
    /// which are the same for many of them, may still forbid it.
    rested: u64,
    /// When the others of the wanting banks will be rested.
    alarms: Alarms,
    /// The bank that is visited first.
    turn: u32,
    /// The first cycle in which a rested bank's command may be legal.
    command_at: u64,
    /// See the method.
    soonest: u64,
}

impl OpenRow {
    pub fn new(config: &ChannelConfig) -> Self {
        Self {
            banks: config.banks,
            queue: BankFifos::new(config.banks as usize, config.queue as usize),
            serving: vec![Burst::default(); config.banks as usize].into(),
            busy: 0,
            wanting: [0; KINDS],
            rested: 0,
            alarms: Alarms::new(),
            turn: 0,
            command_at: NEVER,
            soonest: NEVER,
        }
    }

    /// Bursts that no bank serves yet.
    pub fn queued(&self) -> usize {
        self.queue.len()
    }

    /// Whether it has no burst, nor any bank.
    #[inline]
    pub fn is_idle(&self) -> bool {
        self.queue.occupied() | self.busy == 0
    }

    /// Whether no further request can enter.
    #[inline]
    pub fn is_full(&self) -> bool {
        self.queue.is_full()
    }

    /// A request enters.
    #[inline]
    pub fn enter(&mut self, request: Request) {
        self.queue.push(request);
    }

    /// The cycle of the next command or move, or [`NEVER`].
    pub fn next(&self, device: &Device) -> u64 {
        if self.moves() {
            return self.soonest;
        }
        let mut next = NEVER;
        for kind in CommandKind::ALL {
            let mut banks = self.wanting[kind as usize];
            while banks != 0 {
                let bank = banks.trailing_zeros() as usize;
                banks &= banks - 1;
                next = next.min(device.timing.earliest(kind, bank));
            }
        }
        next.max(self.soonest)
    }

    /// A cycle that is not behind the next command or move, and mostly that of it, or [`NEVER`].
    #[inline]
    pub fn soonest(&self) -> u64 {
        self.soonest
    }

    /// Moves a burst to a bank and issues the commands of this cycle, if there are any.
    #[inline]
    pub fn tick(&mut self, cycle: u64, device: &mut Device, completed: &mut Vec<Completion>) {
        if self.soonest > cycle {
            return;
        }
        let mut woken = self.alarms.take(cycle);
        while woken != 0 {
            let bank = woken.trailing_zeros() as usize;
            woken &= woken - 1;
            self.rest(cycle, bank, device);
        }
        self.serve_one(cycle, device);
        if self.command_at <= cycle {
            self.issue(cycle, device, completed);
        }
    }

    /// A cycle is over; commands and moves are looked for from cycle `from` on.
    #[inline]
    pub fn settle(&mut self, from: u64, device: &Device) {
        let mut command = NEVER;
        for kind in CommandKind::ALL {
            let banks = self.wanting[kind as usize] & self.rested;
            if banks != 0 {
                command = command.min(device.timing.soonest(kind, banks, from));
            }
        }
        self.command_at = command;
        self.soonest = if self.moves() { from } else { command.min(self.alarms.next()) };
    }

    /// Whether a bank can take up a burst.
    #[inline(always)]
    fn moves(&self) -> bool {
        self.queue.occupied() & !self.busy != 0
    }

    /// One bank that serves nothing takes its oldest hit, or else its oldest request.
    #[inline]
    fn serve_one(&mut self, cycle: u64, device: &Device) {
        let Some(bank) = first_from(self.queue.occupied() & !self.busy, self.turn) else {
            return;
        };
        let index = bank as usize;
        self.serving[index] = self.queue.pop(index, device.open_row(index));
        self.busy |= 1 << bank;
        self.turn = self.around(self.turn + 1);
        let wanted = self.wanted(index, device);
        self.want(cycle, index, wanted, device);
    }

    #[inline]
    fn issue(&mut self, cycle: u64, device: &mut Device, completed: &mut Vec<Completion>) {
        let columns = self.legal(Read, cycle, device) | self.legal(Write, cycle, device);
        let rows = self.legal(Activate, cycle, device) | self.legal(Precharge, cycle, device);
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

    fn row_command(&mut self, cycle: u64, bank: usize, device: &mut Device) {
        if device.open_row(bank).is_some() {
            device.precharge(cycle, bank);
            self.served(Precharge, bank);
            self.want(cycle, bank, Activate, device);
        } else {
            let Burst { row, write, .. } = self.serving[bank];
            device.activate(cycle, bank, row);
            self.served(Activate, bank);
            self.want(cycle, bank, if write { Write } else { Read }, device);
        }
    }

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
        self.served(if burst.write { Write } else { Read }, bank);
    }

    /// The banks on which `kind` is wanted, and legal in `cycle`.
    #[inline(always)]
    fn legal(&self, kind: CommandKind, cycle: u64, device: &Device) -> u64 {
        device.timing.allowed(kind, self.wanting[kind as usize] & self.rested, cycle)
    }

    /// The command that the burst served by `bank` needs first.
    #[inline]
    fn wanted(&self, bank: usize, device: &Device) -> CommandKind {
        let Burst { row, write, .. } = self.serving[bank];
        match device.open_row(bank) {
            None => Activate,
            Some(open) if open != row => Precharge,
            Some(_) if write => Write,
            Some(_) => Read,
        }
    }

    /// `bank` wants `kind` from `cycle` on, and wanted nothing before.
    #[inline(always)]
    fn want(&mut self, cycle: u64, bank: usize, kind: CommandKind, device: &Device) {
        self.wanting[kind as usize] |= 1 << bank;
        self.rest_or_wait(cycle, bank, kind, device);
    }

    /// The alarm of `bank` has come.
    #[inline(always)]
    fn rest(&mut self, cycle: u64, bank: usize, device: &Device) {
        let wanted = self.wanted(bank, device);
        self.rest_or_wait(cycle, bank, wanted, device);
    }

    #[inline(always)]
    fn rest_or_wait(&mut self, cycle: u64, bank: usize, kind: CommandKind, device: &Device) {
        let own = device.timing.own(kind, bank);
        if own <= cycle {
            self.rested |= 1 << bank;
            self.command_at = cycle;
        } else {
            self.alarms.set(bank, own);
        }
    }

    /// `bank` has got the `kind` that it wanted, and wants nothing.
    #[inline(always)]
    fn served(&mut self, kind: CommandKind, bank: usize) {
        self.wanting[kind as usize] &= !(1 << bank);
        self.rested &= !(1 << bank);
    }
}

/// The first bank of `mask` at or behind `turn`, going round.
fn first_from(mask: u64, turn: u32) -> Option<u32> {
    let behind = mask >> turn << turn;
    let mask = if behind != 0 { behind } else { mask };
    (mask != 0).then(|| mask.trailing_zeros())
}
