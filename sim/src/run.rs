//! The run loop: a GPU and a scheduler, cycle by cycle, until every kernel has finished.
//!
//! Each evaluated cycle builds the inputs, asks the scheduler, checks its answer and applies it.
//! When a cycle was quiet and the next one has the same inputs, the loop goes straight to the cycle
//! in which an input changes; nothing but the counts in [`Summary`] tells the difference.

pub mod error;
pub mod observer;
mod recurrence;
mod stuck;

use crate::diagnostic::InputError;
use crate::gpu::Gpu;
use crate::port::{Activity, GroupOutcome, Inputs, Outputs, Scheduler};
use crate::sched::invariants::{Invariants, PolicyRules, Turning};
use error::RunError;
use observer::{CoalescedGroup, DispatchedBlock, EnteredKernel, Observer};
use recurrence::Recurrence;

/// How to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunOptions {
    /// The cycle from which on quiet cycles are skipped; `None`: none is.
    pub skip_from: Option<u64>,
    /// Cycles after which a run that has not ended counts as stuck; `None`: no limit but
    /// [`LAST_CYCLE`].
    pub max_cycles: Option<u64>,
    /// What the policy promises, which is checked in every evaluated cycle.
    pub rules: PolicyRules,
}

impl Default for RunOptions {
    /// Skips, without a limit, and expects no more than what holds for every policy.
    fn default() -> Self {
        Self { skip_from: Some(0), max_cycles: None, rules: PolicyRules::default() }
    }
}

/// What a finished run took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Cycles in all: one more than the number of the last one.
    pub cycles: u64,
    /// Cycles in which the scheduler was asked.
    pub evaluated: u64,
    /// Cycles that were skipped.
    pub skipped: u64,
}

/// No run goes on past this cycle, far enough from the end of the numbers that none overflows.
pub const LAST_CYCLE: u64 = 1 << 62;

/// [`Inputs::clock`] has 40 bits.
const CLOCK_MASK: u64 = (1 << 40) - 1;

/// Evaluated cycles in a row in which a scheduler may keep busy while nothing crosses the ports and
/// the GPU waits for it. The slowest scan of a real one is some hundred cycles.
const PATIENCE: u64 = 100_000;

/// Runs everything that the GPU's host launches on `scheduler`.
///
/// # Errors
/// [`RunError`] says what each one means.
pub fn run(
    gpu: &mut Gpu,
    scheduler: &mut dyn Scheduler,
    options: &RunOptions,
    observer: &mut dyn Observer,
) -> Result<Summary, RunError> {
    let smx = gpu.smxs().len();
    if scheduler.smx() != smx {
        let message = format!("a scheduler of {} SMXs on a GPU of {smx}", scheduler.smx());
        return Err(InputError::new(message).into());
    }
    if let Some(laperm) = options.rules.laperm {
        gpu.share_queues(laperm.cluster_size(smx));
    }
    if options.rules.clusters.is_some() {
        gpu.place_clusters();
        if options.rules.cancels {
            gpu.cancel_clusters();
        }
    }
    let config = gpu.config();
    let run = Run {
        invariants: Invariants::new(config.limits(), smx, options.rules)
            .on(&config.floor_plan())
            .launching(gpu.device().mode(), config.launch.storage()),
        limit: options.max_cycles.unwrap_or(LAST_CYCLE).min(LAST_CYCLE),
        timed: gpu.device().ports().tells_time(),
        inputs: Inputs::idle(smx),
        before: Inputs::idle(smx),
        next_inputs: Inputs::idle(smx),
        outputs: Outputs::idle(smx),
        rested: false,
        recurrence: Recurrence::new(smx),
        stopped: false,
        summary: Summary::default(),
        skip_from: options.skip_from,
        gpu,
        scheduler,
        observer,
    };
    run.until_done()
}

/// How the cycles that come repeat those before, while the inputs stay.
#[derive(Clone, Copy, Debug)]
enum Repeats {
    /// Each is like the last one.
    Quiet,
    /// The last ones, as many as that, come again and again.
    Turning(u64),
}

/// A run under way.
struct Run<'a> {
    gpu: &'a mut Gpu,
    scheduler: &'a mut dyn Scheduler,
    observer: &'a mut dyn Observer,
    invariants: Invariants,
    limit: u64,
    skip_from: Option<u64>,
    /// The scheduler measures time.
    timed: bool,
    inputs: Inputs,
    /// See [`Run::stays`].
    before: Inputs,
    /// Those of a cycle to come.
    next_inputs: Inputs,
    outputs: Outputs,
    /// The cycle before stored nothing.
    rested: bool,
    recurrence: Recurrence<Turning>,
    /// An observer wants the run to end.
    stopped: bool,
    summary: Summary,
}

impl Run<'_> {
    fn until_done(mut self) -> Result<Summary, RunError> {
        let mut idle = 0;
        let mut cycle = 0;
        while !self.gpu.done() {
            if cycle >= self.limit {
                let why = format!("not finished after {} cycles", self.limit);
                return Err(self.stuck(self.limit, &why));
            }
            self.gpu.advance(cycle);
            if let Some(failure) = self.gpu.take_failure() {
                return Err(failure.into());
            }
            self.gpu.inputs(cycle, &mut self.inputs);
            if self.timed {
                let asleep = self.stays() && self.rested;
                self.inputs.clock = (!asleep).then_some(cycle & CLOCK_MASK);
            }
            let activity = self.evaluate(cycle)?;
            if self.stopped {
                return Err(RunError::Stopped(self.summary));
            }
            self.rested = activity == Activity::Quiet;
            let Self { gpu, inputs, outputs, observer, .. } = &mut self;
            report_ends(gpu, cycle, inputs, *observer);
            gpu.apply(cycle, inputs, outputs)?;
            report_kernels(gpu, cycle, inputs, outputs, *observer);
            report_dispatches(gpu, cycle, outputs, *observer);
            if gpu.done() {
                break;
            }
            // The GPU is not ahead of the scheduler here.
            if observer.has_had_enough() {
                return Err(RunError::Stopped(self.summary));
            }
            if activity == Activity::Quiet {
                // What has an effect is stored.
                idle += 1;
                self.recurrence.interrupted();
                cycle = self.pass(cycle, Repeats::Quiet)?;
                continue;
            }
            let effect = self.outputs.have_effect(&self.inputs);
            idle = if effect { 0 } else { idle + 1 };
            if idle >= PATIENCE && self.gpu.next_own_event().is_none() {
                let why =
                    format!("the scheduler has been busy for {PATIENCE} cycles without effect");
                return Err(self.stuck(cycle, &why));
            }
            cycle = match self.turns(effect) {
                Some(period) => self.pass(cycle, Repeats::Turning(period))?,
                None => cycle + 1,
            };
        }
        self.gpu.verify().map_err(RunError::Wrong)?;
        Ok(self.summary)
    }

    /// Asks the scheduler, and checks its answer, unless an observer has had enough.
    fn evaluate(&mut self, cycle: u64) -> Result<Activity, RunError> {
        let activity = self.scheduler.cycle(&self.inputs, &mut self.outputs);
        self.stopped |= self.observer.cycle(cycle, &self.inputs, &self.outputs).is_break();
        if self.stopped {
            self.summary.cycles = cycle;
            return Ok(activity);
        }
        self.summary.evaluated += 1;
        self.summary.cycles = cycle + 1;
        let checked = self.invariants.check(&self.inputs, &self.outputs);
        checked.map_err(|message| RunError::Invariant { cycle, message })?;
        Ok(activity)
    }

    /// Whether the inputs are those with which this was asked last, which it remembers.
    fn stays(&mut self) -> bool {
        let stays = self.inputs == self.before;
        if !stays {
            self.before.clone_from(&self.inputs);
        }
        stays
    }

    /// After a busy cycle: after how many such cycles the scheduler is back, if it is. `effect`
    /// says whether anything crossed the ports. A scheduler that measures time is not back as long
    /// as it is told the time.
    fn turns(&mut self, effect: bool) -> Option<u64> {
        if effect || self.timed || self.observer.follows_turns() {
            self.recurrence.interrupted();
            return None;
        }
        let stays = self.stays();
        let Self { recurrence, scheduler, invariants, .. } = self;
        recurrence.period(*scheduler, stays, || invariants.turning())
    }

    /// Goes past the cycles after `cycle` that repeat those before, and returns the next one that
    /// does not.
    fn pass(&mut self, cycle: u64, repeats: Repeats) -> Result<u64, RunError> {
        let Self { gpu, inputs, next_inputs, .. } = self;
        let answered = inputs.cancel.is_some() && !self.outputs.cancel_held;
        let ports = (&*inputs, next_inputs);
        let skip = self.skip_from.is_some_and(|from| cycle + 1 >= from);
        let change = next_change(gpu, cycle, self.limit, skip, answered, ports);
        let next = change.unwrap_or_else(|last| last + 1);
        let period = match repeats {
            Repeats::Quiet => 1,
            Repeats::Turning(period) => period,
        };
        let at = cycle + 1;
        let turned = at + (next - at) / period * period;
        if turned > at {
            self.summary.skipped += turned - at;
            self.observer.skipped(at, turned);
        }
        // What is left of a round, on inputs that stay. A run that is to stop does so behind it,
        // when the scheduler has come to where the GPU is.
        for cycle in turned..next {
            self.evaluate(cycle)?;
        }
        match change {
            Ok(next) => Ok(next),
            Err(last) => Err(self.stuck(last, "nothing can happen any more")),
        }
    }

    fn stuck(&self, cycle: u64, why: &str) -> RunError {
        stuck::report(self.gpu, cycle, why, &self.scheduler.explain())
    }
}

/// The next cycle to evaluate after the quiet cycle `cycle`, in which a question was `answered` or
/// not: the first one whose inputs differ from `inputs`, at most `limit`. Events inside the GPU are
/// processed on the way. An error carries the cycle of the last one, when no input will ever
/// change.
fn next_change(
    gpu: &mut Gpu,
    cycle: u64,
    limit: u64,
    skip: bool,
    answered: bool,
    (inputs, next_inputs): (&Inputs, &mut Inputs),
) -> Result<u64, u64> {
    // A reported block, or the lookup of a dispatch, changes the very next cycle. A block that has
    // been told that there is no other one asks no more, also where the next one that asks looks
    // the same. A question that is held comes again.
    gpu.inputs(cycle, next_inputs);
    if next_inputs != inputs || answered {
        return Ok(cycle + 1);
    }
    if !skip {
        return if gpu.next_event().is_some() { Ok(cycle + 1) } else { Err(cycle) };
    }
    let mut at = cycle;
    loop {
        at = gpu.run_ahead(at, limit)?;
        if at >= limit {
            return Ok(limit);
        }
        gpu.inputs(at, next_inputs);
        if next_inputs != inputs || gpu.has_failed() {
            return Ok(at);
        }
    }
}

fn report_ends(gpu: &Gpu, cycle: u64, inputs: &Inputs, observer: &mut dyn Observer) {
    for (smx, finished) in inputs.finished.iter().enumerate() {
        if let (Some(_), Some(slot)) = (finished, gpu.smxs()[smx].ended_slot()) {
            observer.block_ended(cycle, smx, slot);
        }
    }
}

/// Kernels and groups that the cycle has taken in.
fn report_kernels(
    gpu: &Gpu,
    cycle: u64,
    inputs: &Inputs,
    outputs: &Outputs,
    observer: &mut dyn Observer,
) {
    let launched = outputs.launch_ready.filter(|_| inputs.launch.is_some());
    let recorded = outputs
        .device
        .management
        .record_entry
        .filter(|_| inputs.device.management.record.is_some());
    for entry in [launched, recorded].into_iter().flatten() {
        if let Some(kernel) = gpu.kernel_in(entry) {
            let (kernel, instance) = (&*kernel.name, kernel.instance);
            observer.entered(&EnteredKernel { cycle, entry, kernel, instance });
        }
    }
    let Some(GroupOutcome::Coalesced { kernel, reference }) = outputs.device.groups.group_taken
    else {
        return;
    };
    if let Some(kernel) = gpu.kernel_in(kernel) {
        observer.coalesced(&CoalescedGroup {
            cycle,
            kernel: &kernel.name,
            instance: kernel.instance,
            group: gpu.group_ordinal(Some(reference)),
            in_memory: reference.pointer().is_some(),
        });
    }
}

fn report_dispatches(gpu: &Gpu, cycle: u64, outputs: &Outputs, observer: &mut dyn Observer) {
    for (smx, dispatch) in outputs.dispatch.iter().enumerate() {
        if let Some(dispatch) = dispatch {
            let kernel = gpu.kernel_in(dispatch.kernel).expect("the invariants hold");
            // A block that was suspended keeps its name.
            let returning = gpu.returning(dispatch.kernel).filter(|_| dispatch.group.is_none());
            let group = gpu.group_ordinal(dispatch.group);
            let (group, block) = returning
                .map_or((group, dispatch.block), |returning| (returning.group, returning.block));
            observer.dispatched(&DispatchedBlock {
                cycle,
                smx,
                kernel: &kernel.name,
                instance: kernel.instance,
                group,
                block,
            });
        }
    }
}
