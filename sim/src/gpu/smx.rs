//! A streaming multiprocessor: its thread-block slots, its warps, and what it reports.
//!
//! Timing: a block dispatched in cycle `c` issues its first instruction in `c + 1`; when its last
//! warp exits in `t`, it is reported in `t + 1`. A block with a stated duration `d` is reported in
//! `c + d`. Two blocks that end together are reported one cycle after the other.

mod issue;

use std::collections::VecDeque;

use super::block::ResidentBlock;
use super::config::GpuConfig;
use super::event::{Calendar, Event};
use super::load_store::LoadStore;
use super::warp::{Warp, ISSUE_CLASSES, UNITS};
use super::warp_scheduler::{self, WarpScheduler};
use crate::diagnostic::InputError;
use crate::port::Dim3;
use crate::workload::program::{KernelCode, Unit};

/// Most warps of an SMX: their sets are 64-bit words.
pub const MAX_WARPS: usize = 64;

/// What an SMX did so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SmxCounts {
    /// Cycles with at least one resident block.
    pub busy_cycles: u64,
    /// Thread blocks dispatched to it.
    pub thread_blocks: u64,
    /// Instructions issued, one a warp.
    pub warp_instructions: u64,
    /// Instructions issued times active lanes.
    pub thread_instructions: u64,
}

/// One warp scheduler with its units.
struct Scheduler {
    policy: Box<dyn WarpScheduler>,
    /// Warp slots that it serves.
    warps: u64,
    /// For each unit the first cycle in which it takes another instruction.
    unit_free: [u64; UNITS],
}

/// See the module.
pub struct Smx {
    id: u8,
    slots: Vec<Option<ResidentBlock>>,
    resident: u32,
    busy_since: u64,
    warps: Vec<Option<Warp>>,
    free_warps: u64,
    /// For each warp slot the order in which its warp started.
    ages: [u64; MAX_WARPS],
    started: u64,
    schedulers: Vec<Scheduler>,
    issue_width: u32,
    unit_latency: [u64; UNITS],
    unit_initiation: [u64; UNITS],
    shared_latency: u64,
    /// Warps whose next instruction has its operands, by what else it needs.
    ready: [u64; ISSUE_CLASSES],
    load_store: LoadStore,
    invalidate_when_empty: bool,
    /// Slots whose blocks have ended and are not reported yet.
    ended: VecDeque<u8>,
    counts: SmxCounts,
    /// Kept between calls so that a fill allocates nothing.
    filled: Vec<u32>,
}

impl Smx {
    /// SMX number `id`, empty.
    pub fn new(id: u8, config: &GpuConfig) -> Self {
        let warps = config.smx.threads as usize / 32;
        let count = config.warp.schedulers as usize;
        let served = |first: usize| (first..warps).step_by(count).fold(0, |set, w| set | 1 << w);
        let units = [Unit::Integer, Unit::Single, Unit::Double, Unit::Special, Unit::Tensor];
        Self {
            id,
            slots: vec![None; config.smx.thread_block_slots as usize],
            resident: 0,
            busy_since: 0,
            warps: (0..warps).map(|_| None).collect(),
            free_warps: u64::MAX >> (MAX_WARPS - warps),
            ages: [0; MAX_WARPS],
            started: 0,
            schedulers: (0..count)
                .map(|first| Scheduler {
                    policy: warp_scheduler::build(config.warp.policy),
                    warps: served(first),
                    unit_free: [0; UNITS],
                })
                .collect(),
            issue_width: config.warp.issue_width,
            unit_latency: units.map(|unit| config.unit_latency(unit)),
            unit_initiation: units.map(|unit| config.unit_initiation(unit)),
            shared_latency: u64::from(config.latency.shared),
            ready: [0; ISSUE_CLASSES],
            load_store: LoadStore::new(id, &config.l1),
            invalidate_when_empty: config.l1.invalidate_when_empty,
            ended: VecDeque::new(),
            counts: SmxCounts::default(),
            filled: Vec::new(),
        }
    }

    /// The resident blocks in order of slot.
    pub fn blocks(&self) -> impl Iterator<Item = &ResidentBlock> {
        self.slots.iter().flatten()
    }

    /// The block that is reported next, if one has ended.
    pub fn ended(&self) -> Option<&ResidentBlock> {
        let slot = *self.ended.front()?;
        self.slots[usize::from(slot)].as_ref()
    }

    /// What it did up to `cycle`, not included.
    pub fn counts(&self, cycle: u64) -> SmxCounts {
        let mut counts = self.counts;
        if self.resident > 0 {
            counts.busy_cycles += cycle - self.busy_since;
        }
        counts
    }

    /// Its first-level cache's counts.
    pub fn l1_counts(&self) -> super::l1::L1Counts {
        self.load_store.l1.counts
    }

    /// Takes in `block` for `duration` cycles from now on.
    ///
    /// # Panics
    /// When no slot is free, as for [`Smx::start_code`]; the invariants keep that from happening.
    pub fn start_timed(&mut self, block: ResidentBlock, duration: u64, calendar: &mut Calendar) {
        let slot = self.occupy(block, calendar.now());
        let end = calendar.now() + duration;
        calendar.schedule(end, Event::BlockEnd { smx: self.id, slot });
    }

    /// Takes in `block` with `warps` warps that run `code`.
    pub fn start_code(
        &mut self,
        block: ResidentBlock,
        warps: u32,
        code: &dyn KernelCode,
        calendar: &mut Calendar,
    ) -> Result<(), InputError> {
        let index: Dim3 = block.block;
        let slot = self.occupy(block, calendar.now());
        let mut alive = 0;
        let mut programs = Vec::new();
        code.block(index, warps, &mut programs)?;
        for program in programs {
            let warp_slot = self.free_warps.trailing_zeros() as usize;
            assert!(warp_slot < self.warps.len(), "SMX {} has no warp slot left", self.id);
            self.free_warps &= !(1 << warp_slot);
            self.ages[warp_slot] = self.started;
            self.started += 1;
            alive |= 1 << warp_slot;
            self.warps[warp_slot] = Some(Warp::new(slot, program));
        }
        self.block_mut(slot).alive = alive;
        self.resume(alive, calendar);
        Ok(())
    }

    /// A block has ended; it is reported from this cycle on.
    pub fn block_ended(&mut self, slot: u8) {
        self.ended.push_back(slot);
    }

    /// The block that was reported leaves its slot.
    pub fn release(&mut self, cycle: u64) -> Option<ResidentBlock> {
        let slot = self.ended.pop_front()?;
        let block = self.slots[usize::from(slot)].take();
        self.resident -= 1;
        if self.resident == 0 {
            self.counts.busy_cycles += cycle - self.busy_since;
            if self.invalidate_when_empty {
                self.load_store.l1.invalidate();
            }
        }
        block
    }

    fn occupy(&mut self, block: ResidentBlock, cycle: u64) -> u8 {
        let slot = self.slots.iter().position(Option::is_none);
        let slot = slot.unwrap_or_else(|| panic!("SMX {} has no free slot", self.id));
        self.slots[slot] = Some(block);
        if self.resident == 0 {
            self.busy_since = cycle;
        }
        self.resident += 1;
        self.counts.thread_blocks += 1;
        slot as u8
    }

    fn block_mut(&mut self, slot: u8) -> &mut ResidentBlock {
        self.slots[usize::from(slot)].as_mut().expect("a warp's block is resident")
    }
}
