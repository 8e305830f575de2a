//! [`Policy::Window`](super::Policy::Window): the oldest request whose next command is legal.

use super::bank_queues::{BankQueues, Needs, NEVER};
use super::command::CommandKind;
use super::config::ChannelConfig;
use super::device::Device;
use super::Completion;

/// A command that may be issued next.
#[derive(Clone, Copy, Debug)]
struct Choice {
    cycle: u64,
    /// Age of the request that it is for.
    age: u64,
    bank: u8,
    kind: CommandKind,
}

const NOTHING: Choice = Choice { cycle: NEVER, age: NEVER, bank: 0, kind: CommandKind::Activate };

/// The scheduler. It knows its next command in advance: between two commands nothing but a new
/// request can change it.
#[derive(Debug)]
pub(super) struct Window {
    cap: u32,
    next: Choice,
}

impl Window {
    pub fn new(config: &ChannelConfig) -> Self {
        let cap = if config.row_hit_cap == 0 { u32::MAX } else { config.row_hit_cap };
        Self { cap, next: NOTHING }
    }

    /// The cycle of the next command.
    pub fn next(&self) -> Option<u64> {
        (self.next.cycle != NEVER).then_some(self.next.cycle)
    }

    /// Issues the command of this cycle, if there is one.
    pub fn tick(
        &mut self,
        cycle: u64,
        device: &mut Device,
        queues: &mut BankQueues,
        completed: &mut Vec<Completion>,
    ) {
        if self.next.cycle > cycle {
            return;
        }
        if self.next.cycle < cycle {
            // The caller was late; an older request may be legal by now.
            self.choose(cycle, device, queues);
        }
        let bank = usize::from(self.next.bank);
        match self.next.kind {
            CommandKind::Activate => {
                let row = queues.first_row(bank);
                device.activate(cycle, bank, row);
                queues.sort(bank, Some(row));
            }
            CommandKind::Precharge => {
                device.precharge(cycle, bank);
                queues.sort(bank, None);
            }
            kind => {
                let write = kind == CommandKind::Write;
                let burst = queues.pop(bank, if write { Needs::Write } else { Needs::Read });
                let end = device.column(cycle, bank, write);
                completed.push(Completion { id: burst.id, cycle: end });
            }
        }
        self.choose(cycle + 1, device, queues);
    }

    /// A request for `bank` entered the queue in `cycle`; it counts from the next cycle on.
    pub fn entered(&mut self, cycle: u64, bank: usize, device: &Device, queues: &BankQueues) {
        if usize::from(self.next.bank) == bank {
            // It may have been a precharge that this request forbids.
            self.choose(cycle + 1, device, queues);
        } else {
            self.consider(bank, cycle + 1, device, queues);
        }
    }

    fn choose(&mut self, from: u64, device: &Device, queues: &BankQueues) {
        self.next = NOTHING;
        let mut banks = queues.occupied();
        while banks != 0 {
            self.consider(banks.trailing_zeros() as usize, from, device, queues);
            banks &= banks - 1;
        }
    }

    /// Compares what `bank` could do from cycle `from` on with the best choice so far.
    #[inline]
    fn consider(&mut self, bank: usize, from: u64, device: &Device, queues: &BankQueues) {
        let other = queues.first(bank, Needs::Row);
        if device.open_row(bank).is_none() {
            return self.offer(CommandKind::Activate, bank, other, from, device);
        }
        let read = queues.first(bank, Needs::Read);
        let write = queues.first(bank, Needs::Write);
        if read != NEVER {
            self.offer(CommandKind::Read, bank, read, from, device);
        }
        if write != NEVER {
            self.offer(CommandKind::Write, bank, write, from, device);
        }
        let hit = read.min(write);
        if other != NEVER && (hit == NEVER || other < hit && device.bursts(bank) >= self.cap) {
            self.offer(CommandKind::Precharge, bank, other, from, device);
        }
    }

    #[inline]
    fn offer(&mut self, kind: CommandKind, bank: usize, age: u64, from: u64, device: &Device) {
        let cycle = device.timing.earliest(kind, bank).max(from);
        if (cycle, age) < (self.next.cycle, self.next.age) {
            self.next = Choice { cycle, age, bank: bank as u8, kind };
        }
    }
}
