//! The load/store unit of an SMX: one transaction a cycle into the L1.

use std::collections::VecDeque;

use super::coalescer::coalesce;
use super::config::L1Config;
use super::event::{Calendar, Event};
use super::l1::{L1Load, L1};
use super::memory::Memory;
use crate::workload::program::{Instruction, Register};

/// A warp instruction with transactions still to make.
#[derive(Debug)]
struct Queued {
    /// The load, or `None` for a store.
    load: Option<u32>,
    transactions: u32,
}

/// A load some of whose data are still on their way.
#[derive(Clone, Copy, Debug)]
struct Load {
    warp: u8,
    register: Option<Register>,
    transactions: u32,
}

/// See the module.
#[derive(Debug)]
pub struct LoadStore {
    smx: u8,
    /// The first-level cache behind it.
    pub l1: L1,
    hit_latency: u64,
    capacity: usize,
    queue: VecDeque<Queued>,
    /// The lines of the queued instructions, in order.
    lines: VecDeque<u64>,
    loads: Vec<Load>,
    free_loads: Vec<u32>,
    /// The first transaction found no miss register; a fill lets it try again.
    stalled: bool,
}

impl LoadStore {
    /// An idle unit of SMX `smx`.
    pub fn new(smx: u8, config: &L1Config) -> Self {
        Self {
            smx,
            l1: L1::new(config),
            hit_latency: u64::from(config.latency),
            capacity: config.queue as usize,
            queue: VecDeque::new(),
            lines: VecDeque::new(),
            loads: Vec::new(),
            free_loads: Vec::new(),
            stalled: false,
        }
    }

    /// Whether no further instruction can be queued.
    pub fn full(&self) -> bool {
        self.queue.len() >= self.capacity
    }

    /// Queues a global access that issues in this cycle: its transactions reach the L1 one a cycle
    /// from the next cycle on. `load` is the warp and the register that waits, `None` for a store.
    /// Returns whether it makes any transaction.
    pub fn issue(
        &mut self,
        instruction: &Instruction,
        bytes: u8,
        load: Option<(usize, Option<Register>)>,
        calendar: &mut Calendar,
    ) -> bool {
        let transactions = coalesce(instruction, bytes, &mut self.lines);
        if transactions == 0 {
            return false;
        }
        let load = load.map(|(warp, register)| {
            let load = Load { warp: warp as u8, register, transactions };
            match self.free_loads.pop() {
                Some(id) => {
                    self.loads[id as usize] = load;
                    id
                }
                None => {
                    self.loads.push(load);
                    (self.loads.len() - 1) as u32
                }
            }
        });
        if self.queue.is_empty() {
            calendar.wake_load_store(calendar.now() + 1, usize::from(self.smx));
        }
        self.queue.push_back(Queued { load, transactions });
        true
    }

    /// One cycle: tries the first transaction. Returns whether that made room in the queue.
    pub fn tick(&mut self, memory: &Memory, calendar: &mut Calendar) -> bool {
        let (Some(first), Some(&line)) = (self.queue.front_mut(), self.lines.front()) else {
            return false;
        };
        match first.load {
            None => {
                self.l1.store(line);
                memory.send(self.smx, line, true, calendar);
            }
            Some(load) => match self.l1.load(line, load) {
                L1Load::Hit => {
                    let event = Event::LoadData { smx: self.smx, load };
                    calendar.schedule(calendar.now() + self.hit_latency, event);
                }
                L1Load::Miss => memory.send(self.smx, line, false, calendar),
                L1Load::Merged => {}
                L1Load::Stalled => {
                    self.stalled = true;
                    return false;
                }
            },
        }
        self.lines.pop_front();
        first.transactions -= 1;
        let done = first.transactions == 0;
        let was_full = self.full();
        if done {
            self.queue.pop_front();
        }
        if !self.queue.is_empty() {
            calendar.wake_load_store(calendar.now() + 1, usize::from(self.smx));
        }
        done && was_full
    }

    /// `line` has come from the L2. Appends the loads that get data to `loads`.
    pub fn fill(&mut self, line: u64, loads: &mut Vec<u32>, calendar: &mut Calendar) {
        self.l1.fill(line, loads);
        if self.stalled {
            self.stalled = false;
            calendar.wake_load_store(calendar.now(), usize::from(self.smx));
        }
    }

    /// One transaction of `load` has its data. When it was the last one, returns the warp and the
    /// register that waited.
    pub fn data(&mut self, load: u32) -> Option<(usize, Option<Register>)> {
        let entry = &mut self.loads[load as usize];
        entry.transactions -= 1;
        if entry.transactions > 0 {
            return None;
        }
        self.free_loads.push(load);
        Some((usize::from(entry.warp), entry.register))
    }
}
