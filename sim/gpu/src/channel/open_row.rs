//! [`Policy::OpenRow`](super::Policy::OpenRow): each bank finishes its row, banks take turns.

use super::bank_fifos::BankFifos;
use super::command::CommandKind::{self, Activate, Precharge, Read, Write};
use super::config::ChannelConfig;
use super::device::Device;
use super::ready::NEVER;
use super::timing::Timing;
use super::waiting::Waiting;
use super::wants::{Bus, Wants};
use super::Completion;

/// The scheduler, with the rules of GPGPU-Sim's `dram_sched.cc` and `dram_t::cycle`.
///
/// In a cycle one bank that serves nothing takes up a request; then there are up to one column
/// command, of one of its bursts, and one row command. The banks are visited in turn; a row command
/// is issued only while no column command was, moves the turn behind its bank, and the rest of the
/// visits go on from there. At the end a request enters the queue.
///
/// What a bank takes up is decided when the cycle before is over, and it is done then: most banks
/// take up a request in the cycle behind a column command, which would be a cycle to visit for
/// nothing else.
#[derive(Debug)]
pub(super) struct OpenRow {
    banks: u32,
    queue: BankFifos,
    /// Banks that serve a request: the one that they took out of the queue last.
    busy: u64,
    /// The commands that their requests need next.
    wants: Wants,
    /// The bank that is visited first.
    turn: u32,
    /// A cycle that is not behind the next command or the next bank that takes up a request, or
    /// [`NEVER`].
    soonest: u64,
    /// The cycle behind that in which a bank took up a request last, or takes it up.
    taken: u64,
}

impl OpenRow {
    pub fn new(config: &ChannelConfig) -> Self {
        Self {
            banks: config.banks,
            queue: BankFifos::new(config.queue as usize),
            busy: 0,
            wants: Wants::new(),
            turn: 0,
            soonest: NEVER,
            taken: 0,
        }
    }

    /// Requests that no bank serves before cycle `now`.
    pub fn queued(&self, now: u64) -> usize {
        self.queue.len() + usize::from(self.taken > now)
    }

    /// Whether no request can enter the queue.
    #[inline(always)]
    pub fn is_full(&self) -> bool {
        self.queue.room() == 0
    }

    /// The cycle, from `now` on, in which the next command is issued or the next bank takes up a
    /// request; or [`NEVER`].
    pub fn next(&self, now: u64, device: &Device) -> u64 {
        if self.taken > now {
            return self.taken - 1;
        }
        if self.takers() != 0 {
            return self.soonest;
        }
        let mut next = NEVER;
        let mut banks = self.busy;
        while banks != 0 {
            let bank = banks.trailing_zeros() as usize;
            banks &= banks - 1;
            next = next.min(device.timing.earliest(self.wanted(bank, device), bank));
        }
        next.max(self.soonest)
    }

    /// See [`Channel::run`](super::Channel::run).
    #[inline(always)]
    pub fn run(
        &mut self,
        device: &mut Device,
        waiting: &mut Waiting,
        last: u64,
        completed: &mut Vec<Completion>,
    ) {
        loop {
            let entry = if self.is_full() { NEVER } else { waiting.next_entry() };
            if entry <= self.soonest {
                if entry > last {
                    break;
                }
                self.enter(entry, device, waiting);
            } else {
                if self.soonest > last {
                    break;
                }
                self.step(device, waiting, completed);
            }
        }
    }

    /// A request enters in `cycle`.
    #[inline(always)]
    fn enter(&mut self, cycle: u64, device: &mut Device, waiting: &mut Waiting) {
        if self.queue.occupied() | self.busy == 0 {
            device.wake(cycle);
        }
        let (request, bursts) = waiting.enter_whole(cycle);
        let bank = request.bank;
        assert!(u32::from(bank) < self.banks, "no bank {bank}");
        self.queue.push(request, bursts);
        if self.busy >> bank & 1 == 0 && cycle < self.soonest {
            self.take_up(cycle + 1, device, waiting);
        }
    }

    /// Banks that have nothing to serve and can take up a request.
    #[inline(always)]
    fn takers(&self) -> u64 {
        self.queue.occupied() & !self.busy
    }

    /// The commands of the cycle that is the soonest, and what is taken up in the next one.
    #[inline(always)]
    fn step(
        &mut self,
        device: &mut Device,
        waiting: &mut Waiting,
        completed: &mut Vec<Completion>,
    ) {
        let cycle = self.soonest;
        self.issue(cycle, device, completed);
        if self.takers() != 0 {
            self.take_up(cycle + 1, device, waiting);
        } else {
            self.soonest = self.wants.due().max(cycle + 1);
        }
    }

    /// In `cycle`, before which all is over, a bank takes up its oldest hit, or else its oldest
    /// request.
    #[inline(always)]
    fn take_up(&mut self, cycle: u64, device: &Device, waiting: &mut Waiting) {
        if let Some(bank) = first_from(self.takers(), self.turn) {
            self.busy |= 1 << bank;
            let bank = bank as usize;
            self.queue.take(bank, device.open_row(bank));
            self.turn = self.behind(self.turn);
            self.taken = cycle + 1;
            waiting.hold_until(cycle);
            self.want(cycle, bank, self.wanted(bank, device), &device.timing);
        }
        let due = if self.takers() != 0 { cycle } else { self.wants.due() };
        self.soonest = due.max(cycle);
    }

    /// `bank` wants `kind` from `cycle` on.
    #[inline(always)]
    fn want(&mut self, cycle: u64, bank: usize, kind: CommandKind, timing: &Timing) {
        // For each kind there is less to do than for any.
        match kind {
            Activate => self.wants.want(cycle, bank, Activate, timing),
            Precharge => self.wants.want(cycle, bank, Precharge, timing),
            Read => self.wants.want(cycle, bank, Read, timing),
            Write => self.wants.want(cycle, bank, Write, timing),
        }
    }

    /// What the request that `bank` serves needs next.
    #[inline(always)]
    fn wanted(&self, bank: usize, device: &Device) -> CommandKind {
        let request = self.queue.serving(bank);
        match device.open_row(bank) {
            None => Activate,
            Some(open) if open != request.row => Precharge,
            Some(_) => column(request.write),
        }
    }

    /// Issues the commands of `cycle`.
    #[inline(always)]
    fn issue(&mut self, cycle: u64, device: &mut Device, completed: &mut Vec<Completion>) {
        let [reads, writes] = self.wants.legal(Bus::Column, cycle, &device.timing);
        let [activates, precharges] = self.wants.legal(Bus::Row, cycle, &device.timing);
        let (columns, rows) = (reads | writes, activates | precharges);
        let mut column = first_from(columns, self.turn);
        if visits(rows, self.turn) < visits(columns, self.turn) {
            let bank = (self.turn + visits(rows, self.turn)) % 64;
            // The visits that are left count from the new turn: as many banks as were visited are
            // passed over.
            let visited = self.steps(bank, self.turn);
            self.turn = self.behind(bank);
            column = first_from(columns, self.around(self.turn + visited + 1))
                .filter(|&column| self.steps(column, self.turn) > visited);
            if activates >> bank & 1 != 0 {
                self.activate(cycle, bank as usize, device);
            } else {
                self.precharge(cycle, bank as usize, device);
            }
            self.wants.look_ahead(Bus::Row, cycle + 1, &device.timing);
        }
        if let Some(bank) = column {
            if let Some(done) = self.column_command(cycle, bank as usize, device) {
                completed.push(done);
            }
        }
    }

    /// The bank behind `bank`.
    #[inline(always)]
    fn behind(&self, bank: u32) -> u32 {
        if bank + 1 == self.banks {
            0
        } else {
            bank + 1
        }
    }

    /// `bank` counted round: at most once behind the last one. A division would cost more than the
    /// rest.
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
    fn precharge(&mut self, cycle: u64, bank: usize, device: &mut Device) {
        device.precharge(cycle, bank);
        self.wants.served(Precharge, bank);
        self.wants.rest(cycle, bank, Activate, &device.timing);
    }

    #[inline(always)]
    fn activate(&mut self, cycle: u64, bank: usize, device: &mut Device) {
        let request = self.queue.serving(bank);
        device.activate(cycle, bank, request.row);
        self.wants.served(Activate, bank);
        self.want(cycle, bank, column(request.write), &device.timing);
    }

    #[inline(always)]
    fn column_command(
        &mut self,
        cycle: u64,
        bank: usize,
        device: &mut Device,
    ) -> Option<Completion> {
        let request = self.queue.serving(bank);
        let end = device.column(cycle, bank, request.write);
        let done = self.queue.served(bank);
        if done {
            self.busy &= !(1 << bank);
            self.wants.served(column(request.write), bank);
        }
        self.wants.look_ahead(Bus::Column, cycle + 1, &device.timing);
        done.then_some(Completion { id: request.id, cycle: end })
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
    (mask != 0).then_some((turn + visits(mask, turn)) % 64)
}

/// How many banks are visited from `turn` before the first one of `mask`, as if there were 64; 64
/// if there is none.
#[inline(always)]
fn visits(mask: u64, turn: u32) -> u32 {
    mask.rotate_right(turn).trailing_zeros()
}
