//! What is proved: modules, in sizes that a proof finishes with, and how.

use crate::claso::{Gate, Levels};
use crate::clusters::{Balance, Spread};
use crate::dependent::Waiting;
use crate::dispatch::{
    Dispatcher, FcfsControl, KernelEntries, NextBlock, RoundRobin, SchedulerPair, SmxResources,
};
use crate::domains::{Share, Walk};
use crate::dtbl::GroupLists;
use crate::ikra::{BlockStep, ChunkEntry, Kernel, StealQueue};
use crate::kmu::PendingPool;
use crate::laperm::{LevelRings, LinkedQueue, QueuePair, ShiftingQueue};
use crate::module::{Fresh, Module};
use crate::most_room::{Fits, Most};
use crate::partitions::{PartitionControl, PartitionPlacement};
use crate::port::BlockId;
use crate::prim::{
    AheadMemory, BudgetArbiter, ClaimArbiter, CounterBank, Crossbar, Fifo, Quotient, RegisterFile,
    RoundRobinArbiter,
};
use crate::srtf::{DivideStage, Prediction, Predictor, Reserve, Residents, Sooner};
use crate::word::U;

/// How a proof is sought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// For all time, by induction over so many cycles; needs invariants.
    Induction(usize),
    /// For all time, by property-directed reachability, which finds invariants by itself.
    Pdr,
    /// For so many cycles after reset.
    Bounded(usize),
}

/// How long a proof takes on a core of one's own, and so who does it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Takes {
    /// Up to five seconds: the suite `quick`, and who follows.
    Moments,
    /// Up to ten, or less where `quick` has a smaller size or its lockstep leaves no fault to it:
    /// the tests, and who follows.
    Seconds,
    /// Longer: the suite `full`, and `blockyard prove`.
    Minutes,
}

/// A module whose properties are proved, in one size.
pub struct Proof {
    /// As in the catalog: `prim/fifo`.
    pub module: &'static str,
    /// The module's parameters.
    pub size: &'static str,
    /// How.
    pub engine: Engine,
    /// How long it takes.
    pub takes: Takes,
    build: fn() -> Box<dyn Module>,
}

impl Proof {
    /// A new module, connected and ready for export.
    pub fn build(&self) -> Box<dyn Module> {
        let mut module = (self.build)();
        module.connect_all();
        module
    }
}

macro_rules! proofs {
    ($($module:literal $size:literal $engine:ident$(($depth:literal))? $time:ident => $build:expr),* $(,)?) => {
        vec![$(Proof {
            module: $module,
            size: $size,
            engine: Engine::$engine$(($depth))?,
            takes: proofs!(@ $time),
            build: || Box::new($build),
        }),*]
    };
    (@ moments) => { Takes::Moments };
    (@ seconds) => { Takes::Seconds };
    (@ minutes) => { Takes::Minutes };
}

const TIGHT: Levels = crate::catalog::CLASO_1_0;
const LARGE: Levels = Levels { active: 2, loose: 2 };
const LOOSE: Levels = Levels { active: 2, loose: 1 };

/// All proofs, each module's smallest size first.
pub fn proofs() -> Vec<Proof> {
    use crate::catalog::K20C;
    proofs![
        "prim/fifo" "4 words" Induction(2) moments => Fifo::<U<5>, 2>::fresh(),
        "prim/fifo" "8 words" Induction(2) moments => Fifo::<U<5>, 3>::fresh(),
        "prim/fifo" "32 words" Induction(2) seconds => Fifo::<U<5>, 5>::fresh(),
        "prim/ahead_memory" "4 words in a register file" Induction(2) moments => AheadMemory::<U<8>, 4>::of(4),
        "prim/ahead_memory" "4 words of 64 bits in a register file" Induction(2) moments => AheadMemory::<U<64>, 5>::of(4),
        "prim/ahead_memory" "8 kernels in an SRAM" Induction(2) moments => AheadMemory::<Kernel, 5>::of(8),
        "prim/ahead_memory" "16 words in an SRAM" Induction(2) seconds => AheadMemory::<crate::laperm::QueueEntry, 4>::of(16),
        "prim/register_file" "1 word, 2 writes" Induction(2) moments => RegisterFile::<U<8>, 3>::of(1, 2, 1),
        "prim/register_file" "4 words of 32 bits, 2 writes" Induction(2) moments => RegisterFile::<U<32>, 3>::of(4, 2, 1),
        "prim/register_file" "4 blocks, 2 writes" Induction(2) moments => RegisterFile::<BlockId, 2>::of(4, 2, 1),
        "prim/register_file" "32 blocks, 2 writes" Induction(2) minutes => RegisterFile::<BlockId, 5>::of(32, 2, 0),
        "prim/counter_bank" "4 counters of 11 bits, 2 ports" Induction(2) moments => CounterBank::new(2, 11, 6).with_counters(4),
        "prim/counter_bank" "4 counters of 24 bits, 1 port" Induction(2) moments => CounterBank::new(1, 24, 6).with_counters(4),
        "prim/counter_bank" "4 counters of 31 bits, 5 ports" Induction(2) moments => CounterBank::new(5, 31, 31).with_counters(4),
        "prim/counter_bank" "32 counters of 31 bits, 5 ports" Pdr minutes => CounterBank::new(5, 31, 31),
        "prim/crossbar" "3 words of 8 bits" Pdr moments => Crossbar::of(U::<8>::new(0), 3, 2),
        "prim/crossbar" "5 blocks" Pdr moments => Crossbar::of(BlockId::default(), 5, 2),
        "prim/crossbar" "32 words of 32 bits" Pdr seconds => Crossbar::of(U::<32>::new(0), 32, 1),
        "prim/quotient" "13 bits" Pdr minutes => Quotient::new(13),
        "prim/quotient" "18 bits" Pdr minutes => Quotient::new(18),
        "prim/round_robin_arbiter" "5 requesters" Pdr moments => RoundRobinArbiter::new(5),
        "prim/round_robin_arbiter" "32 requesters" Pdr minutes => RoundRobinArbiter::new(32),
        "prim/claim_arbiter" "3 claimants" Pdr moments => ClaimArbiter::new(3),
        "prim/claim_arbiter" "15 claimants" Pdr minutes => ClaimArbiter::new(15),
        "prim/budget_arbiter" "4 requesters" Pdr moments => BudgetArbiter::new(4),
        "prim/budget_arbiter" "6 requesters" Pdr minutes => BudgetArbiter::new(6),
        "dispatch/round_robin" "4 SMXs" Induction(2) moments => RoundRobin::new(4),
        "dispatch/round_robin" "13 SMXs" Induction(2) moments => RoundRobin::new(13),
        "dispatch/round_robin" "32 SMXs" Induction(2) seconds => RoundRobin::new(32),
        "dispatch/resource_table" "one SMX" Induction(2) seconds => SmxResources::new(K20C),
        "dispatch/dispatcher" "2 SMXs, 2 entries" Induction(2) minutes => Dispatcher::new(2, K20C).with_entries(2),
        "dispatch/dispatcher" "2 SMXs, 4 entries" Induction(2) minutes => Dispatcher::new(2, K20C).with_entries(4),
        "dispatch/dispatcher" "2 SMXs, 8 entries" Induction(2) minutes => Dispatcher::new(2, K20C).with_entries(8),
        "dispatch/dispatcher" "2 SMXs, 2 entries, blocks cancel" Induction(2) minutes => Dispatcher::with_cancel(2, K20C).with_entries(2),
        "dispatch/scheduler_pair" "2 SMXs, 2 kernels, pA=2, pL=2" Induction(2) minutes => SchedulerPair::new(2, K20C, LARGE),
        "dispatch/kernel_entries" "2 SMXs, 2 entries" Induction(2) moments => KernelEntries::new(2).with_entries(2),
        "dispatch/next_block" "grids of any extent" Pdr moments => NextBlock::fresh(),
        "kmu/pending_pool" "2^32 places" Induction(2) moments => PendingPool::fresh(),
        "claso/gate" "2 cores, 2 kernels, pA=1, pL=0" Induction(2) minutes => Gate::with_entries(2, TIGHT, 2),
        "claso/gate" "2 cores, 2 kernels, pA=2, pL=1" Induction(2) minutes => Gate::with_entries(2, LOOSE, 2),
        "ikra/steal_queue" "4 entries" Induction(2) seconds => StealQueue::new(4),
        "ikra/steal_queue" "8 entries" Induction(2) minutes => StealQueue::new(8),
        "ikra/block_step" "grids of any extent" Pdr moments => BlockStep::fresh(),
        "ikra/chunk_entry" "grids up to 2 x 2 x 2" Pdr minutes => ChunkEntry::new(true),
        "dtbl/group_lists" "2 kernels" Induction(2) seconds => GroupLists::with_kernels(2),
        "dtbl/group_lists" "32 kernels" Induction(2) minutes => GroupLists::new(),
        "laperm/level_rings" "1 level" Induction(2) moments => LevelRings::new(1),
        "laperm/level_rings" "3 levels" Induction(2) seconds => LevelRings::new(3),
        "laperm/linked_queue" "2 entries, 2 levels" Induction(2) seconds => LinkedQueue::new(2, 2),
        "laperm/linked_queue" "4 entries, 2 levels" Induction(2) minutes => LinkedQueue::new(4, 2),
        "laperm/shifting_queue" "2 entries, 2 levels" Induction(2) seconds => ShiftingQueue::new(2, 2),
        "laperm/shifting_queue" "4 entries, 2 levels" Induction(2) minutes => ShiftingQueue::new(4, 2),
        "srtf/sooner" "eight kernels" Pdr moments => Sooner::fresh(),
        "srtf/divide_stage" "eight digits" Induction(2) moments => DivideStage::fresh(),
        "srtf/residents" "eight kernels" Induction(2) moments => Residents::fresh(),
        "srtf/prediction" "one kernel" Induction(2) moments => Prediction::fresh(),
        "srtf/predictor" "eight kernels" Pdr minutes => Predictor::fresh(),
        "srtf/reserve" "eight kernels" Pdr minutes => Reserve::new(K20C),
        "dispatch/fcfs_control" "2 levels, 2 entries" Induction(2) seconds => FcfsControl::with_entries(2, 2),
        "dispatch/fcfs_control" "3 levels, 4 entries" Induction(2) minutes => FcfsControl::with_entries(3, 4),
        "most_room/fits" "one SMX" Pdr seconds => Fits::fresh(),
        "most_room/most" "3 SMXs" Pdr moments => Most::new(3),
        "most_room/most" "13 SMXs" Pdr minutes => Most::new(13),
        "clusters/spread" "GPCs of 2 and 1" Induction(2) seconds => Spread::new(&[2, 1]),
        "clusters/spread" "GPCs of 3, 2 and 2" Induction(2) minutes => Spread::new(&[3, 2, 2]),
        "clusters/balance" "GPCs of 2 and 1" Induction(2) seconds => Balance::new(&[2, 1]),
        "clusters/balance" "GPCs of 3, 2 and 2" Induction(2) minutes => Balance::new(&[3, 2, 2]),
        "partitions/control" "2 partitions, 2 entries" Induction(2) seconds => PartitionControl::with_entries(2, 2),
        "partitions/control" "3 partitions, 4 entries" Induction(2) minutes => PartitionControl::with_entries(3, 4),
        "partitions/placement" "3 SMXs, 2 partitions" Induction(2) moments => PartitionPlacement::new(3, 2),
        "partitions/placement" "13 SMXs, 5 partitions" Induction(2) minutes => PartitionPlacement::new(13, 5),
        "dependent/waiting" "2 SMXs" Induction(2) minutes => Waiting::new(2),
        "domains/walk" "the second of 3 domains, chunks of 3" Induction(2) moments => Walk::new(3, 1, 3),
        "domains/walk" "the last of 8 domains, chunks of 1" Induction(2) moments => Walk::new(8, 7, 1),
        "domains/walk" "the first of 8 domains, chunks of 1,024" Induction(2) minutes => Walk::new(8, 0, 1024),
        "domains/share" "the last of 2 domains" Induction(2) seconds => Share::new(2, 1),
        "domains/share" "the second of 4 domains" Induction(2) minutes => Share::new(4, 1),
        "laperm/queue_pair" "2 entries, 2 levels" Bounded(10) minutes => QueuePair::new(2, 2),
    ]
}
