//! The run loop: a GPU and a scheduler, cycle by cycle, until every kernel has finished.
//!
//! Each evaluated cycle builds the inputs, asks the scheduler, checks its answer and applies it. When
//! a cycle was quiet and the next one has the same inputs, the loop goes straight to the cycle in
//! which an input changes; nothing but the counts in [`Summary`] tells the difference.

pub mod error;
pub mod observer;
mod stuck;

use crate::diagnostic::InputError;
use crate::gpu::Gpu;
use crate::port::{Activity, DevicePorts, GroupOutcome, Inputs, Outputs, Scheduler};
use crate::sched::invariants::{Invariants, PolicyRules};
use error::RunError;
use observer::{CoalescedGroup, DispatchedBlock, EnteredKernel, Observer};

/// How to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunOptions {
    /// Whether quiet cycles are skipped.
    pub skip: bool,
    /// Cycles after which a run that has not ended counts as stuck; `None`: no limit but
    /// [`LAST_CYCLE`].
    pub max_cycles: Option<u64>,
    /// What the policy promises, which is checked in every evaluated cycle.
    pub rules: PolicyRules,
}

impl Default for RunOptions {
    /// Skips, without a limit, and expects no more than what holds for every policy.
    fn default() -> Self {
        Self { skip: true, max_cycles: None, rules: PolicyRules::default() }
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
    let limit = options.max_cycles.unwrap_or(LAST_CYCLE).min(LAST_CYCLE);
    let config = gpu.config();
    let mut invariants = Invariants::new(config.limits(), smx, options.rules)
        .launching(gpu.device().mode(), config.launch.table);
    let (mut inputs, mut next_inputs) = (Inputs::idle(smx), Inputs::idle(smx));
    let mut outputs = Outputs::idle(smx);
    let mut summary = Summary::default();
    // What the cycle before saw, and whether it stored nothing.
    let timed = gpu.device().ports() == DevicePorts::Timed;
    let (mut before, mut rested) = (Inputs::idle(smx), false);
    let mut idle = 0;
    let mut cycle = 0;
    while !gpu.done() {
        if cycle >= limit {
            let why = format!("not finished after {limit} cycles");
            return Err(stuck::report(gpu, limit, &why, &scheduler.explain()));
        }
        gpu.advance(cycle);
        if let Some(failure) = gpu.take_failure() {
            return Err(failure.into());
        }
        gpu.inputs(cycle, &mut inputs);
        if timed {
            let asleep = rested && inputs == before;
            before.clone_from(&inputs);
            inputs.clock = (!asleep).then_some(cycle & CLOCK_MASK);
        }
        let activity = scheduler.cycle(&inputs, &mut outputs);
        rested = activity == Activity::Quiet;
        summary.evaluated += 1;
        summary.cycles = cycle + 1;
        if observer.cycle(cycle, &inputs, &outputs).is_break() {
            return Err(RunError::Stopped { cycle });
        }
        let checked = invariants.check(&inputs, &outputs);
        checked.map_err(|message| RunError::Invariant { cycle, message })?;
        report_ends(gpu, cycle, &inputs, observer);
        gpu.apply(cycle, &inputs, &outputs)?;
        report_kernels(gpu, cycle, &inputs, &outputs, observer);
        report_dispatches(gpu, cycle, &outputs, observer);
        if gpu.done() {
            break;
        }
        idle = if idle_cycle(&inputs, &outputs) { idle + 1 } else { 0 };
        if idle >= PATIENCE && gpu.next_own_event().is_none() {
            let why = format!("the scheduler has been busy for {PATIENCE} cycles without effect");
            return Err(stuck::report(gpu, cycle, &why, &scheduler.explain()));
        }
        let mut next = cycle + 1;
        if activity == Activity::Quiet {
            let change = next_change(gpu, cycle, limit, options.skip, &inputs, &mut next_inputs);
            next = change.map_err(|at| {
                stuck::report(gpu, at, "nothing can happen any more", &scheduler.explain())
            })?;
        }
        if next > cycle + 1 {
            summary.skipped += next - cycle - 1;
            observer.skipped(cycle + 1, next);
        }
        cycle = next;
    }
    gpu.verify().map_err(RunError::Wrong)?;
    Ok(summary)
}

/// The next cycle to evaluate after the quiet cycle `cycle`: the first one whose inputs differ from
/// `inputs`, at most `limit`. Events inside the GPU are processed on the way. An error carries the
/// cycle of the last one, when no input will ever change.
fn next_change(
    gpu: &mut Gpu,
    cycle: u64,
    limit: u64,
    skip: bool,
    inputs: &Inputs,
    next_inputs: &mut Inputs,
) -> Result<u64, u64> {
    // A reported block, or the lookup of a dispatch, changes the very next cycle.
    gpu.inputs(cycle, next_inputs);
    if next_inputs != inputs {
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

/// Whether nothing crossed the ports, a launch that is not accepted apart.
fn idle_cycle(inputs: &Inputs, outputs: &Outputs) -> bool {
    let accepted = inputs.launch.is_some() && outputs.launch_ready.is_some();
    !accepted
        && outputs.finished_kernels == 0
        && inputs.finished.iter().all(Option::is_none)
        && outputs.dispatch.iter().all(Option::is_none)
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
            observer.dispatched(&DispatchedBlock {
                cycle,
                smx,
                kernel: &kernel.name,
                instance: kernel.instance,
                group: gpu.group_ordinal(dispatch.group),
                block: dispatch.block,
            });
        }
    }
}
