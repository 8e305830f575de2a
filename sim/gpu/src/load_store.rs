//! The load/store unit of an SMX: memory instructions in order, one access a cycle.
//!
//! An access of global memory looks up the L1 or goes past it; one of shared memory takes as many
//! cycles as lanes conflict on a bank; one of constants or textures looks up their cache, and where
//! there is none constants always hit.

mod coherence;
mod denovo;
mod global;
mod loads;
mod queued;
mod read_only;
mod sharing;

pub use denovo::CoherenceCounts;
pub use loads::Arrival;
pub use read_only::ReadOnlyCounts;

use std::collections::VecDeque;

use super::cache::WayId;
use super::coalescer::{coalesce, LineAccess, WORD_BYTES};
use super::config::{GpuConfig, Protocol};
use super::event::Calendar;
use super::fifo::Fifo;
use super::l1::{expand, L1};
use super::memory::{FirstLevel, Memory};
use super::prefetch::prefetch;
use super::sharing::SmxSharing;
use crate::program::{Access, Instruction, Space};
use denovo::Owner;
use loads::Loads;
use queued::{Queued, Work};
use read_only::ReadOnly;

/// What one cycle of the unit led to.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Turn {
    /// A register whose value is known to come.
    pub arrival: Option<Arrival>,
    /// A full queue has room again.
    pub room: bool,
    /// A warp that has made a store, and the acknowledgements that it waits for now in addition.
    pub stored: Option<(u8, u32)>,
}

/// Accesses of the unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LoadStoreCounts {
    /// Cycles of shared memory, one a bank conflict.
    pub shared: u64,
    /// Those of them after an instruction's first.
    pub conflicts: u64,
    /// Accesses of constant memory, those of its cache included.
    pub constant: u64,
    /// Loads and atomics past the L1, and stores that went to the L2.
    pub past_l1: u64,
    /// Cycles in which the first access could not be made.
    pub stalls: u64,
}

/// See the module.
#[derive(Debug)]
pub struct LoadStore {
    smx: u8,
    /// The first-level cache behind it.
    pub l1: L1,
    constant: Option<Box<ReadOnly>>,
    texture: Option<Box<ReadOnly>>,
    /// What it did so far.
    pub counts: LoadStoreCounts,
    /// Its part in the coherence protocol so far.
    pub coherence: CoherenceCounts,
    /// Only on request: what its blocks share.
    pub(crate) sharing: Option<Box<SmxSharing>>,
    /// Only under DeNovo.
    owner: Option<Box<Owner>>,
    /// A kernel starts: accesses wait until what was requested before has come and is forgotten.
    acquiring: bool,
    global_through_l1: bool,
    line_shift: u32,
    /// Words that an access covers at most.
    transaction_words: u32,
    l2_sector_words: u32,
    l1_latency: u64,
    store_latency: u64,
    shared_latency: u64,
    cluster_latency: u64,
    constant_latency: u64,
    issue_latency: u64,
    capacity: usize,
    /// Stores on their way and their limit, 0: none.
    stores: u32,
    store_buffer: u32,
    queue: VecDeque<Queued>,
    /// The accesses of the queued instructions that look up a cache, or go past one, in order.
    accesses: Fifo<LineAccess>,
    loads: Loads,
    /// The cycle since which the first access waits for a fill or an acknowledgement.
    stalled_since: Option<u64>,
    /// Kept between calls so that nothing is allocated.
    coalesced: Vec<LineAccess>,
    filled: Vec<u32>,
    write_backs: Vec<LineAccess>,
}

impl LoadStore {
    /// An idle unit of SMX `smx`.
    pub fn new(smx: u8, config: &GpuConfig) -> Self {
        let coherence = &config.coherence;
        let denovo = coherence.protocol == Protocol::Denovo;
        let owner = || Box::new(Owner::new(coherence.store_buffer, coherence.forward));
        Self {
            smx,
            l1: L1::new(config),
            constant: ReadOnly::new(&config.constant, config.latency.constant).map(Box::new),
            texture: ReadOnly::new(&config.texture, config.latency.texture).map(Box::new),
            counts: LoadStoreCounts::default(),
            coherence: CoherenceCounts::default(),
            sharing: None,
            owner: denovo.then(owner),
            acquiring: false,
            global_through_l1: config.l1.global,
            line_shift: config.l1.line.trailing_zeros(),
            transaction_words: config.l1.transaction / WORD_BYTES as u32,
            l2_sector_words: config.l2.sector / WORD_BYTES as u32,
            l1_latency: u64::from(config.l1.latency),
            store_latency: if config.l1.global { config.l1.store_latency.into() } else { 0 },
            shared_latency: u64::from(config.latency.shared),
            cluster_latency: match config.latency.cluster {
                0 => config.latency.shared.into(),
                cycles => cycles.into(),
            },
            constant_latency: u64::from(config.latency.constant),
            issue_latency: u64::from(config.latency.memory_issue),
            capacity: config.l1.queue as usize,
            stores: 0,
            store_buffer: coherence.store_buffer,
            queue: VecDeque::new(),
            accesses: Fifo::default(),
            loads: Loads::new(config),
            stalled_since: None,
            coalesced: Vec::new(),
            filled: Vec::new(),
            write_backs: Vec::new(),
        }
    }

    /// Whether no further instruction can be queued.
    #[inline]
    pub fn full(&self) -> bool {
        self.queue.len() >= self.capacity
    }

    /// It will have its turn soon.
    #[inline]
    pub fn announce(&self) {
        self.queue.front().into_iter().for_each(prefetch);
        prefetch(&self.loads);
    }

    /// The warp of the first instruction that is queued.
    #[inline]
    pub fn next_warp(&self) -> Option<usize> {
        self.queue.front().map(|first| usize::from(first.warp))
    }

    /// Stores of `warp` that are queued and will be acknowledged.
    #[inline]
    pub fn queued(&self, warp: usize) -> u32 {
        let stores = |entry: &&Queued| {
            let global = matches!(entry.work, Work::Global { .. });
            usize::from(entry.warp) == warp && entry.load.is_none() && global
        };
        self.queue.iter().filter(stores).count() as u32
    }

    /// Whether `warp`, which has exited and whose stores are acknowledged so far, may leave. Under
    /// DeNovo not while it has stores queued: another SMX would not see them in the next kernel.
    /// Without owners it may: that is how GPGPU-Sim's figures were met.
    #[inline]
    pub fn releases(&self, warp: usize) -> bool {
        self.owner.is_none() || self.queued(warp) == 0
    }

    /// Queues a memory instruction of `warp` that issues in this cycle; one of shared memory takes
    /// `shared_cycles` ([`bank_conflicts`](crate::coalescer::bank_conflicts)). Returns whether
    /// anything comes of it: an access of no lane does nothing.
    #[inline]
    pub fn issue(
        &mut self,
        warp: usize,
        instruction: &Instruction,
        (space, access, bytes): (Space, Access, u8),
        shared_cycles: u32,
        calendar: &mut Calendar,
    ) -> bool {
        if instruction.active == 0 {
            return false;
        }
        let (work, accesses) = match space {
            Space::Global => {
                coalesce(instruction, bytes, self.line_shift, &mut self.coalesced);
                let accesses = self.queue_accesses();
                (Work::Global { access, accesses }, accesses)
            }
            Space::Shared | Space::Cluster => {
                let elsewhere = space == Space::Cluster;
                (Work::Shared { cycles: shared_cycles, elsewhere }, 1)
            }
            Space::Constant if access == Access::Load => self
                .queue_read_only(FirstLevel::Constant, instruction, bytes)
                .unwrap_or((Work::Constant, 1)),
            Space::Texture => self
                .queue_read_only(FirstLevel::Texture, instruction, bytes)
                .expect("without a texture cache textures need no load/store unit"),
            Space::Constant | Space::Parameter | Space::Unplaced => (Work::Constant, 1),
        };
        let register = instruction.destination;
        let waits = access == Access::Load || access == Access::Atomic && register.is_some();
        let load = waits.then(|| self.loads.add(warp as u8, register, accesses));
        let ready = calendar.now() + self.issue_latency;
        if self.queue.is_empty() {
            calendar.wake_load_store(ready, usize::from(self.smx));
        }
        self.queue.push_back(Queued { ready, warp: warp as u8, load, work });
        true
    }

    /// One cycle: the first instruction's next access.
    #[inline]
    pub fn tick(&mut self, memory: &mut Memory, calendar: &mut Calendar) -> Turn {
        let now = calendar.now();
        let mut turn = Turn::default();
        let Some(&first) = self.queue.front() else {
            return turn;
        };
        if first.ready > now {
            calendar.wake_load_store(first.ready, usize::from(self.smx));
            return turn;
        }
        if self.acquiring {
            self.stalled_since.get_or_insert(now);
            return turn;
        }
        let done = match first.work {
            Work::Constant => {
                self.counts.constant += 1;
                turn.arrival =
                    first.load.and_then(|load| self.loads.known(load, now + self.constant_latency));
                true
            }
            Work::ReadOnly { cache, accesses } => {
                let at = *self.accesses.front().expect("a queued instruction has accesses");
                let made = self.access_read_only(at.line, &first, cache, memory, calendar);
                let Some(arrival) = made else {
                    self.stalled_since.get_or_insert(now);
                    return turn;
                };
                self.accesses.pop();
                self.counts.constant += u64::from(cache == FirstLevel::Constant);
                turn.arrival = arrival;
                if let Some(front) = self.queue.front_mut().filter(|_| accesses > 1) {
                    front.work = Work::ReadOnly { cache, accesses: accesses - 1 };
                }
                accesses == 1
            }
            Work::Shared { cycles, elsewhere } => {
                self.counts.shared += 1;
                self.counts.conflicts += u64::from(cycles > 1);
                if let Some(front) = self.queue.front_mut() {
                    front.work = Work::Shared { cycles: cycles - 1, elsewhere };
                }
                if cycles == 1 {
                    let latency =
                        if elsewhere { self.cluster_latency } else { self.shared_latency };
                    let at = now + latency;
                    turn.arrival = first.load.and_then(|load| self.loads.known(load, at));
                }
                cycles == 1
            }
            Work::Global { access, accesses } => {
                let at = *self.accesses.front().expect("a queued instruction has accesses");
                let made = self.access(at, &first, access, memory, calendar, &mut turn);
                let Some(arrival) = made else {
                    self.stalled_since.get_or_insert(now);
                    return turn;
                };
                self.accesses.pop();
                if let Some(next) = self.accesses.front() {
                    self.l1.announce_soon(next.line);
                }
                if let Some(later) = self.accesses.items().get(1) {
                    self.l1.announce(later.line);
                }
                turn.arrival = arrival;
                if let Some(front) = self.queue.front_mut().filter(|_| accesses > 1) {
                    front.work = Work::Global { access, accesses: accesses - 1 };
                }
                accesses == 1
            }
        };
        let smx = usize::from(self.smx);
        if !done {
            calendar.wake_load_store(now + 1, smx);
            return turn;
        }
        turn.room = self.full();
        self.queue.pop_front();
        if let Some(sharing) = &mut self.sharing {
            sharing.done();
        }
        if let Some(next) = self.queue.front() {
            calendar.wake_load_store(next.ready.max(now + 1), smx);
        }
        turn
    }

    /// Sectors of the line in `way` of a cache have come: reports each load that has its last data.
    #[inline]
    pub fn fill(
        &mut self,
        (cache, way): (FirstLevel, WayId),
        sectors: u32,
        calendar: &mut Calendar,
        mut arrived: impl FnMut(Arrival),
    ) {
        let now = calendar.now();
        if cache != FirstLevel::Data {
            self.fill_read_only(cache, way, now, arrived);
            return self.retry(calendar);
        }
        let words = expand(sectors, self.l2_sector_words);
        let Self { l1, loads, .. } = self;
        l1.fill(way, words, |load| {
            if let Some(arrival) = loads.data(load, now) {
                arrived(arrival);
            }
        });
        self.retry(calendar);
    }

    /// Data of `load` have come past the L1. Returns the register if they were the last ones.
    #[inline]
    pub fn data(&mut self, load: u32, cycle: u64) -> Option<Arrival> {
        self.loads.data(load, cycle)
    }

    /// A store has been acknowledged.
    #[inline]
    pub fn acknowledged(&mut self, calendar: &mut Calendar) {
        if self.owner.is_none() {
            self.stores -= 1;
        }
        if self.store_buffer > 0 {
            self.retry(calendar);
        }
    }

    /// What an access may have waited for has come: it is made again.
    #[inline]
    pub fn retry(&mut self, calendar: &mut Calendar) {
        if self.acquiring && self.l1.coming_lines() == 0 {
            self.forget_unowned();
        }
        // What waits for a way of another set than that of the line that has come goes on waiting.
        if self.l1.is_full() {
            return;
        }
        if let Some(since) = self.stalled_since.take() {
            self.counts.stalls += calendar.now() - since;
            calendar.wake_load_store(calendar.now(), usize::from(self.smx));
        }
    }
}
