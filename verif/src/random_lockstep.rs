//! Lockstep on random traffic: no GPU, every corner.

mod narrator;

use crate::coverage::PortCover;
use crate::engine::{Mismatch, RtlError, RtlScheduler, Running, Tap};
use crate::family;
use crate::mismatch::Repeatable;
use crate::regress::StopFlag;
use crate::traffic::{Intensity, Traffic};
use crate::waves::Dumped;
use blockyard_sim::port::{
    FloorPlan, GroupOutcome, GroupStorage, Inputs, LaunchMode, Outputs, Scheduler, SmxLimits,
};
use blockyard_sim::run::observer::{Observer, Observers};
use blockyard_sim::sched::composition::Gate;
use blockyard_sim::sched::invariants::Invariants;
use blockyard_sim::sched::{self, Composition};
use narrator::Narrator;

/// What to run.
#[derive(Clone, Debug)]
pub struct RandomLockstep {
    /// The scheduler.
    pub composition: Composition,
    /// SMXs, 1 to 144, and which belong together.
    pub plan: FloorPlan,
    /// What each of them holds.
    pub limits: SmxLimits,
    /// How what blocks launch reaches them.
    pub launch: LaunchMode,
    /// What the scheduler holds of groups.
    pub storage: GroupStorage,
    /// How much happens.
    pub intensity: Intensity,
    /// Makes the traffic repeatable.
    pub seed: u64,
    /// Cycles to run.
    pub cycles: u64,
}

/// Why it ended early.
#[derive(Debug, thiserror::Error)]
pub enum RandomFailure {
    /// The engines differ.
    #[error("cycle {}: {}", .0.cycle, .0.difference)]
    Mismatch(Mismatch),
    /// Both agree on something that no scheduler may do.
    #[error("cycle {cycle}: {message}")]
    Invariant {
        /// The cycle.
        cycle: u64,
        /// The rule that is broken.
        message: String,
    },
    /// There is no twin of the composition.
    #[error("{0}")]
    Twin(String),
    /// There is no hardware for the composition.
    #[error(transparent)]
    Rtl(#[from] RtlError),
}

/// What happened in a run, so that a test can insist that enough did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Kernels accepted.
    pub launches: u64,
    /// Blocks dispatched.
    pub dispatches: u64,
    /// Kernels that ended.
    pub ends: u64,
    /// Cycles with a kernel waiting for an entry.
    pub full: u64,
    /// Resets.
    pub resets: u64,
    /// Cycles in which the SMXs sent their counts.
    pub samples: u64,
    /// Most blocks dispatched in one cycle.
    pub most: u64,
    /// Kernels that came from a pool.
    pub records: u64,
    /// Groups coalesced, and those of them whose information stayed in memory.
    pub coalesced: u64,
    /// See `coalesced`.
    pub overflowed: u64,
    /// Groups without an eligible kernel.
    pub refused: u64,
    /// Links written to memory.
    pub links: u64,
    /// Groups in memory that were asked for, and those of them while another one was on its way.
    pub fetches: u64,
    /// See `fetches`.
    pub overlapping: u64,
    /// Kernels that ended in the cycle in which they were not kept any more.
    pub kept: u64,
    /// Blocks of groups dispatched.
    pub group_blocks: u64,
    /// Units put into overflow queues in memory.
    pub spills: u64,
    /// Units that came back from there.
    pub refills: u64,
}

impl RandomLockstep {
    fn smx(&self) -> usize {
        self.plan.smx()
    }

    /// Runs twin and hardware on the same traffic.
    ///
    /// # Errors
    /// The first difference or broken rule.
    pub fn run(&self) -> Result<Counts, RandomFailure> {
        self.run_watched(None, &StopFlag::new())
    }

    /// As [`run`](Self::run), with engines of the caller's making; ends early when `stop` is raised.
    ///
    /// # Errors
    /// The first difference or broken rule.
    pub fn run_against(
        &self,
        twin: Box<dyn Scheduler>,
        hardware: RtlScheduler,
        stop: &StopFlag,
    ) -> Result<Counts, RandomFailure> {
        self.drive(Running::lockstep(twin, hardware, None), stop, None)
    }

    /// As [`run`](Self::run), while `tap` sees the hardware; the counts are of less when `stop` is
    /// raised.
    ///
    /// # Errors
    /// The first difference or broken rule.
    pub fn run_watched(
        &self,
        tap: Option<Box<dyn Tap>>,
        stop: &StopFlag,
    ) -> Result<Counts, RandomFailure> {
        let running = Running::lockstep(self.twin()?, self.hardware()?, tap);
        self.drive(running, stop, None)
    }

    pub(crate) fn hardware(&self) -> Result<RtlScheduler, RtlError> {
        let Self { composition, plan, limits, launch, storage, .. } = self;
        RtlScheduler::build_for(composition, *launch, *storage, plan.clone(), *limits)
    }

    pub(crate) fn twin(&self) -> Result<Box<dyn Scheduler>, RandomFailure> {
        let Self { composition, plan, limits, launch, storage, .. } = self;
        sched::build_for(composition, *launch, *storage, plan.clone(), *limits)
            .map_err(|error| RandomFailure::Twin(error.to_string()))
    }

    /// Lets an engine run on the traffic, while the observer is told of it as of any run.
    pub(crate) fn drive(
        &self,
        running: Running,
        stop: &StopFlag,
        observer: Option<&mut dyn Observer>,
    ) -> Result<Counts, RandomFailure> {
        let Running { mut scheduler, mismatch, lingers, mut witness, .. } = running;
        let mut observers: Vec<&mut dyn Observer> = Vec::new();
        observers.extend(witness.iter_mut().map(|witness| &mut **witness as &mut dyn Observer));
        if let Some(observer) = observer {
            observers.push(observer);
        }
        let mut observers = Observers(observers);
        let mut narrator = Narrator::new(self.smx(), self.limits.thread_block_slots as usize);
        let mut traffic = self.traffic();
        let mut invariants = self.invariants();
        let (mut inputs, mut outputs) = (Inputs::idle(self.smx()), Outputs::idle(self.smx()));
        let mut cover = PortCover::new(&self.composition, self.smx(), self.limits);
        let mut counts = Counts::default();
        let mut before = Before::default();
        for cycle in 0..self.cycles {
            if stop.is_raised() {
                break;
            }
            traffic.next(&mut inputs);
            scheduler.cycle(&inputs, &mut outputs);
            traffic.observe(&inputs, &outputs);
            if let Some(cover) = &mut cover {
                cover.cycle(&inputs, &outputs);
            }
            if !observers.0.is_empty() {
                narrator.tell(cycle, &inputs, &outputs, &mut observers);
            }
            if let Some(found) = &*mismatch.borrow() {
                // What follows is for whoever looks at it.
                if cycle - found.cycle >= lingers {
                    break;
                }
                continue;
            }
            if inputs.reset {
                invariants = self.invariants();
                counts.resets += 1;
                before = Before::default();
                continue;
            }
            counts.add(&inputs, &outputs);
            before.count(&mut counts, &inputs, &outputs);
            let checked = invariants.check(&inputs, &outputs);
            checked.map_err(|message| RandomFailure::Invariant { cycle, message })?;
        }
        if let Some(cover) = cover {
            cover.finish();
        }
        let found = mismatch.borrow_mut().take();
        found.map_or(Ok(counts), |found| Err(RandomFailure::Mismatch(found)))
    }

    pub(crate) fn traffic(&self) -> Traffic {
        let traffic = Traffic::new(self.smx(), self.limits, self.intensity, self.seed);
        let source = &self.composition.source;
        let traffic = (family::of(source).traffic)(source, traffic, self);
        let config = self.composition.gates.iter().find_map(|gate| match gate {
            Gate::Dyncta(config) => Some(*config),
            _ => None,
        });
        match config {
            Some(config) => traffic.sampling(config),
            None => traffic,
        }
    }

    pub(crate) fn invariants(&self) -> Invariants {
        Invariants::new(self.limits, self.smx(), (&self.composition).into())
            .launching(self.launch, self.storage)
            .on(&self.plan)
    }
}

impl Repeatable for RandomLockstep {
    fn dumped(&self) -> Dumped<'_> {
        Dumped {
            scheduler: &self.composition,
            launch: self.launch,
            smx: self.smx(),
            slots: self.limits.thread_block_slots as usize,
            is_lockstep: true,
        }
    }

    fn repeat(&self, tap: Box<dyn Tap>, stop: &StopFlag) {
        let _ = self.run_watched(Some(tap), stop);
    }
}

impl Counts {
    /// Adds what happened in another run.
    pub fn merge(&mut self, other: &Self) {
        let most = self.most.max(other.most);
        let sums = [
            (&mut self.launches, other.launches),
            (&mut self.dispatches, other.dispatches),
            (&mut self.ends, other.ends),
            (&mut self.full, other.full),
            (&mut self.resets, other.resets),
            (&mut self.samples, other.samples),
            (&mut self.records, other.records),
            (&mut self.coalesced, other.coalesced),
            (&mut self.overflowed, other.overflowed),
            (&mut self.refused, other.refused),
            (&mut self.links, other.links),
            (&mut self.fetches, other.fetches),
            (&mut self.overlapping, other.overlapping),
            (&mut self.kept, other.kept),
            (&mut self.group_blocks, other.group_blocks),
            (&mut self.spills, other.spills),
            (&mut self.refills, other.refills),
        ];
        for (sum, more) in sums {
            *sum += more;
        }
        self.most = most;
    }

    fn add(&mut self, inputs: &Inputs, outputs: &Outputs) {
        let offered = inputs.launch.is_some();
        self.launches += u64::from(offered && outputs.launch_ready.is_some());
        self.full += u64::from(offered && outputs.launch_ready.is_none());
        let dispatched = outputs.dispatch.iter().flatten().count() as u64;
        self.dispatches += dispatched;
        self.most = self.most.max(dispatched);
        self.samples += u64::from(inputs.samples.is_some());
        self.ends += u64::from(outputs.finished_kernels.count_ones());
        self.records += u64::from(outputs.device.management.record_entry.is_some());
        self.spills += u64::from(outputs.device.queues.spill.is_some());
        self.refills += u64::from(outputs.device.queues.refill_taken);
        self.links += u64::from(outputs.device.group_memory.link_write.is_some());
        self.group_blocks +=
            outputs.dispatch.iter().flatten().filter(|block| block.group.is_some()).count() as u64;
        match outputs.device.groups.group_taken {
            Some(GroupOutcome::Coalesced { reference, .. }) => {
                self.coalesced += 1;
                self.overflowed += u64::from(reference.pointer().is_some());
            }
            Some(GroupOutcome::NoEligibleKernel) => self.refused += 1,
            None => {}
        }
    }
}

/// What counts depend on of the cycles before.
#[derive(Default)]
struct Before {
    /// Groups in memory that were asked for and have not arrived.
    on_way: u64,
    /// Kernels that were kept.
    keep: u32,
}

impl Before {
    fn count(&mut self, counts: &mut Counts, inputs: &Inputs, outputs: &Outputs) {
        let keep = inputs.device.groups.keep;
        let released = outputs.finished_kernels & self.keep & !keep;
        counts.kept += u64::from(released.count_ones());
        self.keep = keep;
        let asked = u64::from(outputs.device.group_memory.fetch_group.is_some());
        self.on_way -= u64::from(inputs.device.group_memory.fetched.is_some());
        counts.fetches += asked;
        counts.overlapping += asked * u64::from(self.on_way > 0);
        self.on_way += asked;
    }
}
