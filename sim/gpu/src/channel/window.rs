//! [`Policy::Window`](super::Policy::Window): the oldest request whose next command is legal.

use super::bank_queues::{BankQueues, Needs};
use super::command::CommandKind::{self, Activate, Precharge, Read, Write};
use super::config::ChannelConfig;
use super::device::Device;
use super::ready::{Ready, NEVER};
use super::waiting::Waiting;
use super::Completion;

/// The scheduler. Between two commands nothing but a new request can change what comes next.
#[derive(Debug)]
pub(super) struct Window {
    cap: u64,
    queues: BankQueues,
    ready: Ready,
}

impl Window {
    pub fn new(config: &ChannelConfig) -> Self {
        let cap = if config.row_hit_cap == 0 { u64::MAX } else { config.row_hit_cap.into() };
        let queues = BankQueues::new(config.banks as usize, config.queue as usize);
        Self { cap, queues, ready: Ready::new() }
    }

    /// Requests in the queue.
    pub fn queued(&self) -> usize {
        self.queues.len()
    }

    /// The cycle of the next command, or [`NEVER`].
    pub fn next(&self) -> u64 {
        self.ready.next()
    }

    /// The legal command whose request is the oldest.
    fn oldest(&self) -> (CommandKind, usize) {
        let mut oldest = (NEVER, Activate, 0);
        for kind in CommandKind::ALL {
            let mut banks = self.ready.legal(kind);
            while banks != 0 {
                let bank = banks.trailing_zeros() as usize;
                banks &= banks - 1;
                let age = self.queues.first(bank, needs(kind));
                if age < oldest.0 {
                    oldest = (age, kind, bank);
                }
            }
        }
        (oldest.1, oldest.2)
    }

    /// What `bank` wants next.
    fn update(&mut self, bank: usize, device: &Device) {
        let other = self.queues.first(bank, Needs::Row);
        let kinds = if device.open_row(bank).is_some() {
            let read = self.queues.first(bank, Needs::Read);
            let write = self.queues.first(bank, Needs::Write);
            let hit = read.min(write);
            let gives_way = hit == NEVER || (other < hit && device.bursts(bank) >= self.cap);
            bit(Read, read != NEVER)
                | bit(Write, write != NEVER)
                | bit(Precharge, other != NEVER && gives_way)
        } else {
            bit(Activate, other != NEVER)
        };
        self.ready.want(bank, kinds);
    }

    /// Whether no request can enter the queue.
    pub fn is_full(&self) -> bool {
        self.queues.is_full()
    }

    /// See [`Channel::run`](super::Channel::run).
    pub fn run(
        &mut self,
        device: &mut Device,
        waiting: &mut Waiting,
        last: u64,
        completed: &mut Vec<Completion>,
    ) {
        loop {
            let entry = if self.is_full() { NEVER } else { waiting.next_entry() };
            let cycle = self.ready.next().min(entry);
            if cycle > last {
                return;
            }
            self.issue(cycle, device, completed);
            // Also into a place that the command made free.
            if !self.is_full() && waiting.next_entry() <= cycle {
                self.enter(cycle, device, waiting);
            }
            self.ready.settle(cycle + 1, &device.timing);
            waiting.hold_until(cycle + 1);
        }
    }

    /// Issues the command of `cycle`.
    fn issue(&mut self, cycle: u64, device: &mut Device, completed: &mut Vec<Completion>) {
        if self.ready.next() > cycle {
            return;
        }
        let (kind, bank) = self.oldest();
        match kind {
            Activate => {
                let row = self.queues.first_row(bank);
                device.activate(cycle, bank, row);
                self.queues.opened(bank, row);
            }
            Precharge => {
                device.precharge(cycle, bank);
                self.queues.closed(bank);
            }
            Read | Write => {
                let burst = self.queues.pop(bank, needs(kind));
                let end = device.column(cycle, bank, burst.write);
                if !burst.more {
                    completed.push(Completion { id: burst.id, cycle: end });
                }
            }
        }
        self.ready.issued(kind, bank);
        self.update(bank, device);
    }

    /// A request enters the queue in `cycle`.
    fn enter(&mut self, cycle: u64, device: &mut Device, waiting: &mut Waiting) {
        if self.queues.len() == 0 {
            device.wake(cycle);
        }
        let (request, more) = waiting.enter(cycle);
        let bank = usize::from(request.bank);
        self.queues.push(request, more, device.open_row(bank));
        self.update(bank, device);
    }
}

/// Whose oldest request a command is for.
fn needs(kind: CommandKind) -> Needs {
    match kind {
        Activate | Precharge => Needs::Row,
        Read => Needs::Read,
        Write => Needs::Write,
    }
}

fn bit(kind: CommandKind, wanted: bool) -> u8 {
    if wanted {
        kind.bit()
    } else {
        0
    }
}
