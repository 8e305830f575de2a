//! A streaming multiprocessor: its thread-block slots, its warps, and what it reports.
//!
//! ```text
//!   fetch --> buffers --+
//!                       v
//!   scoreboard --> [ issue: warp schedulers ] --> units
//!                       ^                    \--> load/store unit --> L1 --> memory
//!                       +----- arrivals --------------------------------------+
//! ```
//!
//! Timing: a block dispatched in cycle `c` may issue its first instruction in `c + 1`; when its
//! last warp exits in `t`, it is reported in `t + 1` plus the latency of the pipeline. A block with
//! a stated duration `d` is reported in `c + d`. Two blocks that end together are reported one
//! cycle after the other.

pub mod activity;
mod clusters;
mod contexts;
mod control;
mod dependents;
mod fetch;
mod issue;
mod measuring;
mod memory;
mod pausing;
mod pulls;
mod questions;
mod soon;
mod starts;
mod sub_cores;
mod suspension;
mod triggers;
mod turns;
mod units;
mod warps;

use std::collections::{BTreeMap, VecDeque};

use super::block::ResidentBlock;
use super::config::GpuConfig;
use super::contention::Shared;
use super::device::{Call, CallLatency};
use super::event::Calendar;
use super::failure::Failure;
use super::intervals::Intervals;
use super::load_store::{CoherenceCounts, LoadStore, LoadStoreCounts, ReadOnlyCounts};
use super::memory::Memory;
use super::sharing::SmxSharing;
use super::warp_scheduler::{AnyWarpScheduler, CtaGroups};
use crate::port::LaunchMode;
use crate::program::{Reply, Space, WarpProgram};
use crate::warp_set::{slots, WarpSet};
use activity::{Activity, Meter};
use contexts::Contexts;
use fetch::Fetch;
pub use fetch::FetchCounts;
use pausing::Pausing;
use pulls::Pulls;
use questions::Answer;
use soon::Soon;
use sub_cores::SubCores;
pub use suspension::SavedBlock;
use turns::Turns;
use units::{ISSUE_CLASSES, UNITS};
use warps::Warps;
pub use warps::{Near, MAX_WARPS};

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
    /// Warp instructions by unit: integer, single, double, special, tensor.
    pub unit_instructions: [u64; UNITS],
    /// Its cycles by what it did.
    pub activity: Activity,
    /// Its instruction cache.
    pub fetch: FetchCounts,
    /// Its load/store unit.
    pub load_store: LoadStoreCounts,
    /// Its part in the coherence protocol.
    pub coherence: CoherenceCounts,
    /// Its first-level cache.
    pub l1: super::l1::L1Counts,
    /// Its constant cache.
    pub constant_cache: ReadOnlyCounts,
    /// Its texture cache.
    pub texture_cache: ReadOnlyCounts,
}

/// What warps ask of the device runtime.
pub enum Request {
    /// A warp of the block in this slot has issued a launch instruction, and makes these calls.
    Launch(u8, VecDeque<Call>),
    /// The warp in this slot goes on when what its block has launched has finished.
    Synchronize(usize),
    /// All of a cluster have arrived at its barrier: these warps go on, each with its SMX.
    GoOn(Vec<(u8, usize)>),
}

/// One warp scheduler.
struct Scheduler {
    policy: AnyWarpScheduler,
    /// Warp slots that it serves.
    warps: WarpSet,
}

/// See the module.
pub struct Smx {
    id: u8,
    slots: Vec<Option<ResidentBlock>>,
    resident: u32,
    /// The groups of its blocks, for warp schedulers that know blocks.
    groups: CtaGroups,
    /// For each block slot the group of its block.
    block_groups: Vec<u64>,
    /// And the number of its kernel's code.
    block_codes: Vec<u32>,
    warps: Warps,
    /// Warps that have not exited.
    alive: WarpSet,
    /// How many these are.
    alive_warps: u32,
    /// Warps that have exited and whose stores are on their way.
    draining: WarpSet,
    /// Warps that have not exited, whose block is being suspended, and for which values are on
    /// their way.
    parting: WarpSet,
    /// Warps that wait at a barrier or for launches, of all resident blocks.
    at_barrier: WarpSet,
    /// Which of its blocks issue nothing.
    pausing: Pausing,
    schedulers: Vec<Scheduler>,
    turns: Turns,
    pulls: Pulls,
    /// Whether a warp has issued in this cycle.
    has_issued: bool,
    issue_width: u32,
    exit_waits_for_stores: bool,
    pipeline_latency: u64,
    units: SubCores,
    fetch: Fetch,
    /// Warps whose next instruction has its operands.
    ready: WarpSet,
    /// Those whose next instruction will have them in a cycle that is near.
    soon: Soon,
    /// All warps, by what their next instruction needs beside its operands.
    needs: [WarpSet; ISSUE_CLASSES],
    /// Warps with an instruction in their buffer.
    buffered: WarpSet,
    load_store: LoadStore,
    invalidate_when_empty: bool,
    /// The kernel whose block started last, for protocols that invalidate at a kernel's start.
    kernel: Option<usize>,
    /// Blocks of stated durations that slow each other down.
    shared: Shared,
    contexts: Contexts,
    /// Where parameters of what was launched from the device are loaded from.
    parameters: Space,
    has_texture_cache: bool,
    /// Slots whose blocks have ended and are not reported yet.
    ended: VecDeque<u8>,
    /// Slots of blocks whose trigger is due and has not been reported; only for schedulers that see
    /// triggers.
    triggering: VecDeque<u8>,
    /// Blocks that ask for another one, by the cycle from which on they do, their slot and the
    /// question's number, with who gets the answer if an instruction has asked; only for schedulers
    /// that answer.
    asking: BTreeMap<(u64, u8, u64), Option<Reply>>,
    /// How many questions there were.
    questions: u64,
    /// Those of instructions, by the slot of their block, that are asked in the next cycle.
    unasked: VecDeque<(u8, Reply)>,
    /// Answers to instructions on their way, in order, and how long they take.
    answers: VecDeque<Answer>,
    answer_latency: u64,
    /// How long warps wait for their calls of the device runtime.
    call_latency: CallLatency,
    /// What its warps have asked, in order of issue.
    requests: VecDeque<Request>,
    /// The first of its blocks that cannot go on.
    failure: Option<Box<Failure>>,
    counts: SmxCounts,
    /// Thread instructions by time, and how many are in it; only on request.
    issued: Option<Box<(Intervals, u64)>>,
    meter: Meter,
    /// What the meter had counted at the last sample.
    sampled: Activity,
    /// Kept between calls so that a block's start allocates little.
    programs: Vec<Box<dyn WarpProgram>>,
}

impl Smx {
    /// SMX number `id`, empty; `mode` says what a launch instruction takes.
    pub fn new(id: u8, mode: LaunchMode, config: &GpuConfig) -> Self {
        let warps = config.smx.threads as usize / 32;
        let count = config.warp.schedulers as usize;
        let served = |first: usize| (first..warps).step_by(count).fold(0, |set, w| set | 1 << w);
        Self {
            id,
            slots: (0..config.smx.thread_block_slots).map(|_| None).collect(),
            resident: 0,
            groups: CtaGroups::new(config, id),
            block_groups: vec![0; config.smx.thread_block_slots as usize],
            block_codes: vec![0; config.smx.thread_block_slots as usize],
            warps: Warps::new(warps),
            alive: 0,
            alive_warps: 0,
            draining: 0,
            parting: 0,
            at_barrier: 0,
            pausing: Pausing::default(),
            schedulers: (0..count)
                .map(|first| Scheduler {
                    policy: AnyWarpScheduler::new(&config.warp),
                    warps: served(first),
                })
                .collect(),
            turns: Turns::new(&config.warp),
            pulls: Pulls::new(config),
            has_issued: false,
            issue_width: config.warp.issue_width,
            exit_waits_for_stores: config.warp.exit_waits_for_stores,
            pipeline_latency: u64::from(config.latency.pipeline),
            units: SubCores::new(config),
            fetch: Fetch::new(id, config),
            ready: 0,
            soon: Soon::default(),
            needs: [0; ISSUE_CLASSES],
            buffered: 0,
            load_store: LoadStore::new(id, config),
            invalidate_when_empty: config.l1.invalidate_when_empty,
            kernel: None,
            shared: Shared::default(),
            contexts: Contexts::new(config.launch.context),
            parameters: match config.launch.parameters_in_memory {
                true => Space::Global,
                false => Space::Constant,
            },
            has_texture_cache: config.texture.is_there(),
            ended: VecDeque::new(),
            triggering: VecDeque::new(),
            asking: BTreeMap::new(),
            questions: 0,
            unasked: VecDeque::new(),
            answers: VecDeque::new(),
            answer_latency: u64::from(config.launch.cancel).max(1),
            call_latency: CallLatency::of_launch(mode, &config.launch),
            requests: VecDeque::new(),
            failure: None,
            counts: SmxCounts::default(),
            issued: None,
            meter: Meter::default(),
            sampled: Activity::default(),
            programs: Vec::new(),
        }
    }

    /// The resident blocks in order of slot.
    pub fn blocks(&self) -> impl Iterator<Item = &ResidentBlock> {
        self.slots.iter().flatten()
    }

    /// The block that is reported next, if one has ended.
    pub fn ended(&self) -> Option<&ResidentBlock> {
        self.slots[usize::from(self.ended_slot()?)].as_ref()
    }

    /// Its slot.
    pub fn ended_slot(&self) -> Option<u8> {
        self.ended.front().copied()
    }

    /// The next request of a warp that has not been taken.
    #[inline]
    pub fn take_request(&mut self) -> Option<Request> {
        self.requests.pop_front()
    }

    /// The block of the warp in `slot`.
    ///
    /// # Panics
    /// When there is none.
    pub fn block_of(&mut self, slot: usize) -> &mut ResidentBlock {
        self.block_mut(self.warps.block_slot[slot])
    }

    /// The first of its blocks that cannot go on, if it has not been taken.
    #[inline]
    pub fn take_failure(&mut self) -> Option<Box<Failure>> {
        self.failure.take()
    }

    /// A block has ended; it is reported from this cycle on.
    pub fn block_ended(&mut self, slot: u8) {
        self.ended.push_back(slot);
    }

    /// The block that was reported leaves its slot.
    pub fn release(
        &mut self,
        memory: &mut Memory,
        calendar: &mut Calendar,
    ) -> Option<ResidentBlock> {
        let slot = self.ended.pop_front()?;
        let block = self.slots[usize::from(slot)].take();
        self.block_codes[usize::from(slot)] = 0;
        self.warps.free |= block.as_ref().map_or(0, |block| block.reserved);
        self.resident -= 1;
        self.pausing.left(slot);
        self.pause(calendar);
        if self.resident == 0 {
            self.turns.rest(calendar.now());
            if self.invalidate_when_empty {
                self.load_store.invalidate(memory, calendar);
            }
        }
        self.measure(calendar.now());
        block
    }

    /// Whether a block of `kernel` would be the first one since another kernel's.
    pub fn changes_kernel(&mut self, kernel: usize) -> bool {
        self.kernel.replace(kernel) != Some(kernel)
    }

    /// As [`super::Gpu::look_for_sharing`].
    pub(crate) fn look_for_sharing(&mut self) {
        self.load_store.sharing = Some(Box::default());
    }

    /// What it keeps of what its blocks share, if that is looked for.
    pub(crate) fn sharing(&self) -> Option<&SmxSharing> {
        self.load_store.sharing.as_deref()
    }

    /// Its load/store unit.
    #[cfg(test)]
    pub fn load_store(&self) -> &LoadStore {
        &self.load_store
    }

    /// As [`Pulls::can_wait`].
    #[cfg(test)]
    pub fn pulls_can_wait(&mut self, now: bool) -> bool {
        self.pulls.can_wait(now)
    }

    /// A kernel starts here: the L1 forgets what other SMXs may have overwritten.
    pub fn acquire(&mut self, memory: &mut Memory, calendar: &mut Calendar) {
        self.load_store.acquire(memory, calendar);
    }

    /// Whether it has no block.
    pub fn is_empty(&self) -> bool {
        self.resident == 0
    }

    /// Its L1, of which nothing is on its way, has `size` bytes from now on; what was in it is
    /// forgotten, if that is another size.
    pub fn resize_l1(&mut self, size: u32, memory: &mut Memory, calendar: &mut Calendar) {
        self.load_store.resize_l1(size, memory, calendar);
    }

    /// The block in `slot`.
    ///
    /// # Panics
    /// When there is none.
    #[inline]
    pub fn block_mut(&mut self, slot: u8) -> &mut ResidentBlock {
        self.slots[usize::from(slot)].as_mut().expect("a warp's block is resident")
    }
}
