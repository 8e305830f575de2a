//! Which faults the rules of the ports find without a twin.
//!
//! ```text
//!   [traffic] -- inputs --> [hardware with a fault, in Verilator] -- outputs --+--> [invariants]
//!       ^----------------------------------------------------------------------'
//! ```
//!
//! The traffic sees what the hardware does, be it wrong: what it does then is what it does under
//! `blockyard run --traffic ... --engine rtl`.

use super::design::differs;
use super::fault::Fault;
use crate::engine::{rtl_module, SimulatedScheduler};
use crate::random_lockstep::RandomLockstep;
use crate::regress::StopFlag;
use crate::replay::{Port, ReplayError};
use blockyard_sim::port::{Inputs, Outputs, Scheduler};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::path::Path;
use std::process::Command;

/// A fault that lockstep finds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caught {
    /// After how many cycles of the suite's traffic lockstep finds it.
    pub lockstep: u64,
    /// The rule that is broken without a twin in the same stretch of traffic, and in which cycle of
    /// that, if one is.
    pub rule: Option<(u64, String)>,
}

/// What became of each fault of a design without a twin.
pub struct Alone {
    /// The design.
    pub design: String,
    /// Its family.
    pub family: &'static str,
    /// Each fault, and how it is caught if lockstep of `quick` finds it.
    pub faults: Vec<(Fault, Option<Caught>)>,
}

/// The first rule that the hardware breaks with this fault, and in which cycle; `program` has the
/// hardware, with these ports.
///
/// # Errors
/// When the program cannot be started, or there is no such hardware.
pub fn broken(
    run: &RandomLockstep,
    fault: u32,
    (program, ports): (&Path, &[Port]),
    stop: &StopFlag,
) -> Result<Option<(u64, String)>, ReplayError> {
    let RandomLockstep { composition, plan, limits, launch, storage, .. } = run;
    let module =
        rtl_module(composition, *launch, *storage, plan.clone(), *limits).map_err(differs)?;
    let mut command = Command::new(program);
    command.args(["-", &fault.to_string()]);
    let started = SimulatedScheduler::start(&mut command, module, ports);
    let what = format!("running {}", program.display());
    let mut scheduler = started.map_err(|source| ReplayError::Io { what, source })?;
    let mut traffic = run.traffic();
    let mut invariants = run.invariants();
    let (mut inputs, mut outputs) = (Inputs::idle(plan.smx()), Outputs::idle(plan.smx()));
    for cycle in 0..run.cycles {
        if stop.is_raised() {
            return Err(ReplayError::Stopped { tool: "lockstep".to_owned() });
        }
        traffic.next(&mut inputs);
        scheduler.cycle(&inputs, &mut outputs);
        if scheduler.failure().is_some() {
            // It does not settle, which ends the simulation of the hardware as well.
            return Ok(Some((cycle, "the hardware does not settle".to_owned())));
        }
        if inputs.reset {
            invariants = run.invariants();
        } else if let Err(rule) = invariants.check(&inputs, &outputs) {
            return Ok(Some((cycle, rule)));
        }
        // Traffic takes what the rules allow; what it cannot follow is no rule that is broken.
        let follows = || traffic.observe(&inputs, &outputs);
        if catch_unwind(AssertUnwindSafe(follows)).is_err() {
            return Ok(None);
        }
    }
    Ok(None)
}
